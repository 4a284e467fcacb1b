"""The account of a worker's time: every nanosecond is charged to exactly one counter.

The parts of a worker are nested: an execution decodes a recipe, which may solve a seed. `charging` therefore pauses the
counter that is charged at the moment, so that the counters add up to `WALL_TIME`, the time since `start`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from chcfuzz.campaign.session.counters import Counter, WorkerCounters
from chcfuzz.solvers.outcome import Outcome


class TimeAccount:
    """Charges the time of this process from `start` on; libFuzzer gets the time in which nothing else is charged."""

    def __init__(self, counters: WorkerCounters) -> None:
        self._counters = counters
        self._charged = Counter.LIBFUZZER_TIME
        self._since: int | None = None

    def start(self) -> None:
        """Begin: a worker's time begins when its solver is made."""
        self._since = time.perf_counter_ns()

    def update(self) -> None:
        """Charge the time until now."""
        self._charge(self._charged)

    @contextmanager
    def charging(self, counter: Counter) -> Iterator[None]:
        """Charge the time within the block to a counter, except for blocks inside that charge another one."""
        before = self._charged
        self._charge(counter)
        try:
            yield
        finally:
            self._charge(before)

    def move(self, seconds: float, to: Counter) -> None:
        """Charge the solver's own measure of time, which is part of the current block, to another counter."""
        spent = int(seconds * 1e9)
        self._counters.add(to, spent)
        self._counters.add(self._charged, -spent)

    def solved(self, outcome: Outcome) -> None:
        """Charge the time of an outcome, which is part of the current block, to the solver, and count its work."""
        self.move(outcome.seconds, Counter.SOLVER_TIME)
        self._counters.add(Counter.SOLVER_WORK, outcome.cost)

    def _charge(self, following: Counter) -> None:
        if self._since is not None:
            now = time.perf_counter_ns()
            for counter in (self._charged, Counter.WALL_TIME):  # together, as a worker may be killed at any time
                self._counters.add(counter, now - self._since)
            self._since = now
        self._charged = following
