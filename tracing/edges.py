"""Edge counters of a solver's compiled code, where a traced build has them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


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


NO_EDGES = Edges(np.zeros(0, np.uint8), np.zeros((0, 2), np.uintp))
