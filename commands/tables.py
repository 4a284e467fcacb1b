"""Terminal output that commands share: the console for tables, progress bars, the exit code after Ctrl-C."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn


def console() -> Console:
    """Return a console as wide as the terminal, or as COLUMNS; wide enough for whole names in a file or a pipe."""
    return Console(width=None if sys.stdout.isatty() or "COLUMNS" in os.environ else 140)


@contextmanager
def progress_bars(quiet: bool = False) -> Iterator[Callable[[str, int, int], None]]:
    """Yield a function that shows progress on stderr: a label, the number of completed items, and the total.

    The first call shows the first bar; each new label adds one. No thread refreshes the bars, because commands fork.
    """
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    progress = Progress(*columns, console=Console(stderr=True), auto_refresh=False, disable=quiet)
    bars: dict[str, TaskID] = {}

    def show(label: str, done: int, total: int) -> None:
        if not bars:
            progress.start()
        if label not in bars:
            bars[label] = progress.add_task(label, total=total)
        progress.update(bars[label], completed=done, refresh=True)

    try:
        yield show
    finally:
        if bars:
            progress.stop()
