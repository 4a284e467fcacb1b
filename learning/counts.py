"""Counts of productions in contexts: sorted arrays of numbers (see `places`) and how often each occurred."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from chcfuzz.learning.places import CONTEXTS, LEVEL_FIELD, MASKS, WORD_BITS
from numpy.typing import NDArray

MOST = (1 << 32) - 1  # of a count: larger ones stay there
DEEPEST = (3, 4)  # contexts that fine-tuning changes
ALL = tuple(range(CONTEXTS))

Numbers = NDArray[np.int64]


def _empty() -> Numbers:
    return np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Counts:
    """Counts by number; `numbers` are strictly increasing, and each of `times` is from 1 to `MOST`."""

    numbers: Numbers
    times: Numbers

    @classmethod
    def none(cls) -> Counts:
        """Return no counts."""
        return cls(_empty(), _empty())

    @classmethod
    def of(cls, numbers: Iterable[int]) -> Counts:
        """Count nodes, given as numbers of the deepest context, in all contexts."""
        deepest = np.fromiter(numbers, dtype=np.int64)
        found, times = np.unique(
            np.concatenate([_empty(), *(deepest & kept | own for kept, own in MASKS)]), return_counts=True
        )
        return cls(found, times.astype(np.int64))

    @classmethod
    def sum(cls, parts: Iterable[Counts]) -> Counts:
        """Add counts up."""
        every = list(parts)
        if not every:
            return cls.none()
        found, places = np.unique(np.concatenate([part.numbers for part in every]), return_inverse=True)
        times = np.zeros(len(found), dtype=np.int64)
        np.add.at(times, places, np.concatenate([part.times for part in every]))
        return cls(found, np.minimum(times, MOST))

    @property
    def nodes(self) -> int:
        """Number of nodes that were counted: each is once in context 0, from which rare counts are dropped last."""
        return int(self.only(ALL[:1]).times.sum())

    def only(self, contexts: Iterable[int]) -> Counts:
        """Return the counts in these contexts."""
        kept = np.isin(self.numbers >> LEVEL_FIELD, list(contexts))
        return Counts(self.numbers[kept], self.times[kept])

    def scaled(self, factor: int) -> Counts:
        """Multiply all counts; they stay below `MOST`."""
        most = MOST // max(1, factor) + 1
        return Counts(self.numbers, np.minimum(np.minimum(self.times, most) * factor, MOST))

    def without_rare(self, least: int, context: int) -> Counts:
        """Leave out counts below `least` in this context and deeper ones."""
        kept = (self.numbers < MASKS[context][1]) | (self.times >= least)
        return Counts(self.numbers[kept], self.times[kept])

    def within(self, entries: int) -> Counts:
        """Leave out rare counts, those of deep contexts first, until at most this number of entries is left."""
        found, least = self, 2
        while len(found.numbers) > entries:
            for context in reversed(ALL):
                if len(found.numbers) > entries:
                    found = found.without_rare(least, context)
            least *= 2
        return found

    def at(self, context: int) -> dict[int, int]:
        """Return the counts of productions in one context, given as the number of its production 0."""
        low, high = self.numbers.searchsorted((context, context + (1 << WORD_BITS))).tolist()
        if low == high:
            return {}
        return dict(zip((self.numbers[low:high] - context).tolist(), self.times[low:high].tolist(), strict=True))


class CountSum:
    """Adds counts of many files up, in bounded memory: batches are merged when they are as large as the sum."""

    def __init__(self, most: int) -> None:
        """Leave out rare counts when there are more than `most` entries."""
        self._most = most
        self._parts: list[Counts] = []

    def add(self, counts: Counts) -> None:
        """Add the counts of some files."""
        self._parts.append(counts)
        while len(self._parts) > 1 and len(self._parts[-1].numbers) >= len(self._parts[-2].numbers):
            self._parts[-2:] = [Counts.sum(self._parts[-2:]).within(self._most)]

    def total(self) -> Counts:
        """Return all counts."""
        return Counts.sum(self._parts).within(self._most)
