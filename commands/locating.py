"""`chcfuzz locate`: a finding located with its progress on a terminal, and what is known of it as a table."""

from __future__ import annotations

import sys
from pathlib import Path

from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.solvers import z3_release
from chcfuzz.triage.findings import folder
from chcfuzz.triage.findings.location import Location, LocationError, in_words, joined, read_location, write_location
from chcfuzz.triage.locate.locating import LocateError, Locating
from chcfuzz.triage.reduce.condition import read_finding
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

_INTERRUPTED = 130  # what a shell says of Ctrl-C


def locate_finding(where: Path, solving: Solving, jobs: int, bisect: bool, debug_build: str | None) -> int:
    """Locate the finding in a folder; the exit code is 1 where it does not show any more, 130 after Ctrl-C.

    What is known is written into the folder in any case, beside what an earlier call found. Raises `AnsweringError`,
    and `ChcfuzzError` for a finding that cannot be read.
    """
    if bisect and solving.command is not None:
        raise UsageError("--bisect is for releases of z3-solver, and the solver under test is a command; leave it out")
    build = None if debug_build is None else _debug_build(debug_build)
    finding = read_finding(where)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("starting", total=None)

        def told(what: str, done: int, most: int) -> None:
            progress.update(task, description=what, completed=done, total=most)

        locating = Locating(finding, solving, jobs, told)
        nothing = locating.location
        code = 0
        try:
            locating.run(build, bisect)
        except KeyboardInterrupt:
            code = _INTERRUPTED
        except LocateError as error:
            print(f"chcfuzz: {error}", file=sys.stderr)
            return 1
        finally:
            if locating.location != nothing:
                _write(where, locating.location)
    if locating.location != nothing:
        Console().print(table(locating.location))
    if code:
        known = "this is what was known by then" if locating.location != nothing else "nothing was known yet"
        print(f"chcfuzz: interrupted; {known}", file=sys.stderr)
    return code


def _write(where: Path, location: Location) -> None:
    try:
        earlier = read_location(where)
    except LocationError:
        earlier = None  # damaged: what is known now takes its place
    write_location(where, joined(location, earlier))
    try:
        folder.rewrite(where)
    except OSError as error:
        raise LocationError(f"cannot write to {str(where)!r}: {error.strerror}; make room there") from error


def table(location: Location) -> Table:
    """What is known, for a terminal."""
    found = Table(box=box.SIMPLE, show_header=False, title=f"where the {location.of} system goes wrong")
    found.add_column(style="bold", no_wrap=True)
    found.add_column(overflow="fold")
    for about, text in in_words(location):
        found.add_row(Text(about), Text(text))
    return found


def _debug_build(named: str) -> Path:
    """A folder, or the debug build of a release that is in the cache; raises `UsageError`."""
    build = Path(named) if Path(named).is_dir() else z3_release.build_in_cache(named, "debug")
    if build is None:
        advice = "name its folder, or run ./build_z3_traced.sh --profile debug"
        raise UsageError(f"no debug build {named!r}, and none of that version in the cache; {advice}")
    return build
