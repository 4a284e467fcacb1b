"""Inequalities joined with weaker ones: equivalent, but different input for model-based projection."""

from __future__ import annotations

from fractions import Fraction

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.sorts import INT, REAL
from chcfuzz.grammar.terms import Term, Value, apply, conjunction, integer, is_operator, real
from chcfuzz.mutators.mutation import Mutation, Promise
from chcfuzz.mutators.rewriting.places import P, places, rewrite_one

_WEAKER_BY = {"<": 1, "<=": 1, ">": -1, ">=": -1}  # sign of the number that weakens the right side


def _is_inequality(term: Term) -> bool:
    return (
        len(term.children) == 2
        and term.children[0].sort in (INT, REAL)
        and any(is_operator(term, operator) for operator in _WEAKER_BY)
    )


def _with_weaker(term: Term, choices: Choices) -> Term:
    """Replace x < c by (x < c and x < c + k) in either order, where k is usually 1."""
    left, right = term.children
    operator = next(operator for operator in _WEAKER_BY if is_operator(term, operator))
    by = choices.pick((1, 1, 2, 16)) * _WEAKER_BY[operator]
    weaker = apply(operator, left, _plus(right, by))
    return conjunction(weaker, term) if choices.boolean() else conjunction(term, weaker)


def _plus(term: Term, number: int) -> Term:
    if isinstance(term, Value):
        return integer(int(term.value) + number) if term.sort is INT else real(Fraction(term.value) + number)
    return apply("+", term, integer(number) if term.sort is INT else real(number))


def _add_inequality(system: P, choices: Choices) -> P | None:
    return rewrite_one(system, choices, "inequality", _is_inequality, _with_weaker)


MUTATIONS = (
    Mutation(
        "arithmetic.add-ineq",
        Promise.EQUIVALENT,
        "an inequality is joined with a weaker one",
        "HornFuzz 6 ADD_INEQ",
        _add_inequality,
        lambda system: bool(places(system, "inequality", _is_inequality)),
    ),
)
