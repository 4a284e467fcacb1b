"""Where a finding comes from, as `chcfuzz locate` found it: `location.json` in the finding's folder.

What was not looked for, or not found, is empty or None; `notes` says which of the two where that is not plain.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from chcfuzz.execution.files import write_whole
from chcfuzz.grammar.errors import ChcfuzzError

FILE = "location.json"
FORMAT = 1
_NOTHING = (None, (), (0, 0))

Changes = tuple[tuple[str, str], ...]  # of parameters, each by itself: its name and the value that it is given
T = TypeVar("T")


class LocationError(ChcfuzzError):
    """A `location.json` that cannot be read or written; the text says what to do."""


@dataclass(frozen=True)
class PartingStep:
    """The first step of the chain after which the finding shows: its number from 1, its row, what it promises.

    Number 0 is what comes before any step: `row` is then "parameters" or "seed", and `promise` empty.
    """

    number: int
    row: str
    promise: str


@dataclass(frozen=True)
class PartingEvent:
    """The first event, counted from 0, at which the failing run leaves the passing one, in words.

    `common` is the last event of both; None stands for a run's beginning or end. `passing_run` names the run that it
    was held against.
    """

    index: int
    failing: str | None
    passing: str | None
    common: str | None
    passing_run: str = ""


@dataclass(frozen=True)
class SuspiciousSite:
    """`where` is in words, `score` (Ochiai) from 0 to 1; so many failing and passing runs reach it."""

    where: str
    score: float
    failing: int
    passing: int


@dataclass(frozen=True)
class Versions:
    """Releases that show the finding and releases that do not, of those that were asked.

    `first_bad` is the one from which on those up to the finding's own show it, `last_good` the last before it, and
    `first_good` the first after it that shows it no more: None where none was seen. `asked` are all, the oldest first,
    with "bad", "good" or, where neither can be said, why.
    """

    first_bad: str | None
    last_good: str | None
    first_good: str | None
    asked: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Location:
    """`of` is what was run: "reduced" or "mutant".

    `vanishes` are single changes of parameters that cure the finding, `appears` those that alone, all others at their
    defaults, suffice to bring it; a parameter of the finding is changed to its default there. `sites` come the most
    suspicious first. `assertion` is what a debug build says fails. `neighbours` are how many passing and failing runs
    the sites are told from. `notes` are lines for people: what could not be asked, and why.
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


def in_words(location: Location) -> list[tuple[str, str]]:
    """What is known, for people: what a line is about, and the line."""
    rows = [("vanishes with", grouped(location.vanishes)), ("appears with only", grouped(location.appears))]
    step, event, versions = location.step, location.event, location.versions
    if step is not None:
        promise = f" ({step.promise})" if step.promise else ""
        rows.append(("answers part at", f"step {step.number}, {step.row}{promise}" if step.number else step.row))
    if event is not None:
        after = f", after {event.common}" if event.common else ""
        rows.append(("events part at", f"event {event.index}{after}"))
        rows.append(("  failing", event.failing or "the end"))
        rows.append(("  passing", f"{event.passing or 'the end'} (under {event.passing_run})"))
    if location.sites:
        passing, failing = location.neighbours
        rows.append(("suspicious", f"Ochiai score; how many of {failing} failing and {passing} passing runs"))
    rows += [("", f"{site.score:.2f} {site.failing:3} {site.passing:3}  {site.where}") for site in location.sites]
    if versions is not None:
        rows.append(("first bad release", versions.first_bad or "unknown"))
        rows.append(("  last good before", versions.last_good or "none seen"))
        rows.append(("  first good after", versions.first_good or "none seen"))
    rows += [("failed assertion", location.assertion or ""), *(("note", note) for note in location.notes)]
    return [(about, text) for about, text in rows if text]


def grouped(changes: Changes) -> str:
    """Single changes for people, the values of a parameter together: "fp.spacer.ctp=true, fp.spacer.iuc=0|2"."""
    values: dict[str, list[str]] = {}
    for name, value in changes:
        values.setdefault(name, []).append(value)
    return ", ".join(f"{name}={'|'.join(found)}" for name, found in values.items())


def joined(location: Location, earlier: Location | None) -> Location:
    """What is known now, and beside it what was found earlier of the same system and not looked for, or found, now."""
    if earlier is None or earlier.of != location.of:
        return location
    kept = {name: value for name, value in vars(earlier).items() if getattr(location, name) in _NOTHING}
    return replace(location, **kept)


def write_location(finding: Path, location: Location) -> None:
    """Write it into a finding's folder, whole or not at all; raises `LocationError`."""
    content = json.dumps({"format": FORMAT, **asdict(location)}, indent=2) + "\n"
    try:
        write_whole(finding / FILE, content.encode())
    except OSError as error:
        raise LocationError(f"cannot write {str(finding / FILE)!r}: {error.strerror}; make room there") from error


def read_location(finding: Path) -> Location | None:
    """What `write_location` wrote into a finding's folder; None where nothing is. Raises `LocationError`."""
    path = finding / FILE
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise LocationError(f"cannot read {str(path)!r}: {error.strerror}") from error
    advice = "remove it, and run `chcfuzz locate` again"
    try:
        fields = json.loads(content)
        if fields["format"] != FORMAT:
            raise LocationError(f"{str(path)!r} is of the format {fields['format']!r}, not {FORMAT}; {advice}")
        return _location(fields)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise LocationError(f"{str(path)!r} is damaged: {_line(error)}; {advice}") from error


def _location(fields: dict[str, Any]) -> Location:
    passing, failing = fields["neighbours"]
    return Location(
        _is(str, fields["of"]),
        _pairs(fields["vanishes"]),
        _pairs(fields["appears"]),
        _maybe(PartingStep, fields["step"], number=int, row=str, promise=str),
        _maybe(PartingEvent, fields["event"], index=int, failing=_TEXT, passing=_TEXT, common=_TEXT, passing_run=str),
        tuple(_made(SuspiciousSite, row, where=str, score=float, failing=int, passing=int) for row in fields["sites"]),
        _versions(fields["versions"]),
        _is(_TEXT, fields["assertion"]),
        (_is(int, passing), _is(int, failing)),
        tuple(_is(str, note) for note in fields["notes"]),
    )


def _versions(fields: dict[str, Any] | None) -> Versions | None:
    if fields is None:
        return None
    asked = _pairs(fields["asked"])
    first_bad, last_good, first_good = (_is(_TEXT, fields[name]) for name in ("first_bad", "last_good", "first_good"))
    return Versions(first_bad, last_good, first_good, asked)


_TEXT = (str, type(None))


def _is(kind: Any, value: Any) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} stands where it cannot")
    return value


def _pairs(rows: Sequence[Any]) -> Changes:
    return tuple((_is(str, name), _is(str, value)) for name, value in rows)


def _made(cls: type[T], fields: dict[str, Any], **kinds: Any) -> T:
    return cls(**{name: _is(kind, fields[name]) for name, kind in kinds.items()})


def _maybe(cls: type[T], fields: dict[str, Any] | None, **kinds: Any) -> T | None:
    return None if fields is None else _made(cls, fields, **kinds)


def _line(error: Exception) -> str:
    """What an exception says, on a line: of a `KeyError` it is the name that is missing."""
    return f"{error} is missing" if isinstance(error, KeyError) else str(error).splitlines()[0]
