"""Cheap units first: what libFuzzer draws is exchanged for a cheaper unit, the more likely the dearer it is.

libFuzzer draws by rarity of features and knows nothing of what an execution costs. The price of a unit is what the
solver counted when it was executed, and a fixed part for what every execution takes. A unit is kept with probability
median / price, else one of those worth mutating is drawn by the same rule: of two units above the median, the one at
half the price is mutated twice as often. Prices are the solver's resource counts, so chance stays libFuzzer's alone.
"""

from __future__ import annotations

from bisect import insort

from chcfuzz.grammar.choices import Choices

_FIXED = 10_000  # a fresh context, mutating and checking, in the solver's resource count
_MOST_UNITS = 20_000  # whose prices are remembered, the oldest go first; and that may be drawn
_TRIES = 16  # draws of a unit before the last one is taken


class Thrift:
    """Prices of the units that a process has executed."""

    def __init__(self) -> None:
        self._prices: dict[bytes, int] = {}
        self._drawn: list[bytes] = []
        self._ordered: list[int] = []  # prices of those that may be drawn

    def executed(self, unit: bytes, cost: int, worth: bool) -> None:
        """Take note of an execution, and whether the unit is worth mutating: from a corpus, or with a new trace."""
        self._prices.pop(unit, None)
        self._prices[unit] = price = _FIXED + cost
        if len(self._prices) > _MOST_UNITS:
            del self._prices[next(iter(self._prices))]
        if worth and len(self._drawn) < _MOST_UNITS:
            self._drawn.append(unit)
            insort(self._ordered, price)

    def choose(self, unit: bytes, choices: Choices) -> bytes:
        """This unit or a cheaper one."""
        for _ in range(_TRIES):
            if self._is_worth_it(unit, choices):
                break
            unit = choices.pick(self._drawn)
        return unit

    def _is_worth_it(self, unit: bytes, choices: Choices) -> bool:
        price = self._prices.get(unit)
        if price is None or not self._ordered:
            return True  # nothing is known of it, or of others
        median = self._ordered[len(self._ordered) // 2]
        return price <= median or choices.index(1 << 16) * price < median << 16
