"""The JSON file that `chcfuzz regress` writes: all changes, without the times, which differ between two runs."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Sequence
from pathlib import Path

import msgspec
from chcfuzz.corpus_tools.regress import Compared, Known, Seen, UnitChange
from chcfuzz.execution.codec import to_json
from chcfuzz.execution.files import write_named
from chcfuzz.execution.solving import UsageError


class SeenRecord(msgspec.Struct, frozen=True):
    """A `Seen` without the time, which differs between runs."""

    answer: str
    words: str
    wrong_answer: str
    wrong_model: str
    error: str
    cost: int
    trace: str

    @classmethod
    def of(cls, seen: Seen) -> SeenRecord:
        """Return the record of a result."""
        return cls(seen.answer, seen.words, seen.wrong_answer, seen.wrong_model, seen.error, seen.cost, seen.trace)


class ChangeRecord(msgspec.Struct, frozen=True):
    """A unit whose result has changed, with both results, as the JSON file has it."""

    unit: str
    expected: str | None
    old: SeenRecord
    new: SeenRecord
    change: UnitChange


class KnownRecord(msgspec.Struct, frozen=True):
    """A finding, and whether the new solver still shows it."""

    folder: str
    kind: str
    is_there: bool
    words: str


class RegressionRecord(msgspec.Struct, frozen=True):
    """The content of the JSON file: names of the solvers, number of units, and all changes."""

    old: str
    new: str
    units: int
    counts: dict[str, int]
    changes: tuple[ChangeRecord, ...]
    known: tuple[KnownRecord, ...]
    refused: tuple[str, ...]


def record(
    solvers: tuple[str, str], found: Sequence[Compared], known: Sequence[Known], refused: Sequence[str]
) -> RegressionRecord:
    """Return all results for the JSON file."""
    counts = Tally(each.change.value for each in found)
    return RegressionRecord(
        old=solvers[0],
        new=solvers[1],
        units=len(found),
        counts={change.value: counts[change.value] for change in UnitChange},
        changes=tuple(
            ChangeRecord(str(one.unit), one.expected, SeenRecord.of(one.old), SeenRecord.of(one.new), one.change)
            for one in found
            if one.change is not UnitChange.SAME
        ),
        known=tuple(KnownRecord(str(one.folder), one.kind, one.is_there, one.words) for one in known),
        refused=tuple(refused),
    )


def write_record(path: Path, content: RegressionRecord) -> None:
    """Write the JSON file; raises `UsageError`."""
    try:
        write_named(path, to_json(content, "chcfuzz-regression 1", indent=1))
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}") from error
