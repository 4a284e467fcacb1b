"""Errors that a limit of the machine causes are one line with that limit; other errors stay as they are."""

import errno
import os
import resource

import pytest
from chcfuzz.solvers.machine_limits import MachineLimitError, limit_behind, limits_named


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError(errno.EMFILE, "x"), f"may open {resource.getrlimit(resource.RLIMIT_NOFILE)[0]}; .*`ulimit -n`"),
        (ImportError(f"lib.so: {os.strerror(errno.EMFILE)}"), "ulimit -n"),
        (OSError(errno.ENFILE, "x"), "fs.file-max"),
        (OSError(errno.EAGAIN, "x"), "process or thread"),
        (RuntimeError("can't start new thread"), "process or thread"),
        (OSError(errno.ENOMEM, "x"), "no memory"),
        (OSError(errno.ENOSPC, "full", "/a/file"), "'/a/file': full; make room"),
        (OSError(errno.EFBIG, "large", "/a/file"), "ulimit -f"),
    ],
)
def test_a_limit_is_named(error: Exception, message: str) -> None:
    with pytest.raises(MachineLimitError, match=message), limits_named():
        raise error


@pytest.mark.parametrize("error", [OSError(errno.ENOENT, "gone"), ValueError("x"), RuntimeError("x"), OSError("x")])
def test_another_error_stays_as_it_is(error: Exception) -> None:
    assert limit_behind(error) == ""
    with pytest.raises(type(error)) as raised, limits_named():
        raise error
    assert raised.value is error
