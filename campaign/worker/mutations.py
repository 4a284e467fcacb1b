"""The custom mutator of a worker: which unit is mutated, and what is learned from the mutants."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from cachetools import LRUCache
from chcfuzz.campaign.options import ANSWERS, RARE
from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.worker.checked_roots import CheckedRoots
from chcfuzz.campaign.worker.context import WorkerContext
from chcfuzz.campaign.worker.full_switches import FullSwitches
from chcfuzz.campaign.worker.learned_policy import Learning
from chcfuzz.campaign.worker.made_units import MadeUnits, Origin
from chcfuzz.campaign.worker.online_counts import OnlineCounts
from chcfuzz.campaign.worker.outcomes import CachedOutcome
from chcfuzz.campaign.worker.rare_units import RareUnits
from chcfuzz.campaign.worker.temperings import TemperingCredits
from chcfuzz.execution.domain import load
from chcfuzz.grammar.drawing.drawing_limits import Limits
from chcfuzz.learning import active as learned
from chcfuzz.mutators.budget import ParameterBudget
from chcfuzz.mutators.custom import Mutator, added_rows, chance
from chcfuzz.mutators.neighbourhood import Neighbourhood
from chcfuzz.mutators.policy import context_of
from chcfuzz.mutators.portfolio import Portfolio
from chcfuzz.mutators.power_schedule import PowerSchedule
from chcfuzz.mutators.recipe import Recipe, Unit, digest, encode, fields, read
from chcfuzz.mutators.seed_groups import ExecutionResult, Groups
from chcfuzz.solvers.outcome import Status

ByteMutate = Callable[[bytes, int], bytes]

_MOST_LIMITED = 10_000  # recipes


class Mutations:
    """Mutates units for libFuzzer, and learns from their executions."""

    def __init__(self, context: WorkerContext) -> None:
        self._context = context
        self.made = MadeUnits()
        self._roots = CheckedRoots(context)
        self._limited: LRUCache[str, None] = LRUCache(_MOST_LIMITED)  # recipes that a limit ended
        heuristic, roots = context.options.heuristic, load(context.options.solving.domain).roots
        self._groups = None if heuristic == "none" else Groups(heuristic, roots)
        self._rewards_traces = context.options.features != ANSWERS
        self._power_schedule = None if context.options.prices == "none" else PowerSchedule[bytes]()
        # Not for features of SMT solvers, where it was not measured, nor without traces as feedback.
        is_rare = context.options.prices == RARE and self._rewards_traces and not context.events.has_features
        self._rare_units = RareUnits(self._power_schedule) if is_rare and self._power_schedule is not None else None

    @cached_property
    def learning(self) -> Learning:
        """The policy, learned by all processes of this campaign."""
        return Learning(self._context.options.policy, self._context.rows, self._context.session)

    @cached_property
    def online(self) -> OnlineCounts | None:
        """The counts of formulas that the campaign learns, if it does."""
        return OnlineCounts(self._context.session) if self._context.options.learn else None

    @cached_property
    def temperings(self) -> TemperingCredits | None:
        """The credits of temperatures and uniform shares, if the process has a model."""
        return TemperingCredits(self._context.session, self._context.counters) if learned.is_active() else None

    @cached_property
    def mutator(self) -> Mutator:
        """The mutator of recipes."""
        caches, chains = self._context.caches, self._context.pipeline.chains
        made = Mutator(chains, self.learning.policy, caches.outcomes, caches.seeds, self._portfolio)
        made.limits = Limits.of(self._context.options.quantified, self._context.options.size)
        return made

    @cached_property
    def _portfolio(self) -> Portfolio:
        shares = dict(self._context.options.portfolio)
        return Portfolio(self._neighbourhood, shares, self._done, self.full_switches.budget)

    @cached_property
    def _neighbourhood(self) -> Neighbourhood:
        """The neighbourhood of the corpus, whose turns all workers share."""
        turns = self._context.session.turns
        chains, rows = self._context.pipeline.chains, self._context.rows
        return Neighbourhood(
            chains, rows, lambda turn: turns.add([turn]) > 0, lambda recipe: _name(recipe) in self._limited
        )

    @cached_property
    def full_switches(self) -> FullSwitches:
        """The budget of parameters, and the switches that are rare in it."""
        options, rows = self._context.options, self._context.rows
        has_others = bool(rows.mutations)  # otherwise parameters are all that there is to change
        limits = options.scope == "wanted" and not options.experimental and has_others
        registry = self._context.pipeline.chains.registry
        return FullSwitches(self._context, ParameterBudget(registry, limits, self._done()))

    def _done(self) -> int:
        """Return the number of executions of the campaign so far."""
        return int(self._context.session.counters.totals()[Counter.EXECUTIONS])

    def mutate(self, data: bytes, max_size: int, seed: int, byte_mutate: ByteMutate) -> bytes:
        """Return a mutation of a unit, or of the unit that the heuristic draws: half of the time, or always."""
        with self._context.account.charging(Counter.MUTATE_TIME):
            base = self.made.base_of(data)
            data = self._of_group(data, seed)
            data = self._cheaper(data, seed)
            mutated = self._context.guard.mutate(
                read(data),
                lambda: self.mutator.mutate(self._roots.root(data), max_size, seed, byte_mutate),
                data[:max_size],
            )
            self.made.mutated(mutated, self.mutator.origin, base)
        return mutated

    def mutate_while_reading(self, data: bytes, max_size: int, seed: int) -> bytes:
        """Return a mutant of a unit that was read, while libFuzzer reads the rest of its corpus."""
        with self._context.account.charging(Counter.MUTATE_TIME):
            mutated = self._context.guard.mutate(
                read(data), lambda: self.mutator.mutate(data, max_size, seed, is_reading=True), b""
            )
            self.made.mutated(mutated, self.mutator.origin)
        return mutated

    def hand_over(self, unit: bytes, data: bytes) -> None:
        """Note that libFuzzer, mutating `data`, executes a mutant that was executed here; no row is credited twice."""
        self.made.crossed(unit, self.made.base_of(data))

    def cross(self, first: bytes, second: bytes, max_size: int, seed: int) -> bytes:
        """Return a crossover of two units. No row is credited with it: rows of both recipes take part."""
        with self._context.account.charging(Counter.MUTATE_TIME):
            base = self.made.base_of(first)
            if self._context.options.mutates_groups_only:
                first = second = self._of_group(first, seed)
            first, second = self._cheaper(first, seed), self._cheaper(second, seed)
            crossed = self._context.guard.mutate(
                read(first), lambda: self.mutator.crossover(first, second, max_size, seed), first[:max_size]
            )
            self.made.crossed(crossed, base)
        return crossed

    def _of_group(self, data: bytes, seed: int) -> bytes:
        """Return the unit of the group whose turn it is, or the given one."""
        if self._groups is None or not (seed & 1 or self._context.options.mutates_groups_only):
            return data
        return self._groups.pick() or data

    def _cheaper(self, data: bytes, seed: int) -> bytes:
        """Return the unit, or one with a rare transition, or a cheaper one in its place."""
        if self._power_schedule is None:
            return data
        return (self._rare_units or self._power_schedule).choose(data, chance(data + b"price", seed))

    def executed(self, unit: Unit, made: Origin | None, outcome: CachedOutcome, opened: bool) -> None:
        """Update the heuristic, the power schedule and the budget after an execution, solved or cached."""
        decided = outcome.status.is_answered
        if outcome.status is Status.LIMIT:
            self._limited[_name(unit.canonical)] = None
        if self.online is not None:
            with self._context.account.charging(Counter.LEARN_TIME):
                is_learned = opened and made is not None
                problem = self._context.pipeline.chains.apply(unit.canonical).problem if is_learned else None
                self.online.executed(outcome.trace.keys, problem)
        if made is not None:
            self.full_switches.budget.spend(unit.recipe.parameters, outcome.cost)
        if self._groups is not None:
            found = outcome.finding is not None
            seen = ExecutionResult(outcome.trace, outcome.cost, decided, found, opened)
            self._groups.executed(outcome.seed, unit.data, seen)
        is_stored = decided and made is None
        is_worth_mutating = is_stored or (opened and self._rewards_traces)
        if self._power_schedule is not None:
            self._power_schedule.executed(unit.data, outcome.cost, is_worth_mutating)
        if self._rare_units is not None:
            self._rare_units.executed(unit.data, outcome.trace.keys, is_worth_mutating)
        if is_stored and not unit.has_steps and outcome.seed in self._context.caches.seeds:
            cost = outcome.cost if self._power_schedule is not None else 0
            self._neighbourhood.offer(outcome.seed, cost)

    def offer(self, seed: str, cost: int) -> None:
        """Let a seed be mutated that is decided by now; when libFuzzer read it, a limit ended it."""
        self._limited.pop(_name(Recipe(seed)), None)
        if self._power_schedule is not None:
            self._power_schedule.executed(encode(Recipe(seed)), cost, worth=True)
        self._neighbourhood.offer(seed, 0 if self._power_schedule is None else cost)

    def credit(self, unit: Unit, made: Origin | None, opened: bool) -> None:
        """Credit the rows that made this unit with its execution, if it was made here from a single unit."""
        self.made.clear()
        if made is None or made.origin is None:
            return
        with self._context.account.charging(Counter.LEARN_TIME):
            chains, before = self._context.pipeline.chains, read(made.origin).recipe
            context = context_of(chains.apply(before).problem, before, chains.registry)
            is_rewarded = opened and self._rewards_traces
            self.learning.credit(context, added_rows(before, unit.canonical, chains.registry), is_rewarded)
            if self.temperings is not None:
                self.temperings.credit(before, unit.canonical, opened)


def _name(recipe: Recipe) -> str:
    """Return a short name of a recipe whose seed is printed by us."""
    return digest(fields(recipe))
