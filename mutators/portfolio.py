"""A portfolio of strategies: each mutation follows one of them.

- *Neighbourhood*: one solver parameter, or one to three steps that keep models or are light, on a root or on a unit
  with a short chain. Breadth, not depth: a wrong answer whose trigger is one such step away from a seed opens no new
  trace, so novelty does not lead to it, and long chains destroy it. Semantic fusion (Winterer et al., PLDI 2020) and
  type-aware operator mutation (Winterer et al., OOPSLA 2020) work this way.
- *Swarm*: as novelty, but for `SWARM_RUNS` mutations only a random half of the families may be used, so that features
  do not suppress each other (Groce et al., "Swarm Testing", ISSTA 2012).
- *Novelty*: any change of the unit that libFuzzer chose, with the rows that the policy prefers.

`bench/power.py` measures how soon each of them finds known wrong answers.
"""

from __future__ import annotations

import enum
from bisect import bisect
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import accumulate

from cachetools import LRUCache
from chcfuzz.grammar.choices import Choices
from chcfuzz.mutators.budget import ParameterBudget
from chcfuzz.mutators.chain import Chains
from chcfuzz.mutators.changes import random_step
from chcfuzz.mutators.credit import Credit
from chcfuzz.mutators.mutation import Kind, Mutation, Parameter, Promise, Scope
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.mutators.registry import Registry

SWARM_RUNS = 300
NEAR = 3  # steps: units with longer chains are replaced by their roots
BREADTH_FIRST = 150  # mutations at the start of a campaign: enough for most neighbours of one seed
FIRST = 60  # parameters tried on a root; all of Spacer's, and a sixth of those of the SMT solvers
_STEPS = (1, 1, 1, 2, 2, 3)  # number of steps of a neighbour
_MOST_SEEDS = 4096


class Strategy(enum.StrEnum):
    """Names of strategies in `--portfolio`."""

    NEIGHBOURHOOD = "neighbourhood"
    SWARM = "swarm"
    NOVELTY = "novelty"


Shares = Mapping[Strategy, int]
DEFAULT_SHARES: Shares = {Strategy.NEIGHBOURHOOD: 50, Strategy.SWARM: 25, Strategy.NOVELTY: 25}


class Neighbourhood:
    """The neighbours of roots. Each parameter is tried once on a root before any is tried again.

    If there are more than `FIRST`, a root tries a random part of this size. Three of five neighbours set a parameter
    until all have been tried, then one of four. Half of the other neighbours come from light rows that promise nothing,
    if a domain has some: they reach what no equivalent mutant is like.
    """

    def __init__(self, chains: Chains, rows: Registry) -> None:
        self._chains = chains
        near = [row for row in rows.mutations if _is_near(row)]
        self._permutations = tuple(row for row in near if row.permutes)
        families = dict.fromkeys(row.family for row in near)
        self._families = [tuple(row for row in near if row.family == family) for family in families]
        self._exchanges = [rows for rows in self._families if all(row.promise is Promise.NOTHING for row in rows)]
        self._parameters = [row for row in rows.parameters if row.scope is not Scope.EXPERIMENTAL]
        self._untried: LRUCache[str, list[Parameter]] = LRUCache(_MOST_SEEDS)  # by seed, in random order

    @property
    def is_empty(self) -> bool:
        """Whether neither a row nor a parameter makes neighbours."""
        return not (self._families or self._parameters)

    def neighbour(self, recipe: Recipe, choices: Choices, may_set: bool = True) -> Recipe:
        """Return the next neighbour of a recipe with a short chain, or of its root; with a parameter if it `may_set`.

        Without rows of mutations, it has a parameter in any case.
        """
        untried = self._untried.get(recipe.seed)
        if untried is None:
            order = choices.permutation(len(self._parameters))
            untried = self._untried[recipe.seed] = [self._parameters[number] for number in order][:FIRST]
        sets = choices.index(5) < 3 if untried else choices.index(4) == 0
        if self._parameters and ((sets and may_set) or not self._families):
            parameter = untried.pop() if untried else choices.pick(self._parameters)
            return Recipe(recipe.seed, (), ((parameter.name, choices.pick(parameter.values)),))
        is_near = len(recipe.steps) < NEAR and choices.index(3) == 0
        return self._with_steps(recipe if is_near else Recipe(recipe.seed), choices)

    def _with_steps(self, base: Recipe, choices: Choices) -> Recipe:
        if self._exchanges and choices.boolean():
            rows = choices.pick(self._exchanges)
        elif self._permutations and choices.boolean():
            rows = self._permutations
        else:
            rows = choices.pick(self._families)
        for _ in range(choices.pick(_STEPS)):
            problem = self._chains.apply(base).problem
            usable = [row for row in rows if row.applies(problem)]
            if usable:
                base = replace(base, steps=(*base.steps, random_step(choices.pick(usable).id, choices)))
        return base


def _is_near(row: Mutation) -> bool:
    return row.kind is Kind.OWN and (row.promise is Promise.EQUIVALENT or row.permutes or row.light)


class Swarm:
    """A random half of the families, drawn again after `SWARM_RUNS` mutations."""

    def __init__(self, rows: Registry) -> None:
        self._families = tuple(dict.fromkeys(map(_family, rows.ids)))
        self._left = 0
        self._allowed: frozenset[str] = frozenset()

    def allows(self, choices: Choices) -> Callable[[str], bool]:
        """Return the test whether the row with an id may be used in the next mutation."""
        if not self._left:
            self._left = SWARM_RUNS
            self._allowed = frozenset(family for family in self._families if choices.boolean())
        self._left -= 1
        allowed = self._allowed
        return lambda row: _family(row) in allowed


class Portfolio:
    """The strategies of a worker, with their shares, and the budget of the parameters that they may change.

    A campaign begins with `BREADTH_FIRST` neighbours. `done` is the number of its executions so far, which includes the
    corpus: a large corpus does not need this, and neither do jobs of `-fork` and workers that replace others. After
    `adapt`, the shares follow the `credit` of the strategies, which its caller counts.
    """

    def __init__(
        self, chains: Chains, rows: Registry, shares: Shares, done: int = 0, budget: ParameterBudget | None = None
    ) -> None:
        self.budget = budget or ParameterBudget(chains.registry, limits=False)
        self.neighbourhood = Neighbourhood(chains, rows)
        self._swarm = Swarm(rows)
        without = {Strategy.NEIGHBOURHOOD} if self.neighbourhood.is_empty else set()
        given = {strategy: share for strategy, share in shares.items() if share and strategy not in without}
        self._shares = given
        self._strategies = tuple(strategy for strategy, share in given.items() for _ in range(share))
        self.credit: Credit[Strategy] | None = None
        self._left = max(0, BREADTH_FIRST - done) if Strategy.NEIGHBOURHOOD in given else 0

    def adapt(self) -> None:
        """Let the shares follow the credit from now on."""
        if self._shares:
            self.credit = Credit(self._shares)

    def choose(self, choices: Choices) -> Strategy:
        """Return the strategy of the next mutation; novelty if no other one has a share and rows."""
        if self._left:
            self._left -= 1
            return Strategy.NEIGHBOURHOOD
        if self.credit is not None:
            return _drawn(self.credit.weights(), choices)
        return choices.pick(self._strategies) if self._strategies else Strategy.NOVELTY

    def allows(self, strategy: Strategy, choices: Choices) -> Callable[[str], bool]:
        """Return the test whether a strategy may use the row with an id in the next mutation."""
        return self._swarm.allows(choices) if strategy is Strategy.SWARM else lambda _: True


def _drawn(weights: Mapping[Strategy, int], choices: Choices) -> Strategy:
    sums = list(accumulate(weights.values()))
    return list(weights)[bisect(sums, choices.index(sums[-1]))]


def _family(row_id: str) -> str:
    return row_id.partition(".")[0]
