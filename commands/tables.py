"""The console for tables, and the exit code of an interrupted command."""

from __future__ import annotations

import sys

from rich.console import Console

INTERRUPTED = 130  # exit code after Ctrl-C, as shells have it


def console() -> Console:
    """Return a console as wide as the terminal; wide enough for whole names if the output is a file or a pipe."""
    return Console(width=None if sys.stdout.isatty() else 140)
