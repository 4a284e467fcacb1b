"""Lines for people, which may have gone: a terminal that hung up takes none, and is no reason to stop."""

from __future__ import annotations

import os
import sys
from typing import TextIO


def tell(text: str) -> None:
    """A line on standard error."""
    say(text, sys.stderr)


def say(text: str, stream: TextIO) -> None:
    """A line, or several; where nobody can have it, it goes nowhere, and so does all that comes after it."""
    try:
        print(text, file=stream, flush=True)
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
