"""Counts of the answers that nothing else decides, and of the queries to solvers in reserve about them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace


@dataclass
class ReserveUse:
    """All such answers, those for which solvers in reserve were queried, and those that one of them decided.

    `nanoseconds` is the time of these solvers, for statistics only.
    """

    answers: int = 0
    queried: int = 0
    decided: int = 0
    nanoseconds: int = 0

    @contextmanager
    def querying(self) -> Iterator[None]:
        """Count a query, with its time."""
        self.queried += 1
        start = time.perf_counter_ns()
        try:
            yield
        finally:
            self.nanoseconds += time.perf_counter_ns() - start

    def taken(self) -> ReserveUse:
        """Return the counts since the last call."""
        found = replace(self)
        self.answers = self.queried = self.decided = self.nanoseconds = 0
        return found
