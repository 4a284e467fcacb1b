"""Rows that rewrite one term anywhere in an SMT problem."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.draw import Drawing
from chcfuzz.grammar.occurrences import Occurrences
from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.reading.leniences import as_read, replaced_at
from chcfuzz.grammar.terms import Term
from chcfuzz.mutators.mutation import Mutation, Needs, Promise
from chcfuzz.mutators.rewriting.places import Found, Place, Places, drawing, holds_a_value

Pattern = Callable[[Term], bool]
Rewrite = Callable[[Term, Choices], Term | None]
RewriteAt = Callable[[Problem, Place, Choices], Term | None]
RewriteWithDrawing = Callable[[Term, Drawing, Choices], Term | None]


def anywhere(problem: Problem, name: str, matches: Pattern) -> Places:
    """Return the places of all matching terms, except below constant arrays; `name` is the cache key."""

    def find(asserted: Assertion) -> Found:
        return ((None, Occurrences(asserted.formula, matches, may_be_entered)),)

    return Places(problem, name, find)


def may_be_entered(term: Term) -> bool:
    """Return whether terms below may change: cvc5 requires values in constant arrays."""
    return not holds_a_value(term)


def put(problem: Problem, place: Place, term: Term) -> Problem | None:
    """Return the problem with another term at a place, as its text parses; None if that changes nothing."""
    old = problem.formulas[place.clause]
    new = replaced_at(old, place.path, term)
    return None if new is old else problem.with_formula(place.clause, new)


@dataclass(frozen=True)
class About:
    """The fields of a row that its rewrite does not determine; see `Mutation`."""

    id: str
    promise: Promise
    summary: str
    source: str
    light: bool = False


def row_at(about: About, matches: Pattern, rewrite: RewriteAt) -> Mutation:
    """Return a row that rewrites one matching term, with the problem and the place at hand."""

    def rewritten(problem: Problem, choices: Choices) -> Problem | None:
        found = anywhere(problem, about.id, matches)
        if not found:
            return None
        place = found.pick(choices)
        new = rewrite(problem, place, choices)
        return None if new is None else put(problem, place, as_read(new))

    def applies(problem: Problem) -> bool:
        return bool(anywhere(problem, about.id, matches))

    return Mutation(
        about.id,
        about.promise,
        about.summary,
        about.source,
        rewritten,
        applies,
        light=about.light,
        needs=Needs.ASSERTIONS,
    )


def row_of_term(about: About, matches: Pattern, rewrite: Rewrite) -> Mutation:
    """Return a row whose rewrite depends on the term alone."""
    return row_at(about, matches, lambda _, place, choices: rewrite(place.term, choices))


def row_that_draws(about: About, matches: Pattern, rewrite: RewriteWithDrawing, weights: Mapping[str, int]) -> Mutation:
    """Return a row whose rewrite draws terms in the scope of the place."""

    def with_drawing(problem: Problem, place: Place, choices: Choices) -> Term | None:
        return rewrite(place.term, drawing(problem, place.clause, place.path, weights), choices)

    return row_at(about, matches, with_drawing)
