"""Helpers of the rows of `bait`: which terms they replace, and rows that replace one of them."""

from __future__ import annotations

from collections.abc import Callable

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.draw import Drawing
from chcfuzz.grammar.occurrences import Occurrences
from chcfuzz.grammar.problem import Assertion, BaseProblem
from chcfuzz.grammar.sorts import Sort
from chcfuzz.grammar.terms import Apply, Quantifier, Term
from chcfuzz.mutators.mutation import Mutation, Promise
from chcfuzz.mutators.rewriting.places import Found, P, Places, drawing, holds_a_value

Pattern = Callable[[Term], bool]
Rewrite = Callable[[Term, Drawing, Choices], Term]

FEW = 3  # fuel for each term that is drawn in addition
EQUALITIES = ("=", "distinct")
_MOST = 30  # nodes of a term that may be duplicated


def is_small(term: Term) -> bool:
    """Return whether a term is small enough to duplicate, and free of predicates and quantifiers."""
    return not (term.has_atoms or isinstance(term, Quantifier)) and term.size <= _MOST


def of_sort(fits: Callable[[Sort], bool]) -> Pattern:
    """Return a pattern for small terms whose sort fits."""
    return lambda term: fits(term.sort) and is_small(term)


def compares(fits: Callable[[Sort], bool], *operators: str) -> Pattern:
    """Return a pattern for small applications of these operators to two terms whose sort fits."""

    def matches(term: Term) -> bool:
        return (
            isinstance(term, Apply)
            and term.operator in operators
            and len(term.children) == 2
            and fits(term.children[0].sort)
            and is_small(term)
        )

    return matches


def any_sort(_sort: Sort) -> bool:
    """Return True: a pattern for terms of any sort."""
    return True


def operator_of(term: Term) -> str:
    """Return the operator of an application."""
    assert isinstance(term, Apply)
    return term.operator


def everywhere(problem: BaseProblem, name: str, matches: Pattern) -> Places:
    """Return the places of matching terms in all formulas, but not inside of values."""

    def find(asserted: Assertion) -> Found:
        return ((None, Occurrences(asserted.formula, matches, _may_be_entered)),)

    return Places(problem, f"bait.{name}", find)


def _may_be_entered(term: Term) -> bool:
    return not holds_a_value(term)


def row(name: str, summary: str, source: str, matches: Pattern, rewrite: Rewrite) -> Mutation:
    """Return the row that replaces a matching term by the equal one that `rewrite` returns."""

    def rewritten(problem: P, choices: Choices) -> P | None:
        found = everywhere(problem, name, matches)
        if not found:
            return None
        place = found.pick(choices)
        draw = drawing(problem, place.clause, place.path)
        return place.put(problem, rewrite(place.term, draw, choices))

    def applies(problem: BaseProblem) -> bool:
        return bool(everywhere(problem, name, matches))

    return Mutation(f"bait.{name}", Promise.EQUIVALENT, summary, source, rewritten, applies)
