"""Edge counters of a solver's compiled code, in traced builds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from cachetools import LRUCache
from numpy.typing import NDArray

# FuzzerTracePC.h, `CounterToFeature`: the first count of each class.
_CLASSES = (1, 2, 3, 4, 8, 16, 32, 128)
_CLASS = np.searchsorted(_CLASSES, np.arange(256), "right").astype(np.intp) - 1
_BIT = np.where(np.arange(256) > 0, 1 << np.maximum(_CLASS, 0), 0).astype(np.uint8)
_BITS = _BIT.tobytes()  # `bytes.translate` is the fastest way to look many counts up
_MOST_UNITS = 20_000  # whose first edges are known: some kilobytes for the first units, some bytes for others


@dataclass(frozen=True)
class Edges:
    """Views of the library's memory: `counters` (n,) uint8, one per edge, and `pcs` (n, 2) uintp, address and flags.

    Both are empty for a library without edge counters.
    """

    counters: NDArray[np.uint8]
    pcs: NDArray[np.uintp]

    def clear(self) -> None:
        """Set the count of every edge to zero."""
        self.counters[:] = 0

    def saved(self) -> NDArray[np.uint8]:
        """Return a copy of the counts, for `restore` after another execution."""
        return self.counters.copy()

    def restore(self, counts: NDArray[np.uint8]) -> None:
        """Set the counts to those that `saved` returned."""
        self.counters[:] = counts

    def show(self, reached: NDArray[np.intp], counts: NDArray[np.uint8]) -> None:
        """Set these counts at these edges, and clear all others."""
        self.clear()
        self.counters[reached] = counts


NO_EDGES = Edges(np.zeros(0, np.uint8), np.zeros((0, 2), np.uintp))


class Features:
    """libFuzzer's features of counters: an edge and a class of its count, each with the size of the smallest unit.

    libFuzzer keeps a unit for features that no unit in its corpus has, or with -shrink=1 only larger ones
    (FuzzerCorpus.h, `AddFeature`). For each unit that it keeps, it also enters all its edges in a tree
    (FuzzerTracePC.cpp, `UpdateObservedPCs`), which takes milliseconds for a hundred thousand edges.
    """

    def __init__(self, edges: int) -> None:
        """Allocate a size for each feature."""
        self._smallest = np.zeros(len(_CLASSES) * edges, np.uint32)  # pages that are never touched take no memory
        self._seen = np.zeros(edges, np.uint8)  # of each edge, a bit for each class that was shown
        self._is_of_base = np.zeros(edges, np.bool_)  # False between two calls
        self._first: LRUCache[str, NDArray[np.uint32]] = LRUCache(_MOST_UNITS)  # the edges that a unit showed first

    def news(
        self, reached: NDArray[np.intp], counts: NDArray[np.uint8], size: int, unit: str = ""
    ) -> NDArray[np.bool_]:
        """Return which of a unit's edges have a feature that no smaller or equal unit had before, and record them."""
        features = len(_CLASSES) * reached + _CLASS[counts]
        smallest = self._smallest[features]
        news: NDArray[np.bool_] = (smallest == 0) | (smallest > size + 1)
        self._smallest[features[news]] = size + 1
        self._seen[reached] |= _BIT[counts]
        self._first[unit] = reached[news].astype(np.uint32)
        return news

    def leave_out_known(self, counters: NDArray[np.uint8], unit: str, base: str | None) -> None:
        """Clear the counters (n,) that libFuzzer need not see of a mutant of `base`, a unit of its corpus.

        It needs those with a feature that no unit had before, and those of all edges that the base showed first:
        libFuzzer replaces the base by a smaller mutant that has all of these (`UniqFeatureSet` in FuzzerLoop.cpp).
        Every counter stays for an unknown base, or without one.
        """
        reached = np.flatnonzero(counters != 0)
        bits = np.frombuffer(counters.take(reached).tobytes().translate(_BITS), np.uint8)
        before = self._seen.take(reached)
        needed: NDArray[np.bool_] = (bits & ~before) != 0
        self._seen[reached] = before | bits
        self._first[unit] = reached[needed].astype(np.uint32)
        of_base = None if base is None else self._first.get(base)
        if of_base is not None:
            self._is_of_base[of_base] = True
            needed |= self._is_of_base.take(reached)
            self._is_of_base[of_base] = False
            counters[reached[~needed]] = 0
