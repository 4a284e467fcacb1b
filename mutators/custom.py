"""libFuzzer's custom mutator and crossover: the changes of a recipe between two executions.

libFuzzer's seed is expanded into all choices that are needed; nothing else is random.
"""

from __future__ import annotations

import hashlib
from collections import Counter as Tally
from collections.abc import Callable, Container
from dataclasses import replace

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.drawing_limits import USUAL
from chcfuzz.mutators.chain import Chains
from chcfuzz.mutators.changes import MOST_STEPS, Around, ByteMutate, Make, changed, one_more_row, own
from chcfuzz.mutators.neighbourhood import Neighbourhood
from chcfuzz.mutators.policy import Policy
from chcfuzz.mutators.portfolio import Portfolio, Strategy
from chcfuzz.mutators.recently_used import RecentlyUsed
from chcfuzz.mutators.recipe import Recipe, decode_chain, encode, read
from chcfuzz.mutators.registry import Registry

_TRIES = 8  # to find a change that gives another mutant
_AS_USUAL = 4  # one of this number of mutants of a unit that a limit ended is made like any other


class Mutator:
    """The mutator that libFuzzer calls.

    Results depend only on the arguments, `seeds`, `known` and the state of the policy. `seeds` are texts of
    problems that may replace a seed: if there are any, results never use a built-in seed that is not among them.
    `known` contains the keys of mutants that are not needed again. Both may grow. Without a `portfolio`, the only
    strategy is novelty, and nothing limits parameters. `origin` is what the last mutation changed: the unit that was
    given, or the root that had its turn in its place.

    If a limit of the solver ended a unit, it ends most problems with the same answer, too. So most mutants of such a
    unit have one more step that keeps only sat, or only unsat: they are weaker or stronger, and often decided. Chains
    alone do without it, as in HornFuzz.
    """

    def __init__(
        self,
        chains: Chains,
        policy: Policy,
        known: Container[bytes],
        seeds: RecentlyUsed[str],
        portfolio: Portfolio | None = None,
    ) -> None:
        self._portfolio = portfolio or Portfolio(Neighbourhood(chains, chains.registry), {Strategy.NOVELTY: 1})
        self._budget = self._portfolio.budget
        self._chains = chains
        self._policy = policy
        self._known = known
        self._seeds = seeds
        self.limits = USUAL  # of drawn roots
        self.origin = b""

    def mutate(
        self, data: bytes, max_size: int, seed: int, byte_mutate: ByteMutate | None = None, is_reading: bool = False
    ) -> bytes:
        """Return another recipe than `data`'s, at most `max_size` bytes long, with a new mutant if one is found.

        `byte_mutate` changes bytes within a size. While the corpus `is_reading`, the result is a neighbour if they have
        a share.
        """
        self.origin = data
        choices = chance(data, seed)
        recipe = self._read(data, choices)
        apart = chance(data + b"strategy", seed)
        strategy = self._portfolio.choose_while_reading(apart) if is_reading else self._portfolio.choose(apart)
        decidable = self._decidable(recipe, strategy, apart)
        if decidable is not None:
            return _fitted(decidable, max_size, data)
        if strategy is Strategy.NEIGHBOURHOOD:
            neighbour = self._neighbour(recipe, apart)
            if neighbour.seed != recipe.seed:
                self.origin = encode(neighbour.seed_alone)
            return _fitted(neighbour, max_size, data)
        key = self._chains.apply(recipe).key
        around = self._around(byte_mutate, self._portfolio.allows(strategy, apart))
        change = one_more_row if strategy is Strategy.CHAIN else changed
        return _fitted(self._new(recipe, key, choices, around, change), max_size, data)

    def crossover(self, first: bytes, second: bytes, max_size: int, seed: int) -> bytes:
        """Combine two recipes: the seed and first steps of one, later steps of the other, parameters of both.

        The result is changed further if its mutant is not new. If it is the turn of the neighbourhood or of the chain,
        one of them is mutated instead, because libFuzzer calls the crossover as often as the mutator.
        """
        choices = chance(first + second, seed)
        if choices.boolean():
            first, second = second, first
        apart = chance(first + second + b"strategy", seed)
        strategy = self._portfolio.choose(apart)
        one = self._read(first, choices)
        decidable = self._decidable(one, strategy, apart)
        if decidable is not None:
            return _fitted(decidable, max_size, first)
        if strategy is Strategy.NEIGHBOURHOOD:
            return _fitted(self._neighbour(one, apart), max_size, first)
        if strategy is Strategy.CHAIN:
            one = self._new(one, self._chains.apply(one).key, choices, self._around(None), one_more_row)
            return _fitted(one, max_size, first)
        other = decode_chain(second, self._chains.roots)
        head = one.steps[: choices.integer(0, len(one.steps))]
        tail = other.steps[choices.integer(0, len(other.steps)) :]
        parameters = {name: value for name, value in (*other.parameters, *one.parameters) if choices.boolean()}
        spliced = replace(one, steps=(*head, *tail)[:MOST_STEPS], parameters=tuple(sorted(parameters.items())))
        spliced = self._portfolio.finished(spliced, choices)
        key = self._chains.apply(spliced).key
        if key in self._known or key == self._chains.apply(one).key:
            spliced = self._new(spliced, key, choices, self._around(None))
        return _fitted(spliced, max_size, first)

    def _read(self, data: bytes, choices: Choices) -> Recipe:
        return own(read(data).canonical, choices, self._seeds)

    def _around(self, byte_mutate: ByteMutate | None, allows: Callable[[str], bool] = lambda _: True) -> Around:
        return Around(self._chains, self._policy, self._seeds, byte_mutate, allows, self.limits)

    def _decidable(self, recipe: Recipe, strategy: Strategy, choices: Choices) -> Recipe | None:
        """Return a weaker or stronger mutant of a recipe that a limit ended; None of another one, and now and then."""
        neighbourhood = self._portfolio.neighbourhood
        if strategy is Strategy.CHAIN or not neighbourhood.is_limited(recipe) or not choices.index(_AS_USUAL):
            return None
        for _ in range(_TRIES):
            other = neighbourhood.weaker_or_stronger(recipe, choices)
            if other is None:
                break
            new = self._portfolio.finished(other, choices)
            if self._chains.apply(new).key not in self._known:
                return new
        return None

    def _neighbour(self, recipe: Recipe, choices: Choices) -> Recipe:
        """Return a neighbour of the recipe whose mutant is not known, if one is found."""
        for _ in range(_TRIES):
            may_set = self._budget.has_room_for_a_switch
            near = self._portfolio.neighbourhood.neighbour(recipe, choices, may_set)
            new = self._portfolio.finished(near, choices)
            if self._chains.apply(new).key not in self._known:
                break
        return new

    def _new(self, recipe: Recipe, before: bytes, choices: Choices, around: Around, change: Make = changed) -> Recipe:
        """Return the recipe, changed until its mutant differs from the one with key `before` and known ones."""
        for _ in range(_TRIES):
            new = self._portfolio.finished(change(recipe, choices, around), choices)
            key = self._chains.apply(new).key
            if key != before and key not in self._known:
                break
        return new


def added_rows(before: Recipe, after: Recipe, registry: Registry) -> tuple[str, ...]:
    """Return the ids of the rows that `after` has in addition to `before`, which a policy learns from."""
    had = Tally(step.mutation for step in before.steps)
    has = Tally(step.mutation for step in after.steps)
    return (*sorted((has - had).keys()), *registry.added(before.parameters, after.parameters))


def chance(data: bytes, seed: int) -> Choices:
    """Return an endless stream of choices from libFuzzer's seed."""
    return Choices(b"", hashlib.blake2b(data, digest_size=16).digest() + seed.to_bytes(8, "little"))


def _fitted(recipe: Recipe, max_size: int, fallback: bytes) -> bytes:
    """Return the recipe's bytes without the last steps and parameters that do not fit.

    If the seed alone is too long, return `fallback`, cut.
    """
    while True:
        data = encode(recipe)
        if len(data) <= max_size:
            return data
        if recipe.steps:
            recipe = replace(recipe, steps=recipe.steps[: len(recipe.steps) // 2])
        elif recipe.parameters:
            recipe = replace(recipe, parameters=recipe.parameters[: len(recipe.parameters) // 2])
        else:
            return fallback[:max_size]
