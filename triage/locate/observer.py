"""One run of a finding's neighbour: its outcome, and the solver's events and edges.

The outcome depends on the knowledge about the neighbour's system. The finding's own system, and systems that a promise
derives from it, have a known right answer, which the finding's witness proves: any other answer is wrong. Any other
system is judged like a candidate of a reduction, by a witness of its own, and a right answer needs a witness, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from chcfuzz.execution.domain import load
from chcfuzz.execution.pipeline import Pipeline
from chcfuzz.execution.solving import Solving
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.oracles.verdict import Subject
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.z3_release import active
from chcfuzz.tracing import solver_coverage
from chcfuzz.tracing.edges import NO_EDGES
from chcfuzz.tracing.line_excerpt import CoverageError
from chcfuzz.tracing.llvm import ToolError
from chcfuzz.tracing.progress_log import ProgressLog
from chcfuzz.tracing.solver_coverage import load_address
from chcfuzz.tracing.source import SequenceSource
from chcfuzz.tracing.trace import NO_EVENTS
from chcfuzz.triage.examine.runs import GIVEN, Runs
from chcfuzz.triage.examine.signature import without_numbers
from chcfuzz.triage.locate.messages import PackedRun, Side, pack, pack_numbers
from chcfuzz.triage.reduce.condition import Condition
from chcfuzz.triage.reduce.judge import Judge

MAX_EVENTS = 1 << 18  # of a run, that are kept
_MAX_LOG = 1 << 20  # bytes of a log that are compared


def side_of(condition: Condition, status: Status, fault: str | None) -> Side:
    """Return the outcome of a run on a system whose right answer is known.

    `fault` is the class in the verdict of the finding's kind, None if the run does not have one.
    """
    if not status.is_decided and fault is None:
        return Side.NEITHER
    if condition.subject is Subject.ANSWER:
        return Side.FAILING if status.value == condition.answer else Side.PASSING
    if fault is None:
        return Side.PASSING
    if condition.subject is Subject.MODEL:
        return Side.FAILING
    is_output = condition.subject is Subject.OUTPUT  # compared as the judge of a reduction does
    seen, wanted = (fault, condition.fault) if is_output else map(without_numbers, (fault, condition.fault))
    return Side.FAILING if seen == wanted else Side.NEITHER


class Observer:
    """Runs recipes in this process; without `events`, their event sequences are empty."""

    def __init__(
        self,
        condition: Condition,
        pipeline: Pipeline,
        solving: Solving,
        judge: Judge,
        events: SequenceSource | None,
    ) -> None:
        """Prepare to run; `events` is the event source of the pipeline."""
        self._condition = condition
        self._pipeline = pipeline
        self._solving = solving
        self._rlimit = solving.rlimit
        self._domain = load(solving.domain)
        self._judge = judge
        self._events = events
        self._edges = NO_EDGES if events is None else events.edges

    def run(self, recipe: Recipe, is_known: bool) -> PackedRun:
        """Run a recipe; `is_known`: its system has the finding's right answer."""
        mutant = self._pipeline.mutant(recipe)
        self._edges.clear()
        outcome = self._pipeline.solve(mutant.text, mutant.parameters)
        # Read both before an oracle runs Z3, which adds to them.
        sequence = NO_EVENTS if self._events is None else self._events.sequence(MAX_EVENTS)
        edges = np.flatnonzero(self._edges.counters)
        description = outcome.status.value
        if outcome.left_out:
            side, description = Side.NEITHER, f"does not have the parameter {' '.join(outcome.left_out)}"
        elif self._condition.subject is Subject.ANSWER and is_known:
            side = side_of(self._condition, outcome.status, None)
        else:
            side = self._side(recipe, is_known)
        return PackedRun(side, description, pack(sequence), pack_numbers(edges))

    def log(self, recipe: Recipe) -> bytes:
        """Run a recipe, and return Spacer's progress log."""
        pipeline, log = self._logging
        mutant = pipeline.mutant(recipe)
        with log.recording():
            pass  # forgets the last run, in case that this one is refused
        pipeline.solve(mutant.text, mutant.parameters)
        return log.text()[:_MAX_LOG]

    @cached_property
    def _logging(self) -> tuple[Pipeline, ProgressLog]:
        """A pipeline whose solver writes the log; a traced build has other events by default."""
        if isinstance(self._events, ProgressLog):
            return self._pipeline, self._events
        log = ProgressLog()
        return Pipeline(self._solving, events=log), log

    def places(self, edges: Sequence[int]) -> list[str | None]:
        """Return the source places where edges start; None without debug information or LLVM's tool."""
        traced = active().traced
        assert traced is not None
        addresses = self._edges.pcs[list(edges), 0] - np.uintp(load_address(traced))
        try:
            found = solver_coverage.places(traced, addresses)
        except (CoverageError, ToolError):
            return [None] * len(edges)
        return [None if at is None else f"{Path(at.file).name}:{at.line} {at.function}" for at in found]

    def _side(self, recipe: Recipe, is_known: bool) -> Side:
        kind = self._condition.kind
        runs = Runs(self._pipeline, self._rlimit, (), lambda _message: None)
        run = runs.execute(GIVEN, recipe, second=self._condition.asks_others)
        assert run is not None
        if is_known or self._condition.subject not in (Subject.ANSWER, Subject.MODEL):
            side = side_of(self._condition, run.status, run.verdict(kind).fault if run.shows(kind) else None)
            if side is not Side.PASSING or self._condition.subject is not Subject.MODEL:
                return side  # else the model was wrong, which proves nothing about the answer that is given now
        elif self._judge.judge(recipe).passes:
            return Side.FAILING
        right = bool(run.model)
        if run.status is Status.UNSAT:
            right = self._domain.refute(run.problem, self._rlimit, self._pipeline.watchdog) is not None
        return Side.PASSING if right else Side.NEITHER
