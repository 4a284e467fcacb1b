"""The solver's own formulas at the first entry of Spacer's progress log at which a failing and a passing run differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chcfuzz.tracing.progress_log import Entry, entries_of

_MAX_LINES = 6  # of a formula that are shown
_THE_END = Entry("the end", "")


def parting_values(failing: bytes, passing: Sequence[tuple[str, bytes]]) -> tuple[str, ...]:
    """Return lines that show where the log of a failing run differs from those of passing runs, which have names.

    The passing run with the longest common beginning is shown. Without one that has a log, the result is empty.
    """
    own = entries_of(failing)
    others = [(_common(own, entries), name, entries) for name, log in passing if (entries := entries_of(log))]
    if not (own and others):
        return ()
    place, name, entries = max(others, key=lambda each: each[0])
    if place == len(own) == len(entries):
        return ()
    before = f", after {own[place - 1].label}" if place else ""
    shown = (*_shown("failing", own, place), *_shown(f"passing ({name})", entries, place))
    return (f"entry {place}{before}", *shown)


def _common(entries: Sequence[Entry], others: Sequence[Entry]) -> int:
    pairs = zip(entries, others, strict=False)
    return next((n for n, (one, other) in enumerate(pairs) if one != other), min(len(entries), len(others)))


def _shown(run: str, entries: Sequence[Entry], place: int) -> Iterator[str]:
    entry = entries[place] if place < len(entries) else _THE_END
    yield f"{run}: {entry.label}"
    lines = entry.formula.splitlines()
    yield from (f"  {line}" for line in lines[:_MAX_LINES])
    if len(lines) > _MAX_LINES:
        yield f"  ... {len(lines) - _MAX_LINES} more lines"
