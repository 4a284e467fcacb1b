"""The start of `chcfuzz`, and of `python -m chcfuzz.commands` in a checkout without that script."""

import sys

from chcfuzz.solvers import python


def start() -> int:
    """Import and run the command; return its exit code."""
    python.leave_when_interrupted()
    python.forget_current_folder()
    from chcfuzz.commands.main import main

    return main()


if __name__ == "__main__":
    sys.exit(start())
