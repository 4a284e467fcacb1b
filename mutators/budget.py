"""The share of the solver's work that mutants with changed parameters get.

Spacer's maintainers want bugs under default parameters, and bugs under one switch that users set. Without a limit, four
of five executions had changed parameters, and most findings needed one of a few switches. Work is the solver's resource
count rather than its time, so that a campaign depends only on libFuzzer's seed.
"""

from __future__ import annotations

import enum
from collections.abc import Collection
from dataclasses import replace

from chcfuzz.grammar.choices import Choices
from chcfuzz.mutators.mutation import Scope
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.mutators.registry import Registry

DEFAULT_SHARE = 0.6  # of the work under default parameters; measured as time, it has to stay above a half
ACCEPTED_SHARE = 0.88  # and of the work that maintainers accept; measured as time, above four fifths
FREE = 100  # executions at the start of a campaign without a limit, so that each switch is tried once soon
ONE_IN = 20  # uses of a rare switch that are kept
_FIXED = 10_000  # cost of a fresh context, mutation and checks, in the solver's resource count

Pairs = tuple[tuple[str, str], ...]


class ParameterStanding(enum.Enum):
    """How maintainers see findings under a set of parameters."""

    DEFAULT = "default parameters"
    SWITCH = "one switch"
    BEYOND = "several switches, or an unsupported one"


def standing_of(parameters: Pairs, registry: Registry) -> ParameterStanding:
    """Return the standing of a set of parameters; those whose row has the scope `DEFAULT` are not switches."""
    switches = _switches(parameters, registry)
    if not switches:
        return ParameterStanding.DEFAULT
    return (
        ParameterStanding.SWITCH
        if len(switches) == 1 and _is_plain(switches[0][0], registry)
        else ParameterStanding.BEYOND
    )


def _switches(parameters: Pairs, registry: Registry) -> Pairs:
    return tuple(pair for pair in parameters if _scope(pair[0], registry) is not Scope.DEFAULT)


def _is_plain(name: str, registry: Registry) -> bool:
    return _scope(name, registry) is not Scope.EXPERIMENTAL


def _scope(name: str, registry: Registry) -> Scope | None:
    """Return the scope of a parameter; None for one without a row, for example an option of a seed."""
    row = registry.parameter(f"parameter.{name}")
    return None if row is None else row.scope


class ParameterBudget:
    """Removes parameters from mutants of one worker so that the shares above are kept.

    `done` is the number of executions of the campaign so far. Without `limits`, only rare switches are removed.
    """

    def __init__(self, registry: Registry, limits: bool, done: int = 0) -> None:
        self._registry = registry
        self._limits = limits
        self._runs = done
        self._work = dict.fromkeys(ParameterStanding, 0)
        self._rare: set[str] = set()

    def spend(self, parameters: Pairs, cost: int) -> None:
        """Count an execution that the solver has solved."""
        self._runs += 1
        self._work[standing_of(parameters, self._registry)] += cost + _FIXED

    def make_rare(self, names: Collection[str]) -> None:
        """Keep only one in `ONE_IN` uses of these switches from now on."""
        self._rare.update(names)

    def is_rare(self, name: str) -> bool:
        """Return whether `make_rare` has restricted a switch."""
        return name in self._rare

    @property
    def has_room_for_a_switch(self) -> bool:
        """Whether the next mutant may have changed parameters."""
        changed = self._work[ParameterStanding.SWITCH] + self._work[ParameterStanding.BEYOND]
        return self._has_room(changed, 1 - DEFAULT_SHARE)

    def within(self, recipe: Recipe, choices: Choices) -> Recipe:
        """Return the recipe without the parameters that the budget does not allow now."""
        given = recipe.parameters
        if self._rare:
            given = tuple(pair for pair in given if pair[0] not in self._rare or choices.index(ONE_IN) == 0)
        standing = standing_of(given, self._registry)
        if standing is ParameterStanding.BEYOND and not self._has_room(self._work[standing], 1 - ACCEPTED_SHARE):
            given = self._with_one_switch(given, choices)
        if standing is not ParameterStanding.DEFAULT and not self.has_room_for_a_switch:
            given = self._with(given, ())
        return recipe if given == recipe.parameters else replace(recipe, parameters=given)

    def _has_room(self, work: int, share: float) -> bool:
        return not self._limits or self._runs < FREE or work < share * sum(self._work.values())

    def _with_one_switch(self, given: Pairs, choices: Choices) -> Pairs:
        plain = [pair for pair in _switches(given, self._registry) if _is_plain(pair[0], self._registry)]
        return self._with(given, (choices.pick(plain),) if plain else ())

    def _with(self, given: Pairs, kept: Pairs) -> Pairs:
        """Return the parameters with only these switches."""
        switches = _switches(given, self._registry)
        return tuple(pair for pair in given if pair not in switches or pair in kept)
