"""`chcfuzz locate`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from chcfuzz.commands import json_output
from chcfuzz.commands.common_flags import PLAIN, How
from chcfuzz.commands.own_file import add_flag, finding_of
from chcfuzz.commands.subcommand import Uses
from chcfuzz.commands.tables import console, progress_lines
from chcfuzz.execution.domain import check_flags, solving_of
from chcfuzz.execution.flags import positive
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.grammar.printable import printable, printable_lines
from chcfuzz.solvers import z3_release
from chcfuzz.solvers.command import Command, unpacked
from chcfuzz.solvers.python import INTERRUPTED
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from chcfuzz.triage.findings.location import Location

NAME, HELP, USES = "locate", "find what a finding depends on: parameters, step, events, releases", Uses.INSTALLED
_EVERY = 30.0  # seconds between two lines on the progress
EXAMPLES = (
    "chcfuzz locate findings/wrong-answer-ed6a4b-3649edca70db",
    "chcfuzz locate mine.smt2 --z3 4.13.4.0",
    "chcfuzz locate --bisect findings/wrong-answer-ed6a4b-3649edca70db",
    "chcfuzz locate findings/wrong-answer-ed6a4b-3649edca70db --sources 4.8.17.0 4.9.0.0",
    "chcfuzz locate findings/wrong-answer-ed6a4b-3649edca70db --history z3/ --commits z3-4.8.17..z3-4.9.0",
)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("input", type=Path, metavar="FINDING|FILE", help="a finding, a file, or - for standard input")
    add_flag(parser)
    parser.add_argument(
        "--bisect", action="store_true", help="also find the first bad and the last good release of the solver"
    )
    parser.add_argument(
        "--release",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help="a release of the command under test, to bisect; repeat it for each release, the oldest first",
    )
    parser.add_argument(
        "--debug-build",
        metavar="DIR|VERSION|COMMAND",
        help="a debug build that may fail an assertion (default: the one of the finding's release, if in the cache); "
        "for a command under test, the command of its debug build",
    )
    parser.add_argument(
        "--sources",
        nargs="*",
        metavar="GOOD BAD",
        help="also list the files that differ between two releases, those that the finding executes in a traced build "
        "first; each is a version of z3-solver, whose source distribution is downloaded, or a folder with sources "
        "(default: the last good and the first bad release that --bisect found)",
    )
    parser.add_argument(
        "--history",
        type=Path,
        metavar="DIR",
        help="only search the commit that introduced it, in a checkout of Z3: each tested commit is built in the cache "
        "(nothing is written to DIR; the next call continues after an interruption)",
    )
    parser.add_argument(
        "--commits",
        metavar="GOOD..BAD",
        help="range of commits for --history (default: the tags of the last good and the first bad release that "
        "--bisect found)",
    )
    parser.add_argument(
        "--jobs", type=positive, default=1, metavar="N", help="number of parallel runs (default: %(default)s)"
    )
    Solving.add_flags(parser)


def run(given: argparse.Namespace) -> int:
    """Locate the finding; return 1 if it cannot be reproduced, 130 after Ctrl-C."""
    from chcfuzz.triage.locate.changed_sources import check_sources

    if given.sources is not None and len(given.sources) not in (0, 2):
        raise UsageError(f"--sources takes two releases, not {' '.join(given.sources)!r}; write --sources GOOD BAD")
    if given.commits is not None and given.history is None:
        raise UsageError(f"--commits {given.commits} needs a checkout of Z3; name it with --history DIR")
    check_sources(given.sources or ())
    how, solving = How(given.json, given.quiet), solving_of(given)
    folder = finding_of(given.input, solving, given.findings, given.unit)
    if given.history is not None:
        return search_history(folder, solving, HistoryOptions(given.history, given.commits, given.jobs, how))
    sources = None if given.sources is None else tuple(given.sources)
    named = tuple(map(_named_release, given.release))
    options = LocateOptions(given.jobs, given.bisect, given.debug_build, how, sources, named)
    return locate_finding(folder, solving, options)


@dataclass(frozen=True)
class LocateOptions:
    """Options of the command: `debug_build` and `releases` are those that a user named."""

    jobs: int = 1
    bisect: bool = False
    debug_build: str | None = None
    how: How = PLAIN
    sources: tuple[str, ...] | None = None
    releases: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class HistoryOptions:
    """A checkout of Z3, the range of commits GOOD..BAD or None, number of parallel compilers, and output."""

    checkout: Path
    commits: str | None = None
    jobs: int = 1
    how: How = PLAIN


def locate_finding(folder: Path, solving: Solving, options: LocateOptions) -> int:
    """Locate the finding in a folder, with progress on the terminal, and print the result as a table.

    Every result so far is written to the folder in any case, next to the results of earlier calls. Raises
    `HelperError`, and `ChcfuzzError` if the finding cannot be read.
    """
    from chcfuzz.triage.locate.case import LocateError, save
    from chcfuzz.triage.locate.locating import Locating
    from chcfuzz.triage.locate.tested_releases import NamedRelease
    from chcfuzz.triage.reduce.condition import read_finding

    if options.bisect and not (solving.uses_z3 or options.releases):
        reason = "--bisect needs releases of z3-solver, but the solver under test is a command"
        raise UsageError(f"{reason}; name its releases with --release NAME=COMMAND")
    if options.releases and solving.uses_z3:
        raise UsageError("--release names releases of a command under test; for z3-solver, use --bisect")
    named = options.debug_build
    command = None if named is None or solving.uses_z3 else _debug_command(named, solving)
    build = None if named is None or command is not None else _debug_build(named)
    releases = [NamedRelease(*pair) for pair in options.releases]
    for release in releases:
        check_flags(replace(solving, command=release.line))
    finding = read_finding(folder)
    with progress(options.how) as show:
        locating = Locating(finding, solving, options.jobs, show)
        nothing = locating.location
        code = 0
        try:
            locating.run(build, options.bisect, releases, options.sources, command)
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
        console().print(table(locating.location))
    if code:
        known = "the results so far are shown" if locating.location != nothing else "the first result is missing"
        print(f"chcfuzz: interrupted; {known}", file=sys.stderr)
    return code


def search_history(folder: Path, solving: Solving, options: HistoryOptions) -> int:
    """Search the commit that introduced the finding in a folder, and print and store the result.

    Raises `HistoryError` if the commits cannot be bisected, and `ChcfuzzError` if the finding cannot be read.
    """
    from chcfuzz.triage.history.builds import CommitBuilds
    from chcfuzz.triage.history.commits import Checkout
    from chcfuzz.triage.history.searching import HistorySearch
    from chcfuzz.triage.locate.case import save
    from chcfuzz.triage.reduce.condition import read_finding

    if not solving.uses_z3:
        raise UsageError("--history needs Z3, but the solver under test is a command; omit --history")
    builds = CommitBuilds(Checkout(options.checkout), options.jobs)
    finding = read_finding(folder)
    with progress(options.how) as show:
        try:
            location = HistorySearch(finding, solving, builds, show).run(options.commits)
        except KeyboardInterrupt:
            print("chcfuzz: interrupted; the same command continues", file=sys.stderr)
            return INTERRUPTED
    save(folder, location)
    if options.how.json:
        json_output.show(msgspec.to_builtins(location))
    else:
        console().print(table(location))
    return 0


@contextmanager
def progress(how: How) -> Iterator[Callable[[str, int, int], None]]:
    """Yield the function that shows a stage, its number of completed runs and of all runs.

    Without a terminal, it prints a line for each new stage, and at most one in `_EVERY` seconds.
    """
    err = Console(stderr=True)
    if not (how.quiet or err.is_terminal):
        yield progress_lines(_EVERY)
        return
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=err, transient=True, disable=how.quiet) as progress:
        task = progress.add_task("starting", total=None)
        yield lambda stage, done, total: progress.update(task, description=stage, completed=done, total=total)


def table(location: Location) -> Table:
    """Return the location as a table for the terminal."""
    from chcfuzz.triage.findings.location import in_words

    found = Table(box=box.SIMPLE, show_header=False, title=f"location of the bug, for the {location.of} system")
    found.add_column(style="bold", no_wrap=True)
    found.add_column(overflow="fold")
    for label, text in in_words(location):
        found.add_row(Text(label), Text(printable_lines(text)))
    return found


def _named_release(text: str) -> tuple[str, str]:
    """Return the name and the command of a release; raises `UsageError`."""
    name, _, command = text.partition("=")
    if not (name and command):
        raise UsageError(f"--release {text!r} is not a release; write NAME=COMMAND")
    return name, unpacked(command)


def _debug_command(named: str, solving: Solving) -> Command:
    """Return the debug build of a command under test; raises `CommandError` if it cannot be started."""
    return Command.of(named, solving.wall_seconds, solving.memory_megabytes, solving.dialect)


def _debug_build(named: str) -> Path:
    """Return the debug build in a folder, or the one of a release in the cache; raises `UsageError`."""
    build = Path(named) if Path(named).is_dir() else z3_release.build_in_cache(named, "debug")
    if build is None:
        advice = "name its folder, or run ./build_z3_traced.sh --profile debug"
        raise UsageError(f"{named!r} is not a folder, and a debug build of that version is not in the cache; {advice}")
    return build
