"""Costs and answers of the seeds that a worker uses. Each seed is solved at most once for them."""

from __future__ import annotations

from collections.abc import Callable

from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.worker.context import WorkerContext
from chcfuzz.campaign.worker.expectation import Expectation
from chcfuzz.campaign.worker.outcomes import CachedOutcome
from chcfuzz.campaign.worker.resource_limits import ResourceLimits
from chcfuzz.execution.pipeline import Execution
from chcfuzz.execution.seed_answers import SeedAnswer
from chcfuzz.mutators.recipe import Recipe, Unit
from chcfuzz.mutators.seeds import is_built_in
from chcfuzz.solvers.outcome import Outcome, Status

_MOST_UNDECIDED = 20_000  # seeds


class SeedBook:
    """Looks seeds up, and solves them if necessary."""

    def __init__(self, context: WorkerContext) -> None:
        self._context = context
        self._costs = context.caches.costs
        self._undecided: dict[str, int] = {}  # seeds that a limit has ended, with their costs; the latest comes last
        options = context.options
        self.limits = ResourceLimits(options.solving.rlimit, options.most_rlimit, options.limit_factor)

    def offer(self, unit: Unit, seed: str) -> None:
        """Let mutations use the seed of a unit from now on; use a built-in seed only if the unit is its text."""
        if unit.text is None and is_built_in(seed, unit.roots):
            return
        if seed not in self._context.caches.seeds:
            self._context.session.seeds.add(seed, self._context.answers.of(seed))
        self._context.caches.seeds.use(seed)

    def limit(self, recipe: Recipe) -> int:
        """Return the resource limit of a recipe; that of a mutant follows the cost of its seed."""
        if recipe.is_seed or not self.limits.follow_seeds:
            return self.limits.usual
        cost = self.cost(recipe)
        return self.limits.of_mutant(None if recipe.seed in self._undecided else cost)

    def is_final(self, outcome: CachedOutcome, unit: Unit) -> bool:
        """Return whether a unit need not be executed again: a limit that is smaller than the present one ended it."""
        ended = outcome.status is Status.LIMIT and outcome.finding is None and outcome.cost > 0
        return not ended or unit.fault is not None or self.limit(unit.canonical) <= outcome.cost

    def tried_again(self) -> str | None:
        """Solve an undecided seed under a larger limit before a mutant, if one has its turn; return it if decided."""
        if not self.limits.is_turn() or not self._undecided:
            return None
        seed, tried = next(iter(self._undecided.items()))
        limit = self.limits.of_trial(tried, is_urgent=2 * len(self._undecided) > len(self._costs))
        if limit is None:
            return None
        del self._undecided[seed]  # another one has the next turn, even if this one kills the worker
        status, cost = self._stored_trial(seed, tried) or self._tried(seed, limit)
        if not status.is_answered:
            self.limits.spent_on_failure(cost)
            return None
        self._context.session.seeds.decided(seed)
        return seed

    def _stored_trial(self, seed: str, tried: int) -> tuple[Status, int] | None:
        """Return the status and the cost of a larger trial that an earlier process or campaign has made."""
        known = self._context.outcomes.get(Recipe(seed).unit.digest)
        if known is None or known.cost <= tried:
            return None
        self._note_cost(seed, known.status, known.cost)
        return known.status, known.cost

    def _tried(self, seed: str, limit: int) -> tuple[Status, int]:
        outcome = self._execute(Recipe(seed), limit)
        self._context.edges.clear()  # libFuzzer must not take them for those of the mutant
        return (Status.CRASH, 0) if outcome is None else (outcome.status, outcome.cost)

    def cost(self, recipe: Recipe) -> int | None:
        """Return the cost of a recipe's seed under the seed's own parameters, or None if the seed kills workers."""
        if recipe.seed not in self._costs:
            self._solve(recipe)
        return self._costs.get(recipe.seed)

    def ensure_answer(self, recipe: Recipe) -> None:
        """Solve the seed of a recipe unless its answer is known."""
        if self._context.answers.of(recipe.seed) is None:
            self._solve(recipe)

    def learn(self, execution: Execution, seed: str) -> None:
        """Note the cost of a seed and its status, with the ground that the execution shows for it."""
        self._note_cost(seed, execution.outcome.status, execution.outcome.cost)
        self._note(seed, execution.outcome.status, lambda: self._context.pipeline.seed_answer(execution))

    def learn_cached(self, outcome: CachedOutcome) -> None:
        """Note the cost and the answer of a seed whose outcome another process has seen."""
        self._note_cost(outcome.seed, outcome.status, outcome.cost)
        self._note(outcome.seed, outcome.status, lambda: self._context.pipeline.hope(outcome.status))

    def _solve(self, recipe: Recipe) -> None:
        context = self._context
        seed = recipe.seed_alone
        known = context.outcomes.get(seed.unit.digest)
        if known is not None:  # an earlier process or campaign has solved it
            self._note_cost(seed.seed, known.status, known.cost)
            if context.answers.of(seed.seed) is not None:
                return
        self._execute(seed, self.limits.usual)

    def _execute(self, seed: Recipe, limit: int) -> Outcome | None:
        """Solve a seed and learn from that; return None if it kills workers."""
        context, unit = self._context, seed.unit
        mutant = context.pipeline.mutant(seed)
        context.edges.clear()
        with context.account.charging(Counter.CHECK_TIME):
            execution = context.guard.run(unit, lambda: context.pipeline.execute(mutant, limit, second=False), None)
            if execution is None:
                return None
            outcome = execution.outcome
            context.solved(mutant.parameters, outcome)
        # A seed that may be a finding is not stored: as a unit of its own it must be executed and reported.
        if execution.finding is None and outcome.status is not Status.HANG:
            expectation = Expectation.of(mutant.expected, context.answers.of(seed.seed))
            content = (mutant.key, seed.seed, outcome.status, outcome.trace, outcome.cost)
            stored = CachedOutcome(*content, expectation=expectation)
            context.outcomes.put(unit.digest, stored)
        self.learn(execution, seed.seed)
        return outcome

    def _note_cost(self, seed: str, status: Status, cost: int) -> None:
        self._costs[seed] = cost
        if status is Status.LIMIT and cost > 0:
            self._context.session.seeds.ended(seed)
            if len(self._undecided) < _MOST_UNDECIDED:
                self._undecided.setdefault(seed, cost)
        elif self._undecided.pop(seed, None) is not None and status.is_answered:
            self._context.session.seeds.decided(seed)

    def _note(self, seed: str, status: Status, answer: Callable[[], SeedAnswer]) -> None:
        """Note a seed's own answer, unless its text declares one: a contradiction to that is a suspicion."""
        if self._context.answers.of(seed) is not None:
            return
        known = answer()
        depends_on_load = status is Status.HANG and self._context.options.solving.counts_resources
        self._context.session.seeds.add(seed, self._context.answers.note(seed, known, is_stored=not depends_on_load))
