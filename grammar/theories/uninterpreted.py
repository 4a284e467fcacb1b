"""Uninterpreted sorts, which a script declares; terms cannot name their elements."""

from __future__ import annotations

from chcfuzz.grammar.sort_kinds import SortKind
from chcfuzz.grammar.sorts import Sort
from chcfuzz.grammar.terms import Term
from chcfuzz.grammar.theory import Theory


class Uninterpreted(SortKind):
    """Sorts without literals: terms of them need variables or functions."""

    name = "declare-sort"
    is_declared = True
    has_literals = False

    def zero(self, _sort: Sort, _inside: tuple[Sort, ...]) -> Term | None:
        """Return None: no value has a term."""
        return None


THEORY = Theory("uninterpreted sorts", kinds=(Uninterpreted(),))
