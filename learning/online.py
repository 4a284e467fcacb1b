"""Counts that a campaign learns from its own units: weighted by rare features, and halved every 5,000 executions.

Counts are kept in sixteenths, so that halving does not drop a unit at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from chcfuzz.grammar.errors import LimitError
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.learning.counts import Counts
from chcfuzz.learning.places import numbers_of
from chcfuzz.learning.productions import sequence
from numpy.typing import NDArray

HALVED_EVERY = 5000  # executions
MOST_WEIGHT = 8  # of a unit
ONE = 16  # counts of a node of a unit with weight 1
_MOST_ENTRIES = 200_000


@dataclass(frozen=True)
class Learned:
    """Counts in sixteenths, at a number of executions of the campaign."""

    counts: Counts
    executions: int

    def at(self, executions: int) -> Learned:
        """Return the counts at a later number of executions, halved once for every `HALVED_EVERY`."""
        halvings = max(0, executions // HALVED_EVERY - self.executions // HALVED_EVERY)
        times = self.counts.times >> min(halvings, 40)
        kept = times > 0
        return Learned(Counts(self.counts.numbers[kept], times[kept]), max(executions, self.executions))

    def plus(self, units: Iterable[tuple[Sequence[int], int]]) -> Learned:
        """Add units: the numbers of their nodes, and their weights."""
        new = [Counts.of(numbers).scaled(ONE * weight) for numbers, weight in units]
        return Learned(Counts.sum([self.counts, *new]).within(_MOST_ENTRIES), self.executions)


def together(parts: Iterable[Learned], executions: int) -> Learned:
    """Return the sum of the counts of all workers at a number of executions."""
    return Learned(Counts.sum(part.at(executions).counts for part in parts).within(_MOST_ENTRIES), executions)


def added(base: Counts, learned: Learned) -> Counts:
    """Return the counts of a model with those that a campaign has learned, rounded to whole ones."""
    times = (learned.counts.times + ONE // 2) // ONE
    kept = times > 0
    return Counts.sum([base, Counts(learned.counts.numbers[kept], times[kept])])


def nodes_of(problem: BaseProblem) -> tuple[int, ...]:
    """Return the numbers of the nodes of a problem; none if it is too long to be learned."""
    try:
        return tuple(numbers_of(sequence(problem)))
    except LimitError:
        return ()


def weight(times: NDArray[np.int64]) -> int:
    """Return the weight of a unit whose features `times` executions had each: the sum of 1 / n of them; at least 1."""
    return max(1, min(MOST_WEIGHT, int((ONE // np.maximum(times, 1)).sum()) // ONE))
