"""Memory that nobody uses goes back to the system, so that a worker is as large as what it remembers, not as its worst
execution.

Z3 takes and frees millions of pieces of memory in an execution, and glibc keeps what was freed for later. One hard
mutant in some thousand takes a gigabyte; after it, a worker was seen to hold 1.1 GB for good. What does not go back,
because something small lies between, adds up: a worker that is too large all the same is replaced.
"""

from __future__ import annotations

import ctypes
import resource
from pathlib import Path

_EVERY = 64  # calls: reading one's own size takes 20 microseconds, giving back some milliseconds
_SLACK = 64 << 20  # bytes more than after the last time
_PAGE = resource.getpagesize()
_STATM = Path("/proc/self/statm")
TOO_LARGE = 3 << 30  # bytes: half of what libFuzzer allows, which would blame the unit in work


class Ballast:
    """Drops what the allocator holds and nobody uses, as soon as a worker has grown; nothing else changes by it.

    `size` is what the process held resident when it was looked at last, in bytes.
    """

    def __init__(self) -> None:
        self._trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc's; others give back by themselves
        self._calls = 0
        self._least = 0  # after the last time
        self.size = 0

    def drop(self) -> None:
        """Called between executions."""
        self._calls += 1
        if self._calls % _EVERY:
            return
        self.size = _resident()
        if self._trim is not None and self.size > self._least + _SLACK:
            self._trim(0)
            self.size = self._least = _resident()


def _resident() -> int:
    return int(_STATM.read_text().split()[1]) * _PAGE
