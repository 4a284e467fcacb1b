"""Ints, Reals and arrays: a term becomes an equal one, by neutral elements and definitions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.reading.leniences import applied
from chcfuzz.grammar.sorts import INT, REAL, Sort
from chcfuzz.grammar.terms import Apply, Term, Value, apply, conjunction, is_operator, negation
from chcfuzz.mutators.mutation import Promise
from chcfuzz.mutators.rewriting.term_rows import About, row_of_term

_MOST = 60  # nodes of a term that may be duplicated
_ORDERS = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def _number(n: int | Fraction, sort: Sort) -> Value:
    return Value(int(n), INT) if sort is INT else Value(Fraction(n), REAL)


def _minus(*terms: Term) -> Term:
    return applied("-", list(terms))


def same(t: Term, choices: Choices) -> Term:
    """Return the number with a neutral element, or an operation and its inverse."""
    sort = t.sort
    k = _number(choices.pick((1, 2, -1, 3, 7, 1 << 32)), sort)
    options: tuple[Callable[[], Term], ...] = (
        lambda: apply("+", t, _number(0, sort)),
        lambda: apply("-", t, _number(0, sort)),
        lambda: apply("*", _number(1, sort), t),
        lambda: _minus(_minus(t)),
        lambda: apply("*", _number(-1, sort), _minus(t)),
        lambda: apply("-", apply("+", t, k), k),
        lambda: apply("+", k, apply("-", t, k)),
        lambda: apply("-", k, apply("-", k, t)),
        lambda: Apply("ite", (apply("<", t, k), t, apply("+", _number(0, sort), t))),
        lambda: apply("div", t, _number(1, INT)) if sort is INT else apply("/", t, _number(1, REAL)),
        lambda: apply("-", apply("*", _number(2, sort), t), t),
    )
    return choices.pick(options)()


# Definitions ---------------------------------------------------------------------------------------


def _comparison(term: Apply) -> list[Term]:
    """Return formulas equal to a comparison of two numbers."""
    a, b = term.children
    sort, operator = a.sort, term.operator
    zero = _number(0, sort)
    if operator == "=":
        return [
            apply("=", apply("-", a, b), zero),
            apply("=", _minus(b), _minus(a)),
            conjunction(apply("<=", a, b), apply("<=", b, a)),
        ]
    if operator not in _ORDERS:
        return []
    return [
        apply(_ORDERS[operator], b, a),
        negation(apply(_NEGATED[operator], a, b)),
        apply(operator, apply("-", a, b), zero),
        apply(operator, zero, apply("-", b, a)),
        apply(_ORDERS[operator], _minus(a), _minus(b)),
    ]


def _by_number(operator: str, a: Term, b: Term) -> list[Term]:
    """Return terms equal to a quotient or a remainder by a number other than zero."""
    if not isinstance(b, Value) or not b.value:
        return []
    if operator == "/":
        return [apply("*", _number(1 / Fraction(b.value), REAL), a), _minus(apply("/", _minus(a), b))]
    opposite = _number(-b.value, INT)
    if operator == "div":
        return [_minus(apply("div", a, opposite))]
    if operator == "mod":
        return [apply("-", a, apply("*", b, apply("div", a, b))), apply("mod", a, opposite)]
    return []


def _number_terms(term: Apply) -> list[Term]:
    """Return terms equal to an application that gives a number."""
    children, operator = term.children, term.operator
    if operator == "-" and len(children) == 1:
        return [apply("*", _number(-1, term.sort), children[0]), apply("-", _number(0, term.sort), children[0])]
    if operator == "-" and len(children) == 2:
        return [apply("+", children[0], _minus(children[1])), _minus(apply("-", children[1], children[0]))]
    if operator == "+" and len(children) == 2:
        return [apply("-", children[0], _minus(children[1])), _minus(Apply("+", [_minus(each) for each in children]))]
    if operator == "abs":
        (a,) = children
        return [Apply("ite", (apply("<", a, _number(0, a.sort)), _minus(a), a)), apply("abs", _minus(a))]
    if operator == "to_real" and any(is_operator(children[0], name) for name in "+-*"):
        (inside,) = children
        return [applied(_operator(inside), [applied("to_real", [each]) for each in inside.children])]
    if operator == "*" and len(children) == 2:
        return _product(*children)
    return _by_number(operator, *children) if len(children) == 2 else []


def _product(a: Term, b: Term) -> list[Term]:
    found = [apply("*", _minus(a), _minus(b)), _minus(apply("*", a, _minus(b)))]
    found += [
        applied(_operator(right), [apply("*", left, each) for each in right.children])
        for left, right in ((a, b), (b, a))
        if is_operator(right, "+") or is_operator(right, "-")
    ]
    return found


def _operator(term: Term) -> str:
    assert isinstance(term, Apply)
    return term.operator


def _array_terms(term: Apply) -> list[Term]:
    """Return terms equal to a read, a write, or an equality of arrays."""
    if term.operator == "select" and is_operator(term.children[0], "store"):
        (written, index), (cells, place, value) = term.children, term.children[0].children
        del written
        return [Apply("ite", (apply("=", place, index), value, apply("select", cells, index)))]
    if term.operator == "store" and is_operator(term.children[0], "store"):
        (inner, j, w), (cells, i, v) = term.children, term.children[0].children
        del inner
        later = apply("store", cells, j, w)
        return [Apply("ite", (apply("=", i, j), later, apply("store", later, i, v)))]
    if term.operator == "=" and len(term.children) == 2 and term.children[0].sort.is_array:
        return [
            conjunction(
                apply("=", apply("select", other, i), v),
                apply("=", apply("store", other, i, apply("select", cells, i)), cells),
            )
            for one, other in (term.children, term.children[::-1])
            if is_operator(one, "store")
            for cells, i, v in (one.children,)
        ]
    return []


def defined_terms(term: Term) -> list[Term]:
    """Return the terms that the definition of the outermost operator gives."""
    if not isinstance(term, Apply) or not term.children:
        return []
    if term.sort.is_numeric and term.children[0].sort.is_numeric:
        return _number_terms(term)
    if term.operator == "is_int":
        (a,) = term.children
        return [apply("=", a, applied("to_real", [apply("to_int", a)]))]
    if len(term.children) == 2 and term.children[0].sort.is_numeric:
        return _comparison(term)
    return _array_terms(term)


def _is_defined(term: Term) -> bool:
    return term.size <= _MOST and bool(defined_terms(term))


def _defined(term: Term, choices: Choices) -> Term:
    return choices.pick(defined_terms(term))


def _is_number(term: Term) -> bool:
    return term.sort.is_numeric


def _is_whole(term: Term) -> bool:
    return isinstance(term, Value) and term.sort.is_numeric


def _sum(term: Term, choices: Choices) -> Term:
    """Write a constant as a sum or a difference of two."""
    assert isinstance(term, Value)
    k = choices.pick((1, -1, 2, 10, 1 << 31))
    return apply("+", _number(term.value - k, term.sort), _number(k, term.sort))


def _about(name: str, summary: str) -> About:
    source = "SMT-LIB's definitions of Ints, Reals and ArraysEx; rewriters of Z3 and cvc5"
    return About(f"smt_numbers.{name}", Promise.EQUIVALENT, summary, source, light=True)


MUTATIONS = (
    row_of_term(_about("same", "a number gets a neutral element, or an operation and its inverse"), _is_number, same),
    row_of_term(_about("defined", "an operation on numbers or arrays becomes an equal term"), _is_defined, _defined),
    row_of_term(_about("sum", "a constant becomes a sum of two"), _is_whole, _sum),
)
