"""Systems that differ little from a finding's: after a single edit of a reduction pass, or a single mutation.

They are deterministic: an edit is given by its place, a mutation by a fixed key.
"""

from __future__ import annotations

from dataclasses import replace

from chcfuzz.mutators.chain import Chains
from chcfuzz.mutators.mutation import Kind
from chcfuzz.mutators.recipe import Recipe, Step
from chcfuzz.mutators.registry import Registry
from chcfuzz.triage.examine.domain import TriageDomain
from chcfuzz.triage.locate.pool import Neighbour

_KEY = b"locate"  # determines the choices of every mutation


def edited(domain: TriageDomain, recipe: Recipe, most: int) -> tuple[Neighbour, ...]:
    """Return `most` systems after single edits, the passes taking turns; their answers are unknown."""
    problem = domain.roots.parse(recipe.seed, "system")
    before = domain.roots.print(problem)
    found: dict[str, Neighbour] = {}
    for name, candidate in domain.single_edits(problem):
        text = domain.roots.print(candidate)
        if text != before and text not in found:
            found[text] = Neighbour(name, replace(recipe, seed=text), is_known=False)
        if len(found) == most:
            break
    return tuple(found.values())


def mutated(registry: Registry, recipe: Recipe, answer: str, most: int) -> tuple[Neighbour, ...]:
    """Return `most` systems after single mutations that preserve this answer."""
    chains = Chains(registry)
    found = []
    for row in chains.registry.of_kind(Kind.OWN):
        if row.promise.expected(answer) is not None:
            mutant = chains.apply(Recipe(recipe.seed, (Step(row.id, b"", _KEY),)))
            if mutant.steps[0].changed:
                found.append(Neighbour(row.id, replace(recipe, seed=mutant.text)))
    return tuple(found[:most])
