"""Console output that survives a closed terminal."""

from __future__ import annotations

import os
import sys
from typing import TextIO

from chcfuzz.grammar.printable import printable_lines


def print_error(text: str) -> None:
    """Print lines to standard error."""
    print_to(text, sys.stderr)


def print_to(text: str, stream: TextIO) -> None:
    """Print lines; if the stream cannot be written, discard them and everything printed to it later."""
    try:
        print(printable_lines(text), file=stream, flush=True)
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
