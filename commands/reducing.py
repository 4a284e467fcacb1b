"""`chcfuzz reduce`: a reduction with its progress on a terminal, and what became of it in a line."""

from __future__ import annotations

import sys
from pathlib import Path

from chcfuzz.execution.solving import Solving
from chcfuzz.triage.reduce.condition import read_finding
from chcfuzz.triage.reduce.pool import Panel
from chcfuzz.triage.reduce.reduction import GoneError, Reduced, Reduction, Written, in_words, line, reduced_record
from chcfuzz.triage.shrink.passes import Mode
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

_INTERRUPTED = 130  # what a shell says of Ctrl-C


def reduce_finding(folder: Path, solving: Solving, mode: str, jobs: int) -> int:
    """Reduce the finding in a folder; the exit code is 1 where it does not show any more, 130 after Ctrl-C.

    Raises `ReduceError`, and `ChcfuzzError` for a finding that cannot be read. The best so far is written in any case.
    """
    finding = read_finding(folder)
    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    console = Console(stderr=True)
    with (
        Panel(finding.condition, solving, jobs) as panel,
        Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress,
    ):
        task = progress.add_task("starting")

        def told(best: Reduced, asked: int, passed: int) -> None:
            progress.update(task, description=f"{in_words(best.size)}; {asked} tests, {passed} passed")

        reduction = Reduction(finding, panel, Mode(mode), jobs, told, Written(finding, Mode(mode)))
        try:
            reduction.run()
        except KeyboardInterrupt:
            pass  # told below, by what is there
        except GoneError as error:
            print(f"chcfuzz: {error}", file=sys.stderr)
            return 1
        finally:
            reduction.write()
    first, best = reduction.first, reduction.best
    if first is None or best is None:
        print("chcfuzz: interrupted before the finding was seen again", file=sys.stderr)
        return _INTERRUPTED
    print(line(first, best) + ("" if best.minimal else "; interrupted, it may get smaller"))
    return 0 if best.minimal else _INTERRUPTED


def reduce_at_most(folder: Path, solving: Solving, most: int) -> str | None:
    """Reduce the finding in a folder with so many tests, unless that was done before; a line on it, None then.

    Raises `ReduceError` for one that does not show any more or cannot be reduced, and `ChcfuzzError` for one that
    cannot be read. The best so far is written in any case.
    """
    before = reduced_record(folder)
    if before is not None and (before["minimal"] or (before.get("most") or 0) >= most):
        return None
    finding = read_finding(folder)
    with Panel(finding.condition, solving, 1) as panel:
        into = Written(finding, Mode.FINDING)
        reduction = Reduction(finding, panel, Mode.FINDING, 1, lambda *_: None, into, most)
        try:
            best = reduction.run()
        finally:
            reduction.write()
    assert reduction.first is not None
    return line(reduction.first, best) + ("" if best.minimal else f"; stopped after {most}")
