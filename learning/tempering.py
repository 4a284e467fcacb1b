"""The choice of temperature and uniform share of a drawn term, by how often each choice opened features.

Weights are integers, so the same counts choose the same on every machine.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from cachetools import LRUCache
from chcfuzz.grammar.choices import Choices
from chcfuzz.learning.formula_model import TOTAL, Tempering
from numpy.typing import NDArray

TEMPERATURES = (3, 5, 7, 10, 15)  # tenths
SHARES = (0, TOTAL // 8, TOTAL // 4, TOTAL // 2)  # of uniform weights, in 2^16
ROWS = len(TEMPERATURES) + len(SHARES)
_TRIED, _OPENED = 0, 1
_PRIOR = 8  # tries for which the average counts
_UNIT = 1 << 12
_LEAST = _UNIT // 4  # of a weight whose average is _UNIT
_REMEMBERED = 4096  # texts

Tallies = NDArray[np.int64]  # (ROWS, 2): tried, opened


def nothing_tried() -> Tallies:
    """Return tallies in which nothing was tried."""
    return np.zeros((ROWS, 2), dtype=np.int64)


class Temperings:
    """Chooses temperings, and remembers those of drawn texts until they are credited."""

    def __init__(self) -> None:
        self.learn(nothing_tried())
        self._last: tuple[int, int] | None = None
        self._of_texts: LRUCache[bytes, tuple[int, int]] = LRUCache(_REMEMBERED)

    def learn(self, tallies: Tallies) -> None:
        """Choose by these tallies from now on."""
        self._weights = _weights(tallies[: len(TEMPERATURES)]), _weights(tallies[len(TEMPERATURES) :])

    def choose(self, choices: Choices) -> Tempering:
        """Choose a temperature and a share, each in proportion to its weight."""
        self._last = _drawn(self._weights[0], choices), _drawn(self._weights[1], choices)
        return Tempering(TEMPERATURES[self._last[0]], SHARES[self._last[1]])

    def note(self, text: bytes) -> None:
        """Remember the last choice as that of a text."""
        if self._last is not None:
            self._of_texts[text] = self._last

    def rows_of(self, text: bytes) -> tuple[int, ...]:
        """Return the rows of the tallies to credit for a text; none if it is not remembered."""
        found = self._of_texts.get(text)
        return () if found is None else (found[0], len(TEMPERATURES) + found[1])


def count(tallies: Tallies, rows: Sequence[int], opened: bool) -> None:
    """Count an execution for these rows."""
    for row in rows:
        tallies[row, _TRIED] += 1
        tallies[row, _OPENED] += opened


def _weights(tallies: Tallies) -> tuple[int, ...]:
    """Return rates of opening, relative to their average, which is `_UNIT`; each is at least `_LEAST`."""
    tried, opened = int(tallies[:, _TRIED].sum()) + 1, int(tallies[:, _OPENED].sum()) + 1
    return tuple(
        _LEAST + _UNIT * (own * tried + _PRIOR * opened) // ((runs + _PRIOR) * opened) for runs, own in tallies.tolist()
    )


def _drawn(weights: Sequence[int], choices: Choices) -> int:
    sums = list(accumulate(weights))
    return bisect_right(sums, choices.index(sums[-1]))
