"""Edge counters of a solver's compiled code, where a traced build has them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# FuzzerTracePC.h, `CounterToFeature`: the first count of each class.
_CLASSES = (1, 2, 3, 4, 8, 16, 32, 128)
_CLASS = np.searchsorted(_CLASSES, np.arange(256), "right").astype(np.intp) - 1


@dataclass(frozen=True)
class Edges:
    """Views of the library's own memory: `counters` (n,) uint8, one an edge, and `pcs` (n, 2) uintp, address and flags.

    Empty for a build without edge counters, and for a library that is not traced.
    """

    counters: NDArray[np.uint8]
    pcs: NDArray[np.uintp]

    def clear(self) -> None:
        """Forget every count."""
        self.counters[:] = 0

    def saved(self) -> NDArray[np.uint8]:
        """A copy of the counts, for `restore` after something else ran."""
        return self.counters.copy()

    def restore(self, counts: NDArray[np.uint8]) -> None:
        """Have `saved` counts again."""
        self.counters[:] = counts

    def show(self, reached: NDArray[np.intp], counts: NDArray[np.uint8]) -> None:
        """Have these counts at these edges, and none elsewhere."""
        self.clear()
        self.counters[reached] = counts


NO_EDGES = Edges(np.zeros(0, np.uint8), np.zeros((0, 2), np.uintp))


class Features:
    """What libFuzzer makes of counters: an edge and a class of its count, each with the size of the smallest unit.

    libFuzzer keeps a unit for the features that no unit in its corpus has, or with -shrink=1 none as small
    (FuzzerCorpus.h, `AddFeature`); but for each that it keeps it also enters all edges of it in a tree
    (FuzzerTracePC.cpp, `UpdateObservedPCs`), which takes milliseconds with a hundred thousand of them.
    """

    def __init__(self, edges: int) -> None:
        self._smallest = np.zeros(len(_CLASSES) * edges, np.uint32)  # pages that nobody touches take no memory

    def news(self, reached: NDArray[np.intp], counts: NDArray[np.uint8], size: int) -> NDArray[np.bool_]:
        """Which of a unit's edges no unit of its size or less was asked about here; and it was from now on."""
        features = len(_CLASSES) * reached + _CLASS[counts]
        smallest = self._smallest[features]
        news: NDArray[np.bool_] = (smallest == 0) | (smallest > size + 1)
        self._smallest[features[news]] = size + 1
        return news
