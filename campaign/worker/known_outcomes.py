"""Outcomes that are known without a solver: an import or the table has that of a unit, this worker that of a mutant.

An outcome whose verdict depends on a status of its seed that has fallen since is judged again, in one place.
"""

from __future__ import annotations

from dataclasses import replace

from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.worker.context import WorkerContext
from chcfuzz.campaign.worker.expectation import Expectation
from chcfuzz.campaign.worker.outcomes import CachedOutcome
from chcfuzz.campaign.worker.reporter import Reporter
from chcfuzz.campaign.worker.seed_book import SeedBook
from chcfuzz.execution.cached_outcome import outcome_in
from chcfuzz.mutators.recipe import Unit
from chcfuzz.oracles.verdict import VerdictKind

_HEADER = 1 << 16  # bytes at the start of a unit that may hold a stored outcome


class KnownOutcomes:
    """Looks up the outcomes of units and mutants that do not need the solver."""

    def __init__(self, context: WorkerContext, seeds: SeedBook, reporter: Reporter) -> None:
        self._context = context
        self._seeds = seeds
        self._reporter = reporter

    def of_unit(self, unit: Unit, all_edges: bool) -> CachedOutcome | None:
        """Return the outcome of a unit, from an import or the table of outcomes, without decoding the unit.

        Unless `all_edges`, only the edges are restored that change libFuzzer's corpus.
        """
        return self._imported(unit) or self._stored(unit, all_edges)

    def of_mutant(self, unit: Unit, key: bytes) -> CachedOutcome | None:
        """Return the outcome of a mutant that this worker has solved, by its key; `unit` is another way to it."""
        known = self._context.caches.outcomes.get(key)
        if known is None or not self._seeds.is_final(known, unit):
            return None
        return self._current(unit, known)

    def _imported(self, unit: Unit) -> CachedOutcome | None:
        """Return the outcome that an import stored in the text of a unit; the text is not parsed.

        An import stores no edges, so nothing is returned if edges are counted.
        """
        context = self._context
        if len(context.edges.counters) or b":chcfuzz-outcome" not in unit.data[:_HEADER]:
            return None
        known = outcome_in(unit.data.decode("utf-8", "replace"), context.pipeline.setting)
        if known is None or unit.text is None:
            return None
        status, cost, trace = known
        answer = context.answers.of(unit.text)
        if answer is not None and answer.status not in (None, status.value):
            return None  # a witness has since shown the other status: the seed is solved and judged again
        outcome = CachedOutcome(b"", unit.text, status, trace, cost)
        if not self._seeds.is_final(outcome, unit):
            return None
        self._seeds.offer(unit, unit.text)
        self._seeds.learn_cached(outcome)
        return outcome

    def _stored(self, unit: Unit, all_edges: bool) -> CachedOutcome | None:
        """Return the outcome that another process or an earlier campaign stored, and restore its edges.

        libFuzzer executes the empty unit first, and ignores its counters.
        """
        with self._context.account.charging(Counter.CACHE_TIME):
            known = self._context.outcomes.get(unit.digest, None if all_edges or not unit.data else len(unit.data))
        if known is None or not self._seeds.is_final(known, unit):
            return None
        known = self._current(unit, known)
        self._seeds.offer(unit, known.seed)
        if unit.text is not None:
            self._seeds.learn_cached(known)
        return known

    def _current(self, unit: Unit, outcome: CachedOutcome) -> CachedOutcome:
        """Return an outcome with the verdict that the present status of its seed implies.

        A finding that only the fallen status implied is no longer one, and an answer that agreed with that status may
        be wrong. Findings that do not depend on the status stay.
        """
        context, promised = self._context, outcome.expectation.answer
        known = context.answers.of(outcome.seed)
        if outcome.expectation.has_fallen(known) and unit.fault is None:
            mutant = context.pipeline.mutant(unit.canonical)
            if outcome.finding == VerdictKind.WRONG_ANSWER.value and promised not in (None, outcome.status.value):
                outcome = replace(outcome, finding=None, suspicion="")
            if outcome.finding is None:
                limit = self._seeds.limit(unit.canonical)
                reported = self._reporter.compare(unit.canonical, mutant, outcome.status, limit)
                if reported is not None:
                    outcome = replace(outcome, finding=reported.kind, suspicion=reported.suspicion)
            outcome = replace(outcome, expectation=Expectation.of(mutant.expected, known))
            context.outcomes.judge(unit.digest, outcome)
        context.caches.outcomes[outcome.key] = outcome
        return outcome
