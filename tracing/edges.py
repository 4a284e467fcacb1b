"""Edge counters of a solver's compiled code, in traced builds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# FuzzerTracePC.h, `CounterToFeature`: the first count of each class.
_CLASSES = (1, 2, 3, 4, 8, 16, 32, 128)
_CLASS = np.searchsorted(_CLASSES, np.arange(256), "right").astype(np.intp) - 1


@dataclass(frozen=True)
class Edges:
    """Views of the library's memory: `counters` (n,) uint8, one per edge, and `pcs` (n, 2) uintp, address and flags.

    Both are empty for a library without edge counters.
    """

    counters: NDArray[np.uint8]
    pcs: NDArray[np.uintp]

    def clear(self) -> None:
        """Clear every count."""
        self.counters[:] = 0

    def saved(self) -> NDArray[np.uint8]:
        """Return a copy of the counts, for `restore` after another execution."""
        return self.counters.copy()

    def restore(self, counts: NDArray[np.uint8]) -> None:
        """Restore `saved` counts."""
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

    def news(self, reached: NDArray[np.intp], counts: NDArray[np.uint8], size: int) -> NDArray[np.bool_]:
        """Return which of a unit's edges have a feature that no smaller or equal unit had before, and record them."""
        features = len(_CLASSES) * reached + _CLASS[counts]
        smallest = self._smallest[features]
        news: NDArray[np.bool_] = (smallest == 0) | (smallest > size + 1)
        self._smallest[features[news]] = size + 1
        return news
