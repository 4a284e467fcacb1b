"""One run of a finding's neighbour: which side it is on, and what the solver did there.

Which side a run is on depends on what is known of its system. The finding's own system, and what a promise makes of it,
has a known answer, which the finding's witness shows: another one is wrong. Any other system is judged as a candidate
of a reduction is, by a witness of its own, and a right answer has to have one, too.
"""

from __future__ import annotations

import base64
import enum
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from chcfuzz.execution.pipeline import Pipeline
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.oracles import derive
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.z3_release import active
from chcfuzz.tracing import solver_coverage
from chcfuzz.tracing.edges import NO_EDGES
from chcfuzz.tracing.line_table import CoverageError
from chcfuzz.tracing.llvm import ToolError
from chcfuzz.tracing.progress_log import ProgressLog
from chcfuzz.tracing.solver_coverage import load_address
from chcfuzz.tracing.trace import NO_EVENTS, EventSequence
from chcfuzz.tracing.traced_library import TracedLibrary
from chcfuzz.triage.examine.runs import GIVEN, Runs
from chcfuzz.triage.examine.signature import without_numbers
from chcfuzz.triage.reduce.condition import WRONG_ANSWER, WRONG_MODEL, Condition
from chcfuzz.triage.reduce.judge import Judge
from numpy.typing import NDArray

MOST_EVENTS = 1 << 18  # of a run, that are kept
Said = dict[str, Any]


class Side(enum.Enum):
    """Where a run stands. NEITHER: undecided, or wrong in another way, or nothing shows that it is right."""

    FAILING = "failing"
    PASSING = "passing"
    NEITHER = "neither"


def packed(sequence: EventSequence) -> Said:
    """A sequence as JSON can hold it."""
    numbers = packed_numbers(sequence.numbers)
    return {"numbers": numbers, "words": sequence.words, "kinds": sequence.kinds, "start": sequence.start}


def unpacked(said: Said) -> EventSequence:
    """What `packed` gave, after JSON."""
    words, kinds = ({int(number): text for number, text in said[name].items()} for name in ("words", "kinds"))
    return EventSequence(unpacked_numbers(said["numbers"]), words, kinds, said["start"])


def packed_numbers(numbers: NDArray[Any]) -> str:
    """Numbers of 32 bits as JSON can hold them."""
    return base64.b64encode(numbers.astype("<u4").tobytes()).decode()


def unpacked_numbers(text: str) -> NDArray[np.uint32]:
    """What `packed_numbers` gave."""
    return np.frombuffer(base64.b64decode(text), "<u4").astype(np.uint32)


def side_of(condition: Condition, status: Status, said: str | None) -> Side:
    """The side of a run of a system of which the accused answer is known to be wrong, if an answer is accused.

    `said` is the detail of the verdict of the finding's kind, None where there is none.
    """
    if not status.is_decided and said is None:
        return Side.NEITHER
    if condition.kind == WRONG_ANSWER:
        return Side.FAILING if status.value == condition.seen else Side.PASSING
    if said is None:
        return Side.PASSING
    same = condition.kind == WRONG_MODEL or without_numbers(said) == without_numbers(condition.detail)
    return Side.FAILING if same else Side.NEITHER


class Observer:
    """Runs recipes in this process. Without `events` nothing is known of what the solver did."""

    def __init__(
        self,
        condition: Condition,
        pipeline: Pipeline,
        rlimit: int,
        judge: Judge,
        events: TracedLibrary | ProgressLog | None,
    ) -> None:
        """`events` is the pipeline's source."""
        self._condition = condition
        self._pipeline = pipeline
        self._rlimit = rlimit
        self._judge = judge
        self._events = events
        self._edges = NO_EDGES if events is None else events.edges

    def observed(self, recipe: Recipe, is_known: bool) -> Said:
        """The side of a recipe's run, words on it, its events and edges; `is_known`: whether its system's answer is."""
        mutant = self._pipeline.mutant(recipe)
        self._edges.clear()
        outcome = self._pipeline.solve(mutant.text, mutant.parameters)
        # Both before an oracle runs Z3, which counts as well.
        sequence = NO_EVENTS if self._events is None else self._events.sequence(MOST_EVENTS)
        edges = np.flatnonzero(self._edges.counters)
        words = outcome.status.value
        if outcome.left_out:
            side, words = Side.NEITHER, f"has no parameter {' '.join(outcome.left_out)}"
        elif self._condition.kind == WRONG_ANSWER and is_known:
            side = side_of(self._condition, outcome.status, None)
        else:
            side = self._side(recipe, is_known)
        return {"side": side.value, "words": words, "events": packed(sequence), "edges": packed_numbers(edges)}

    def places(self, edges: Sequence[int]) -> list[str | None]:
        """Where edges of the traced build start, in words; None where debug information or LLVM's tool is missing."""
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
        run = Runs(self._pipeline, self._rlimit, (), lambda _said: None).execute(
            GIVEN, recipe, second=self._condition.others
        )
        assert run is not None
        if is_known or kind not in (WRONG_ANSWER, WRONG_MODEL):
            return side_of(self._condition, run.status, run.verdict(kind).detail if run.shows(kind) else None)
        if self._judge.judged(recipe).passes:
            return Side.FAILING
        right = bool(run.model)
        if run.status is Status.UNSAT:
            right = derive.derive(run.system, self._rlimit, self._pipeline.watchdog).refutation is not None
        return Side.PASSING if right else Side.NEITHER
