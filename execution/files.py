"""Files and folders that are there whole or not at all."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from chcfuzz.execution.solving import UsageError

# What a disk says that takes no more: it is full, or may not be written, or fails.
DISK_ERRORS = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EFBIG))


def write_whole(path: Path, content: bytes, mode: int = 0o600, durable: bool = False) -> None:
    """Write under a temporary name beside `path`, then rename. Raises `OSError`, and then leaves nothing behind.

    Where it is to be `durable`, a power cut leaves the old content or this one; it takes as long as the disk does.
    """
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".writing-", delete=False) as file:
        try:
            file.write(content)
            file.flush()
            os.fchmod(file.fileno(), mode)
            if durable:
                os.fsync(file.fileno())
            os.rename(file.name, path)
        except OSError:
            os.unlink(file.name)
            raise


def see_writable(path: Path) -> None:
    """See that a file can be written there, which it may be much later; raises `UsageError`."""
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}; make its folder, or name another") from error


def write_folder(target: Path, files: Mapping[str, bytes]) -> None:
    """Make a folder of these files under a temporary name beside `target`, then rename; nothing where it is already.

    A power cut leaves it whole or none. Raises `OSError`, and then leaves nothing behind.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=".writing-", dir=target.parent))
    try:
        for name, content in files.items():
            with open(temporary / name, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        temporary.chmod(0o755)
        os.rename(temporary, target)
    except OSError as error:
        shutil.rmtree(temporary, ignore_errors=True)
        if error.errno not in (errno.EEXIST, errno.ENOTEMPTY):
            raise
