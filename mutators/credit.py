"""Credit of strategies: how often their mutants behave as mutants near a bug do.

A new trace is weak evidence of a bug. These signs are stronger: an answer that contradicts the expected one, a finding
of another kind (such as a model that fails), `unknown` for a mutant of a seed with an answer, and a mutant that costs
many times as much as its seed. The share of a strategy grows with the number of such signs, within bounds.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

JUMP = 8  # times the cost of the seed
MOST = 2  # a share is at most doubled and at least halved
_PRIOR = 40  # mutants for which the mean of all strategies counts
_PARTS = 1000  # into which a share is divided
_POINTS = {"contradicts": 4, "is_finding": 4, "is_unknown": 1, "costs_more": 1}

T = TypeVar("T")


@dataclass(frozen=True)
class Signs:
    """Signs of a bug in one execution, compared with the seed of the mutant."""

    contradicts: bool = False
    is_finding: bool = False
    is_unknown: bool = False
    costs_more: bool = False

    @property
    def points(self) -> int:
        """Sum of the points of the signs."""
        return sum(points for sign, points in _POINTS.items() if getattr(self, sign))


class Credit(Generic[T]):
    """Points of the strategies of a worker. Results depend only on the order of executions."""

    def __init__(self, shares: Mapping[T, int]) -> None:
        self._shares = dict(shares)
        self._mutants: Tally[T] = Tally()
        self._points: Tally[T] = Tally()

    def executed(self, strategy: T, signs: Signs) -> None:
        """Count an execution of a mutant."""
        self._mutants[strategy] += 1
        self._points[strategy] += signs.points

    def weights(self) -> dict[T, int]:
        """Return the weight of each strategy: its share, times its rate of points relative to the mean rate."""
        points, mutants = self._points.total(), self._mutants.total()
        if not points:
            return {strategy: share * _PARTS for strategy, share in self._shares.items()}
        mean = Fraction(points, mutants)
        return {name: int(share * _PARTS * self._factor(name, mean)) for name, share in self._shares.items()}

    def _factor(self, strategy: T, mean: Fraction) -> Fraction:
        rate = (self._points[strategy] + _PRIOR * mean) / (self._mutants[strategy] + _PRIOR)
        return max(Fraction(1, MOST), min(Fraction(MOST), rate / mean))
