"""Equal terms and comparisons of Ints and Reals: factors, rounding, remainders, conversions."""

from __future__ import annotations

from fractions import Fraction

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.draw import Drawing, apply_as_read
from chcfuzz.grammar.sorts import INT, Sort
from chcfuzz.grammar.terms import Term, Value, apply, conjunction, disjunction, integer, is_operator, negation, real
from chcfuzz.mutators.families.bait.rows import EQUALITIES, any_sort, compares, of_sort, operator_of, row

FACTORS = (2, 3, 5, 7, 16)
_ORDERS = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}  # each comparison with its sides exchanged
_STRICT = {"<=": "<", ">=": ">"}
_ALL_ORDERS = ("<", "<=", ">", ">=")
_NUMBERS = "src/qe/mbp/mbp_arith.cpp and spacer_farkas_learner: coefficients, rounding, divisibility"


def _is_int(sort: Sort) -> bool:
    return sort is INT


def _is_numeric(sort: Sort) -> bool:
    return sort.is_numeric


def _number(n: int, sort: Sort) -> Value:
    return integer(n) if sort is INT else real(Fraction(n))


def times(n: int, term: Term) -> Term:
    """Return the product of a number and an Int or a Real."""
    return apply("*", _number(n, term.sort), term)


def plus(term: Term, n: int) -> Term:
    """Return the sum of an Int or a Real and a number, or the term itself for 0."""
    return apply("+", term, _number(n, term.sort)) if n else term


def _scale(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """Multiply both sides by a number, with Ints rounded: a < b becomes 3 a + 2 < 3 b."""
    left, right = term.children
    operator = operator_of(term)
    by = choices.pick((*FACTORS, -1, -2))
    if operator not in _ORDERS:
        return apply(operator, times(by, left), times(by, right))
    if by < 0:
        return apply(_ORDERS[operator], times(by, left), times(by, right))
    rest = choices.index(by) if left.sort is INT else 0
    if operator in ("<", ">="):
        return apply(operator, plus(times(by, left), rest), times(by, right))
    return apply(operator, times(by, left), plus(times(by, right), rest))


def _strict(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """Exchange strict and non-strict comparisons of Ints: a <= b becomes a < b + 1, and a < b becomes a + 1 <= b."""
    left, right = term.children
    operator = operator_of(term)
    by = 1 if operator in ("<=", ">") else -1  # on the right side
    other = _STRICT.get(operator) or f"{operator}="
    if choices.boolean():
        return apply(other, left, plus(right, by))
    return apply(other, plus(left, -by), right)


def _split_order(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """Replace a comparison by several: a <= b by (a < b or a = b), a = b by (a <= b and a >= b), and so on."""
    left, right = term.children
    operator = operator_of(term)
    if operator == "=":
        return conjunction(apply("<=", left, right), apply(">=", left, right))
    if operator == "distinct":
        return disjunction(apply("<", left, right), apply(">", left, right))
    if operator in _STRICT:
        if choices.boolean():
            return disjunction(apply(_STRICT[operator], left, right), apply("=", left, right))
        return negation(apply(_STRICT[_ORDERS[operator]], left, right))
    return conjunction(apply(f"{operator}=", left, right), apply("distinct", left, right))


def _not_distinct(term: Term, _draw: Drawing, _choices: Choices) -> Term:
    other = "distinct" if is_operator(term, "=") else "="
    return negation(apply(other, *term.children))


def _divide(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """Replace an Int t by 3 (t div 3) + t mod 3, or by (3 t + 2) div 3."""
    by = choices.pick((*FACTORS, -2))
    if by > 0 and choices.boolean():
        return apply("div", plus(times(by, term), choices.index(by)), integer(by))
    whole, rest = apply("div", term, integer(by)), apply("mod", term, integer(by))
    return apply("+", times(by, whole), rest)


def _modulo(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """Add the comparison of the remainders or quotients that a comparison implies."""
    by = integer(choices.pick(FACTORS))
    left, right = term.children
    rests = apply("mod", left, by), apply("mod", right, by)
    operator = operator_of(term)
    if operator == "=":
        return conjunction(term, apply("=", *rests))
    if operator == "distinct":
        return disjunction(term, apply("distinct", *rests))
    if choices.boolean():
        loose = operator if operator in _STRICT else f"{operator}="
        return conjunction(term, apply(loose, apply("div", left, by), apply("div", right, by)))
    return conjunction(term, apply(">", by, rests[choices.index(2)]))


def _as_reals(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """Compare Ints as Reals, or with one half added to the left side where that changes nothing."""
    left, right = (apply_as_read("to_real", [side]) for side in term.children)
    operator = operator_of(term)
    if operator in ("<", ">=") and choices.boolean():
        left = apply("+", left, real(Fraction(1, 2)))
    return apply(operator, left, right)


def _through_reals(term: Term, _draw: Drawing, choices: Choices) -> Term:
    inside = apply_as_read("to_real", [term])
    return apply("to_int", apply("+", inside, real(Fraction(1, 2))) if choices.boolean() else inside)


MUTATIONS = (
    row(
        "scale",
        "both sides of a comparison are multiplied by a number, Ints rounded",
        _NUMBERS,
        compares(_is_numeric, *_ALL_ORDERS, *EQUALITIES),
        _scale,
    ),
    row(
        "strict",
        "a strict bound of Ints becomes a non-strict one, or the reverse",
        _NUMBERS,
        compares(_is_int, *_ALL_ORDERS),
        _strict,
    ),
    row(
        "split-order",
        "a comparison becomes a disjunction or a conjunction of others",
        _NUMBERS,
        compares(_is_numeric, *_ALL_ORDERS, *EQUALITIES),
        _split_order,
    ),
    row(
        "not-distinct",
        "an equality becomes a negated distinct, or the reverse",
        "src/smt/theory_arith: disequalities are split",
        compares(any_sort, *EQUALITIES),
        _not_distinct,
    ),
    row("divide", "an Int becomes a quotient, or quotient and remainder", _NUMBERS, of_sort(_is_int), _divide),
    row(
        "modulo",
        "a comparison is joined with the one of the remainders or quotients that it implies",
        _NUMBERS,
        compares(_is_int, *_ALL_ORDERS, *EQUALITIES),
        _modulo,
    ),
    row("as-reals", "Ints are compared as Reals", _NUMBERS, compares(_is_int, *_ALL_ORDERS, *EQUALITIES), _as_reals),
    row("through-reals", "an Int is converted to Real and back", _NUMBERS, of_sort(_is_int), _through_reals),
)
