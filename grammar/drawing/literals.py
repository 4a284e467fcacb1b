"""Values of sorts as terms, drawn from choices: constants, constructor trees and constant arrays with entries."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.sorts import BOOL, INT, REAL, Constructor, Sort, with_inner_sorts
from chcfuzz.grammar.terms import Apply, Term, Value

FUEL = 8  # default number of operators of a term

_NUMBERS = (0, 1, -1, 2, -2, 3, 5, 7, 10, 16, -16, 100, 255, 256, 1000, -1000, 65535, 1 << 31, -(1 << 31), 1 << 64)
_FRACTIONS = (Fraction(1, 2), Fraction(-1, 2), Fraction(1, 3), Fraction(-3, 2), Fraction(7, 10), Fraction(1, 1000))


def literal(sort: Sort, choices: Choices, fuel: int = FUEL) -> Term:
    """Draw a value of the sort: a constant, a constructor tree, or a constant array with a few entries."""
    if sort is BOOL:
        return Value(choices.boolean(), BOOL)
    if sort is INT:
        return Value(choices.pick(_NUMBERS), INT)
    if sort is REAL:
        return Value(choices.pick((*map(Fraction, _NUMBERS), *_FRACTIONS)), REAL)
    if sort.is_bitvector:
        return _bits(choices.pick((0, 1, -1, 2, 1 << (sort.width - 1), (1 << (sort.width - 1)) - 1, 5, 255)), sort)
    if sort.is_array:
        term = constant_array(sort, choices)
        while fuel > 2 and has_literals(sort.index) and choices.boolean():
            fuel //= 2
            term = Apply("store", (term, literal(sort.index, choices, fuel), literal(sort.element, choices, fuel)))
        return term
    assert sort.datatype is not None
    constructor = shortest(sort) if fuel <= 0 else choices.pick(sort.datatype.constructors)
    share = (fuel - 1) // max(1, len(constructor.selectors))
    return Apply(constructor.operator, [literal(s.sort, choices, share) for s in constructor.selectors], sort)


@lru_cache(maxsize=1024)
def has_literals(sort: Sort) -> bool:
    """Return whether `literal` draws values of the sort; uninterpreted sorts do not have literals."""
    seen: set[Sort] = set()
    todo = [sort]
    while todo:
        here = todo.pop()
        if here in seen:
            continue
        seen.add(here)
        if here.is_uninterpreted:
            return False
        todo += [here.element] if here is sort and here.is_array else here.parts
    return True


@lru_cache(maxsize=1024)
def has_arrays(sort: Sort) -> bool:
    """Return whether literals of the sort may have constant arrays in them."""
    return any(inner.is_array for inner in with_inner_sorts([sort]))


def constant_array(sort: Sort, choices: Choices) -> Term:
    """Draw a constant array of a value for cvc5, which excludes (- 1), (/ 1.0 3.0) and arrays with entries."""
    return Apply(f"(as const {sort})", (_plain(sort.element, choices),), sort)


def _plain(sort: Sort, choices: Choices) -> Term:
    if sort.is_numeric:
        return number(choices.pick([n for n in _NUMBERS if n >= 0]), sort)
    if sort.is_array:
        return constant_array(sort, choices)
    if sort.datatype is None:
        return literal(sort, choices, 0)
    constructor = shortest(sort)
    return Apply(constructor.operator, [_plain(selector.sort, choices) for selector in constructor.selectors], sort)


@lru_cache(maxsize=1024)
def shortest(sort: Sort) -> Constructor:
    """Return the constructor of the smallest values: the first one that needs no value of the same data type."""
    assert sort.datatype is not None
    done: dict[Sort, Constructor] = {}
    while sort not in done:
        for datatype in sort.datatype.group:
            for constructor in datatype.constructors:
                needed = [_innermost(selector.sort) for selector in constructor.selectors]
                open_ones = [s for s in needed if any(s is other.sort for other in sort.datatype.group)]
                if datatype.sort not in done and all(s in done for s in open_ones):
                    done[datatype.sort] = constructor
    return done[sort]


def _innermost(sort: Sort) -> Sort:
    """Return the sort that a value is built from: of an array, that of its elements."""
    while sort.is_array:
        sort = sort.element
    return sort


def number(n: int | Fraction, sort: Sort) -> Value:
    """Return the constant of a numeric sort, or of a bit-vector modulo its width."""
    return _bits(int(n), sort) if sort.is_bitvector else Value(Fraction(n) if sort is REAL else int(n), sort)


def _bits(n: int, sort: Sort) -> Value:
    return Value(n % (1 << sort.width), sort)
