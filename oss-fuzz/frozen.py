"""Entry point of the frozen program, which accepts three command lines of Python.

They are `PROGRAM -P -m MODULE ...`, `PROGRAM -P -c CODE ...` and `PROGRAM -P SCRIPT ...`. The fuzzer starts its own
processes (workers, confirmations, cvc5, libFuzzer's jobs, the process that reads the version of a library of Z3)
through `sys.executable` with these command lines (`solvers/python.py`). In a program that PyInstaller has frozen,
`sys.executable` is the program itself. No other module has to distinguish a frozen program from Python.
"""

import os
import runpy
import sys


def main() -> None:
    """Run a module or a script in the place of this program."""
    # PyInstaller sets LD_LIBRARY_PATH to the program's folder. Commands that it starts must not load those libraries.
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
    elif words[:1] == ["-c"] and len(words) > 1:
        sys.argv = ["-c", *words[2:]]
        exec(compile(words[1], "<string>", "exec"), sys.modules["__main__"].__dict__)
    elif words and not words[0].startswith("-"):
        sys.argv = words
        runpy.run_path(words[0], run_name="__main__")
    else:
        sys.exit(f"usage: {os.path.basename(sys.executable)} -P (-m MODULE | -c CODE | SCRIPT) ...")


if __name__ == "__main__":
    main()
