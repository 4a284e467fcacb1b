"""Python processes of chcfuzz; they do not import modules from the current folder.

Python itself puts the current folder (`-m`, `-c`), or the script's, before its own library: a file `selectors.py` in
the folder of a user would be run by whatever imports that module. `-P` leaves it out. The environment variable
for the same thing is not set, because commands under test would inherit it, and a solver that is a Python script may
need its own folder.

The user controls PYTHONPATH: modules are imported from its folders, including `.`. An empty entry is ignored, although
Python takes it for the current folder, because empty entries are accidents.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping
from typing import NoReturn

INTERRUPTED = 130  # exit code after Ctrl-C, as shells have it
_PATH = "PYTHONPATH"


def command(*words: str) -> list[str]:
    """Return the command that starts this Python with these words after its name: a script, or `-m` and a module."""
    return [sys.executable, "-P", *words]


def environment(**more: str) -> dict[str, str]:
    """Return the environment of such a process: this one's, PYTHONPATH without empty entries, and `more`."""
    named = os.pathsep.join(filter(None, os.environ.get(_PATH, "").split(os.pathsep)))
    return {**os.environ, **({_PATH: named} if _PATH in os.environ else {}), **more}


def start_again(environment: Mapping[str, str]) -> NoReturn:
    """Replace this process by itself, from its beginning, with the same arguments in another environment."""
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], dict(environment))


def start_again_in_utf_8() -> None:
    """Replace this process by one that reads names of files as UTF-8, as Atheris does, if the locale is another."""
    if sys.getfilesystemencoding() != "utf-8" and os.environ.get("PYTHONUTF8") != "1":  # -E would ignore it
        start_again({**os.environ, "PYTHONUTF8": "1"})


def forget_current_folder() -> None:
    """Let this process, which a user started without `-P`, import nothing more from the current folder.

    Nothing changes where PYTHONPATH names that folder.
    """
    entries = os.environ.get(_PATH, "").split(os.pathsep)
    here = os.path.abspath(".")
    named = here in map(os.path.abspath, filter(None, entries))
    implied = not sys.flags.safe_path or ("" in entries and _PATH in os.environ)
    for entry in ("", here):
        if implied and not named and entry in sys.path:
            sys.path.remove(entry)


def leave_when_interrupted() -> None:
    """Let Ctrl-C end this process with one line, until `raise_when_interrupted`: during imports, nothing is left over.

    A KeyboardInterrupt would print a traceback, and some modules catch it.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not if it is ignored, as in the background
        signal.signal(signal.SIGINT, _leave)


def raise_when_interrupted() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again, so that what has begun is ended."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _leave(_number: int, _frame: object) -> NoReturn:
    os.write(2, b"chcfuzz: interrupted\n")
    os._exit(INTERRUPTED)
