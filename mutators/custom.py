"""libFuzzer's custom mutator and crossover: what happens to a recipe between two executions.

libFuzzer's seed is spread into as many choices as are wanted; there is no other chance.
"""

from __future__ import annotations

import hashlib
from collections import Counter as Tally
from collections.abc import Callable, Container, Sequence
from dataclasses import replace

from chcfuzz.grammar.choices import Choices
from chcfuzz.mutators.chain import Chains
from chcfuzz.mutators.policy import Policy, context_of
from chcfuzz.mutators.recipe import Recipe, Step, canonical, decode, decode_chain, encode, fields, from_fields

ByteMutate = Callable[[bytes, int], bytes]
Steps = tuple[Step, ...]

_TRIES = 8  # to find a change that gives another mutant
_MOST_STEPS = 100  # HornFuzz leaves a group after 100 mutants in a row
_CHOICE_BYTES = 12
_ENTROPY_BYTES = 2048


class Mutator:
    """What libFuzzer calls. Results depend on the arguments, `seeds`, `known` and what the policy has learned alone.

    `seeds` are texts of systems that a seed may be exchanged for; `known` holds the keys of mutants that need not come
    again. Both may grow.
    """

    def __init__(self, chains: Chains, policy: Policy, known: Container[bytes] = (), seeds: Sequence[str] = ()) -> None:
        self._chains = chains
        self._policy = policy
        self._known = known
        self._seeds = seeds

    def mutate(self, data: bytes, max_size: int, seed: int, byte_mutate: ByteMutate | None = None) -> bytes:
        """Another recipe than `data`'s, at most `max_size` bytes long, with a new mutant where that can be had.

        `byte_mutate` changes bytes within a size.
        """
        recipe = canonical(decode(data))
        key = self._chains.apply(recipe).key
        return _fitted(self._new(recipe, key, chance(data, seed), byte_mutate), max_size, data)

    def crossover(self, first: bytes, second: bytes, max_size: int, seed: int) -> bytes:
        """A recipe of two: the seed and first steps of one, later steps of the other, parameters of both.

        It is changed further where its mutant is none that is new.
        """
        choices = chance(first + second, seed)
        if choices.boolean():
            first, second = second, first
        one, other = canonical(decode(first)), decode_chain(second)
        head = one.steps[: choices.integer(0, len(one.steps))]
        tail = other.steps[choices.integer(0, len(other.steps)) :]
        parameters = {name: value for name, value in (*other.parameters, *one.parameters) if choices.boolean()}
        spliced = Recipe(one.seed, (*head, *tail)[:_MOST_STEPS], tuple(sorted(parameters.items())))
        spliced = self._chains.without_idle_steps(spliced)
        key = self._chains.apply(spliced).key
        if key in self._known or key == self._chains.apply(one).key:
            spliced = self._new(spliced, key, choices, None)
        return _fitted(spliced, max_size, first)

    def _new(self, recipe: Recipe, before: bytes, choices: Choices, byte_mutate: ByteMutate | None) -> Recipe:
        """The recipe changed until its mutant is neither the one with key `before` nor a known one, if it can."""
        changed = recipe
        for _ in range(_TRIES):
            changed = self._chains.without_idle_steps(self._changed(recipe, choices, byte_mutate))
            key = self._chains.apply(changed).key
            if key != before and key not in self._known:
                break
        return changed

    def _changed(self, recipe: Recipe, choices: Choices, byte_mutate: ByteMutate | None) -> Recipe:
        """One change, or two or three now and then; adding what the policy chooses is the most frequent one."""
        for _ in range(choices.pick((1, 1, 1, 2, 3))):
            number = choices.index(64)
            if number < 42 or (not recipe.steps and number < 56):
                recipe = self._with_row(recipe, choices)
            elif number < 45:
                recipe = _with_steps(recipe, _without(recipe.steps, choices))
            elif number < 47:
                at = choices.index(len(recipe.steps))
                recipe = self._with_row(recipe, choices, recipe.steps[:at], recipe.steps[at + 1 :])
            elif number < 50:
                step = choices.pick(recipe.steps)
                recipe = _with_steps(recipe, (*recipe.steps, *(step for _ in range(choices.pick((1, 1, 2, 8))))))
            elif number < 52:
                recipe = _with_steps(recipe, tuple(recipe.steps[i] for i in choices.permutation(len(recipe.steps))))
            elif number < 56:
                at = choices.index(len(recipe.steps))
                step = replace(recipe.steps[at], choices=_entropy(choices))
                recipe = _with_steps(recipe, (*recipe.steps[:at], step, *recipe.steps[at + 1 :]))
            elif number < 60 and recipe.parameters:
                gone = choices.index(len(recipe.parameters))
                recipe = replace(recipe, parameters=(*recipe.parameters[:gone], *recipe.parameters[gone + 1 :]))
            elif number < 62 and self._seeds:
                recipe = canonical(replace(recipe, seed=choices.pick(self._seeds)))
            elif byte_mutate is not None:
                recipe = self._with_other_bytes(recipe, byte_mutate)
            else:
                recipe = self._with_row(recipe, choices)
        return recipe

    def _with_row(self, recipe: Recipe, choices: Choices, before: Steps | None = None, after: Steps = ()) -> Recipe:
        """What the policy chooses: a parameter set, or a step between these (without them: one more step)."""
        registry = self._chains.registry
        context = context_of(self._chains.apply(recipe).system, recipe, registry)
        row = self._policy.choose(choices, context)
        parameter = registry.parameter(row)
        if parameter is None:
            first = recipe.steps if before is None else before
            return _with_steps(recipe, (*first, Step(row, _entropy(choices)), *after))
        pairs = {**dict(recipe.parameters), parameter.name: choices.pick(parameter.values)}
        return replace(recipe, parameters=tuple(sorted(pairs.items())))

    def _with_other_bytes(self, recipe: Recipe, byte_mutate: ByteMutate) -> Recipe:
        """The fields before the seed's text change as bytes; what they then say is a recipe again.

        Parameters that no row has are not kept: a Z3 that dies of a number out of range tells nobody anything.
        """
        head = fields(replace(recipe, seed=""))
        other = from_fields(byte_mutate(head, 2 * len(head) + 16) + recipe.seed.encode())
        takes = self._chains.registry.takes
        pairs = tuple(pair for pair in other.parameters if pair in recipe.parameters or takes(*pair))
        return replace(other, parameters=pairs)


def added_rows(before: Recipe, after: Recipe) -> tuple[str, ...]:
    """The ids of the rows that `after` has and `before` has not, or not as often: what a policy is told of a change."""
    had = Tally(step.mutation for step in before.steps)
    has = Tally(step.mutation for step in after.steps)
    parameters = set(after.parameters) - set(before.parameters)
    return (*sorted((has - had).keys()), *sorted(f"parameter.{name}" for name, _ in parameters))


def chance(data: bytes, seed: int) -> Choices:
    """As many choices as are wanted, from libFuzzer's seed."""
    key = hashlib.blake2b(data, digest_size=16).digest() + seed.to_bytes(8, "little")
    return Choices(hashlib.shake_128(key).digest(_ENTROPY_BYTES))


def _entropy(choices: Choices) -> bytes:
    return bytes(choices.index(256) for _ in range(_CHOICE_BYTES))


def _without(steps: Steps, choices: Choices) -> Steps:
    """One step less, or a run of them."""
    first = choices.index(len(steps))
    last = first + 1 if choices.boolean() else choices.integer(first + 1, len(steps))
    return (*steps[:first], *steps[last:])


def _with_steps(recipe: Recipe, steps: Steps) -> Recipe:
    return replace(recipe, steps=steps[-_MOST_STEPS:])


def _fitted(recipe: Recipe, max_size: int, fallback: bytes) -> bytes:
    """The recipe's bytes, its last steps and then parameters left out as needed; `fallback`, cut, where the seed alone
    is too long."""
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
