"""Which single parameter changes make a finding vanish, and which alone bring it."""

from __future__ import annotations

from collections.abc import Sequence

from chcfuzz.mutators.recipe import Recipe
from chcfuzz.triage.locate.pool import Neighbour, Row

Change = tuple[str, str]  # a parameter and the value that it is given
DEFAULT = "default"  # in the place of a value that the solver does not tell


def single_changes(recipe: Recipe, rows: Sequence[Row]) -> dict[Change, Neighbour]:
    """Each change of one parameter of a recipe, with the recipe after it.

    Those of its own go to their defaults and to their other values, the others from their defaults to each value.
    """
    given = dict(recipe.parameters)
    defaults = {row.name: row.default for row in rows}
    found = [(name, defaults.get(name, DEFAULT), {k: v for k, v in given.items() if k != name}) for name in given]
    for row in rows:
        found += [(row.name, value, {**given, row.name: value}) for value in row.values if given.get(row.name) != value]
    return {(name, value): _neighbour(f"{name}={value}", recipe, after) for name, value, after in found}


def alone(recipe: Recipe, rows: Sequence[Row]) -> dict[Change, Neighbour]:
    """Each parameter alone at a value of the recipe's or of its row, all others at their defaults."""
    of_rows = ((row.name, value) for row in rows for value in row.values)
    return {
        (name, value): _neighbour(f"only {name}={value}", recipe, {name: value})
        for name, value in (*recipe.parameters, *of_rows)
    }


def _neighbour(name: str, recipe: Recipe, parameters: dict[str, str]) -> Neighbour:
    return Neighbour(name, Recipe(recipe.seed, recipe.steps, tuple(sorted(parameters.items()))))
