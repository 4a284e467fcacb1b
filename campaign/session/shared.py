"""Memory that the processes of a campaign share and that outlives each of them: mapped files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

import numpy as np
from chcfuzz.execution.solving import UsageError
from numpy.typing import NDArray

N = TypeVar("N", np.int64, np.uint64)


def allocate(path: Path, size: int) -> None:
    """Extend a file with zeros to at least `size` bytes, and reserve the disk space for them.

    A mapped file whose disk is full later would end the process by SIGBUS. Raises `UsageError` if the disk is full now.
    """
    try:
        with open(path, "ab") as file:
            if file.tell() < size:
                os.posix_fallocate(file.fileno(), 0, size)
    except OSError as error:
        problem = f"a campaign needs {size} bytes for {str(path)!r}: {error.strerror}"
        raise UsageError(f"{problem}; make room, or name another folder in TMPDIR") from error


def mapped(path: Path, dtype: type[N], size: int) -> NDArray[N]:
    """Return a file as an array (size,) in memory, zeros if the file is new. Raises `UsageError` if the disk is full.

    The array is not an `np.memmap`: each access to one takes microseconds.
    """
    allocate(path, size * np.dtype(dtype).itemsize)
    return np.memmap(path, dtype=dtype, mode="r+", shape=(size,)).view(np.ndarray)


class SharedSet:
    """A set of 64-bit hashes in a mapped file, which grows, is never cleared, and knows its exact size.

    Two processes that insert different hashes into one free slot at the same instant can lose one of them until it
    is inserted again. Nothing else can go wrong without a lock.
    """

    def __init__(self, path: Path, slots: int = 1 << 22) -> None:
        self._table = mapped(path, np.uint64, slots)
        self._known: set[int] = set()

    def add(self, hashes: Iterable[int]) -> int:
        """Insert hashes, and return the number of those that were new to all processes."""
        return sum(self._insert(value) for value in sorted(set(hashes) - self._known))

    def _insert(self, value: int) -> bool:
        self._known.add(value)
        value = value or 1  # zero marks a free slot
        slots = len(self._table)
        for probe in range(64):
            slot = (value + probe) % slots
            stored = int(self._table[slot])
            if stored == value:
                return False
            if stored == 0:
                self._table[slot] = value
                return True
        return False

    def __len__(self) -> int:
        """Return the number of hashes."""
        return int(np.count_nonzero(self._table))

    def hashes(self) -> NDArray[np.uint64]:
        """Return all hashes, (n,), ascending."""
        return np.sort(self._table[self._table != 0])
