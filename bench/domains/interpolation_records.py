"""Outcomes of interpolating solvers on numbered problems, kept as lines of JSON, and the tables of all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.campaigns import ResultFile

TRIVIAL = "trivial"  # the row of a problem that no solver gets
_NONE = ""  # the solver of such a record
_MOST_REASONS = 8  # of a solver, that are printed


@dataclass(frozen=True)
class Record:
    """The row of a solver on a problem, the class of its reason, and the seconds of solving and checking."""

    origin: str
    number: int
    solver: str
    row: str
    reason: str = ""
    solving: float = 0.0
    checking: float = 0.0


def trivial(origin: str, number: int) -> Record:
    """Return the record of a trivial problem."""
    return Record(origin, number, _NONE, TRIVIAL)


class Records:
    """Records in memory, and in a file if there is one; those in the file are read first."""

    def __init__(self, path: Path | None) -> None:
        """Read the records of a file that exists."""
        self._file = ResultFile(path, Record)
        self.all = self._file.read()
        self._known = {(each.origin, each.number, each.solver) for each in self.all}

    def add(self, record: Record) -> None:
        """Keep a record."""
        self.all.append(record)
        self._known.add((record.origin, record.number, record.solver))
        self._file.add(record)

    def has(self, origin: str, number: int, solver: str) -> bool:
        """Return whether the outcome of a solver on a problem is known; if the problem is trivial, all are."""
        return (origin, number, _NONE) in self._known or (origin, number, solver) in self._known


def tables(records: Sequence[Record], rows: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a table for each origin, with a column for each solver, and the reasons below it."""
    for origin in dict.fromkeys(each.origin for each in records):
        here = [each for each in records if each.origin == origin]
        number, trivials = len({each.number for each in here}), sum(each.row == TRIVIAL for each in here)
        yield f"{origin}: {number} problems, {trivials} trivial ({trivials / number:.0%})"
        solvers = [name for name in dict.fromkeys(each.solver for each in here) if name != _NONE]
        found = {name: [each for each in here if each.solver == name] for name in solvers}
        yield f"{'':22}" + "".join(f"{name:>14}" for name in found)
        counts = {name: Counter(each.row for each in own) for name, own in found.items()}
        for row in ("problems", *rows):
            values = (len(found[name]) if row == "problems" else counts[name][row] for name in found)
            yield f"{row:22}" + "".join(f"{value:>14}" for value in values)
        yield from _times(found.values())
        for name, own in found.items():
            reasons = Counter(f"{each.row}: {each.reason}" for each in own if each.reason)
            yield from (f"  {name}: {times} {reason}" for reason, times in reasons.most_common(_MOST_REASONS))


def _times(found: Iterable[Sequence[Record]]) -> Iterator[str]:
    columns = list(found)
    for title, times in (
        ("solving s", [sum(each.solving for each in own) for own in columns]),
        ("checking s", [sum(each.checking for each in own) for own in columns]),
    ):
        yield f"{title:22}" + "".join(f"{seconds:>14.1f}" for seconds in times)
