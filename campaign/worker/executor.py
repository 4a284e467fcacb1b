"""One execution of a unit in a worker: its outcome is looked up (`known_outcomes`), or it is solved and checked."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.session.tallies import COST, OUTCOME, REFUSAL, SOLVER, opinion_of
from chcfuzz.campaign.worker.checked_roots import CheckedRoots
from chcfuzz.campaign.worker.context import WorkerContext
from chcfuzz.campaign.worker.expectation import Expectation
from chcfuzz.campaign.worker.feedback import Feedback
from chcfuzz.campaign.worker.hung_units import HungUnits
from chcfuzz.campaign.worker.known_outcomes import KnownOutcomes
from chcfuzz.campaign.worker.made_units import Origin
from chcfuzz.campaign.worker.mutations import Mutations
from chcfuzz.campaign.worker.outcomes import CachedOutcome
from chcfuzz.campaign.worker.recheck import Recheck
from chcfuzz.campaign.worker.rejections import Rejections
from chcfuzz.campaign.worker.reporter import Reporter
from chcfuzz.campaign.worker.seed_book import SeedBook
from chcfuzz.campaign.worker.step_judging import StepJudging
from chcfuzz.execution.pipeline import Execution
from chcfuzz.mutators.chain import Mutant
from chcfuzz.mutators.reading_back import read_back
from chcfuzz.mutators.recipe import Unit
from chcfuzz.oracles.verdict import CROSS, VerdictKind
from chcfuzz.solvers.command_trace import error_class
from chcfuzz.solvers.outcome import Outcome, Status
from numpy.typing import NDArray

_MOST_REASON = 60  # characters
_READ_BACK = 200  # one mutant in this number is read back; its unit decides, so that a campaign can be repeated
_STATUS_COUNTER = {
    Status.SAT: Counter.SAT,
    Status.UNSAT: Counter.UNSAT,
    Status.RESULT: Counter.RESULT,
    Status.UNKNOWN: Counter.UNKNOWN,
    Status.LIMIT: Counter.LIMIT,
    Status.HANG: Counter.HANG,
    Status.ERROR: Counter.ERROR,
    Status.CRASH: Counter.ERROR,
    Status.UNSUPPORTED: Counter.UNSUPPORTED,
}


@dataclass(frozen=True)
class Executed:
    """An execution: the kind of its finding, whether it opened a trace, and the cost of its outcome, cached or not.

    It has the outcome and the edges themselves if the solver ran.
    """

    finding: str | None
    opened: bool = False
    cost: int = 0
    outcome: CachedOutcome | None = None
    edges: NDArray[np.uint8] | None = None


class Executor:
    """Executes units and shows their features to libFuzzer."""

    def __init__(self, context: WorkerContext, feedback: Feedback, mutations: Mutations, reporter: Reporter) -> None:
        self._context = context
        self._counters = context.counters
        self._feedback = feedback
        self._mutations = mutations
        self._reporter = reporter
        self._seeds = SeedBook(context)
        self._known = KnownOutcomes(context, self._seeds, reporter)
        self._recheck = Recheck(context, reporter)
        self._roots = CheckedRoots(context)
        self._steps = StepJudging(context, feedback, reporter)
        self._rejections = Rejections(context.options.inputs)
        keeps_hung = context.options.solving.counts_resources and not context.options.replays_files
        self._hung = HungUnits(context.options.findings) if keeps_hung else None

    def execute(self, unit: Unit, made: Origin | None, always_stored: bool = False) -> Executed:
        """Execute a unit. Its outcome is stored if it opened a trace, is a seed, or is `always_stored`."""
        self._counters.add(Counter.EXECUTIONS)
        if made is not None and (seed := self._seeds.tried_again()) is not None:
            self._mutations.offer(seed, self._context.caches.costs[seed])
        is_replayed = self._context.options.replays_files  # then the file is solved: its verdict is printed
        known = None if is_replayed else self._known.of_unit(unit, always_stored)
        if known is not None:
            self._counters.add(Counter.REPEATED)
            opened = self._show(unit, made, known)
            judged = self._steps.judged(unit, None, known, opened)
            if judged is not known:
                self._context.outcomes.judge(unit.digest, judged)
            self._mutations.credit(unit, made, opened)
            # With --triage, the process that executed the unit first has reported it.
            return Executed(None if self._context.options.triage else judged.finding, opened, known.cost)
        if unit.fault is not None:
            self._counters.add(Counter.REFUSED)
            self._rejections.print(unit.data, unit.fault)
            return Executed(None)
        mutant = self._mutant(unit)
        equal = self._known.of_mutant(unit, mutant.key)
        return self._solve(unit, made, mutant, always_stored) if equal is None else self._repeat(unit, mutant, equal)

    def _repeat(self, unit: Unit, mutant: Mutant, equal: CachedOutcome) -> Executed:
        """Show the outcome of an equal mutant, and compare it with the promise of this recipe, which may differ."""
        self._counters.add(Counter.REPEATED)
        self._context.edges.clear()  # drops the edges of mutating, or of solving the seed
        self._feedback.show(equal)
        if equal.finding is not None:
            return Executed(equal.finding, cost=equal.cost)
        compared = self._reporter.compare(unit.canonical, mutant, equal.status, self._seeds.limit(unit.canonical))
        return Executed(None if compared is None else compared.kind, cost=equal.cost)

    def _mutant(self, unit: Unit) -> Mutant:
        """Return the mutant of a unit, whose seed's answer is known then."""
        charging = self._context.account.charging
        with charging(Counter.DECODE_TIME):
            recipe = unit.canonical
            self._seeds.offer(unit, recipe.seed)
            if not recipe.is_seed:
                self._seeds.ensure_answer(recipe)
        with charging(Counter.APPLY_TIME):
            mutant = self._context.pipeline.mutant(recipe)
        with charging(Counter.PRINT_TIME):
            _ = mutant.key  # prints the mutant
            if self._context.options.self_check or int(unit.digest[:8], 16) % _READ_BACK == 0:
                read_back(mutant.text, self._context.pipeline.domain.roots)
        return mutant

    def _solve(self, unit: Unit, made: Origin | None, mutant: Mutant, always_stored: bool) -> Executed:
        context, recipe = self._context, unit.canonical
        limit = self._seeds.limit(recipe)
        seed_cost = self._seeds.cost(recipe) if context.options.performance else None
        expectation = Expectation.of(mutant.expected, context.answers.of(recipe.seed))
        context.edges.clear()  # drops the edges of mutating, or of solving the seed
        with context.account.charging(Counter.CHECK_TIME):
            execution = context.pipeline.execute(mutant, limit, seed_cost)
            context.solved(mutant.parameters, execution.outcome)
        self._count(execution)
        if recipe.is_seed:
            self._seeds.learn(execution, recipe.seed)
        edges = context.edges.saved()
        result, reported = execution.outcome, self._reporter.check(recipe, execution, limit)
        outcome = CachedOutcome(
            mutant.key, recipe.seed, result.status, result.trace, result.cost, expectation=expectation
        )
        if reported is not None:
            outcome = replace(outcome, finding=reported.kind, suspicion=reported.suspicion)
        if reported is not None:
            self._mutations.full_switches.suspected(recipe, reported.kind, limit)
        self._recheck.offer(recipe, limit, result)
        context.edges.restore(edges)
        opened = self._show(unit, made, outcome)
        if opened:
            with context.account.charging(Counter.CHECK_TIME):
                self._roots.learn(recipe, execution)
        outcome = self._steps.judged(unit, mutant, outcome, opened)
        if result.status is not Status.HANG:
            context.caches.outcomes[mutant.key] = outcome
        elif self._hung is not None:
            self._hung.keep(unit)
        self._observe(made is not None, outcome, opened)
        if opened or always_stored or recipe.is_seed:
            with context.account.charging(Counter.CACHE_TIME):
                context.store(unit, outcome)
        if unit.data and not always_stored:  # else libFuzzer does not see this execution, or needs all of it
            self._feedback.leave_out_known(unit, made.base if made else None)
        self._mutations.credit(unit, made, opened)
        with context.account.charging(Counter.FREE_TIME):
            del execution, result  # the last references to the solver's context
        return Executed(outcome.finding, opened, outcome.cost, outcome, edges)

    def _show(self, unit: Unit, made: Origin | None, outcome: CachedOutcome) -> bool:
        """Show an outcome to libFuzzer and to the mutator; return whether the unit is decided and its trace is new.

        This is the same for solved and for cached outcomes: a cache must not change the course of a campaign.
        """
        opened = self._feedback.show(outcome) and outcome.status.is_answered
        self._seeds.limits.spent(outcome.cost)
        self._mutations.executed(unit, made, outcome, opened)
        return opened

    def _observe(self, is_made_here: bool, outcome: CachedOutcome, opened: bool) -> None:
        """Count the trace of a mutant that was made here: units of a corpus are not a sample of mutants."""
        self._counters.add(Counter.MUTANTS, is_made_here)
        if is_made_here and outcome.status.is_answered:
            self._counters.add(Counter.OBSERVED)
            self._context.session.sightings.add(outcome.trace.hash, opened)

    def _count(self, execution: Execution) -> None:
        count, mutant, outcome = self._counters.add, execution.mutant, execution.outcome
        count(_STATUS_COUNTER[outcome.status])
        is_decided, expected = outcome.status.is_decided, (None, outcome.status.value)
        self._context.count_contradiction(is_decided and self._context.pipeline.promised(mutant) not in expected)
        count(Counter.CUT_TRACES, not outcome.trace.complete)
        count(Counter.MODELS, execution.model_verdict is not None)
        count(Counter.MODELS_UNDECIDED, execution.model_verdict is VerdictKind.UNDECIDED)
        count(Counter.MODELS_IN_PART, any(verdict.left_out for verdict in execution.verdicts))
        count(Counter.PROOFS, execution.proof_verdict is not None)
        count(Counter.PROOFS_UNDECIDED, execution.proof_verdict is VerdictKind.UNDECIDED)
        count(Counter.SECOND_OPINIONS, len(execution.second))
        count(Counter.SECOND_UNDECIDED, sum(verdict.kind is VerdictKind.UNDECIDED for verdict in execution.second))
        self._count_reserves()
        tally = self._context.tallies.count
        tally((OUTCOME, mutant.roots.class_of(mutant.problem), _family(mutant), outcome.status.value))
        tally((COST, outcome.status.value, str(outcome.cost.bit_length())))
        if outcome.others:
            self._count_solvers(mutant, outcome)
        for verdict in execution.second:
            if verdict.oracle == CROSS.name:
                tally((SOLVER, *verdict.judges, opinion_of(verdict.kind)))

    def _count_reserves(self) -> None:
        """Count the use of solvers in reserve since the last execution."""
        count, reserves = self._counters.add, self._context.pipeline.second_opinion.reserves
        if reserves is not None:
            used = reserves.taken()
            count(Counter.RESERVE_ANSWERS, used.answers)
            count(Counter.RESERVE_QUERIED, used.queried)
            count(Counter.RESERVE_DECIDED, used.decided)
            count(Counter.RESERVE_TIME, used.nanoseconds)

    def _count_solvers(self, mutant: Mutant, outcome: Outcome) -> None:
        """Count the statuses of several solvers, and the reasons for which they refuse problems."""
        tally, pipeline = self._context.tallies.count, self._context.pipeline
        chosen = pipeline.domain.tested(self._context.options.solving, mutant.parameters)
        for name, each in (*((value, outcome) for _, value in chosen), *outcome.others):
            tally((SOLVER, name, each.status.value))
            if each.status in (Status.UNSUPPORTED, Status.ERROR):
                tally((REFUSAL, name, error_class(each.reason)[:_MOST_REASON]))


def _family(mutant: Mutant) -> str:
    """Return the family of the last step that changed something, "parameter" for parameters alone, else "seed"."""
    changed = [applied.step.mutation for applied in mutant.steps if applied.changed]
    if changed:
        return changed[-1].partition(".")[0]
    return "parameter" if mutant.parameters else "seed"
