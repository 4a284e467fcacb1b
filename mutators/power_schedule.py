"""Cheap units first: what libFuzzer draws is exchanged for a cheaper unit, the more likely the dearer it is.

libFuzzer draws by rarity of features and knows nothing of what an execution costs. The price of a unit is what the
solver counted when it was executed, and a fixed part for what every execution takes. A unit is kept with probability
median / price, else one of those worth mutating is drawn by the same rule: of two units above the median, the one at
half the price is mutated twice as often. Prices are the solver's resource counts, so chance stays libFuzzer's alone.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import OrderedDict

from chcfuzz.grammar.choices import Choices
from chcfuzz.mutators.recently_used import Pool

_FIXED = 10_000  # a fresh context, mutating and checking, in the solver's resource count
MOST_UNITS = 20_000  # that may be drawn, and of others as many: those that were executed or asked for last
_TRIES = 16  # draws of a unit before the last one is taken


class Thrift:
    """Prices of the units that a process has executed. A unit that may be drawn has its price."""

    def __init__(self) -> None:
        self._worth: Pool[bytes] = Pool(MOST_UNITS)
        self._price: dict[bytes, int] = {}  # of those worth mutating
        self._ordered: list[int] = []  # the same prices
        self._others: OrderedDict[bytes, int] = OrderedDict()

    def executed(self, unit: bytes, cost: int, worth: bool) -> None:
        """Take note of an execution, and whether the unit is worth mutating: from a corpus, or with a new trace.

        What was worth it once stays so.
        """
        if worth or unit in self._worth:
            self._others.pop(unit, None)
            self._is_worth_mutating(unit, _FIXED + cost)
        else:
            self._others[unit] = _FIXED + cost
            self._others.move_to_end(unit)
            if len(self._others) > MOST_UNITS:
                self._others.popitem(last=False)

    def choose(self, unit: bytes, choices: Choices) -> bytes:
        """This unit or a cheaper one."""
        for _ in range(_TRIES):
            if self._is_kept(unit, choices):
                break
            unit = self._worth.draw(choices)
        return unit

    def _is_worth_mutating(self, unit: bytes, price: int) -> None:
        gone = self._worth.use(unit)
        for other in (unit, gone):
            old = None if other is None else self._price.pop(other, None)
            if old is not None:
                del self._ordered[bisect_left(self._ordered, old)]
        self._price[unit] = price
        insort(self._ordered, price)

    def _is_kept(self, unit: bytes, choices: Choices) -> bool:
        price = self._price_of(unit)
        if price is None or not self._ordered:
            return True  # nothing is known of it, or of others
        median = self._ordered[len(self._ordered) // 2]
        return price <= median or choices.index(1 << 16) * price < median << 16

    def _price_of(self, unit: bytes) -> int | None:
        """What is known of a unit's price, which is remembered the longer for being asked for."""
        if unit in self._worth:
            self._worth.use(unit)
            return self._price[unit]
        if unit in self._others:
            self._others.move_to_end(unit)
        return self._others.get(unit)
