"""Weights of the productions that terms are drawn with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from chcfuzz.grammar.choices import Choices


class TermPlace(NamedTuple):
    """The place of a term in a formula: the class of its sort, and the productions around it as words.

    The term is this `argument` of its parent, from 0; `sibling` is the argument before it.
    """

    sort: str
    parent: str
    argument: int
    grandparent: str
    sibling: str
    great_grandparent: str


NOWHERE = TermPlace("", "", 0, "", "", "")


class Weights(Protocol):
    """Weights of productions, which may depend on the place."""

    def pick(self, names: Sequence[str], place: TermPlace, choices: Choices) -> str:
        """Draw one of the productions that are possible at a place; there is at least one."""


@dataclass(frozen=True)
class Fixed:
    """The same weights everywhere, by name; the default weight is 1. Stored choices depend on their order."""

    by_name: Mapping[str, int] = field(default_factory=dict)

    def pick(self, names: Sequence[str], _place: TermPlace, choices: Choices) -> str:
        """Draw one of the names."""
        weights = [max(0, self.by_name.get(name, 1)) for name in names]
        number = choices.index(sum(weights))
        for name, weight in zip(names, weights, strict=True):
            if number < weight:
                return name
            number -= weight
        return names[0]  # all of them weigh nothing
