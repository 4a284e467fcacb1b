"""The fuzz target that a libFuzzer process calls, without Atheris."""

from __future__ import annotations

import re
from typing import NoReturn

import numpy as np
from chcfuzz.campaign import corpus_folder
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.worker.context import WorkerContext
from chcfuzz.campaign.worker.executor import Executed, Executor
from chcfuzz.campaign.worker.feedback import Feedback
from chcfuzz.campaign.worker.internal_errors import INTERNAL_ERROR, ErrorBoundary
from chcfuzz.campaign.worker.last_unit import LastUnit
from chcfuzz.campaign.worker.made_units import Origin
from chcfuzz.campaign.worker.memory_guard import MemoryGuard
from chcfuzz.campaign.worker.mutations import ByteMutate, Mutations
from chcfuzz.campaign.worker.pause import Pause
from chcfuzz.campaign.worker.reading_turns import ReadingTurns
from chcfuzz.campaign.worker.reporter import Reporter
from chcfuzz.execution.domain import load
from chcfuzz.execution.exit_codes import EXIT_FULL, EXIT_LARGE
from chcfuzz.mutators.recipe import Unit, digest, read
from chcfuzz.oracles.verdict import facts_of
from chcfuzz.tracing.libfuzzer_counters import Counters
from numpy.typing import NDArray


class SolverFinding(Exception):  # noqa: N818  (libFuzzer prints the name: this is the solver's fault, not an error)
    """Raised out of a fuzz target for a finding, so that libFuzzer treats the unit as a crash."""


def raise_as(finding: str) -> NoReturn:
    """Raise `SolverFinding` out of a function named after the finding.

    ClusterFuzz distinguishes crashes only by the functions of a traceback, so all findings would be one to it.
    """

    def named() -> NoReturn:
        raise SolverFinding(finding)

    named.__code__ = named.__code__.replace(co_name=re.sub(r"\W", "_", finding))
    named()


class Target:
    """The functions that libFuzzer calls: the test of a unit, the custom mutator, the custom crossover.

    Each of them keeps internal errors inside, since libFuzzer would call them a crash of the solver.
    """

    def __init__(self, options: Options, session: Session) -> None:
        self.context = WorkerContext(options, session)
        self.feedback = Feedback(self.context)
        self.mutations = Mutations(self.context)
        self._reporter = Reporter(self.context)
        self._executor = Executor(self.context, self.feedback, self.mutations, self._reporter)
        self._boundary = ErrorBoundary(self.context, self._discard)
        self._last = LastUnit(self.context)
        self._memory_guard = MemoryGuard(load(options.solving.domain).held_memory)
        self._has_read_together = False  # or need not
        self._turns = ReadingTurns(self.context)
        self._pause = Pause(self.context)
        self._exit_code = EXIT_LARGE  # if Z3 has lost too much memory
        if options.rows != Options.rows:
            _ = self.context.rows  # a pattern that matches no row is reported before anything runs

    @property
    def counters(self) -> Counters:
        """The counters of chcfuzz that libFuzzer reads after `test_one_input`."""
        return self.feedback.counters

    @property
    def regions(self) -> list[tuple[NDArray[np.uint8], NDArray[np.uintp]]]:
        """Memory that libFuzzer watches."""
        return self.feedback.regions

    def test_one_input(self, data: bytes) -> None:
        """Execute a unit. Raises only `SolverFinding`, with --stop-on-finding or for a file that the user names."""
        with self.context.account.charging(Counter.OTHER_TIME):
            finding = self._boundary.run(data, "preparing it", lambda: self._test(data), None)
        options = self.context.options
        if finding is not None and (options.stop_on_finding or options.replays_files):
            raise_as(self._reporter.bucket or finding)

    def _test(self, data: bytes) -> str | None:
        """Execute a unit, unless it has killed a worker; return the kind of its finding."""
        self._read_together()
        self._between_units()
        unit, made = read(data), self.mutations.made.get(data)
        if made is None:  # it comes from a corpus
            self._take_turns()
            if self._turns.is_over:
                self.counters.clear()
                return None
        self.counters.clear()
        self._turns.count_run()
        if self.context.guard.denies(unit):
            return None
        if made is not None:
            self._last.begin(unit, made)
        executed = self._run(unit, made, self.context.options.merges)  # a merge may drop it for a cheaper unit
        if made is None:
            self._has_read(unit, executed)
        return executed.finding

    def mutate(self, data: bytes, max_size: int, seed: int, byte_mutate: ByteMutate) -> bytes:
        """Mutate a unit: libFuzzer's custom mutator."""
        doing = f"mutating it with libFuzzer's seed {seed}"

        def mutated() -> bytes:
            self._turns.end()
            waiting = self._turns.next_waiting(max_size)
            if waiting is None:
                return self.mutations.mutate(data, max_size, seed, byte_mutate)
            self.mutations.hand_over(waiting, data)
            self._last.opened(waiting)
            return waiting

        return self._boundary.run(data, doing, mutated, data[:max_size])

    def crossover(self, first: bytes, second: bytes, max_size: int, seed: int) -> bytes:
        """Combine two units: libFuzzer's custom crossover."""
        doing = f"crossing it with {digest(second)} and libFuzzer's seed {seed}"
        self._turns.end()
        return self._boundary.run(
            first, doing, lambda: self.mutations.cross(first, second, max_size, seed), first[:max_size]
        )

    def _run(self, unit: Unit, made: Origin | None, always_stored: bool = True) -> Executed:
        """Execute a unit within all guards."""

        def execute() -> Executed:
            executed = self._executor.execute(unit, made, always_stored)
            self._last.executed(executed)
            return executed

        # If the solver crashes during start-up, do not blame a unit.
        self._boundary.run(unit.data, "making the solver", lambda: self.context.pipeline, None)
        self.context.in_flight.begin(unit.data)
        executed = self._boundary.run(unit.data, "executing it", execute, Executed(INTERNAL_ERROR))
        self.context.in_flight.clear()
        self.context.counters.add(Counter.FAILED, executed.finding == INTERNAL_ERROR)
        if self._memory_guard.execution_lost_much():
            self.context.session.denylist.add(unit.data)  # the next worker must not lose as much
            if executed.finding is not None and facts_of(executed.finding).fills_memory:
                self._exit_code = EXIT_FULL
        self.context.update_totals()
        return executed

    def _read_together(self) -> None:
        """Execute a share of a corpus that several workers read, before libFuzzer reads all of it.

        libFuzzer then finds the outcomes of all workers in the table of outcomes.
        """
        session = self.context.session
        if self._has_read_together:
            return
        self._has_read_together = True
        if not session.reads_together.is_set:
            return
        for data in corpus_folder.units(self.context.options.inputs):
            self._between_units()
            unit = read(data)
            if session.claims.claim(unit) and not self.context.guard.denies(unit):
                self._turns.read(data, self._run(unit, None))
                self._take_turns()
        self.context.edges.clear()

    def _has_read(self, unit: Unit, executed: Executed) -> None:
        """Note that libFuzzer has executed a unit of its corpus."""
        self._turns.read(unit.data, executed)
        if self._turns.is_reading and not (unit.data and self.context.session.claims.claim(unit)):
            self.context.counters.add(Counter.READ_AGAIN)

    def _take_turns(self) -> None:
        """Execute mutants of units that were read, as long as they have their turn."""
        doing = "mutating it while the corpus is read"
        while self._turns.is_next:
            data = self._turns.mutant(
                lambda *given: self._boundary.run(
                    given[0], doing, lambda: self.mutations.mutate_while_reading(*given), b""
                )
            )
            unit = read(data)
            made = self.mutations.made.get(data) if data else None
            if made is not None and not self.context.guard.denies(unit):
                self._last.begin(unit, made)
                self._turns.executed(data, self._run(unit, made))
            self._last.take()
            self._between_units()
            self.feedback.clear()

    def _between_units(self) -> None:
        """Wait for an examination, release memory, check the file that libFuzzer may have written of the last unit."""
        self._pause.wait()
        self._memory_guard.release_freed()
        last = self._last.take()
        if last is not None:
            self._boundary.run(last.data, "checking its file", lambda: self._last.check_written(last), None)
        if self._memory_guard.has_lost_too_much and self.context.session.replaces_workers.is_set:
            self.context.leave_to_another_worker(self._exit_code)  # which reads the same corpus

    def _discard(self) -> None:
        """Discard an execution that an internal error ended: nothing is shown of it, and no row is credited."""
        self.context.in_flight.clear()
        self.feedback.clear()
        self.mutations.made.clear()
