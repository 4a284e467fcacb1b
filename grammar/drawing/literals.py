"""Values of sorts as terms, drawn from choices: constants, constructor trees and constant arrays with entries."""

from __future__ import annotations

from functools import lru_cache

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.sort_kinds import kind_of
from chcfuzz.grammar.sorts import Sort, with_inner_sorts
from chcfuzz.grammar.terms import Term

FUEL = 8  # default number of operators of a term


def literal(sort: Sort, choices: Choices, fuel: int = FUEL) -> Term:
    """Draw a value of the sort: a constant, a constructor tree, or a constant array with a few entries."""
    return kind_of(sort).draw(sort, choices, fuel)


@lru_cache(maxsize=1024)
def has_arrays(sort: Sort) -> bool:
    """Return whether literals of the sort may have constant arrays in them."""
    return any(inner.is_array for inner in with_inner_sorts([sort]))
