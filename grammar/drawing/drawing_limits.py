"""The bounds of drawn problems in this process, which a campaign or a command sets before it draws."""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_QUANTIFIED = 3
_MOST_QUANTIFIED = 100  # each number up to the limit is one of those that are drawn from


@dataclass(frozen=True)
class Limits:
    """Bounds of drawn problems: operators of an assertion, and variables that its quantifiers bind."""

    fuel: int = 14
    quantified: int = DEFAULT_QUANTIFIED


_active: list[Limits] = [Limits()]  # exactly one


def activate(quantified: int) -> None:
    """Let the quantifiers of a drawn assertion bind at most this number of variables."""
    _active[:] = [Limits(quantified=min(quantified, _MOST_QUANTIFIED))]


def active() -> Limits:
    """Return the bounds of this process."""
    return _active[0]
