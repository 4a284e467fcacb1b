"""Sets of what the workers of a campaign have seen together: edges of a traced solver, seeds, units of the corpus."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NamedTuple

import numpy as np
from chcfuzz.campaign.session.shared import SharedSet, SharedSlots, allocate
from chcfuzz.execution.files import write_whole
from chcfuzz.execution.seed_answers import Ground, SeedAnswer
from chcfuzz.mutators.recipe import Unit
from numpy.typing import NDArray

_SEEDS = 1 << 17  # slots


class EdgeCounts(NamedTuple):
    """Numbers of edges."""

    reached: int
    all: int


class ReachedEdges:
    """A byte for each edge of a traced solver, 255 if any worker has reached it, and the table of all edges."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._table = path.with_suffix(".table")

    def write_table(self, table: NDArray[np.int64]) -> None:
        """Store the table of edges (`tracing.functions.edge_table`), unless another worker has stored it."""
        if not self._table.exists():
            write_whole(self._table, table.tobytes())

    def functions(self) -> tuple[list[int], list[int], list[int]] | None:
        """Return addresses: entries that were reached, other edges that were, and all other entries; None without."""
        try:
            table = np.fromfile(self._table, np.int64).reshape(-1, 2)
            seen = np.fromfile(self._path, np.uint8) > 0
        except FileNotFoundError:
            return None
        addresses, enters = table[:, 0], table[:, 1] > 0
        return tuple(np.unique(addresses[which]).tolist() for which in (seen & enters, seen & ~enters, ~seen & enters))

    def map(self, number: int) -> NDArray[np.uint8]:
        """Return the bytes of `number` edges as shared memory that the caller writes to."""
        allocate(self._path, number)
        return np.memmap(self._path, np.uint8, "r+", shape=(number,)).view(np.ndarray)

    def counts(self) -> EdgeCounts | None:
        """Return how many edges were reached, or None for a solver without edge counters."""
        try:
            seen = np.fromfile(self._path, dtype=np.uint8)
        except FileNotFoundError:
            return None
        return EdgeCounts(int(np.count_nonzero(seen)), len(seen))


class Sightings:
    """How often traces were seen that this campaign has opened: once, twice, or more often.

    A slot holds a hash whose two lowest bits are the number, at most 3. Processes that count one trace at the same
    instant may count it once.
    """

    _MOST = 3
    _SLOTS = 1 << 20

    def __init__(self, path: Path) -> None:
        self._slots = SharedSlots(path, self._SLOTS)

    def add(self, value: int, is_new: bool) -> None:
        """Count a trace by its hash. One that is neither new nor counted is older than the campaign, and is ignored."""
        key = (value & ~self._MOST) or self._MOST + 1
        for probe in range(64):
            slot = (key // 4 + probe) % self._SLOTS
            stored = self._slots[slot]
            if stored & ~self._MOST == key:
                self._slots[slot] = key | min(self._MOST, (stored & self._MOST) + 1)
                return
            if stored == 0:
                if is_new:
                    self._slots[slot] = key | 1
                return

    def once_and_twice(self) -> tuple[int, int]:
        """Return the number of traces that were seen exactly once, and exactly twice."""
        counts = np.zeros(self._MOST + 1, np.int64)
        for block in self._slots.blocks():
            counts += np.bincount((block & self._MOST).astype(np.uint8), minlength=self._MOST + 1)
        return int(counts[1]), int(counts[2])


def _hashed(seed: str) -> int:
    return int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "little")


class SeedCounts:
    """Seeds used by any worker, counted by the ground of their answer."""

    def __init__(self, folder: Path) -> None:
        self._by_ground = {ground: SharedSet(folder / f"seeds-{ground}.set", slots=_SEEDS) for ground in Ground}
        self._ended = SharedSet(folder / "seeds-at-limit.set", slots=_SEEDS)
        self._decided = SharedSet(folder / "seeds-decided.set", slots=_SEEDS)  # of those that had ended at a limit

    def add(self, seed: str, answer: SeedAnswer | None) -> None:
        """Count a seed whose answer was looked up; adding it twice counts once."""
        if answer is not None:
            self._by_ground[answer.ground].add([_hashed(seed)])

    def ended(self, seed: str) -> None:
        """Count a seed that its resource limit has ended; counting it twice counts once."""
        self._ended.add([_hashed(seed)])

    def decided(self, seed: str) -> None:
        """Note that a seed is decided that a smaller limit had ended."""
        self._decided.add([_hashed(seed)])

    @property
    def at_limit(self) -> int:
        """The number of seeds that their resource limit has ended every time."""
        return max(0, len(self._ended) - len(self._decided))

    def by_ground(self) -> dict[Ground, int]:
        """Return the number of seeds for each ground."""
        return {ground: len(counted) for ground, counted in self._by_ground.items()}


class CorpusClaims:
    """Units of a corpus that were read; of several workers, each is claimed by the one that executes it."""

    def __init__(self, path: Path) -> None:
        self._claimed = SharedSet(path, slots=1 << 18)

    def claim(self, unit: Unit) -> bool:
        """Return whether this worker is the first to claim the unit."""
        return self._claimed.add([int(unit.digest[:16], 16)]) > 0

    def __len__(self) -> int:
        """Return the number of units that were claimed."""
        return len(self._claimed)
