"""Arguments of predicates in another order or encoding: reordered, shifted, negated, summed, scaled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.draw import apply_as_read
from chcfuzz.grammar.sorts import BOOL, INT, REAL, Sort
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Predicate, Term, Value, apply, integer, real, vector
from chcfuzz.mutators.rewriting.places import swapped
from chcfuzz.mutators.rewriting.predicate_transformation import (
    Encoding,
    PredicateTransformation,
    Terms,
    arguments,
    occurring,
    transformation_row,
    with_encoding,
)


def _at(number: int, change: Callable[[Term, Terms], Term]) -> Callable[[Terms], Terms]:
    """Return a function on argument lists that changes one argument, which may depend on the others."""
    return lambda terms: (*terms[:number], change(terms[number], terms), *terms[number + 1 :])


def _permute(system: System, choices: Choices) -> PredicateTransformation | None:
    found = [predicate for predicate in occurring(system) if len(predicate.parameters) > 1]
    if not found:
        return None
    old = choices.pick(found)
    places = range(len(old.parameters))
    order = choices.permutation(len(places)) if choices.boolean() else tuple(swapped(places, choices))
    inverse = [order.index(at) for at in places]
    encoding = Encoding(lambda terms: [terms[at] for at in order], lambda terms: [terms[at] for at in inverse])
    return with_encoding(system, old, encoding)


_PLUS_MINUS = {"Int": ("+", "-"), "Real": ("+", "-"), "BitVec": ("bvadd", "bvsub"), "Bool": ("xor", "xor")}


def _moves(sort: Sort) -> bool:
    return sort.name in _PLUS_MINUS


def _is_number(sort: Sort) -> bool:
    return _moves(sort) and sort is not BOOL


def _shift(system: System, choices: Choices) -> PredicateTransformation | None:
    """Replace x by x + c."""
    found = arguments(system, _is_number)
    if not found:
        return None
    old, number = choices.pick(found)
    by = _number(choices.pick((1, 2, 7, 100)), old.parameters[number])
    there, back = _PLUS_MINUS[by.sort.name][:: -1 if choices.boolean() else 1]
    encoding = Encoding(_at(number, lambda x, _: apply(there, x, by)), _at(number, lambda x, _: apply(back, x, by)))
    return with_encoding(system, old, encoding)


def _number(n: int, sort: Sort) -> Value:
    return integer(n) if sort is INT else real(n) if sort is REAL else vector(n, sort.width)


_NEGATIONS = {"Int": ("-",), "Real": ("-",), "BitVec": ("bvneg", "bvnot"), "Bool": ("not",)}  # each its own inverse


def _negate(system: System, choices: Choices) -> PredicateTransformation | None:
    found = arguments(system, _moves)
    if not found:
        return None
    old, number = choices.pick(found)
    operator = choices.pick(_NEGATIONS[old.parameters[number].name])
    change = _at(number, lambda x, _: apply_as_read(operator, [x]))
    return with_encoding(system, old, Encoding(change, change))


def _pairs(system: System) -> list[tuple[Predicate, int, int]]:
    found = arguments(system, _moves)
    return [(p, a, b) for p, a in found for b, sort in enumerate(p.parameters) if b != a and sort is p.parameters[a]]


def _sum(system: System, choices: Choices) -> PredicateTransformation | None:
    """Replace x, y by x + y, y."""
    found = _pairs(system)
    if not found:
        return None
    old, number, other = choices.pick(found)
    there, back = _PLUS_MINUS[old.parameters[number].name][:: -1 if choices.boolean() else 1]
    encoding = Encoding(
        _at(number, lambda x, terms: apply(there, x, terms[other])),
        _at(number, lambda x, terms: apply(back, x, terms[other])),
    )
    return with_encoding(system, old, encoding)


def _scale(system: System, choices: Choices) -> PredicateTransformation | None:
    """Replace x by c * x; for a bit-vector c is odd, and for an Int only multiples of c become values."""
    found = arguments(system, _is_number)
    if not found:
        return None
    old, number = choices.pick(found)
    sort = old.parameters[number]
    by, back = choices.pick(_FACTORS[sort.name])(sort)
    product = "bvmul" if sort.is_bitvector else "*"
    encoding = Encoding(_at(number, lambda x, _: apply(product, by, x)), _at(number, lambda x, _: back(x)))
    return with_encoding(system, old, encoding)


Factor = Callable[[Sort], tuple[Value, Callable[[Term], Term]]]


def _integer_factor(n: int) -> Factor:
    return lambda _: (integer(n), lambda x: apply("div", x, integer(n)))


def _real_factor(n: Fraction | int) -> Factor:
    return lambda _: (real(n), lambda x: apply("*", real(1 / Fraction(n)), x))


def _vector_factor(n: int) -> Factor:
    def factor(sort: Sort) -> tuple[Value, Callable[[Term], Term]]:
        inverse = vector(pow(n, -1, 1 << sort.width), sort.width)
        return vector(n, sort.width), lambda x: apply("bvmul", inverse, x)

    return factor


_FACTORS: Mapping[str, tuple[Factor, ...]] = {
    "Int": (_integer_factor(2), _integer_factor(3), _integer_factor(10)),
    "Real": (_real_factor(2), _real_factor(Fraction(1, 2)), _real_factor(10)),
    "BitVec": (_vector_factor(3), _vector_factor(5), _vector_factor(7)),
}


MUTATIONS = (
    transformation_row(
        "signatures.permute",
        "a predicate takes its arguments in another order",
        "slicing and generalization follow the order of arguments",
        _permute,
        lambda system: any(len(predicate.parameters) > 1 for predicate in occurring(system)),
    ),
    transformation_row(
        "signatures.shift",
        "an argument is shifted: x + c for x",
        "unimodular change of coordinates",
        _shift,
        lambda system: bool(arguments(system, _is_number)),
    ),
    transformation_row(
        "signatures.negate",
        "an argument is negated: - x for x, or not x",
        "unimodular change of coordinates",
        _negate,
        lambda system: bool(arguments(system, _moves)),
    ),
    transformation_row(
        "signatures.sum",
        "another argument is added to an argument: x + y, y for x, y",
        "unimodular change of coordinates",
        _sum,
        lambda system: bool(_pairs(system)),
    ),
    transformation_row(
        "signatures.scale",
        "an argument is multiplied by a constant",
        "change of coordinates; lemmas about an integer then hold modulo the factor",
        _scale,
        lambda system: bool(arguments(system, _is_number)),
    ),
)
