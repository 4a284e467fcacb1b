"""Mutants of the units that were read take turns with the reading of the rest of the corpus.

libFuzzer reads its whole corpus before it mutates any unit, so a short campaign with a slow solver would execute seeds
alone. Therefore this process executes mutants before a unit until they have cost as much as the units that were read,
at most `MOST_MUTANTS`. Costs are those of outcomes, whether these are cached or not, so that the same seed of libFuzzer
repeats the same campaign. libFuzzer takes features only from the unit that it executes itself, so a mutant that opened
a trace waits until the corpus is read: the custom mutator returns it then, and its outcome is cached.
"""

from __future__ import annotations

import os
import secrets
import signal
from collections import deque
from collections.abc import Callable
from functools import cached_property
from typing import TypeVar

from chcfuzz.campaign import corpus_folder
from chcfuzz.campaign.session.in_flight import MAX_UNIT
from chcfuzz.campaign.worker.context import WorkerContext
from chcfuzz.campaign.worker.executor import Executed
from chcfuzz.execution.domain import load
from chcfuzz.solvers.outcome import Status

MOST_MUTANTS = 5_000  # some minutes; a large corpus that was read before is read on without them
MOST_IN_TURN = 20  # between two units: a turn of mutants that cost little or nothing ends, too
SECONDS_EACH = 60  # of libFuzzer's -timeout, which counts a turn as a part of the unit after it

T = TypeVar("T")


class ReadingTurns:
    """The turns of one worker, which `is_reading` until libFuzzer mutates a unit, which it does when all are read.

    A part of a merge or a job of `-fork` does not take turns. Neither does `--stop-on-finding`, because libFuzzer would
    keep the unit that it reads as the crash.
    """

    def __init__(self, context: WorkerContext) -> None:
        options = context.options
        self._context = context
        self._runs = options.limit("runs")
        self._ends_itself = options.flag("handle_usr1") != "0"
        self._size = options.limit("max_len") or MAX_UNIT
        self._seed = options.limit("seed") or secrets.randbits(32)
        self._owed = 0  # cost of the units that were read, less that of the mutants
        timeout = options.limit("timeout")
        self._most_in_turn = max(1, min(MOST_IN_TURN, timeout // SECONDS_EACH)) if timeout else MOST_IN_TURN
        self._in_turn = 0  # mutants since the latest unit
        self._mutants = 0
        self._done = 0  # executions that libFuzzer has counted
        self._latest: bytes | None = None
        self._waiting: deque[bytes] = deque()
        has_read = context.session.has_read.is_set  # by a worker that this one replaces
        self._has_turns = options.fuzzes_alone and not (options.stop_on_finding or has_read)
        self.is_reading = True

    @cached_property
    def _units(self) -> int:
        return corpus_folder.size(self._context.options.inputs)

    @cached_property
    def _is_cut(self) -> bool:
        """Whether `-runs` ends the reading: if the project has more seeds for the domain, and the user named no others.

        libFuzzer itself reads a corpus as a whole, however small `-runs` is.
        """
        if not (self._has_turns and self._runs in range(1, self._units + 2)):
            return False
        own = load(self._context.options.solving.domain).seeds
        named = self._context.options.inputs[1:]
        return not self._context.session.reads_together.is_set and own is not None and named == (own,)

    @property
    def is_over(self) -> bool:
        """Whether the rest of the corpus is skipped, because `-runs` is reached."""
        return self.is_reading and self._is_cut and self._done + self._mutants >= (self._runs or 0)

    @property
    def is_next(self) -> bool:
        """Whether a mutant has the next turn: not if `-runs` leaves no execution for it after a corpus of the user."""
        if not (self._has_turns and self.is_reading) or self._latest is None:
            return False
        if self._owed <= 0 or self._in_turn >= self._most_in_turn or self._mutants >= MOST_MUTANTS:
            return False
        if self._is_cut:
            return not self.is_over
        has_room = self._runs is None or (self._ends_itself and 1 + self._units + self._mutants < self._runs)
        return has_room and len(self._context.session.claims) < self._units

    def mutant(self, mutate: Callable[[bytes, int, int], T]) -> T:
        """Return the mutant of this turn: `mutate` gets the latest unit, the largest size and a seed."""
        assert self._latest is not None
        self._mutants += 1
        self._in_turn += 1
        self._owed -= 1
        return mutate(self._latest, self._size, (self._seed << 24) + self._mutants)

    def read(self, data: bytes, executed: Executed) -> None:
        """Note that a unit of the corpus was executed."""
        if data:
            self._owed += 1 + executed.cost
            self._in_turn = 0
            self._latest = data

    def executed(self, mutant: bytes, executed: Executed) -> None:
        """Note that a mutant was executed; one that opened a trace is kept for libFuzzer.

        A hang took seconds, and solvers in other processes do not count its cost: it ends the turn.
        """
        hung = executed.outcome is not None and executed.outcome.status is Status.HANG
        self._owed = 0 if hung else self._owed - executed.cost
        if executed.opened:
            self._waiting.append(mutant)

    def end(self) -> None:
        """End the turns: libFuzzer has read its corpus. Mutants that a dead worker has kept for it wait here now."""
        if not self.is_reading:
            return
        self.is_reading = False
        self._context.session.has_read.set()
        grown = self._context.options.grown if self._has_turns else None
        left = [] if grown is None else self._context.session.unmerged.missing(grown)
        known = set(self._waiting)
        self._waiting.extend(data for data in (file.read_bytes() for file in left) if data not in known)

    def next_waiting(self, size: int) -> bytes | None:
        """Return the next mutant for libFuzzer that has at most `size` bytes, or None without one."""
        while self._waiting:
            mutant = self._waiting.popleft()
            if len(mutant) <= size:
                return mutant
        return None

    def count_run(self) -> None:
        """Count an execution by libFuzzer, which ends itself if `-runs` is reached together with the mutants here."""
        self._done += 1
        if self._mutants and self._runs is not None and self._done + self._mutants >= self._runs:
            os.kill(os.getpid(), signal.SIGUSR1)
