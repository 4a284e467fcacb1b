"""Single parameter changes that make a finding vanish, and single parameters that suffice to show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chcfuzz.mutators.recipe import Recipe
from chcfuzz.triage.locate.messages import ParameterRow
from chcfuzz.triage.locate.pool import Neighbour

Change = tuple[str, str]  # a parameter and its new value
DEFAULT = "default"  # in place of a default that the solver does not report


def single_changes(recipe: Recipe, rows: Sequence[ParameterRow]) -> dict[Change, Neighbour]:
    """Return each change of one option, with the neighbour after it.

    A parameter of the recipe is changed to its default and to its other values, any other parameter to each value.
    """
    given = dict(recipe.options)
    defaults = {row.name: row.default for row in rows}
    found = [(name, defaults.get(name, DEFAULT), {k: v for k, v in given.items() if k != name}) for name in given]
    for row in rows:
        found += [(row.name, value, {**given, row.name: value}) for value in row.values if given.get(row.name) != value]
    return {(name, value): _neighbour(f"{name}={value}", recipe, after) for name, value, after in found}


def alone(recipe: Recipe, rows: Sequence[ParameterRow]) -> dict[Change, Neighbour]:
    """Return each parameter value of the recipe and of the rows, with the neighbour that has only this parameter."""
    of_rows = ((row.name, value) for row in rows for value in row.values)
    return {
        (name, value): _neighbour(f"only {name}={value}", recipe, {name: value})
        for name, value in (*recipe.options, *of_rows)
    }


def _neighbour(name: str, recipe: Recipe, parameters: dict[str, str]) -> Neighbour:
    pairs = {**dict(recipe.selection), **parameters}
    return Neighbour(name, replace(recipe, parameters=tuple(sorted(pairs.items()))))
