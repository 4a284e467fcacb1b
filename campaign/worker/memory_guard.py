"""Limits on the memory that a worker keeps between executions.

Z3 allocates and frees millions of small blocks in one execution, and glibc keeps freed blocks for later; from time to
time, they are returned to the system. glibc returns large free blocks at once, among them the tables of a context
(8.5 MB each), and each execution gets them back page by page. The guard lets them stay.

Memory that Z3 leaks stays, too. A limit that interrupts a transform leaks the clauses that the transform had made,
although the context is deleted: one mutant of `ring` under `fp.xform.unfold_rules` leaked 830 MB (z3-solver 5.4.0.0;
about one such mutant in a thousand). Leaked memory counts against the memory limit of the process, so that after three
such mutants every execution ends out of memory. Such a worker is replaced.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import psutil
from chcfuzz.execution.domain import MOST_LOST

_MUCH = MOST_LOST // 4  # leaked by one execution
_EVERY = 64  # calls between two checks: a check takes 20 microseconds, returning memory takes milliseconds
_SLACK = 8 << 20  # bytes of growth after which memory is returned
_M_TRIM_THRESHOLD, _KEPT = -1, 128 << 20  # bytes at the end of the heap that stay
_M_MMAP_THRESHOLD, _IN_HEAP = -3, 32 << 20  # bytes of the largest block in the heap; glibc allows no more


class MemoryGuard:
    """Watches the memory of this process."""

    def __init__(self, held_memory: Callable[[], int]) -> None:
        """`held_memory` returns the bytes that solvers in this process hold."""
        libc = ctypes.CDLL(None)
        self._trim = getattr(libc, "malloc_trim", None)  # glibc's; other allocators return memory anyway
        if hasattr(libc, "mallopt"):
            libc.mallopt(_M_TRIM_THRESHOLD, _KEPT)
            libc.mallopt(_M_MMAP_THRESHOLD, _IN_HEAP)
        self._process = psutil.Process()
        self._calls = 0
        self._resident_before = 0  # bytes, after the last return
        self._held_memory = held_memory
        self._held = held_memory()

    def release_freed(self) -> None:
        """Return freed memory to the system if the process has grown."""
        self._calls += 1
        if self._trim is None or self._calls % _EVERY:
            return
        if self.resident() > self._resident_before + _SLACK:
            self._trim(0)
            self._resident_before = self.resident()

    def execution_lost_much(self) -> bool:
        """Return whether Z3 has leaked much memory since the last call; called once for each execution."""
        before, self._held = self._held, self._held_memory()
        return self._held > before + _MUCH

    @property
    def has_lost_too_much(self) -> bool:
        """Whether this process has to be replaced; decided by Z3's own count, which does not depend on a clock."""
        return self._held_memory() > MOST_LOST

    def resident(self) -> int:
        """Return the resident memory of this process in bytes."""
        return int(self._process.memory_info().rss)
