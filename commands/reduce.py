"""`chcfuzz reduce`."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from chcfuzz.commands import json_output
from chcfuzz.commands.common_flags import PLAIN, How
from chcfuzz.commands.own_file import add_flag, finding_of
from chcfuzz.commands.subcommand import Uses
from chcfuzz.execution.domain import solving_of
from chcfuzz.execution.flags import positive
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.printable import counted, printable
from chcfuzz.solvers.python import INTERRUPTED
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

if TYPE_CHECKING:
    from chcfuzz.triage.reduce.result_writer import Reduced

NAME, HELP, USES = "reduce", "reduce a finding: its parameters, its chain, its problem", Uses.INSTALLED
EXAMPLES = (
    "chcfuzz reduce findings/wrong-model-ed2298-7c8717863a1e --jobs 2",
    "chcfuzz reduce mine.smt2 --z3 4.13.4.0",
)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("input", type=Path, metavar="FINDING|FILE", help="a finding, a file, or - for standard input")
    add_flag(parser)
    parser.add_argument(
        "--mode",
        choices=("finding", "equivalent"),
        default="finding",
        help="equivalent: each clause stays equivalent; finding: only the finding is kept (default: %(default)s)",
    )
    parser.add_argument(
        "--jobs", type=positive, default=1, metavar="N", help="number of parallel tests (default: %(default)s)"
    )
    Solving.add_flags(parser)


def run(given: argparse.Namespace) -> int:
    """Reduce the finding; return 1 if it cannot be reproduced, 130 after Ctrl-C."""
    solving = solving_of(given)
    folder = finding_of(given.input, solving, given.findings, given.unit)
    return reduce_finding(folder, solving, given.mode, given.jobs, How(given.json, given.quiet))


def reduce_finding(folder: Path, solving: Solving, mode: str, jobs: int, how: How = PLAIN) -> int:
    """Reduce the finding in a folder, with progress on the terminal, and print the result.

    Raises `ReduceError`, and `ChcfuzzError` if the finding cannot be read. The best result is written in any case.
    """
    from chcfuzz.triage.reduce.condition import read_finding
    from chcfuzz.triage.reduce.reduction import (
        GoneError,
        ReduceOptions,
        ReductionResult,
        open_reducer,
        size_summary,
    )
    from chcfuzz.triage.shrink.result import Mode

    finding = read_finding(folder)
    console = Console(stderr=True)
    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True, disable=how.quiet or not console.is_terminal) as progress:
        task = progress.add_task("starting")

        def show(best: Reduced, tests: int, passed: int) -> None:
            progress.update(task, description=f"{size_summary(best.size)}; {counted(tests, 'test')}, {passed} passed")

        with open_reducer(finding, solving, ReduceOptions(Mode(mode), jobs), show) as reducer:
            try:
                with suppress(KeyboardInterrupt):
                    reducer.run()
            except GoneError as error:
                print(printable(f"chcfuzz: {error}"), file=sys.stderr)
                return 1
    first, best = reducer.first, reducer.best
    if first is None or best is None:
        print("chcfuzz: interrupted before the finding was reproduced", file=sys.stderr)
        return INTERRUPTED
    result = ReductionResult(first.size, best)
    if how.json:
        sizes = {"before": size_summary(first.size), "after": size_summary(best.size)}
        json_output.show({"finding": str(folder), **sizes, "tests": best.tests, "minimal": best.minimal})
    else:
        print(result.summary + ("" if best.minimal else "; interrupted, it may get smaller"))
    return 0 if best.minimal else INTERRUPTED
