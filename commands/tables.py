"""Terminal output that commands share: the console for tables, wrapped lines, progress bars."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from chcfuzz.grammar.printable import printable
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

TABLE_WIDTH = 120  # of a console; below it, a table would fold names


def console() -> Console:
    """Return a console as wide as the terminal, or as COLUMNS; wide enough for whole names in a file or a pipe."""
    return Console(width=width() or 140)


def width() -> int | None:
    """Return COLUMNS, or the width of the terminal; None in a file or a pipe without COLUMNS."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() or "COLUMNS" in os.environ else None


def print_wrapped(line: str) -> None:
    """Print a line that is wrapped between words, with its own indentation and more; unchanged in a file or a pipe."""
    columns = width()
    if columns is None or len(line) <= columns:
        print(line)
        return
    indentation = line[: len(line) - len(line.lstrip())]
    further = indentation + "  "
    wrap = textwrap.TextWrapper(
        columns, indentation, further, drop_whitespace=True, break_long_words=False, break_on_hyphens=False
    )
    print(wrap.fill(line.strip()))


def progress_lines(every: float, clock: Callable[[], float] = time.monotonic) -> Callable[[str, int, int], None]:
    """Return a function that prints a line on stderr for each new label, and at most one in `every` seconds."""
    label, printed = "", 0.0

    def show(stage: str, done: int, total: int) -> None:
        nonlocal label, printed
        if stage == label and clock() - printed < every:
            return
        label, printed = stage, clock()
        print(printable(f"chcfuzz: {stage}: {done} of {total}"), file=sys.stderr, flush=True)

    return show


@contextmanager
def progress_bars(quiet: bool) -> Iterator[Callable[[str, int, int], None]]:
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
