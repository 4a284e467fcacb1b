"""Bounded tables of a worker: outcomes of earlier executions, seeds, and the origins of mutated units."""

from __future__ import annotations

from cachetools import LRUCache
from chcfuzz.campaign.worker.outcomes import CachedOutcome
from chcfuzz.mutators.recently_used import RecentlyUsed

_EXECUTIONS = 10_000  # outcomes by mutant
_SEEDS = 20_000  # seeds that a recipe's seed may be replaced by, and costs of seeds


class Origins:
    """Origins of the units that were mutated here since the last execution: libFuzzer may mutate a unit repeatedly."""

    def __init__(self) -> None:
        self._origins: dict[bytes, bytes | None] = {}

    def mutated(self, unit: bytes, before: bytes) -> None:
        """Note that `unit` is a mutation of `before`."""
        self._origins[unit] = self._origins.get(before) or before

    def crossed(self, unit: bytes) -> None:
        """Note that a unit comes from two others, so that it does not have a single origin."""
        self._origins[unit] = None

    def __contains__(self, unit: bytes) -> bool:
        """Return whether the unit was made here."""
        return unit in self._origins

    def of(self, unit: bytes) -> bytes | None:
        """Return the unit that libFuzzer started from, or None if `unit` was not made here or comes from two units."""
        return self._origins.get(unit)

    def clear(self) -> None:
        """Forget all origins, after an execution."""
        self._origins.clear()


class Caches:
    """`outcomes` by the keys of their mutants, `seeds` with their `costs`, and the `origins` of units."""

    def __init__(self) -> None:
        self.outcomes: LRUCache[bytes, CachedOutcome] = LRUCache(_EXECUTIONS)
        self.seeds: RecentlyUsed[str] = RecentlyUsed(_SEEDS)
        self.costs: LRUCache[str, int] = LRUCache(_SEEDS)
        self.origins = Origins()
