"""The neighbours of a root: a step, a parameter, or both away from it, each in its turn.

Rows and parameters are drawn without replacement, in a random order for each root. A wrong answer that one row or one
parameter always shows is therefore found within about one round, whichever it is.

Every root that was offered is equally likely to have the next turn, or less likely if it costs much, until its turns
are over. libFuzzer's choice of a unit does not decide this: it prefers the roots whose mutants opened most features,
and a wrong answer next to another root is as likely.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from cachetools import LRUCache
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.mutators.chain import Chains
from chcfuzz.mutators.changes import with_step
from chcfuzz.mutators.mutation import Kind, Mutation, Parameter, Promise, Scope
from chcfuzz.mutators.power_schedule import PowerSchedule
from chcfuzz.mutators.recipe import Recipe, canonical
from chcfuzz.mutators.registry import Registry

NEAR = 3  # steps: units with longer chains are replaced by their roots
FIRST = 60  # parameters tried on a root; all of Spacer's, and a sixth of those of the SMT solvers
EXCHANGES = 200  # single exchanges on a root before any two; small problems have fewer
_STEPS = (1, 1, 1, 2, 2, 3)  # number of steps of a neighbour after the first round
_ORDERS = 2  # turns of a row that permutes in a round: there are many orders, and others have few places
_MOST_SEEDS = 1024
_KEEP_ANSWERS = (Promise.EQUIVALENT, Promise.EQUISATISFIABLE)
_KEEP_ONE = (Promise.SAT_PRESERVING, Promise.UNSAT_PRESERVING)

T = TypeVar("T")


@dataclass
class _Round:
    """The turns on a root that are still to come.

    Parameters and rows are in random order. `is_first` until rows had a round; `exchanges` is the number of light
    steps without a promise that have to be made alone.
    """

    root: str
    parameters: list[Parameter]
    rows: list[Mutation]
    is_first: bool
    exchanges: int

    def is_over(self, may_set: bool) -> bool:
        """Whether every row and, if it `may_set` one, every parameter had a turn, and each exchange was made alone."""
        return not ((self.parameters and may_set) or self.is_first or self.exchanges > 0)

    def turn(self, name: str, left: int = 0) -> int:
        """Return the hash of a turn of a row, which has `left` others in its round, or of a parameter."""
        data = "\0".join((name, str(left), self.root)).encode()
        return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


class Neighbourhood:
    """The neighbours of roots.

    Half of the neighbours set a parameter until all parameters have had their turn on the root, and then one of four.
    In the first round of rows, a neighbour has one step, and every second one with a parameter has a step, too: rounds
    are shorter, and few steps hide what a parameter shows. Later, a neighbour has a parameter alone, or one to three
    steps, which may be added to a unit with a short chain. Parameters that need another one are left out. If there are
    more than `FIRST`, a root tries a random part of this size. Half of the steps come from light rows that promise
    nothing, if a domain has some: they reach what no equivalent mutant is like. The first `EXCHANGES` of them on a root
    are single steps as well, because a row has a result for each place and each other term, and two exchanges at once
    hide what one of them shows.

    `take` is given the hash of each turn of the first round, and returns whether no other process had this turn before.
    `is_limited` returns whether a limit of the solver ended a recipe. It would end most neighbours of such a root, so a
    decided unit with this root has neighbours of its own.
    """

    def __init__(
        self,
        chains: Chains,
        rows: Registry,
        take: Callable[[int], bool] = lambda _: True,
        is_limited: Callable[[Recipe], bool] = lambda _: False,
    ) -> None:
        self.chains = chains
        self.rows = rows
        self.is_limited = is_limited
        self._take = take
        self._one_sided = [row for row in rows.mutations if _is_alone(row) and row.promise in _KEEP_ONE]
        self._roots: PowerSchedule[str] = PowerSchedule()
        near = [row for row in rows.mutations if _is_near(row)]
        families = dict.fromkeys(row.family for row in near)
        by_family = [[row for row in near if row.family == family] for family in families]
        self._exchanges = [rows for rows in by_family if all(row.promise is Promise.NOTHING for row in rows)]
        exchanged = {row.id for rows in self._exchanges for row in rows}
        others = [row for row in near if row.id not in exchanged]
        self._near = [row for row in others for _ in range(_ORDERS if row.permutes else 1)]
        self._parameters = [row for row in rows.parameters if row.scope is not Scope.EXPERIMENTAL and not row.needs]
        self._rounds: LRUCache[str, _Round] = LRUCache(_MOST_SEEDS)  # by seed

    @property
    def is_empty(self) -> bool:
        """Whether neither a row nor a parameter makes neighbours."""
        return not (self._near or self._exchanges or self._parameters)

    @property
    def has_exchanges(self) -> bool:
        """Whether there are light rows that promise nothing."""
        return bool(self._exchanges)

    def offer(self, root: str, cost: int) -> None:
        """Let a root have its turns from now on, whichever units are mutated. `cost` is that of its execution."""
        self._roots.executed(root, cost, worth=True)

    def neighbour(self, recipe: Recipe, choices: Choices, may_set: bool = True) -> Recipe:
        """Return the next neighbour of a root: one of those offered with turns left, or the root of the recipe.

        A neighbour of the recipe is one of its root if its chain is not short. A neighbour has a parameter only if it
        `may_set` one; without rows of mutations, it has one in any case.
        """
        recipe = self._root(choices, may_set) or recipe
        root = recipe if self.is_limited(recipe.seed_alone) else recipe.seed_alone
        turns = self._turns(recipe.seed, choices)
        sets = choices.boolean() if turns.parameters else choices.index(4) == 0
        if self._parameters and ((sets and may_set) or not (self._near or self._exchanges)):
            parameter = self._next_parameter(turns) or choices.pick(self._parameters)
            neighbour = replace(root, parameters=((parameter.name, choices.pick(parameter.values)),))
            return self._with_next(neighbour, turns, choices) if turns.is_first and choices.boolean() else neighbour
        exchanges = bool(self._exchanges) and (choices.boolean() or not self._near)
        is_far = turns.exchanges > 0 if exchanges else turns.is_first
        is_near = not is_far and len(recipe.steps) < NEAR and choices.index(3) == 0
        base = recipe if is_near else root
        family = self._exchange_family(base, choices) if exchanges else None
        turns.exchanges -= exchanges
        for _ in range(1 if is_far else choices.pick(_STEPS)):
            base = self._exchanged(base, family, choices) if family else self._with_next(base, turns, choices)
        return base

    def weaker_or_stronger(self, recipe: Recipe, choices: Choices) -> Recipe | None:
        """Return a recipe with one more step that keeps one answer only; None if no row of this kind applies."""
        problem = self.chains.apply(recipe).problem
        rows = [row for row in self._one_sided if row.applies(problem)]
        return with_step(recipe, choices.pick(rows).id, choices) if rows else None

    def _root(self, choices: Choices, may_set: bool) -> Recipe | None:
        """Draw a root that was offered; return None without one, and if its turns are over."""
        drawn = self._roots.draw(choices)
        if drawn is None:
            return None
        root = canonical(Recipe(drawn))
        return None if self._turns(root.seed, choices).is_over(may_set) else root

    def _turns(self, root: str, choices: Choices) -> _Round:
        turns = self._rounds.get(root)
        if turns is None:
            parameters = _shuffled(self._parameters, choices)[:FIRST]
            exchanges = EXCHANGES if self._exchanges else 0
            turns = _Round(root, parameters, _shuffled(self._near, choices), bool(self._near), exchanges)
            self._rounds[root] = turns
        return turns

    def _next_parameter(self, turns: _Round) -> Parameter | None:
        """Return the next parameter whose turn it is; remove it and those before it. None without one."""
        while turns.parameters:
            parameter = turns.parameters.pop()
            if self._take(turns.turn(parameter.name)):
                return parameter
        return None

    def _exchange_family(self, base: Recipe, choices: Choices) -> list[Mutation]:
        """Draw a family of exchanges with a row that applies, if there is one."""
        problem = self.chains.apply(base).problem
        usable = [rows for rows in self._exchanges if any(row.applies(problem) for row in rows)]
        return choices.pick(usable or self._exchanges)

    def _exchanged(self, base: Recipe, family: list[Mutation], choices: Choices) -> Recipe:
        problem = self.chains.apply(base).problem
        usable = [row for row in family if row.applies(problem)]
        return with_step(base, choices.pick(usable).id, choices) if usable else base

    def _with_next(self, base: Recipe, turns: _Round, choices: Choices) -> Recipe:
        """Return the recipe with a step of the next row that applies; a new round begins if none is left."""
        problem = self.chains.apply(base).problem
        row = self._next_row(turns, problem)
        if row is None:
            turns.rows, turns.is_first = _shuffled(self._near, choices), False
            row = self._next_row(turns, problem)
        return base if row is None else with_step(base, row.id, choices)

    def _next_row(self, turns: _Round, problem: BaseProblem) -> Mutation | None:
        """Return the next row that applies and whose turn it is; remove it and those before it. None without one."""
        while turns.rows:
            row = turns.rows.pop()
            if not row.applies(problem):
                continue
            if not turns.is_first or self._take(turns.turn(row.id, turns.rows.count(row))):
                return row
        return None


def _is_near(row: Mutation) -> bool:
    """Whether a row makes neighbours: it keeps answers or is light, and its step needs neither a solver nor a text."""
    return (_is_alone(row) and row.promise in _KEEP_ANSWERS) or (row.kind is Kind.OWN and row.light)


def _is_alone(row: Mutation) -> bool:
    """Whether a step of this row needs neither a solver nor a text."""
    return row.kind is Kind.OWN and not row.takes_system and row.data_for is None


def _shuffled(rows: Sequence[T], choices: Choices) -> list[T]:
    return [rows[number] for number in choices.permutation(len(rows))]
