"""Files and folders that are written completely or not at all."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from chcfuzz.execution.solving import UsageError

# Errors of a disk that is full, read-only or broken.
DISK_ERRORS = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EFBIG))


def write_whole(path: Path, content: bytes, mode: int = 0o600, durable: bool = False) -> None:
    """Write a file under a temporary name beside `path`, then rename it. Leaves nothing behind if it raises `OSError`.

    With `durable`, a power cut leaves the old content or the new one; the call waits for the disk.
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
    """Check that a file can be written there later; raises `UsageError`."""
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}; make its folder, or name another") from error


def write_folder(target: Path, files: Mapping[str, bytes]) -> None:
    """Write a folder with these files under a temporary name beside `target`, then rename it, unless `target` exists.

    A power cut leaves the whole folder or none of it. If it raises `OSError`, it leaves nothing behind.
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
