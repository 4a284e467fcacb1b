"""Switches that explain as many findings as a bucket takes: they are drawn rarely from then on.

A few switches that are easy to break would otherwise be part of most findings. A switch *explains* a suspicion if it is
the only changed parameter, and the same mutant is not suspicious without it. Each worker counts for itself what it has
executed, so that a campaign with one worker depends only on libFuzzer's seed. A new worker knows the switches that
others have found, and those of the findings of earlier campaigns with the same solver.
"""

from __future__ import annotations

from collections import Counter as Tally
from dataclasses import replace

from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.worker.context import WorkerContext
from chcfuzz.execution.identity import solver_key
from chcfuzz.execution.pipeline import Execution
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.mutators.budget import ParameterBudget, ParameterStanding, standing_of
from chcfuzz.mutators.chain import Mutant
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.triage.examine.finding_scope import Switches
from chcfuzz.triage.findings.record import Finding
from chcfuzz.triage.findings.store import finding_folders


class FullSwitches:
    """Counts the suspicions that each switch explains, and makes switches rare in the budget."""

    def __init__(self, context: WorkerContext, budget: ParameterBudget) -> None:
        self._context = context
        self.budget = budget
        self._explained: Tally[tuple[str, str]] = Tally()
        for name, kind in self._full_before():
            context.session.full_switches.mark(name, kind)
        budget.make_rare({name for name, _ in context.session.full_switches.named()})

    def suspected(self, recipe: Recipe, kind: str, limit: int) -> None:
        """Count a suspicion of a kind if a switch explains it."""
        name = self._only_switch(recipe)
        if name is None or self.budget.is_rare(name) or self._is_suspicious_without(recipe, kind, limit):
            return
        self._explained[name, kind] += 1
        if self._explained[name, kind] >= self._context.options.per_bucket:
            self._context.session.full_switches.mark(name, kind)
            self.budget.make_rare({name})

    def _only_switch(self, recipe: Recipe) -> str | None:
        registry = self._context.pipeline.chains.registry
        if standing_of(recipe.parameters, registry) is not ParameterStanding.SWITCH:
            return None
        pairs = (pair for pair in recipe.parameters if standing_of((pair,), registry) is ParameterStanding.SWITCH)
        return next(pairs)[0]

    def _is_suspicious_without(self, recipe: Recipe, kind: str, limit: int) -> bool:
        """Whether the mutant is suspicious under default parameters; it is executed unless its outcome is cached."""
        context, plain = self._context, replace(recipe, parameters=())
        mutant = context.pipeline.mutant(plain)
        cached = context.caches.outcomes.get(mutant.key)
        if cached is not None:
            return cached.finding == kind
        with context.account.charging(Counter.CHECK_TIME):
            execution = context.guard.run(plain.unit, lambda: self._execution(mutant, limit), None)
            if execution is None:  # it has killed a worker
                return True
            context.solved(plain.parameters, execution.outcome)
        return any(verdict.kind.value == kind for verdict in execution.verdicts)

    def _execution(self, mutant: Mutant, limit: int) -> Execution:
        return self._context.pipeline.execute(mutant, limit, second=False, fresh=True)

    def _full_before(self) -> list[tuple[str, str]]:
        """Return the switches that explain enough findings in the folder, by the same solver, with their kinds."""
        options, found = self._context.options, Tally[tuple[str, str]]()
        solver, selecting = solver_key(options.solving), self._context.pipeline.domain.roots.selecting
        for folder in finding_folders(options.findings):
            try:
                record = Finding.read(folder).record
            except ChcfuzzError:
                continue  # `chcfuzz report` names it
            if record.standing.switches is Switches.ONE and record.signature.solver == solver:
                found.update((name, record.kind) for name in record.parameters if name not in selecting)
        return sorted(each for each, number in found.items() if number >= options.per_bucket)
