"""Memory that nobody uses goes back to the system, and a worker in which Z3 has lost too much is replaced.

Z3 takes and frees millions of pieces of memory in an execution, and glibc keeps what was freed for later: that goes
back. What Z3 has lost does not. A limit that ends it within a transform leaves behind what the transform had made,
though the context is gone: one mutant of `ring` under `fp.xform.unfold_rules` left 830 MB (z3-solver 5.4.0.0; one such
mutant in some thousand). It counts against the limit of the process, so that after three of them every execution ends
out of memory.
"""

from __future__ import annotations

import ctypes
import resource
from pathlib import Path

from chcfuzz.solvers.spacer import MOST_LOST, held_memory

_MUCH = MOST_LOST // 8  # by one execution
_EVERY = 64  # calls: reading one's own size takes 20 microseconds, giving back some milliseconds
_SLACK = 64 << 20  # bytes more than after the last time
_PAGE = resource.getpagesize()
_STATM = Path("/proc/self/statm")


class Ballast:
    """What a worker carries between executions and does not need."""

    def __init__(self) -> None:
        self._trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc's; others give back by themselves
        self._calls = 0
        self._least = 0  # bytes resident after the last time
        self._held = held_memory()

    def drop(self) -> None:
        """Give back what was freed, as soon as the process has grown; nothing else changes by it."""
        self._calls += 1
        if self._trim is None or self._calls % _EVERY:
            return
        if _resident() > self._least + _SLACK:
            self._trim(0)
            self._least = _resident()

    def has_grown_by_it(self) -> bool:
        """Whether Z3 has lost much since this was asked last: once an execution, it is that one's doing."""
        before, self._held = self._held, held_memory()
        return self._held > before + _MUCH

    @property
    def is_too_much(self) -> bool:
        """Whether Z3 has lost so much that the process is of no use soon; by its own count, which no clock changes."""
        return held_memory() > MOST_LOST


def _resident() -> int:
    return int(_STATM.read_text().split()[1]) * _PAGE
