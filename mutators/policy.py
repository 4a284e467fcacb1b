"""Policies choose the next mutation or parameter, and learn which rows open new traces.

A row of the registry is *tried* when a recipe to which it was just added is executed, and has *opened* a trace if the
trace of that execution is new. Tries are counted by context: the class of the problem and the kind of the step before.
Counts add up over processes and restarts, and a policy turns them into weights.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.mutators.mutation import Kind
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.mutators.registry import Registry
from chcfuzz.mutators.roots import active
from numpy.typing import NDArray

TRIED, OPENED = 0, 1
_BEFORE = ("start", *(kind.value for kind in Kind))
_PARAMETER, _INTERROGATION = (list(Kind).index(kind) for kind in (Kind.PARAMETER, Kind.INTERROGATION))

# HornFuzz: weights start at 0.1; every 1,000 runs they become 0.62 w + 0.38 p.
HORNFUZZ_START, HORNFUZZ_OLD, HORNFUZZ_NEW, HORNFUZZ_RUNS = 0.1, 0.62, 0.38, 1000

Tallies = NDArray[np.float64]  # (contexts, rows, 2): tried, opened


def contexts() -> tuple[str, ...]:
    """Return the contexts of this process's domain: the class of the problem and the kind of the step before."""
    return tuple(f"{name}, after {before}" for name in active().classes for before in _BEFORE)


def context_of(problem: BaseProblem, recipe: Recipe, registry: Registry) -> int:
    """Return the number of the context that a recipe's next step is chosen in."""
    roots = recipe.roots
    number = roots.classes.index(roots.class_of(problem))
    last = registry.get(recipe.steps[-1].mutation) if recipe.steps else None
    before = 0 if last is None else 1 + list(Kind).index(last.kind)
    return number * len(_BEFORE) + before


@dataclass(frozen=True)
class Rows:
    """The rows of a registry by number: mutations, parameters, configurations, each in the registry's order."""

    ids: tuple[str, ...]
    kinds: NDArray[np.intp]  # (rows,) number of each row's kind

    @cached_property
    def families(self) -> NDArray[np.intp]:
        """Number of each row's family, the beginning of its id (rules, simplify, parameter ...), of shape (rows,)."""
        numbers: NDArray[np.intp] = np.unique([row.partition(".")[0] for row in self.ids], return_inverse=True)[1]
        return numbers

    @classmethod
    def of(cls, registry: Registry) -> Rows:
        """Return the rows of a registry by number: mutations first, then parameters, then configurations."""
        order = list(Kind)
        mutations = [row.id for row in registry.mutations]
        setting = [*(row.id for row in registry.parameters), *(row.id for row in registry.configurations)]
        kinds = [order.index(row.kind) for row in registry.mutations] + [_PARAMETER] * len(setting)
        return cls((*mutations, *setting), np.array(kinds, dtype=np.intp))

    def empty(self) -> Tallies:
        """Return counts in which no row was tried yet."""
        return np.zeros((len(contexts()), len(self.ids), 2))


class Policy:
    """A choice of rows. `learn` takes the counts of all processes since the previous call."""

    runs = HORNFUZZ_RUNS  # executions between two calls of `learn`

    def __init__(self, rows: Rows) -> None:
        """Start without experience."""
        self.rows = rows

    def weights(self, _context: int) -> NDArray[np.float64]:
        """Return the probability of each row in a context, of shape (rows,); the sum is 1."""
        return self._by_kind(np.ones(len(self.rows.ids)))

    def usual_weights(self, tried: NDArray[np.float64]) -> dict[str, float]:
        """Return the mean probability of each row, over contexts weighted by how often they occurred: (contexts,)."""
        came = np.flatnonzero(tried)
        if not len(came):
            came, tried = np.arange(len(contexts())), np.ones(len(contexts()))
        shares = tried[came] / tried[came].sum()
        mean = sum(share * self.weights(int(context)) for share, context in zip(shares, came, strict=True))
        return dict(zip(self.rows.ids, np.round(mean, 6).tolist(), strict=True))

    def learn(self, fresh: Tallies) -> None:
        """Update the weights by counts of tries and new traces since the last call."""

    def state(self) -> Mapping[str, object]:
        """Return the state for a restart, as values that JSON can hold."""
        return {}

    def resume(self, state: Mapping[str, object]) -> None:
        """Restore a `state`; rows that it does not contain start from the beginning."""

    def choose(self, choices: Choices, context: int, applies: Callable[[str], bool]) -> str:
        """Return the id of a row that applies, if one does, with a probability proportional to its weight among those.

        `applies` is called only for rows that are drawn. Preserving the share of each kind was tried: on unsat
        systems, to which three of ten rows of interrogation apply, a third of the time then went into querying
        Z3 for refutations.
        """
        weights = self.weights(context)
        row = _drawn(weights, choices)
        while not applies(self.rows.ids[row]):
            weights = weights.copy()
            weights[row] = 0
            if not weights.any():
                break
            row = _drawn(weights, choices)
        return self.rows.ids[row]

    def _by_kind(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return weights in which each kind is equally likely, and rows of a kind are weighted."""
        scaled = np.zeros_like(weights)
        kinds = np.unique(self.rows.kinds)
        for kind in kinds:
            here = self.rows.kinds == kind
            total = weights[here].sum()
            scaled[here] = (weights[here] / total if total else 1 / here.sum()) / len(kinds)
        return scaled


def _drawn(weights: NDArray[np.float64], choices: Choices) -> int:
    """Return the number of a row, with a probability proportional to its weight."""
    sums = np.cumsum(weights)
    at = sums[-1] * choices.integer(0, 0xFFFF) / 0x10000
    return int(np.searchsorted(sums, at, side="right"))


class Equal(Policy):
    """HornFuzz's plain choice: kinds are equally likely, and so are rows of a kind."""


class HornFuzz(Policy):
    """HornFuzz's weights: the smoothed share of a row's applications that opened a trace, regardless of contexts.

    The share is that of all applications in the campaign, and each update includes every row that was ever tried.
    """

    def __init__(self, rows: Rows) -> None:
        super().__init__(rows)
        self._weights = np.full(len(rows.ids), HORNFUZZ_START)
        self._applied = np.zeros((len(rows.ids), 2))  # tried, opened

    def weights(self, _context: int) -> NDArray[np.float64]:
        """Return the weights of all rows, which do not depend on the context."""
        return self._by_kind(self._weights)

    def learn(self, fresh: Tallies) -> None:
        """Update the weights of the rows that were ever tried."""
        self._applied += fresh.sum(axis=0)
        tried, opened = self._applied.T
        used = tried > 0
        share = opened[used] / tried[used]
        self._weights[used] = HORNFUZZ_OLD * self._weights[used] + HORNFUZZ_NEW * share

    def state(self) -> Mapping[str, object]:
        """Return the weights by row, and the numbers of applications of rows that were tried."""
        applied = zip(self.rows.ids, self._applied.tolist(), strict=True)
        return {
            "weights": dict(zip(self.rows.ids, np.round(self._weights, 6).tolist(), strict=True)),
            "applied": {row: counts for row, counts in applied if counts[TRIED]},
        }

    def resume(self, state: Mapping[str, object]) -> None:
        """Restore the weights of known rows."""
        known = state.get("weights")
        if isinstance(known, dict):
            self._weights = np.array([float(known.get(row, HORNFUZZ_START)) for row in self.rows.ids])
        applied = state.get("applied")  # states of earlier versions lack it
        if isinstance(applied, dict):
            self._applied = np.array([applied.get(row, (0, 0)) for row in self.rows.ids], dtype=float)


class Bandit(Policy):
    """Discounted rates by context, each drawn towards the row's rate in all contexts, and that towards the average.

    A quarter of the choices follows HornFuzz's plain choice, so that every row is still tried. The others follow
    the rates, divided by costs: first by family, with the mean rate of its rows, then by row. With rates of rows
    alone, simplify's 52 options were a third of the choices and opened a third as many traces as the family
    `rules`. Parameters keep their share of the plain choice: they open fewer traces than rewriting does, but reach
    lines of Z3 that no rewriting reaches.
    """

    runs = 200
    _DISCOUNT = 0.98  # for each 200 runs: counts are halved after some 7,000
    _EXPLORE = 0.25
    _LEAST = 0.02  # added to each rate, so that all rows are equally likely when none opens traces any more
    _INTERROGATION_COST = 3.0  # relative cost of an execution whose mutation queries Z3 (docs/measurements.md)
    _PRIOR = 8.0  # tries for which the next more general rate counts

    def __init__(self, rows: Rows) -> None:
        super().__init__(rows)
        self._tallies = rows.empty()
        self._cached: dict[int, NDArray[np.float64]] = {}

    def weights(self, context: int) -> NDArray[np.float64]:
        """Return the mixture of rates and the plain choice, cached until new counts arrive."""
        if context not in self._cached:
            self._cached[context] = self._rates(context)
        return self._cached[context]

    def _rates(self, context: int) -> NDArray[np.float64]:
        everywhere = self._tallies.sum(axis=0)
        average = (everywhere[:, OPENED].sum() + 0.1) / (everywhere[:, TRIED].sum() + 1)
        general = (everywhere[:, OPENED] + self._PRIOR * average) / (everywhere[:, TRIED] + self._PRIOR)
        here = self._tallies[context]
        rate = self._LEAST + (here[:, OPENED] + self._PRIOR * general) / (here[:, TRIED] + self._PRIOR)
        rate /= np.bincount(self.rows.families)[self.rows.families]
        rate[self.rows.kinds == _INTERROGATION] /= self._INTERROGATION_COST
        plain = super().weights(context)
        parameters = self.rows.kinds == _PARAMETER
        for part in (parameters, ~parameters):
            if part.any():
                rate[part] *= plain[part].sum() / rate[part].sum()
        mixed: NDArray[np.float64] = self._EXPLORE * plain + (1 - self._EXPLORE) * rate
        return mixed

    def learn(self, fresh: Tallies) -> None:
        """Discount the old counts and add new ones."""
        self._tallies = self._DISCOUNT * self._tallies + fresh
        self._cached.clear()

    def state(self) -> Mapping[str, object]:
        """Return the counts of rows that were tried, by context."""
        used = np.argwhere(self._tallies[:, :, TRIED] > 0.01)
        rows = [[int(c), self.rows.ids[r], *np.round(self._tallies[c, r], 3).tolist()] for c, r in used]
        return {"tallies": rows}

    def resume(self, state: Mapping[str, object]) -> None:
        """Restore the counts of known rows and contexts."""
        number = {row: index for index, row in enumerate(self.rows.ids)}
        known = state.get("tallies")
        for context, row, tried, opened in known if isinstance(known, list) else ():
            if row in number and 0 <= context < len(contexts()):
                self._tallies[context, number[row]] = tried, opened
        self._cached.clear()


POLICIES: Mapping[str, Callable[[Rows], Policy]] = {"equal": Equal, "hornfuzz": HornFuzz, "bandit": Bandit}
