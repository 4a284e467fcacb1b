"""Stability of traces: unique traces are meaningful only if the same recipe always gives the same trace.

Alt-Ergo-Fuzz lost its guidance to caches that were never reset. A campaign therefore repeats some executions later and
in another order, and shows the share that gives the same trace.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class Reservoir(Generic[T]):
    """A sample of at most `size` earlier executions with the hashes of their traces, spread evenly over time.

    The selection depends only on the number of executions, never on chance or a clock.
    """

    def __init__(self, size: int = 128, every: int = 64) -> None:
        """Start with an empty sample; one of `every` executions is repeated."""
        self._size = size
        self._every = every
        self._seen = 0
        self._kept: list[tuple[T, int]] = []

    def offer(self, execution: T, trace_hash: int) -> tuple[T, int] | None:
        """Record an execution; return an earlier one to repeat now, once in `every` calls."""
        number = self._seen
        self._seen += 1
        if len(self._kept) < self._size:
            self._kept.append((execution, trace_hash))
        elif number % self._every == 0:
            self._kept[(number // self._every * 31) % self._size] = (execution, trace_hash)
        if number % self._every != self._every // 8:
            return None
        return self._kept[(number // self._every * 17) % len(self._kept)]
