"""Probabilities of productions from counts: absolute discounting, interpolated over five nested contexts.

Everything is computed with integers, and a draw takes one number below 2^16: equal choices draw equal productions on
every machine. A production without counts keeps a share.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import log2

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.weights import TermPlace
from chcfuzz.learning.counts import Counts
from chcfuzz.learning.places import MASKS, number_of, word_numbers

TOTAL = 1 << 16  # sum of the weights at a place
TENTHS = range(1, 21)  # temperatures
_SCALE = 1 << 96
_DISCOUNT = 3  # quarters that are taken from each count
_STRENGTH = 240  # quarters of an occurrence that the less deep context counts for; `bench/generators/learned.py --bits`
_MOST_CACHED = 50_000  # contexts


@dataclass(frozen=True)
class Tempering:
    """Changes of the weights: `tenths` of the temperature, and the share of uniform weights in 2^16."""

    tenths: int = 10
    uniform: int = 0


class FormulaModel:
    """Weights of productions by place, as `grammar.drawing.weights.Weights`."""

    def __init__(self, counts: Counts, tempering: Tempering | None = None) -> None:
        self.counts = counts
        self._tempering = tempering or Tempering()
        self._shares: dict[tuple[int, tuple[str, ...]], list[int]] = {}
        self._sums: dict[tuple[TermPlace, tuple[str, ...]], list[int]] = {}

    def tempered(self, tempering: Tempering) -> FormulaModel:
        """Return the model with other tempering."""
        return FormulaModel(self.counts, tempering)

    def pick(self, names: Sequence[str], place: TermPlace, choices: Choices) -> str:
        """Draw one of the productions that are possible at a place."""
        key = (place, tuple(names))
        sums = self._sums.get(key)
        if sums is None:
            if len(self._sums) >= _MOST_CACHED:
                self._sums.clear()
            sums = self._sums[key] = list(accumulate(self.weights(names, place)))
        return names[bisect_right(sums, choices.index(TOTAL))]

    def weights(self, names: Sequence[str], place: TermPlace) -> tuple[int, ...]:
        """Return positive weights of productions at a place, with the sum 2^16."""
        shares = self._interpolated(number_of(place), tuple(names))
        plain = _rounded(shares)
        if self._tempering.tenths != 10:
            plain = _rounded([_power(weight, self._tempering.tenths) for weight in plain])
        if not self._tempering.uniform:
            return tuple(plain)
        share, each = self._tempering.uniform, TOTAL // len(names)
        return tuple(_rounded([(TOTAL - share) * weight + share * each for weight in plain]))

    def bits(self, name: str, names: Sequence[str], number: int) -> float:
        """Return the information of a production among the possible ones, at a context given as its number."""
        shares = self._interpolated(number, tuple(names))
        return -log2(max(1, shares[names.index(name)]) / sum(shares))  # large counts leave others less than 1

    def _interpolated(self, number: int, names: tuple[str, ...]) -> list[int]:
        """Return the shares of the productions in the deepest context; their sum is about `_SCALE`."""
        of = word_numbers()
        words = [of[name] for name in names]
        shares = [_SCALE // len(names)] * len(names)
        for kept, own in MASKS:
            context = number & kept | own
            key = (context, names)
            known = self._shares.get(key)
            if known is None:
                if len(self._shares) >= _MOST_CACHED:
                    self._shares.clear()
                known = self._shares[key] = _discounted(self.counts.at(context), words, shares)
            shares = known
        return shares


def _discounted(counts: dict[int, int], words: Sequence[int], less_deep: list[int]) -> list[int]:
    """Return the shares of productions in one context, from their counts and their shares in the less deep one."""
    here = [counts.get(word, 0) for word in words] if counts else []
    total = sum(here)
    if not total:
        return less_deep
    kinds = sum(map(bool, here))
    left = _DISCOUNT * kinds + _STRENGTH
    whole = 4 * total + _STRENGTH
    return [
        (max(0, 4 * count - _DISCOUNT) * _SCALE + left * share) // whole
        for count, share in zip(here, less_deep, strict=True)
    ]


def _rounded(shares: Sequence[int]) -> list[int]:
    """Return positive whole weights in about these proportions, with the sum 2^16."""
    whole = sum(shares)
    if not whole:
        shares, whole = [1] * len(shares), len(shares)
    weights = [max(1, share * TOTAL // whole) for share in shares]
    weights[weights.index(max(weights))] += TOTAL - sum(weights)
    return weights


@lru_cache(maxsize=1 << 16)
def _power(weight: int, tenths: int) -> int:
    """Return 2^16 times the weight to the power 1 / T, rounded down, for a temperature in tenths."""
    return _root(weight**10 << (16 * tenths), tenths)


def _root(number: int, degree: int) -> int:
    """Return the root of a natural number, rounded down (Newton's method)."""
    if number < 2 or degree == 1:
        return number
    guess = 1 << -(-number.bit_length() // degree)
    while True:
        better = ((degree - 1) * guess + number // guess ** (degree - 1)) // degree
        if better >= guess:
            return guess
        guess = better
