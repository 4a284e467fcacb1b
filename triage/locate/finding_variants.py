"""Variants of a finding: other names, another order of assertions, other random seeds of the solver.

A release is good only if it is right on all of them: a bug that shows with one name of a predicate is in the release,
even if the finding's own name does not show it there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from chcfuzz.domains.protocol import Domain
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.problem import Pairs
from chcfuzz.mutators.mutation import Parameter
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.triage.locate.messages import Side
from chcfuzz.triage.locate.pool import Neighbour, RunPool
from chcfuzz.triage.locate.versions import BAD, GOOD

_SEEDS = 2  # other random seeds


@dataclass(frozen=True)
class Tested:
    """The result of a release: `BAD`, `GOOD`, or the reason why it is unknown.

    `variant` names the variant that shows the finding; it is empty if the finding itself shows, or none does.
    """

    result: str
    variant: str = ""


def variants(domain: Domain, solving: Solving, recipe: Recipe) -> tuple[Neighbour, ...]:
    """Return the variants of a finding; a unit with steps has other random seeds alone."""
    found = []
    if not recipe.steps:
        problem = domain.roots.parse(recipe.seed, "system")
        for name, variant in domain.variants(problem):
            found.append(Neighbour(name, replace(recipe, seed=domain.roots.print(variant))))
    for seeds in _random_seeds(domain, solving, recipe):
        parameters = tuple(sorted({**dict(recipe.parameters), **dict(seeds)}.items()))
        name = ", ".join(f"{name}={value}" for name, value in seeds)
        found.append(Neighbour(name, replace(recipe, parameters=parameters)))
    return tuple(found)


def _random_seeds(domain: Domain, solving: Solving, recipe: Recipe) -> Iterator[Pairs]:
    """Yield other values of all random seeds of the solver under test."""
    given = dict(recipe.parameters)
    rows = [row for row in domain.registry(solving).parameters if _is_random_seed(row)]
    rows = [row for row in rows if domain.concerns(recipe.selection, row.name)]
    others = [[value for value in row.values if value != given.get(row.name, row.default)] for row in rows]
    for values in list(zip(*others, strict=False))[:_SEEDS]:
        yield tuple((row.name, value) for row, value in zip(rows, values, strict=True))


def _is_random_seed(row: Parameter) -> bool:
    return row.name.endswith("seed")


def tested(pool: RunPool, finding: Neighbour, others: Sequence[Neighbour]) -> Tested:
    """Run a finding and its variants until one of them shows it."""
    observed = pool.run(finding)
    if observed.side is Side.FAILING:
        return Tested(BAD)
    for variant in others:
        if pool.run(variant).side is Side.FAILING:
            return Tested(BAD, variant.name)
    return Tested(GOOD if observed.side is Side.PASSING else observed.description)
