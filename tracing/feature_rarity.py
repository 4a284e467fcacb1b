"""How many executions had each feature of a trace: a transition, or a class of a counter of the solver."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SLOTS = 1 << 16  # of the table; features of one slot count as one

Times = NDArray[np.int64]


class FeatureRarity:
    """Numbers of executions by feature; `table` (SLOTS,) has them, and several workers may share it."""

    def __init__(self, table: Times) -> None:
        self._table = table

    def executed(self, features: NDArray[np.uint32]) -> None:
        """Count an execution by its features."""
        self._table[_slots(features)] += 1  # once for each slot, even if two features share it

    def times(self, features: NDArray[np.uint32]) -> Times:
        """Return how many executions had each of the features."""
        times: Times = self._table[_slots(features)]
        return times


def _slots(features: NDArray[np.uint32]) -> NDArray[np.uint32]:
    return features * np.uint32(2654435769) >> np.uint32(16)  # Fibonacci hashing
