"""Rechecks of earlier executions: whether their traces repeat, and whether an answer depends on what ran before."""

from __future__ import annotations

from dataclasses import dataclass

from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.worker.context import WorkerContext
from chcfuzz.campaign.worker.reporter import Reporter
from chcfuzz.mutators.chain import Mutant
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.oracles import outcome_checks
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.tracing.stability import Reservoir
from chcfuzz.triage.examine.suspect import Suspect


@dataclass(frozen=True)
class Solved:
    """A recipe that was solved within a resource limit, and its status."""

    recipe: Recipe
    limit: int
    status: Status


class Recheck:
    """Repeats one of about 64 earlier executions; nothing is compared if the wall clock ends the repetition."""

    def __init__(self, context: WorkerContext, reporter: Reporter) -> None:
        self._context = context
        self._reporter = reporter
        self._reservoir: Reservoir[Solved] = Reservoir()

    def offer(self, recipe: Recipe, limit: int, outcome: Outcome) -> None:
        """Note an execution, and recheck an earlier one if it is time to."""
        if not outcome.trace.complete or outcome.status in (Status.HANG, Status.UNSUPPORTED):
            return
        earlier = self._reservoir.offer(Solved(recipe, limit, outcome.status), outcome.trace.hash)
        if earlier is not None:
            self._recheck(*earlier)

    def _recheck(self, before: Solved, trace_hash: int) -> None:
        pipeline = self._context.pipeline

        def solved() -> tuple[Mutant, Outcome]:
            mutant = pipeline.mutant(before.recipe)  # this may query Spacer
            return mutant, pipeline.solve_afresh(mutant.text, mutant.parameters, before.limit)

        with self._context.account.charging(Counter.RECHECK_TIME):
            done = self._context.guard.run(before.recipe.unit, solved, None)
            if done is None:
                return
            mutant, fresh = done
            self._context.solved(mutant.parameters, fresh)
        count = self._context.counters.add
        if fresh.status is not Status.HANG and fresh.trace.complete:
            count(Counter.RECHECKED)
            count(Counter.STABLE, fresh.trace.hash == trace_hash)
        if fresh.status is not before.status:
            self._check_carry_over(before, mutant, fresh)

    def _check_carry_over(self, before: Solved, mutant: Mutant, fresh: Outcome) -> None:
        """Report a solver process whose answer depends on the requests that it solved before."""
        pipeline = self._context.pipeline
        if pipeline.solver.sessions is None:
            return
        history = pipeline.solver.sessions.history(mutant.parameters, before.limit)
        now = self._context.guard.run(
            before.recipe.unit,
            lambda: pipeline.solve(mutant.text, mutant.parameters, before.limit),
            None,
        )
        if now is None:
            return
        verdict = outcome_checks.carry_over(fresh.status, now.status, len(history))
        if verdict.kind.is_finding:
            self._reporter.report(Suspect(before.recipe, mutant, verdict, now.status, history), before.limit)
