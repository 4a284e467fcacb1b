"""The bounds of drawn problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

DEFAULT_QUANTIFIED = 3
_MOST_FUEL = 2_000
_MOST_QUANTIFIED = 100  # each number up to the limit is one of those that are drawn from


@dataclass(frozen=True)
class Limits:
    """Bounds of drawn problems: operators of an assertion, and variables that its quantifiers bind.

    Without `fuel`, assertions are as large as usual.
    """

    fuel: int | None = None
    quantified: int = DEFAULT_QUANTIFIED

    @classmethod
    def of(cls, quantified: int, fuel: int | None = None) -> Limits:
        """Return the bounds with these numbers of variables and operators, as far as problems are drawn so large."""
        return cls(None if fuel is None else min(fuel, _MOST_FUEL), min(quantified, _MOST_QUANTIFIED))

    def sizes(self, usual: Sequence[int]) -> Sequence[int]:
        """Return the numbers of operators to draw from: the usual ones, and larger ones up to the bound."""
        if self.fuel is None:
            return usual
        found = [min(each, self.fuel) for each in usual]
        while found[-1] < self.fuel:
            found.append(min(2 * found[-1], self.fuel))
        return found


USUAL = Limits()
