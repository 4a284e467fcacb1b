"""Feedback for libFuzzer: an outcome becomes counters, and new traces are counted for the campaign."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from chcfuzz.campaign.options import ANSWERS, COARSE, STEPS, TRANSITIONS
from chcfuzz.campaign.runs.run_folder import build_of
from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.session.tallies import STEP
from chcfuzz.campaign.worker.context import WorkerContext
from chcfuzz.campaign.worker.outcomes import CachedOutcome
from chcfuzz.mutators.recipe import Unit, digest
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.z3_release import active
from chcfuzz.tracing.libfuzzer_counters import Counters
from chcfuzz.tracing.steps import WithSteps
from chcfuzz.tracing.trace import Trace
from numpy.typing import NDArray

_ANSWER = {Status.SAT: 1, Status.UNSAT: 2, Status.UNKNOWN: 3, Status.ERROR: 4, Status.CRASH: 5, Status.RESULT: 6}


class Feedback:
    """The counters that libFuzzer reads after an execution.

    An undecided unit leaves every counter at zero, so that libFuzzer does not keep it. A command is an exception: its
    output is its only trace, so the output that rejects a unit counts too. Executions that a limit ends show nothing.
    """

    def __init__(self, context: WorkerContext) -> None:
        self.counters = Counters()
        self._context = context
        self._edges = context.edges
        usual = TRANSITIONS if context.options.is_of_a_merge else COARSE
        self._features = context.options.features or ("all" if context.events.traces_refusals else usual)
        edges = len(self._edges.counters)
        self._shows_edges = edges > 0 and self._features in ("all", "edges", "both")
        self._reached = context.session.edges.map(edges) if edges else None
        library = active().traced
        if edges and library is not None and context.options.solving.uses_z3:
            from chcfuzz.tracing.solver_functions import edge_table  # imports coverage, which slows a start

            context.session.edges.write_table(edge_table(self._edges, library))
        if context.events.has_features:
            context.session.has_features.set()
        self._build = build_of(context.options.solving)
        flag = context.options.flag
        # Otherwise libFuzzer counts the executions that show a feature, or keeps smaller units with the same features.
        self._leaves_out = self._shows_edges and flag("entropic") == "0" and flag("shrink") in (None, "0")

    @property
    def regions(self) -> list[tuple[NDArray[np.uint8], NDArray[np.uintp]]]:
        """Memory that libFuzzer watches: the counters of chcfuzz, and the edges of the solver if they are feedback."""
        regions = [(self.counters.counters, self.counters.pcs)]
        if self._shows_edges:
            regions.append((self._edges.counters, self._edges.pcs))
        return regions

    def clear(self) -> None:
        """Set every counter to zero."""
        self.counters.clear()
        self._edges.clear()

    def show(self, outcome: CachedOutcome) -> bool:
        """Set the counters; return whether the trace is new to this campaign."""
        with self._context.account.charging(Counter.TRACE_TIME):
            return self._show(outcome)

    def _show(self, outcome: CachedOutcome) -> bool:
        if outcome.status.is_answered or (self._context.events.traces_refusals and outcome.status in _ANSWER):
            self._record(outcome.trace, _ANSWER[outcome.status])
        else:
            self._edges.clear()
        if self._reached is not None:
            first = self._edges.counters > self._reached
            if first.any():  # only new edges are written, so that the writes of other workers survive
                self._reached[first] = 255
        is_new = self._context.session.traces.add([outcome.trace.hash]) > 0
        if is_new:  # the transitions of an old trace are in the set already
            new_keys = self._count_transitions(outcome.trace)
            is_new = new_keys > 0 or not self._context.events.has_features
        return is_new

    def show_steps(self, suspicious: Sequence[int]) -> None:
        """Set the counters of the numbers of suspicious solver steps, if they are feedback."""
        if self._features == STEPS:
            self.counters.record_steps(suspicious)

    def leave_out_known(self, unit: Unit, base: bytes | None) -> None:
        """Clear the edges that libFuzzer need not see again of a mutant of `base`, a unit of its corpus.

        libFuzzer takes milliseconds for all edges of an execution. Without a base, the unit is from a corpus.
        """
        if not self._leaves_out:
            return
        with self._context.account.charging(Counter.TRACE_TIME):
            known = None if base is None else digest(base)
            self._context.outcomes.features.leave_out_known(self._edges.counters, unit.digest, known)

    def _record(self, trace: Trace, answer: int) -> None:
        if self._features == ANSWERS:
            self.counters.record_answer(answer)
        elif self._context.events.has_features:
            if self._features != "edges":
                self.counters.record_features(trace, answer)
        elif self._features in ("all", TRANSITIONS):
            self.counters.record(trace, answer)
        elif self._features in (COARSE, STEPS):
            self.counters.record_transitions(trace, answer)
        elif self._features != "edges":
            self.counters.record_trace(trace)

    def _count_transitions(self, trace: Trace) -> int:
        """Count the keys of a trace, and return the number of those that are new to this campaign."""
        new = self._context.session.transitions.add(trace.keys.tolist())
        if isinstance(self._context.events, WithSteps):
            for before, after in self._context.events.take(trace):
                self._context.tallies.count((STEP, self._build, before, after))
        return new
