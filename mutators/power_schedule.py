"""Power schedule: a unit that libFuzzer chooses is replaced by a cheaper one the more likely, the more it costs.

libFuzzer chooses by rarity of features and does not know the cost of an execution. The cost of a unit is the solver's
resource count of its execution, plus a constant for the overhead of every execution. A unit is kept with probability
median / cost; otherwise one of the units worth mutating is drawn under the same rule: of two units above the median,
the one with half the cost is mutated twice as often. Costs are resource counts of the solver rather than times, so
results depend only on libFuzzer's seed.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

from chcfuzz.grammar.choices import Choices
from chcfuzz.mutators.recently_used import RecentlyUsed

K = TypeVar("K", bound=Hashable)
_FIXED = 10_000  # cost of a fresh context, mutation and checks, in the solver's resource count
MOST_UNITS = 20_000  # that may be drawn, and the same number of others: the most recently used ones
_TRIES = 16  # draws of a unit before the last one is kept


class PowerSchedule(Generic[K]):
    """Costs of the units that a process has executed, and the choice of cheap ones; a unit is its bytes, or a root."""

    def __init__(self) -> None:
        self._worth: RecentlyUsed[K] = RecentlyUsed(MOST_UNITS)
        self._cost: dict[K, int] = {}  # of the units worth mutating
        self._ordered: list[int] = []  # the same costs, ascending
        self._others: OrderedDict[K, int] = OrderedDict()

    def executed(self, unit: K, cost: int, worth: bool) -> None:
        """Record an execution, and whether the unit is worth mutating: it is in a corpus, or has a new trace.

        A unit that was worth mutating once stays so.
        """
        if worth or unit in self._worth:
            self._others.pop(unit, None)
            self._is_worth_mutating(unit, _FIXED + cost)
        else:
            self._others[unit] = _FIXED + cost
            self._others.move_to_end(unit)
            if len(self._others) > MOST_UNITS:
                self._others.popitem(last=False)

    def choose(self, unit: K, choices: Choices) -> K:
        """Return the unit, or a cheaper one with a probability that depends on both costs."""
        for _ in range(_TRIES):
            if self._is_kept(unit, choices):
                break
            unit = self._worth.draw(choices)
        return unit

    def draw(self, choices: Choices) -> K | None:
        """Draw one of the units worth mutating, under the same rule; return None without one."""
        return self.choose(self._worth.draw(choices), choices) if len(self._worth) else None

    def _is_worth_mutating(self, unit: K, cost: int) -> None:
        gone = self._worth.use(unit)
        for other in (unit, gone):
            old = None if other is None else self._cost.pop(other, None)
            if old is not None:
                del self._ordered[bisect_left(self._ordered, old)]
        self._cost[unit] = cost
        insort(self._ordered, cost)

    def _is_kept(self, unit: K, choices: Choices) -> bool:
        cost = self._cost_of(unit)
        if cost is None or not self._ordered:
            return True  # its cost is unknown, or that of all others
        median = self._ordered[len(self._ordered) // 2]
        return cost <= median or choices.index(1 << 16) * cost < median << 16

    def _cost_of(self, unit: K) -> int | None:
        """Return the known cost of a unit, which counts as a use of it."""
        if unit in self._worth:
            self._worth.use(unit)
            return self._cost[unit]
        if unit in self._others:
            self._others.move_to_end(unit)
        return self._others.get(unit)
