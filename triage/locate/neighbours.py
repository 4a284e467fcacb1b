"""Systems that differ little from a finding's: after a single edit of a reduction pass, or a single mutation.

They are deterministic: an edit is given by its place, a mutation by a fixed key.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from chcfuzz.grammar.parse import parse
from chcfuzz.grammar.printer import print_system
from chcfuzz.grammar.system import System
from chcfuzz.mutators.chain import Chains
from chcfuzz.mutators.horn_rows import registry
from chcfuzz.mutators.mutation import Kind
from chcfuzz.mutators.recipe import Recipe, Step
from chcfuzz.triage.locate.pool import Neighbour
from chcfuzz.triage.shrink.passes import PASSES, is_sound

_KEY = b"locate"  # determines the choices of every mutation
_ROUNDS = 3  # edits of each pass, at most, spread evenly over its list


def edited(recipe: Recipe, most: int) -> tuple[Neighbour, ...]:
    """Return `most` systems after single edits, the passes taking turns; their answers are unknown."""
    system = parse(recipe.seed, "system")
    found: dict[str, Neighbour] = {}
    for name, candidate in _edits(system):
        text = print_system(candidate)
        if text != print_system(system) and text not in found and is_sound(candidate):
            found[text] = Neighbour(name, replace(recipe, seed=text), is_known=False)
        if len(found) == most:
            break
    return tuple(found.values())


def _edits(system: System) -> Iterator[tuple[str, System]]:
    for turn in range(_ROUNDS):
        for one in PASSES:
            number = one.number(system)
            place = number * turn // _ROUNDS
            if number and (turn == 0 or place > number * (turn - 1) // _ROUNDS):
                candidate = one.candidates(system, place, 1)[0]()
                if candidate is not None:
                    yield f"{one.name} ({place + 1} of {number})", candidate


def mutated(recipe: Recipe, answer: str, most: int) -> tuple[Neighbour, ...]:
    """Return `most` systems after single mutations that preserve this answer."""
    chains = Chains(registry())
    found = []
    for row in chains.registry.of_kind(Kind.OWN):
        if row.promise.expected(answer) is not None:
            mutant = chains.apply(Recipe(recipe.seed, (Step(row.id, b"", _KEY),)))
            if mutant.steps[0].changed:
                found.append(Neighbour(row.id, replace(recipe, seed=mutant.text)))
    return tuple(found[:most])
