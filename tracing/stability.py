"""Whether the same recipe gives the same trace: without that, unique traces mean nothing.

Alt-Ergo-Fuzz lost its guidance to caches that were never reset. So a campaign runs some executions again, later and in
another order, and shows how many repeat.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class Reservoir(Generic[T]):
    """A sample of earlier executions with the hash of their traces: at most `size`, older ones thinned out evenly.

    Which ones are kept and asked for depends on their number alone, never on chance or a clock.
    """

    def __init__(self, size: int = 128, every: int = 64) -> None:
        self._size = size
        self._every = every
        self._seen = 0
        self._kept: list[tuple[T, int]] = []

    def offer(self, execution: T, trace_hash: int) -> tuple[T, int] | None:
        """Take note of an execution; every so often the answer is an earlier one, to be run again now."""
        number = self._seen
        self._seen += 1
        if len(self._kept) < self._size:
            self._kept.append((execution, trace_hash))
        elif number % self._every == 0:
            self._kept[(number // self._every * 31) % self._size] = (execution, trace_hash)
        if number % self._every != self._every // 8:
            return None
        return self._kept[(number // self._every * 17) % len(self._kept)]
