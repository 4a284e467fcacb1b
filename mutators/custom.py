"""libFuzzer's custom mutator and crossover: what happens to a recipe between two executions.

Pure functions of their arguments: libFuzzer's seed is spread into as many choices as are wanted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Container, Sequence
from dataclasses import replace

from chcfuzz.grammar.choices import Choices
from chcfuzz.mutators.chain import Chains
from chcfuzz.mutators.mutation import Kind
from chcfuzz.mutators.recipe import Recipe, Step, canonical, decode, encode, fields, from_fields
from chcfuzz.mutators.registry import Registry

ByteMutate = Callable[[bytes, int], bytes]

_TRIES = 8  # to find a change that gives another mutant
_MOST_STEPS = 100  # HornFuzz leaves a group after 100 mutants in a row
_CHOICE_BYTES = 12
_ENTROPY_BYTES = 2048


def mutate(
    data: bytes,
    max_size: int,
    seed: int,
    chains: Chains,
    seeds: Sequence[str] = (),
    byte_mutate: ByteMutate | None = None,
    known: Container[bytes] = (),
) -> bytes:
    """Another recipe than `data`'s, at most `max_size` bytes long, with a new mutant where that can be had.

    `seeds` are texts of systems that a seed may be exchanged for; `byte_mutate` changes bytes within a size; `known`
    holds the keys of mutants that need not come again.
    """
    recipe = canonical(decode(data))
    before = chains.apply(recipe).key
    return _fitted(_new(recipe, before, _chance(data, seed), chains, seeds, byte_mutate, known), max_size, data)


def crossover(
    first: bytes, second: bytes, max_size: int, seed: int, chains: Chains, known: Container[bytes] = ()
) -> bytes:
    """A recipe of two: the seed and first steps of one, later steps of the other, parameters of both.

    It is changed further where its mutant is none that is new.
    """
    choices = _chance(first + second, seed)
    one, other = canonical(decode(first)), canonical(decode(second))
    if choices.boolean():
        one, other = other, one
    head = one.steps[: choices.integer(0, len(one.steps))]
    tail = other.steps[choices.integer(0, len(other.steps)) :]
    parameters = {name: value for name, value in (*other.parameters, *one.parameters) if choices.boolean()}
    spliced = Recipe(one.seed, (*head, *tail)[:_MOST_STEPS], tuple(sorted(parameters.items())))
    spliced = chains.without_idle_steps(spliced)
    key = chains.apply(spliced).key
    if key in known or key in (chains.apply(one).key, chains.apply(other).key):
        spliced = _new(spliced, key, choices, chains, (), None, known)
    return _fitted(spliced, max_size, first)


def _new(
    recipe: Recipe,
    before: bytes,
    choices: Choices,
    chains: Chains,
    seeds: Sequence[str],
    byte_mutate: ByteMutate | None,
    known: Container[bytes],
) -> Recipe:
    """The recipe changed until its mutant is neither the one with key `before` nor a known one, if it can."""
    changed = recipe
    for _ in range(_TRIES):
        changed = _changed(recipe, choices, chains.registry, seeds, byte_mutate)
        changed = chains.without_idle_steps(changed)
        key = chains.apply(changed).key
        if key != before and key not in known:
            break
    return changed


def _chance(data: bytes, seed: int) -> Choices:
    key = hashlib.blake2b(data, digest_size=16).digest() + seed.to_bytes(8, "little")
    return Choices(hashlib.shake_128(key).digest(_ENTROPY_BYTES))


def _changed(
    recipe: Recipe, choices: Choices, registry: Registry, seeds: Sequence[str], byte_mutate: ByteMutate | None
) -> Recipe:
    """One change, or two or three now and then; appending a step is the most frequent one."""
    for _ in range(choices.pick((1, 1, 1, 2, 3))):
        number = choices.index(64)
        if number < 34 or (not recipe.steps and number < 50):
            recipe = _append(recipe, choices, registry)
        elif number < 38:
            recipe = _with_steps(recipe, _without(recipe.steps, choices))
        elif number < 42:
            at = choices.index(len(recipe.steps))
            recipe = _with_steps(recipe, (*recipe.steps[:at], _step(choices, registry), *recipe.steps[at + 1 :]))
        elif number < 45:
            step = choices.pick(recipe.steps)
            recipe = _with_steps(recipe, (*recipe.steps, *(step for _ in range(choices.pick((1, 1, 2, 8))))))
        elif number < 47:
            recipe = _with_steps(recipe, tuple(recipe.steps[i] for i in choices.permutation(len(recipe.steps))))
        elif number < 50:
            at = choices.index(len(recipe.steps))
            step = replace(recipe.steps[at], choices=_entropy(choices))
            recipe = _with_steps(recipe, (*recipe.steps[:at], step, *recipe.steps[at + 1 :]))
        elif number < 58:
            recipe = _with_parameter(recipe, choices, registry)
        elif number < 60 and recipe.parameters:
            gone = choices.index(len(recipe.parameters))
            recipe = replace(recipe, parameters=(*recipe.parameters[:gone], *recipe.parameters[gone + 1 :]))
        elif number < 62 and seeds:
            recipe = canonical(replace(recipe, seed=choices.pick(seeds)))
        elif byte_mutate is not None:
            recipe = _with_other_bytes(recipe, byte_mutate)
        else:
            recipe = _append(recipe, choices, registry)
    return recipe


def _append(recipe: Recipe, choices: Choices, registry: Registry) -> Recipe:
    """HornFuzz's choice: first the kind, each equally likely, then one of that kind."""
    if choices.pick(tuple(Kind)) is Kind.PARAMETER:
        return _with_parameter(recipe, choices, registry)
    return _with_steps(recipe, (*recipe.steps, _step(choices, registry)))


def _step(choices: Choices, registry: Registry) -> Step:
    kind = choices.pick((Kind.OWN, Kind.REWRITE))
    return Step(choices.pick(registry.of_kind(kind)).id, _entropy(choices))


def _entropy(choices: Choices) -> bytes:
    return bytes(choices.index(256) for _ in range(_CHOICE_BYTES))


def _without(steps: tuple[Step, ...], choices: Choices) -> tuple[Step, ...]:
    """One step less, or a run of them."""
    first = choices.index(len(steps))
    last = first + 1 if choices.boolean() else choices.integer(first + 1, len(steps))
    return (*steps[:first], *steps[last:])


def _with_steps(recipe: Recipe, steps: tuple[Step, ...]) -> Recipe:
    return replace(recipe, steps=steps[-_MOST_STEPS:])


def _with_parameter(recipe: Recipe, choices: Choices, registry: Registry) -> Recipe:
    parameter = choices.pick(registry.parameters)
    pairs = {**dict(recipe.parameters), parameter.name: choices.pick(parameter.values)}
    return replace(recipe, parameters=tuple(sorted(pairs.items())))


def _with_other_bytes(recipe: Recipe, byte_mutate: ByteMutate) -> Recipe:
    """The fields before the seed's text change as bytes; what they then say is a recipe again."""
    head = fields(replace(recipe, seed=""))
    return from_fields(byte_mutate(head, 2 * len(head) + 16) + recipe.seed.encode())


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
