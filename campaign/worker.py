"""What a libFuzzer process does with a unit: the pipeline, its counters, its findings. Knows nothing of Atheris."""

from __future__ import annotations

import os
import sys
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from chcfuzz.campaign.execution import Execution, Pipeline, refusal
from chcfuzz.campaign.findings import EXIT_FINDINGS, FindingsError, FindingStore
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session import Counter, Session, Worker, digest
from chcfuzz.mutators import custom
from chcfuzz.mutators.recipe import decode
from chcfuzz.solvers.outcome import Status
from chcfuzz.tracing.counters import Counters
from chcfuzz.tracing.stability import Stability
from chcfuzz.tracing.trace import Trace

EXIT_STUCK = 70  # libFuzzer's own code for a timeout: `-fork` then goes on
_REMEMBERED = 20_000
_RECHECK_EVERY = 64
_STATUS_COUNTER = {
    Status.SAT: Counter.SAT,
    Status.UNSAT: Counter.UNSAT,
    Status.UNKNOWN: Counter.UNKNOWN,
    Status.LIMIT: Counter.LIMIT,
    Status.HANG: Counter.HANG,
    Status.ERROR: Counter.ERROR,
    Status.CRASH: Counter.ERROR,
}


class SolverFinding(Exception):  # noqa: N818  (libFuzzer prints the name: it is the solver's fault, not an error of ours)
    """Raised out of a fuzz target with --stop-on-finding, so that libFuzzer keeps the unit as a crash."""


@dataclass(frozen=True)
class _Remembered:
    """What an execution showed libFuzzer, to show it again without solving."""

    status: Status
    trace: Trace


class Target:
    """A fuzz target without its engine: call `test_one_input` with bytes, and read `counters` afterwards.

    An undecided unit leaves every counter at zero, so that libFuzzer does not keep it; it is counted all the same.
    """

    def __init__(self, options: Options, session: Session) -> None:
        self.counters = Counters()
        self._options = options
        self._session = session
        self._worker = Worker(session)
        self._store = FindingStore(options, session)
        self._poisoned = session.poisoned()
        self._remembered: OrderedDict[bytes, _Remembered] = OrderedDict()
        self._stability = Stability()
        self._start = time.perf_counter_ns()
        self._told_refusals = 0
        self._pipeline: Pipeline | None = None

    @property
    def pipeline(self) -> Pipeline:
        """Made at first use: the process that only watches over `-fork` children never needs it."""
        if self._pipeline is None:
            self._pipeline = Pipeline(self._options.rlimit, self._options.wall_seconds, self._leave_stuck)
        return self._pipeline

    def test_one_input(self, data: bytes) -> None:
        """Execute a unit. Raises only `SolverFinding`, and only with --stop-on-finding."""
        self.counters.clear()
        if self._poisoned and digest(data) in self._poisoned:
            return
        self._worker.unit.begin(data)
        try:
            finding = self._execute(data)
        finally:
            self._worker.unit.done()
        self._worker.counters[Counter.WALL_TIME] = time.perf_counter_ns() - self._start
        if finding is not None and self._options.stop_on_finding:
            raise SolverFinding(finding)

    def mutate(self, data: bytes, max_size: int, seed: int, byte_mutate: Callable[[bytes, int], bytes]) -> bytes:
        """libFuzzer's custom mutator."""
        start = time.perf_counter_ns()
        mutated = custom.mutate(data, max_size, seed, self.pipeline.registry, byte_mutate)
        self._worker.count(Counter.MUTATE_TIME, time.perf_counter_ns() - start)
        return mutated

    def crossover(self, first: bytes, second: bytes, max_size: int, seed: int) -> bytes:
        """libFuzzer's custom crossover."""
        start = time.perf_counter_ns()
        crossed = custom.crossover(first, second, max_size, seed, self.pipeline.registry)
        self._worker.count(Counter.MUTATE_TIME, time.perf_counter_ns() - start)
        return crossed

    def _execute(self, data: bytes) -> str | None:
        """Execute a unit and record its features; the headline of a finding, if it is one."""
        count, pipeline = self._worker.count, self.pipeline
        start = time.perf_counter_ns()
        count(Counter.EXECUTIONS)
        self._tell_refusal(data)
        recipe = decode(data)
        mutant = pipeline.mutant(recipe)
        key = mutant.key
        count(Counter.APPLY_TIME, time.perf_counter_ns() - start)

        known = self._remembered.get(key)
        if known is not None:
            count(Counter.REPEATED)
            self._show(known.status, known.trace)
            return known.finding
        execution = pipeline.execute(recipe, mutant)
        outcome = execution.outcome
        count(_STATUS_COUNTER[outcome.status])
        count(Counter.SOLVER_TIME, int(outcome.seconds * 1e9))
        count(Counter.CHECK_TIME, int(execution.check_seconds * 1e9))
        if outcome.status is Status.SAT:
            count(Counter.MODELS)
            count(Counter.MODELS_UNDECIDED, execution.model_undecided)
        self._show(outcome.status, outcome.trace)
        finding = self._judge(data, execution)
        self._remember(key, outcome.status, outcome.trace, finding)
        self._recheck(mutant, outcome)
        return finding

    def _tell_refusal(self, data: bytes) -> None:
        reason = refusal(data)
        if reason is None:
            return
        self._worker.count(Counter.REFUSED)
        self._told_refusals += 1
        if self._told_refusals <= 10:
            print(f"chcfuzz: unit {digest(data)} is no CHC system: {reason}", file=sys.stderr, flush=True)

    def _show(self, status: Status, trace: Trace) -> None:
        start = time.perf_counter_ns()
        if status in (Status.SAT, Status.UNSAT):
            self.counters.record(trace, status.value)
        if self._session.traces.add([trace.hash]):
            pass
        self._session.transitions.add(trace.transitions_keys.tolist())
        self._worker.count(Counter.TRACE_TIME, time.perf_counter_ns() - start)

    def _judge(self, data: bytes, execution: Execution) -> str | None:
        """Have a suspicious verdict confirmed and kept; its kind if it was."""
        verdict = execution.finding
        if verdict is None:
            return None
        start = time.perf_counter_ns()
        kind = verdict.kind.value
        parameters = tuple(name for name, _ in execution.mutant.options)
        bucket = (kind, parameters)
        try:
            if not self._options.stop_on_finding and (
                self._unconfirmed.get(bucket, 0) >= self._options.per_bucket
                or not self._store.has_room(kind, parameters)
            ):
                self._worker.count(Counter.DUPLICATES)
                return None
            folder = self._store.keep(data, kind)
        except FindingsError as error:
            print(f"chcfuzz: {error}", file=sys.stderr, flush=True)
            os._exit(EXIT_FINDINGS)  # libFuzzer would call an exception a crash of the target
        finally:
            self._worker.count(Counter.CONFIRM_TIME, time.perf_counter_ns() - start)
        if folder is None:
            self._unconfirmed[bucket] = self._unconfirmed.get(bucket, 0) + 1
            self._worker.count(Counter.UNCONFIRMED)
            return None
        return kind
