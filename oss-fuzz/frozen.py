"""The Python of a frozen program: `PROGRAM -P -m MODULE ...` and `PROGRAM -P SCRIPT ...` do what they say.

This fuzzer starts itself again all the time: workers, confirmations, cvc5, and libFuzzer what it finds in `argv[0]`.
All of them call `sys.executable` as one calls Python (`solvers/python.py`). In a program that PyInstaller has made that
is the program itself. So it understands the little of Python's command line that is used there, and nobody else has to
know that anything is frozen.
"""

import os
import runpy
import sys


def main() -> None:
    """Run a module or a script in the place of this program."""
    # PyInstaller's own, for the program alone: solvers that are commands must not load the libraries that lie here.
    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    if before is None:
        os.environ.pop("LD_LIBRARY_PATH", None)
    else:
        os.environ["LD_LIBRARY_PATH"] = before
    words = sys.argv[1:]
    if words[:1] == ["-P"]:  # a frozen program never imports from the current folder
        words = words[1:]
    if words[:1] == ["-m"] and len(words) > 1:
        sys.argv = words[1:]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    elif words and not words[0].startswith("-"):
        sys.argv = words
        runpy.run_path(words[0], run_name="__main__")
    else:
        sys.exit(f"usage: {os.path.basename(sys.executable)} -P (-m MODULE | SCRIPT) ...")


if __name__ == "__main__":
    main()
