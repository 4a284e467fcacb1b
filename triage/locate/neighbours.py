"""Systems that a finding's run is compared with: after a single edit of a reduction pass, or a single mutation; seeds.

They are deterministic: an edit is given by its place, a mutation by a fixed key.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from chcfuzz.domains.protocol import Domain
from chcfuzz.mutators.chain import Chains
from chcfuzz.mutators.mutation import Kind
from chcfuzz.mutators.recipe import Recipe, Step
from chcfuzz.mutators.registry import Registry
from chcfuzz.triage.locate.pool import Neighbour

_KEY = b"locate"  # determines the choices of every mutation


def edited(domain: Domain, recipe: Recipe, most: int) -> tuple[Neighbour, ...]:
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
    chains = Chains(registry, roots=recipe.roots)
    found = []
    for row in chains.registry.of_kind(Kind.OWN):
        if row.promise.expected(answer) is not None:
            mutant = chains.apply(replace(recipe, steps=(Step(row.id, b"", _KEY),), parameters=()))
            if mutant.steps[0].changed:
                found.append(Neighbour(row.id, replace(recipe, seed=mutant.text)))
    return tuple(found[:most])


def answered(folder: Path | None, recipe: Recipe, answer: str, most: int) -> tuple[Neighbour, ...]:
    """Return `most` seeds in a folder, evenly spread, whose status is this answer, under the parameters of a recipe."""
    files = [] if folder is None else sorted(folder.rglob("*.smt2"))
    seeds = [(path.name, text) for path in files if f"(set-info :status {answer})" in (text := path.read_text())]
    step = max(1, len(seeds) // most)
    return tuple(Neighbour(name, replace(recipe, seed=text)) for name, text in seeds[::step][:most])
