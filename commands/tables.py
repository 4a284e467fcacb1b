"""Where tables for people are printed."""

from __future__ import annotations

import sys

from rich.console import Console


def console() -> Console:
    """A terminal as wide as it is; in a file or a pipe, wide enough for whole names."""
    return Console(width=None if sys.stdout.isatty() else 140)
