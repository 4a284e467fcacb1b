"""Memory that the processes of a campaign share and that outlives each of them: files, mapped or not."""

from __future__ import annotations

import os
import struct
import weakref
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import numpy as np
from chcfuzz.execution.solving import UsageError
from numpy.typing import NDArray

_SLOT = struct.Struct("=Q")
_BLOCK = 1 << 18  # bytes that are read at once
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


class SharedSlots:
    """Slots of 64 bits in a file, zeros if it is new; each of them is read and written as a whole.

    The file is not mapped: a process that counts the slots would map all of them, 46 MB of a campaign on parts.
    """

    def __init__(self, path: Path, number: int) -> None:
        allocate(path, number * _SLOT.size)
        self.number = number
        self._file = os.open(path, os.O_RDWR)
        weakref.finalize(self, os.close, self._file)

    def __getitem__(self, slot: int) -> int:
        found: int = _SLOT.unpack(os.pread(self._file, _SLOT.size, slot * _SLOT.size))[0]
        return found

    def __setitem__(self, slot: int, value: int) -> None:
        os.pwrite(self._file, _SLOT.pack(value), slot * _SLOT.size)

    def blocks(self) -> Iterator[NDArray[np.uint64]]:
        """Yield the slots in order, some (n,) at a time."""
        for start in range(0, self.number * _SLOT.size, _BLOCK):
            size = min(_BLOCK, self.number * _SLOT.size - start)
            yield np.frombuffer(os.pread(self._file, size, start), np.uint64)


class SharedSet:
    """A set of 64-bit hashes in a file, which grows, is never cleared, and knows its exact size.

    Two processes that insert different hashes into one free slot at the same instant can lose one of them until it
    is inserted again. Nothing else can go wrong without a lock.
    """

    def __init__(self, path: Path, slots: int = 1 << 22) -> None:
        self._slots = SharedSlots(path, slots)
        self._known: set[int] = set()

    def add(self, hashes: Iterable[int]) -> int:
        """Insert hashes, and return the number of those that were new to all processes."""
        return sum(self._insert(value) for value in sorted(set(hashes) - self._known))

    def _insert(self, value: int) -> bool:
        self._known.add(value)
        value = value or 1  # zero marks a free slot
        for probe in range(64):
            slot = (value + probe) % self._slots.number
            stored = self._slots[slot]
            if stored == value:
                return False
            if stored == 0:
                self._slots[slot] = value
                return True
        return False

    def __len__(self) -> int:
        """Return the number of hashes."""
        return sum(int(np.count_nonzero(block)) for block in self._slots.blocks())

    def hashes(self) -> NDArray[np.uint64]:
        """Return all hashes, (n,), ascending."""
        return np.sort(np.concatenate([block[block != 0] for block in self._slots.blocks()]))
