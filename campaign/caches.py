"""What a worker remembers of what it executed. All of it is bounded, and what was used last stays."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

from chcfuzz.campaign.outcomes import Shown
from chcfuzz.mutators.recently_used import Pool

_EXECUTIONS = 20_000  # that are not repeated
_SEEDS = 20_000  # that a recipe's seed may be exchanged for, and whose costs are known
K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """A mapping of the `most` keys that were used last: put, or got. `in` is no use."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._items: OrderedDict[K, V] = OrderedDict()

    def __contains__(self, key: object) -> bool:
        return key in self._items

    def __len__(self) -> int:
        return len(self._items)

    def get(self, key: K) -> V | None:
        """What was put last under a key."""
        if key in self._items:
            self._items.move_to_end(key)
        return self._items.get(key)

    def put(self, key: K, value: V) -> None:
        """Remember it; what was not used for longest goes, if there are too many."""
        self._items[key] = value
        self._items.move_to_end(key)
        if len(self._items) > self._most:
            self._items.popitem(last=False)


class Origins:
    """Which units were made here since the last execution, and of which one: libFuzzer mutates one several times."""

    def __init__(self) -> None:
        self._of: dict[bytes, bytes | None] = {}

    def made(self, unit: bytes, before: bytes) -> None:
        """A unit was made of one."""
        self._of[unit] = self._of.get(before) or before

    def made_of_two(self, unit: bytes) -> None:
        """A unit was made of two: none of them is where it comes from."""
        self._of[unit] = None

    def __contains__(self, unit: bytes) -> bool:
        return unit in self._of

    def of(self, unit: bytes) -> bytes | None:
        """What libFuzzer began with to make a unit; None where it was not made here, or made of two."""
        return self._of.get(unit)

    def forget(self) -> None:
        """A unit was executed: what was made before it is of no use."""
        self._of.clear()


class Memory:
    """`shown` executions by the keys of their mutants, `seeds` with their `costs`, and the `origins` of units."""

    def __init__(self) -> None:
        self.shown: Recent[bytes, Shown] = Recent(_EXECUTIONS)
        self.seeds: Pool[str] = Pool(_SEEDS)
        self.costs: Recent[str, int] = Recent(_SEEDS)
        self.origins = Origins()
