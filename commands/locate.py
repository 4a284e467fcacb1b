"""`chcfuzz locate`."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from chcfuzz.commands import json_output
from chcfuzz.commands.command import Uses
from chcfuzz.commands.common_flags import PLAIN, How
from chcfuzz.commands.tables import INTERRUPTED
from chcfuzz.execution.flags import positive
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.grammar.printable import printable, printable_lines
from chcfuzz.solvers import z3_release
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from chcfuzz.triage.findings.location import Location

NAME, HELP, USES = "locate", "find what a finding depends on: parameters, step, events, releases", Uses.INSTALLED
EXAMPLES = (
    "chcfuzz locate findings/wrong-answer-ed6a4b-3649edca70db",
    "chcfuzz locate --bisect findings/wrong-answer-ed6a4b-3649edca70db",
    "chcfuzz locate findings/wrong-answer-ed6a4b-3649edca70db --sources z3-4.8.17/ z3-4.9.1/",
)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("input", type=Path, metavar="FINDING")
    parser.add_argument(
        "--bisect", action="store_true", help="also find the first bad and the last good release of the solver"
    )
    parser.add_argument(
        "--debug-build",
        metavar="DIR|VERSION",
        help="a debug build that may fail an assertion (default: the one of the finding's release, if in the cache)",
    )
    parser.add_argument(
        "--sources",
        nargs=2,
        type=Path,
        metavar=("GOOD", "BAD"),
        help="folders with the sources of the last good and the first bad release: list the changed files, those that "
        "the finding executes in a traced build first",
    )
    parser.add_argument(
        "--jobs", type=positive, default=1, metavar="N", help="number of parallel runs (default: %(default)s)"
    )
    Solving.add_flags(parser)


def run(given: argparse.Namespace) -> int:
    """Locate the finding; return 1 if it cannot be reproduced, 130 after Ctrl-C."""
    sources = tuple(given.sources) if given.sources else None
    options = LocateOptions(given.jobs, given.bisect, given.debug_build, How(given.json, given.quiet), sources)
    return locate_finding(given.input, Solving.of(given), options)


@dataclass(frozen=True)
class LocateOptions:
    """Number of parallel runs, whether to bisect releases, the debug build that a user named, output, and sources."""

    jobs: int = 1
    bisect: bool = False
    debug_build: str | None = None
    how: How = PLAIN
    sources: tuple[Path, Path] | None = None


def locate_finding(folder: Path, solving: Solving, options: LocateOptions) -> int:
    """Locate the finding in a folder, with progress on the terminal, and print the result as a table.

    Every result so far is written to the folder in any case, next to the results of earlier calls. Raises
    `HelperError`, and `ChcfuzzError` if the finding cannot be read.
    """
    from chcfuzz.triage.locate.locating import LocateError, Locating, save
    from chcfuzz.triage.reduce.condition import read_finding

    if options.bisect and not solving.uses_z3:
        raise UsageError("--bisect needs releases of z3-solver, but the solver under test is a command; omit --bisect")
    build = None if options.debug_build is None else _debug_build(options.debug_build)
    finding = read_finding(folder)
    console = Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(
        *columns, console=console, transient=True, disable=options.how.quiet or not console.is_terminal
    ) as progress:
        task = progress.add_task("starting", total=None)

        def show(stage: str, done: int, total: int) -> None:
            progress.update(task, description=stage, completed=done, total=total)

        locating = Locating(finding, solving, options.jobs, show)
        nothing = locating.location
        code = 0
        try:
            locating.run(build, options.bisect, options.sources)
        except KeyboardInterrupt:
            code = INTERRUPTED
        except LocateError as error:
            print(printable(f"chcfuzz: {error}"), file=sys.stderr)
            return 1
        finally:
            if locating.location != nothing:
                save(folder, locating.location)
    if options.how.json:
        json_output.show(msgspec.to_builtins(locating.location))
    elif locating.location != nothing:
        Console().print(table(locating.location))
    if code:
        known = "the results so far are shown" if locating.location != nothing else "the first result is missing"
        print(f"chcfuzz: interrupted; {known}", file=sys.stderr)
    return code


def table(location: Location) -> Table:
    """Return the location as a table for the terminal."""
    from chcfuzz.triage.findings.location import in_words

    found = Table(box=box.SIMPLE, show_header=False, title=f"location of the bug, for the {location.of} system")
    found.add_column(style="bold", no_wrap=True)
    found.add_column(overflow="fold")
    for label, text in in_words(location):
        found.add_row(Text(label), Text(printable_lines(text)))
    return found


def _debug_build(named: str) -> Path:
    """Return the debug build in a folder, or the one of a release in the cache; raises `UsageError`."""
    build = Path(named) if Path(named).is_dir() else z3_release.build_in_cache(named, "debug")
    if build is None:
        advice = "name its folder, or run ./build_z3_traced.sh --profile debug"
        raise UsageError(f"{named!r} is not a folder, and a debug build of that version is not in the cache; {advice}")
    return build
