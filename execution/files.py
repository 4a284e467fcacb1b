"""Files and folders that are written completely or not at all."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO, Literal, TypeVar

from chcfuzz.execution.codec import CodecError, from_json
from chcfuzz.execution.solving import UsageError
from chcfuzz.grammar.errors import ChcfuzzError

OpenMode = Literal["rb", "ab", "wb", "r+b"]
T = TypeVar("T")


class LinkError(ChcfuzzError):
    """A name in a findings folder that is not a plain file."""


def read_json(path: Path, kind: type[T], form: str | int, error: type[ChcfuzzError], advice: str) -> T | None:
    """Return the value in a stored file, None without the file; raises `error`, which ends with the advice."""
    try:
        return from_json(read_plain(path), kind, form)
    except FileNotFoundError:
        return None
    except OSError as failed:
        raise error(f"cannot read {str(path)!r}: {failed.strerror}; {advice}") from failed
    except CodecError as failed:
        raise error(f"{str(path)!r} {failed}; {advice}") from failed


def read_plain(path: Path, most: int = -1) -> bytes:
    """Return the content of a file that may come from somebody else, at most `most` bytes of it if that is not -1.

    Raises `OSError`, and `LinkError` for anything but a plain file.
    """
    with open_plain(path) as file:
        return file.read(most)


def open_plain(path: Path, mode: OpenMode = "rb") -> BinaryIO:
    """Open a file in a folder that may come from somebody else: a link to another file is not followed.

    Raises `OSError`, and `LinkError` for anything but a plain file.
    """
    try:
        return open(path, mode, opener=_opened)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO):
            raise _link_error(path) from error
        raise


def _opened(name: str, flags: int) -> int:
    """Open a file as `open` does, but neither through a link nor with a wait for the other end of a pipe."""
    descriptor = os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _link_error(Path(name))
    return descriptor


def is_name(text: str) -> bool:
    """Return whether a text is the name of a file in a folder, and not a path that leads elsewhere."""
    return text not in ("", ".", "..") and "/" not in text and "\0" not in text


def ensure_no_link(*paths: Path) -> None:
    """Raise `LinkError` if one of these files or folders is a link; it need not exist."""
    for path in paths:
        if path.is_symlink():
            raise _link_error(path)


def below(folder: Path, *names: str) -> Path:
    """Return a path below a folder that may come from somebody else; raises `LinkError` if it leads elsewhere."""
    path = folder
    for name in names:
        path /= name
        if not is_name(name):
            raise LinkError(f"{str(path)!r} leads out of {str(folder)!r}")
        ensure_no_link(path)
    return path


def _link_error(path: Path) -> LinkError:
    return LinkError(f"{str(path)!r} is not a plain file, and links are not followed; remove it")


def beside(folder: Path, ending: str) -> Path:
    """Return the path next to a folder that has its name and an ending, also of `.` and `..`."""
    return Path(f"{os.path.abspath(folder)}{ending}") if folder.name in ("", "..") else Path(f"{folder}{ending}")


def write_whole(path: Path, content: bytes, mode: int = 0o600, durable: bool = False) -> None:
    """Write a file under a temporary name beside `path`, then rename it. Leaves nothing behind if it raises `OSError`.

    With `durable`, the new content and its name are on the disk when the call returns, whatever happens later.
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
    if durable:
        sync_folder(path.parent)


def write_named(path: Path, content: bytes) -> None:
    """Write a file that the user has named: a device, a pipe or what a link names as it is, any other file whole.

    To rename a file to `/dev/stdout` would remove that link for all programs. Raises `OSError`.
    """
    if is_special(path):
        path.write_bytes(content)
    else:
        write_whole(path, content, mode=0o644)


def is_special(path: Path) -> bool:
    """Return whether a path names a link, a device or a pipe."""
    return path.is_symlink() or (path.exists() and not path.is_file())


def write_new(path: Path, content: bytes) -> None:
    """Write a file that only this user can read, completely or not at all; raises `FileExistsError` if it exists."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".writing-") as file:
        file.write(content)
        file.flush()
        os.link(file.name, path)


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def see_writable(path: Path) -> None:
    """Check that a file can be written there later; raises `UsageError`."""
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not is_special(path):
            with tempfile.TemporaryFile(dir=path.parent):
                pass
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}; make its folder, or name another") from error


def see_folder(path: Path) -> None:
    """Check that files can be written to a folder later, which need not exist yet; raises `UsageError`."""
    whole = path.absolute()
    nearest = next(folder for folder in (whole, *whole.parents) if os.path.lexists(folder))
    try:
        with tempfile.TemporaryFile(dir=nearest):
            pass
    except OSError as error:
        raise UsageError(f"cannot write to {str(path)!r}: {error.strerror}; name another folder") from error


def write_folder(target: Path, files: Mapping[str, bytes]) -> None:
    """Write a folder with these files under a temporary name beside `target`, then rename it, unless `target` exists.

    The folder is on the disk when the call returns; a power cut before leaves the whole folder or nothing. Shell
    scripts are executable. If it raises `OSError`, it leaves nothing behind.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=".writing-", dir=target.parent))
    try:
        for name, content in files.items():
            with open(temporary / name, "wb") as file:
                file.write(content)
                file.flush()
                os.fchmod(file.fileno(), 0o755 if name.endswith(".sh") else 0o644)
                os.fsync(file.fileno())
        temporary.chmod(0o755)
        sync_folder(temporary)
        os.rename(temporary, target)
    except OSError as error:
        shutil.rmtree(temporary, ignore_errors=True)
        if error.errno not in (errno.EEXIST, errno.ENOTEMPTY):
            raise
    sync_folder(target.parent)
