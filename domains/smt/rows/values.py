"""Terms become values of their sorts, and constant arrays get another value."""

from __future__ import annotations

from chcfuzz.domains.smt.rows.constant import nudged
from chcfuzz.domains.smt.rows.subterm import is_divisor
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.literals import literal
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.terms import Apply, Term, Value
from chcfuzz.mutators.mutation import Promise
from chcfuzz.mutators.rewriting.places import Place, drawing, holds_a_value
from chcfuzz.mutators.rewriting.term_rows import About, row_at, row_of_term

_SOURCE = "src/ast/rewriter/array_rewriter.cpp and others: rewriters have rules for values alone"
_FUEL = 2  # constant arrays without entries


def _is_open(term: Term) -> bool:
    return not isinstance(term, Value) and not holds_a_value(term)


def _valued(problem: Problem, place: Place, choices: Choices) -> Term | None:
    drawn = drawing(problem, place.clause, place.path)
    if not drawn.has_literals(place.term.sort) or is_divisor(problem.formulas[place.clause], place):
        return None
    return literal(place.term.sort, choices, _FUEL)


def _is_filled(term: Term) -> bool:
    return holds_a_value(term) and isinstance(term.children[0], Value)


def _refilled(term: Term, choices: Choices) -> Term | None:
    """Return the array with another value; cvc5 reads no negative numbers and no fractions there."""
    assert isinstance(term, Apply)
    value = term.children[0]
    assert isinstance(value, Value)
    near = nudged(value, choices)
    if near.sort.is_numeric and (near.value < 0 or near.value != int(near.value)):
        return None
    return Apply(term.operator, (near,), term.sort)


def _about(name: str, summary: str) -> About:
    return About(f"smt_values.{name}", Promise.NOTHING, summary, _SOURCE, light=True)


MUTATIONS = (
    row_at(_about("put", "a term becomes a value of its sort"), _is_open, _valued),
    row_of_term(_about("refill", "a constant array gets a near value"), _is_filled, _refilled),
)
