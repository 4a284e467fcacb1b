"""Limits of the machine that an error of chcfuzz itself comes from: open files, processes, memory, the disk.

Such an error is neither an internal error nor the solver's fault. It is reported with one line that names the limit.
"""

from __future__ import annotations

import errno
import os
import resource
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from chcfuzz.grammar.errors import ChcfuzzError

# Errors of a disk that is full, read-only or broken.
_DISK_ERRORS = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EFBIG))
_NO_THREAD = "can't start new thread"  # Python's message, which is all that the error has


class MachineLimitError(ChcfuzzError):
    """A limit of the machine is reached; the message names it and the next action."""


@contextmanager
def limits_named() -> Iterator[None]:
    """Raise `MachineLimitError` in the place of an error that a limit of the machine causes."""
    try:
        yield
    except Exception as error:
        if reason := limit_behind(error):
            raise MachineLimitError(reason) from error
        raise


def limit_behind(error: BaseException) -> str:
    """Return one line on the limit of the machine that causes an error; empty for every other error."""
    if isinstance(error, RuntimeError) and str(error) == _NO_THREAD:
        return _processes()
    if isinstance(error, ImportError) and os.strerror(errno.EMFILE) in str(error):  # of a library
        return _open_files()
    if not isinstance(error, OSError) or error.errno is None:
        return ""
    if error.errno in _LINES:
        return _LINES[error.errno]()
    return _disk(error) if error.errno in _DISK_ERRORS else ""


def _open_files() -> str:
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return f"too many open files: a process may open {most}; raise the limit with `ulimit -n`"


def _open_files_of_all() -> str:
    return "too many open files on this machine; end other programs, or raise the kernel's limit fs.file-max"


def _processes() -> str:
    most, _ = resource.getrlimit(resource.RLIMIT_NPROC)
    number = "the machine's limit" if most == resource.RLIM_INFINITY else f"this user may have {most} (`ulimit -u`)"
    return f"cannot start another process or thread: {number}; end other programs, or run fewer workers"


def _memory() -> str:
    return "the machine has no memory left; end other programs, or run fewer workers"


_LINES: Mapping[int, Callable[[], str]] = {
    errno.EMFILE: _open_files,
    errno.ENFILE: _open_files_of_all,
    errno.EAGAIN: _processes,
    errno.ENOMEM: _memory,
}


def _disk(error: OSError) -> str:
    temporary = os.environ.get("TMPDIR") or tempfile.gettempdir()
    where = repr(str(error.filename)) if error.filename else f"the output, or a temporary file in {temporary!r}"
    if error.errno == errno.EFBIG:
        return f"cannot write {where}: {error.strerror}; raise the limit with `ulimit -f`"
    return f"cannot write {where}: {error.strerror}; make room, or name another folder in TMPDIR"
