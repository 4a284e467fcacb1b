"""A portfolio of strategies: each mutation follows one of them.

- *Neighbourhood*: one solver parameter, or one to three steps that keep answers or are light, on a root or on a unit
  with a short chain (`neighbourhood.py`). Breadth, not depth: a wrong answer whose trigger is one such step away from a
  seed opens no new trace, so novelty does not lead to it, and long chains destroy it. Semantic fusion (Winterer et al.,
  PLDI 2020) and type-aware operator mutation (Winterer et al., OOPSLA 2020) work this way.
- *Swarm*: as novelty, but for `SWARM_RUNS` mutations only a random half of the families may be used, so that features
  do not suppress each other (Groce et al., "Swarm Testing", ISSTA 2012).
- *Novelty*: any change of the unit that libFuzzer chose, with the rows that the policy prefers.
- *Chain*: one more row, as the policy chooses it, and nothing else (HornFuzz); a crossover is one more row, too.

`bench/power/power.py` measures how soon each of them finds known wrong answers.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import replace

from chcfuzz.grammar.choices import Choices
from chcfuzz.mutators.budget import ParameterBudget
from chcfuzz.mutators.neighbourhood import EXCHANGES, Neighbourhood
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.mutators.registry import Registry

SWARM_RUNS = 300
USUALLY = 4  # one of this number of mutants does not set a usual parameter
BREADTH_FIRST = 150  # mutations at the start of a campaign: enough for most neighbours of one seed, and
BREADTH_OF_EXCHANGES = 3 * EXCHANGES  # if a domain has exchanges: a third of the neighbours are some


class Strategy(enum.StrEnum):
    """Names of strategies in `--portfolio`."""

    NEIGHBOURHOOD = "neighbourhood"
    SWARM = "swarm"
    NOVELTY = "novelty"
    CHAIN = "chain"


Shares = Mapping[Strategy, int]
DEFAULT_SHARES: Shares = {Strategy.NEIGHBOURHOOD: 50, Strategy.SWARM: 25, Strategy.NOVELTY: 25}

CHAIN_ALONE: Shares = {Strategy.CHAIN: 1}


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

    All of them use the chains and the rows of the neighbourhood.

    Once the corpus is read, a campaign begins with `BREADTH_FIRST` neighbours, or with `BREADTH_OF_EXCHANGES`. `done`
    returns the number of its executions so far, which includes the corpus: a large corpus does not need this, and
    neither do jobs of `-fork` and workers that replace others.
    """

    def __init__(
        self,
        neighbourhood: Neighbourhood,
        shares: Shares,
        done: Callable[[], int] = lambda: 0,
        budget: ParameterBudget | None = None,
    ) -> None:
        rows = neighbourhood.rows
        self.neighbourhood = neighbourhood
        self._chains = neighbourhood.chains
        self.budget = budget or ParameterBudget(self._chains.registry, limits=False)
        self._swarm = Swarm(rows)
        self._usual = tuple((row, row.usual) for row in rows.parameters if row.usual is not None)
        without = {Strategy.NEIGHBOURHOOD} if self.neighbourhood.is_empty else set()
        given = {strategy: share for strategy, share in shares.items() if strategy not in without}
        self._strategies = tuple(strategy for strategy, share in given.items() for _ in range(share))
        self._has_neighbours = bool(given.get(Strategy.NEIGHBOURHOOD))
        self._done = done
        self._left: int | None = None  # neighbours at the start, once it is known

    def choose_while_reading(self, choices: Choices) -> Strategy:
        """Return the strategy of a mutation while the corpus is read: neighbours, if they have a share."""
        return Strategy.NEIGHBOURHOOD if self._has_neighbours else self._drawn(choices)

    def choose(self, choices: Choices) -> Strategy:
        """Return the strategy of the next mutation; novelty if no other one has a share and rows."""
        if self._left is None:
            breadth = BREADTH_OF_EXCHANGES if self.neighbourhood.has_exchanges else BREADTH_FIRST
            self._left = max(0, breadth - self._done()) if self._has_neighbours else 0
        if self._left:
            self._left -= 1
            return Strategy.NEIGHBOURHOOD
        return self._drawn(choices)

    def _drawn(self, choices: Choices) -> Strategy:
        return choices.pick(self._strategies) if self._strategies else Strategy.NOVELTY

    def finished(self, recipe: Recipe, choices: Choices) -> Recipe:
        """Return a new recipe within the budget, without steps that change nothing, and with usual parameters."""
        new = self._chains.without_idle_steps(self.budget.within(recipe, choices))
        problem = self._chains.apply(new).problem if self._usual else None
        for row, is_usual in self._usual:
            if row.name not in dict(new.parameters) and is_usual(problem) and choices.index(USUALLY):
                new = replace(new, parameters=tuple(sorted((*new.parameters, (row.name, choices.pick(row.values))))))
        return new

    def allows(self, strategy: Strategy, choices: Choices) -> Callable[[str], bool]:
        """Return the test whether a strategy may use the row with an id in the next mutation."""
        return self._swarm.allows(choices) if strategy is Strategy.SWARM else lambda _: True


def _family(row_id: str) -> str:
    return row_id.partition(".")[0]
