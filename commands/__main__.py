"""The start of `chcfuzz`, and of `python -m chcfuzz.commands` in a checkout without that script."""

import sys
from io import TextIOWrapper

from chcfuzz.solvers import python


def start() -> int:
    """Import and run the command; return its exit code."""
    python.leave_when_interrupted()
    python.start_again_in_utf_8()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # PYTHONIOENCODING may name an encoding that lacks a character
            stream.reconfigure(errors="backslashreplace")
    python.forget_current_folder()
    from chcfuzz.commands.main import main

    return main()


if __name__ == "__main__":
    sys.exit(start())
