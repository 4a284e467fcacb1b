"""The start of `chcfuzz`, and of `python -m chcfuzz.commands` in a checkout without that script."""

import os
import sys
from io import TextIOWrapper

from chcfuzz.solvers import python


def start() -> int:
    """Import and run the command; return its exit code."""
    python.leave_when_interrupted()
    python.start_again_in_utf_8()
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by `>&-`
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # PYTHONIOENCODING may name an encoding that lacks a character
            stream.reconfigure(errors="backslashreplace")
    python.forget_current_folder()
    from chcfuzz.commands.main import main

    return _flushed(main())


def _flushed(code: int) -> int:
    """Write the rest of the output, which a reader that has ended, such as `head`, does not need; return the code."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        sys.stderr.write(f"chcfuzz: cannot write the output: {error.strerror}; make room\n")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    return code


if __name__ == "__main__":
    sys.exit(start())
