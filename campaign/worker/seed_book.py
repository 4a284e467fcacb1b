"""Costs and answers of the seeds that a worker uses. Each seed is solved at most once for them."""

from __future__ import annotations

from collections.abc import Callable

from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.worker.context import WorkerContext
from chcfuzz.campaign.worker.expectation import Expectation
from chcfuzz.campaign.worker.outcomes import CachedOutcome
from chcfuzz.execution.pipeline import Execution
from chcfuzz.execution.seed_answers import SeedAnswer
from chcfuzz.mutators.recipe import Recipe, Unit, encode
from chcfuzz.mutators.seeds import is_built_in
from chcfuzz.solvers.outcome import Status

_LEAST_LIMIT = 50_000  # resource limit of a mutant, however cheap its seed is


class SeedBook:
    """Looks seeds up, and solves them if necessary."""

    def __init__(self, context: WorkerContext) -> None:
        self._context = context
        self._costs = context.caches.costs

    def offer(self, unit: Unit, seed: str) -> None:
        """Let mutations use the seed of a unit from now on; use a built-in seed only if the unit is its text."""
        if is_built_in(seed) and unit.text is None:
            return
        if seed not in self._context.caches.seeds:
            self._context.session.seeds.add(seed, self._context.answers.of(seed))
        self._context.caches.seeds.use(seed)

    def limit(self, recipe: Recipe) -> int:
        """Return the resource limit of a recipe: `--limit-factor` times the cost of its seed, at most `--rlimit`."""
        full, factor = self._context.options.solving.rlimit, self._context.options.limit_factor
        if not factor or recipe.is_seed:
            return full
        cost = self.cost(recipe)
        return full if cost is None else min(full, max(_LEAST_LIMIT, factor * cost))

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
        self._costs[seed] = execution.outcome.cost
        self._note(seed, execution.outcome.status, lambda: self._context.pipeline.seed_answer(execution))

    def learn_cached(self, outcome: CachedOutcome) -> None:
        """Note the cost and the answer of a seed whose outcome another process has seen."""
        self._costs[outcome.seed] = outcome.cost
        self._note(outcome.seed, outcome.status, lambda: self._context.pipeline.hope(outcome.status))

    def _solve(self, recipe: Recipe) -> None:
        context = self._context
        seed = Recipe(recipe.seed)
        unit = Unit(encode(seed))
        known = context.outcomes.get(unit.digest)
        if known is not None:  # an earlier process or campaign has solved it
            self._costs[seed.seed] = known.cost
            if context.answers.of(seed.seed) is not None:
                return
        mutant = context.pipeline.mutant(seed)
        context.edges.clear()
        with context.account.charging(Counter.CHECK_TIME):
            execution = context.guard.run(unit, lambda: context.pipeline.execute(mutant, second=False), None)
            if execution is None:
                return
            outcome = execution.outcome
            context.solved(mutant.parameters, outcome)
        # A seed that may be a finding is not stored: as a unit of its own it must be executed and reported.
        if execution.finding is None and outcome.status is not Status.HANG:
            expectation = Expectation.of(mutant.expected, context.answers.of(seed.seed))
            content = (mutant.key, seed.seed, outcome.status, outcome.trace, outcome.cost)
            stored = CachedOutcome(*content, expectation=expectation)
            context.outcomes.put(unit.digest, stored)
        self.learn(execution, seed.seed)

    def _note(self, seed: str, status: Status, answer: Callable[[], SeedAnswer]) -> None:
        """Note a seed's own answer, unless its text declares one: a contradiction to that is a suspicion."""
        if self._context.answers.of(seed) is not None:
            return
        known = answer()
        depends_on_load = status is Status.HANG and self._context.options.solving.counts_resources
        self._context.session.seeds.add(seed, self._context.answers.note(seed, known, is_stored=not depends_on_load))
