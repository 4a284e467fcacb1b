"""Bounded tables of a worker: outcomes of earlier executions, and seeds."""

from __future__ import annotations

from cachetools import LRUCache
from chcfuzz.campaign.worker.outcomes import CachedOutcome
from chcfuzz.mutators.recently_used import RecentlyUsed

_EXECUTIONS = 10_000  # outcomes by mutant
_SEEDS = 20_000  # seeds that a recipe's seed may be replaced by, and costs of seeds


class Caches:
    """`outcomes` by the keys of their mutants, and `seeds` with their `costs`."""

    def __init__(self) -> None:
        self.outcomes: LRUCache[bytes, CachedOutcome] = LRUCache(_EXECUTIONS)
        self.seeds: RecentlyUsed[str] = RecentlyUsed(_SEEDS)
        self.costs: LRUCache[str, int] = LRUCache(_SEEDS)
