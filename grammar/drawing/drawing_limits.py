"""The bounds of drawn problems."""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_QUANTIFIED = 3
_MOST_QUANTIFIED = 100  # each number up to the limit is one of those that are drawn from


@dataclass(frozen=True)
class Limits:
    """Bounds of drawn problems: operators of an assertion, and variables that its quantifiers bind."""

    fuel: int = 14
    quantified: int = DEFAULT_QUANTIFIED

    @classmethod
    def of(cls, quantified: int) -> Limits:
        """Return the bounds with which the quantifiers of an assertion bind at most this number of variables."""
        return cls(quantified=min(quantified, _MOST_QUANTIFIED))


USUAL = Limits()
