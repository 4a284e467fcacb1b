"""The location of a finding, as `chcfuzz locate` found it: `location.json` in the finding's folder.

A part is empty or None if `chcfuzz locate` did not search for it or did not find it; `notes` explain unclear cases.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from chcfuzz.execution.codec import to_json
from chcfuzz.execution.files import read_json, write_whole
from chcfuzz.grammar.errors import ChcfuzzError

FILE, DIFF = "location.json", "introduced.diff"
FORMAT = 1
_NOTHING = (None, (), (0, 0), "")

Changes = tuple[tuple[str, str], ...]  # single changes of parameters: the name and the new value of each


class LocationError(ChcfuzzError):
    """A `location.json` that cannot be read or written; the text includes advice."""


@dataclass(frozen=True)
class PartingStep:
    """The first step of the chain after which the finding occurs: its number from 1, its row, its promise.

    Number 0 means that the finding occurs before any step: `row` is then "parameters" or "seed", and `promise` empty.
    """

    number: int
    row: str
    promise: str


@dataclass(frozen=True)
class PartingEvent:
    """The first event, counted from 0, at which the failing run and a passing run differ, in words.

    `common` is the last common event; None means the beginning or end of a run. `passing_run` names the passing run.
    """

    index: int
    failing: str | None
    passing: str | None
    common: str | None
    passing_run: str = ""

    @property
    def is_in_both(self) -> bool:
        """Whether both runs have events: without any in one of them, there is nothing to compare."""
        return self.index > 0 or (self.failing is not None and self.passing is not None)


@dataclass(frozen=True)
class SuspiciousSite:
    """A site in words, its Ochiai score from 0 to 1, and the numbers of failing and passing runs that reach it."""

    where: str
    score: float
    failing: int
    passing: int


@dataclass(frozen=True)
class Versions:
    """Tested releases with and without the finding.

    All tested releases from `first_bad` to that of the finding have it. `last_good` is the last release before, and
    `first_good` the first release after them without it; None if no such release was tested. `asked` lists all tested
    releases, the oldest first, with "bad", "good", or the reason why the result is unknown. A release is good only if
    it is right on all `variants` of the system, too. `shown_by` are the bad releases that only a variant shows, each
    with its name. A location of chcfuzz before variants were run has neither.
    """

    first_bad: str | None
    last_good: str | None
    first_good: str | None
    asked: tuple[tuple[str, str], ...] = ()
    variants: tuple[str, ...] = ()
    shown_by: tuple[tuple[str, str], ...] = ()

    @property
    def results(self) -> tuple[tuple[str, str], ...]:
        """Tested releases with their results; with the variant where only a variant shows the finding."""
        shown = dict(self.shown_by)
        return tuple(
            (name, f"{result}, with {shown[name]}" if name in shown else result) for name, result in self.asked
        )

    @property
    def bracket(self) -> tuple[str, str] | None:
        """The last good and the first bad release; None if one of them is not known."""
        return None if self.last_good is None or self.first_bad is None else (self.last_good, self.first_bad)


@dataclass(frozen=True)
class Introduction:
    """The commit that introduced the finding, as a bisection of a checkout's commits found it.

    Attributes:
        commits: The first bad commit; several if those between them could not be tested.
        subject: First line of its message.
        day: Date of the commit.
        files: Sources that it changes, without those that the finding does not execute; `introduced.diff` beside the
            location has these changes.
        idle: Number of changed sources that the finding does not execute.
        tested: All tested commits, with "bad", "good", or the reason why the result is unknown.
    """

    commits: tuple[str, ...]
    subject: str = ""
    day: str = ""
    files: tuple[str, ...] = ()
    idle: int = 0
    tested: tuple[tuple[str, str], ...] = ()

    @property
    def results(self) -> str:
        """Numbers of tested commits by result."""
        verdicts = [verdict for _, verdict in self.tested]
        bad, good = verdicts.count("bad"), verdicts.count("good")
        skipped = len(verdicts) - bad - good
        return f"{bad} bad, {good} good" + (f", {skipped} could not be tested" if skipped else "")


@dataclass(frozen=True)
class Location:
    """The location of a finding in the solver; `of` names the system that was run: "reduced", "equivalent" or "mutant".

    `vanishes` are single changes of parameters after which the finding does not occur. `appears` are single changes of
    the default parameters after which it occurs; a parameter of the finding is changed to its default there. `sites`
    are sorted by suspicion. `assertion` is the message of a failed assertion in a debug build. `neighbours` are the
    numbers of passing and failing runs behind the scores. `notes` explain which tests were impossible, and why.
    `changes` are the files that differ between the sources of two releases; those with differences that the finding
    executes are first. `introduction` is the commit that introduced the finding. `stack` are the frames that the debug
    build prints, the innermost first. `lines` are the source lines of sites, `around` those around the event at which
    runs differ. `values` are formulas of the solver at the first entry of its log at which the runs differ.
    `solver_step` is the first wrong step of the solver, and `component` the part of the solver that made it.
    """

    of: str
    vanishes: Changes = ()
    appears: Changes = ()
    step: PartingStep | None = None
    event: PartingEvent | None = None
    sites: tuple[SuspiciousSite, ...] = ()
    versions: Versions | None = None
    assertion: str | None = None
    neighbours: tuple[int, int] = (0, 0)
    notes: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    introduction: Introduction | None = None
    stack: tuple[str, ...] = ()
    lines: tuple[tuple[str, str], ...] = ()
    around: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    solver_step: str = ""
    component: str = ""


def in_words(location: Location) -> list[tuple[str, str]]:
    """Return printable rows: the label of each line, and the line."""
    rows = [("vanishes with", grouped(location.vanishes)), ("appears with only", grouped(location.appears))]
    step, event, versions = location.step, location.event, location.versions
    if step is not None:
        promise = f" ({step.promise})" if step.promise else ""
        rows.append(("answers part at", f"step {step.number}, {step.row}{promise}" if step.number else step.row))
    if event is not None and event.is_in_both:
        after = f", after {event.common}" if event.common else ""
        rows.append(("events part at", f"event {event.index}{after}"))
        rows.append(("  failing", event.failing or "the end"))
        rows.append(("  passing", f"{event.passing or 'the end'} (under {event.passing_run})"))
        rows += [("  source" if not number else "", line) for number, line in enumerate(location.around)]
    rows += [("first wrong step", location.solver_step), ("  made by", location.component)]
    rows += [("logs part at" if not number else "", line) for number, line in enumerate(location.values)]
    if location.sites:
        passing, failing = location.neighbours
        rows.append(("suspicious", f"Ochiai score; how many of {failing} failing and {passing} passing runs"))
    rows += [row for site in location.sites for row in _site(site, dict(location.lines))]
    if versions is not None:
        first = "first bad release" if versions.last_good else "oldest bad one tried"
        rows.append((first, versions.first_bad or "unknown"))
        rows.append(("  last good before", versions.last_good or "none seen"))
        rows.append(("  first good after", versions.first_good or "none seen"))
        rows += [("  only a variant", f"{name}: {variant}") for name, variant in versions.shown_by]
    rows += _introduced(location.introduction)
    rows += [("changed sources" if not n else "", text) for n, text in enumerate(location.changes)]
    rows.append(("failed assertion", location.assertion or ""))
    rows += [("stack" if not number else "", frame) for number, frame in enumerate(location.stack)]
    rows += [*(("note", note) for note in location.notes)]
    return [(about, text) for about, text in rows if text]


def _site(site: SuspiciousSite, lines: Mapping[str, str]) -> list[tuple[str, str]]:
    rows = [("", f"{site.score:.2f} {site.failing:3} {site.passing:3}  {site.where}")]
    return [*rows, ("", f"{'':14}{lines[site.where]}")] if site.where in lines else rows


def _introduced(found: Introduction | None) -> list[tuple[str, str]]:
    if found is None:
        return []
    if len(found.commits) > 1:
        return [("first bad commit", f"one of {len(found.commits)}: {' '.join(found.commits)}"), ("", found.results)]
    idle = f"{found.idle} more that the finding does not execute" if found.idle else ""
    rows = [("first bad commit", f"{found.commits[0]} ({found.day}) {found.subject}"), ("", found.results)]
    return [*rows, ("  it changes", ", ".join((*found.files, *filter(None, [idle]))))]


def grouped(changes: Changes) -> str:
    """Print single changes, with the values of a parameter together: "fp.spacer.ctp=true, fp.spacer.iuc=0|2"."""
    values: dict[str, list[str]] = {}
    for name, value in changes:
        values.setdefault(name, []).append(value)
    return ", ".join(f"{name}={'|'.join(found)}" for name, found in values.items())


def joined(location: Location, earlier: Location | None) -> Location:
    """Return a location, with the parts that it lacks from an earlier location of the same system."""
    if earlier is None or earlier.of != location.of:
        return location
    kept = {name: value for name, value in vars(earlier).items() if getattr(location, name) in _NOTHING}
    return replace(location, **kept)


def write_location(finding: Path, location: Location) -> None:
    """Write a location into a finding's folder, whole or not at all; raises `LocationError`."""
    try:
        write_whole(finding / FILE, to_json(location, FORMAT, indent=2))
    except OSError as error:
        raise LocationError(f"cannot write {str(finding / FILE)!r}: {error.strerror}; make room there") from error


def read_location(finding: Path) -> Location | None:
    """Return the location in a finding's folder, None without one; raises `LocationError` for a damaged file."""
    return read_json(finding / FILE, Location, FORMAT, LocationError, "remove it, and run `chcfuzz locate` again")
