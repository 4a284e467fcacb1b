"""Layouts of numbers in the predicates of generated systems: as arguments, in array cells, in records, or in lists.

A generated system transforms vectors of numbers of one sort (Int, Real, a bit-vector). The layouts of its predicates
decide which other theories it needs. `read` returns the terms of the numbers, and `write` the arguments that hold given
numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.sorts import BOOL, INT, REAL, Constructor, Datatype, Selector, Sort, array, bitvec, datatypes
from chcfuzz.grammar.terms import TRUE, Apply, Predicate, Term, Value, apply, integer, negation

Number = int | Fraction
Coefficients = tuple[Number, ...]  # one for each number of a vector
THEORIES = ("LIA", "LRA", "BV", "Arrays", "ADT")

_WIDTHS = (8, 16, 32)
_CELLS = 4  # of an array, at the indices 0, 1, 2, 3


@dataclass(frozen=True)
class Holder:
    """An argument of a predicate and the numbers that it holds; `kind` is plain, cells, record or list."""

    kind: str
    sort: Sort
    numbers: tuple[int, ...]
    indices: tuple[int, ...] = ()  # of the array cells

    def read(self, argument: Term) -> list[Term]:
        """Return the terms of its numbers, in the order of `numbers`."""
        if self.kind == "plain":
            return [argument]
        if self.kind == "cells":
            return [apply("select", argument, integer(index)) for index in self.indices]
        selectors = _constructor(self).selectors[: len(self.numbers)]
        return [Apply(selector.operator, (argument,), selector.sort) for selector in selectors]

    def write(self, given: Sequence[Term], base: Term) -> Term:
        """Return an argument that holds these numbers and otherwise equals `base`, a term of its sort."""
        if self.kind == "plain":
            return given[0]
        if self.kind == "cells":
            for index, number in zip(self.indices, given, strict=True):
                base = apply("store", base, integer(index), number)
            return base
        rest = (base,) if self.kind == "list" else ()
        return Apply(_constructor(self).operator, (*given, *rest), self.sort)

    def empty(self) -> Term:
        """Return an initial argument of its sort."""
        if self.kind == "cells":
            return Apply(f"(as const {self.sort})", (number(0, self.sort.element),), self.sort)
        if self.kind == "list":
            return Apply("end", (), self.sort)
        return number(0, self.sort) if self.kind == "plain" else TRUE  # a write replaces a record as a whole


def _constructor(holder: Holder) -> Constructor:
    """Return the constructor that holds numbers: the last one."""
    assert holder.sort.datatype is not None
    return holder.sort.datatype.constructors[-1]


@dataclass(frozen=True)
class Layout:
    """A predicate that holds `width` numbers; with several modes, its last argument is a Bool that selects one."""

    predicate: Predicate
    holders: tuple[Holder, ...]
    width: int
    modes: int

    def read(self, arguments: Sequence[Term]) -> list[Term]:
        """Return the terms of the numbers that arguments hold."""
        found: dict[int, Term] = {}
        for holder, argument in zip(self.holders, arguments, strict=False):
            found.update(zip(holder.numbers, holder.read(argument), strict=True))
        return [found[place] for place in range(self.width)]

    def write(self, given: Sequence[Term], bases: Sequence[Term], mode: int, choices: Choices) -> list[Term]:
        """Return arguments that hold these numbers, in this mode; some are updates of terms in `bases`."""
        arguments = []
        for holder in self.holders:
            base = holder.empty()
            there = [other for other in bases if other.sort is holder.sort]
            if there and choices.index(4):
                base = choices.pick(there)
            arguments.append(holder.write([given[place] for place in holder.numbers], base))
        return [*arguments, *self.mode(mode)]

    def mode(self, mode: int) -> list[Term]:
        """Return the argument that selects the mode, if there is one."""
        return [Value(mode == 1, BOOL)] if self.modes > 1 else []

    def shape(self, arguments: Sequence[Term]) -> list[Term]:
        """Return conditions that all written arguments satisfy: lists are not empty."""
        lists = [(h, a) for h, a in zip(self.holders, arguments, strict=False) if h.kind == "list"]
        return [Apply(_constructor(holder).tester, (argument,), BOOL) for holder, argument in lists]


@dataclass(frozen=True)
class Basis:
    """The sort of a system's numbers, its data types, and the kinds of holders that it uses."""

    sort: Sort
    datatypes: tuple[Datatype, ...]
    kinds: tuple[str, ...]

    @property
    def modulus(self) -> int:
        """Modulus of the arithmetic; 0 if it is unbounded."""
        return 1 << self.sort.width if self.sort.is_bitvector else 0


def basis(theories: Sequence[str], choices: Choices) -> Basis:
    """Return the sort of the numbers, from these theories or LIA, and holders for the other theories."""
    sorts = [sort for theory, sort in (("LIA", INT), ("LRA", REAL)) if theory in theories]
    if "BV" in theories:
        sorts.append(bitvec(choices.pick(_WIDTHS)))
    sort = choices.pick(sorts) if sorts else INT
    kinds = ["plain"]
    made: tuple[Datatype, ...] = ()
    if "Arrays" in theories:
        kinds.append("cells")
    if "ADT" in theories:
        kinds += ["record", "list"]
        made = datatypes(("Two", "Chain"), lambda sorts: (_two(sort), _chain(sort, sorts[1])))
    return Basis(sort, made, tuple(kinds))


def _two(sort: Sort) -> tuple[Constructor, ...]:
    return (Constructor("two", (Selector("one", sort), Selector("other", sort))),)


def _chain(sort: Sort, own: Sort) -> tuple[Constructor, ...]:
    return (Constructor("end"), Constructor("link", (Selector("value", sort), Selector("next", own))))


def layout(name: str, width: int, modes: int, on: Basis, choices: Choices) -> Layout:
    """Return a predicate for `width` numbers, with drawn holders."""
    open_ones = list(choices.permutation(width))
    holders: list[Holder] = []
    while open_ones:
        kind = choices.pick(on.kinds)
        if kind == "record" and len(open_ones) < 2:
            kind = "plain"
        if kind == "cells":
            some = open_ones[: choices.integer(1, min(len(open_ones), _CELLS))]
            indices = choices.permutation(_CELLS)[: len(some)]
            holders.append(Holder(kind, array(INT, on.sort), tuple(some), indices))
        elif kind == "plain":
            some = open_ones[:1]
            holders.append(Holder(kind, on.sort, tuple(some)))
        else:
            some = open_ones[: 2 if kind == "record" else 1]
            holders.append(Holder(kind, on.datatypes[0 if kind == "record" else 1].sort, tuple(some)))
        del open_ones[: len(some)]
    sorts = [holder.sort for holder in holders] + [BOOL] * (modes > 1)
    return Layout(Predicate(name, sorts), tuple(holders), width, modes)


# Terms ---------------------------------------------------------------------------------------------


def number(n: Number, sort: Sort) -> Value:
    """Return a number as a value of the sort."""
    if sort.is_bitvector:
        return Value(int(n) % (1 << sort.width), sort)
    return Value(int(n) if sort is INT else Fraction(n), sort)


def weighted_sum(factors: Sequence[Number], constant: Number, terms: Sequence[Term], sort: Sort) -> Term:
    """Return the sum of a constant and the terms times their factors."""
    plus, times = ("bvadd", "bvmul") if sort.is_bitvector else ("+", "*")
    parts = [
        term if factor == 1 else apply(times, number(factor, sort), term)
        for factor, term in zip(factors, terms, strict=True)
        if factor
    ]
    if constant or not parts:
        parts.append(number(constant, sort))
    return parts[0] if len(parts) == 1 else apply(plus, *parts)


def at_least(left: Term, bound: Number, choices: Choices) -> Term:
    """Write in one of several ways that a term is at least a number."""
    right = number(bound, left.sort)
    options = [apply(">=", left, right), apply("<=", right, left), negation(apply("<", left, right))]
    if left.sort is INT:
        options.append(apply(">", left, number(bound - 1, INT)))
    return choices.pick(options)


def congruent(left: Term, rest: Number, modulus: int) -> Term:
    """Return the formula that a term is congruent to a number, for a bit-vector modulo a power of two."""
    if not left.sort.is_bitvector:
        return apply("=", apply("mod", left, integer(modulus)), integer(int(rest) % modulus))
    bits = modulus.bit_length() - 1
    if bits < left.sort.width:
        left = Apply(f"(_ extract {bits - 1} 0)", (left,))
    return apply("=", left, number(int(rest) % modulus, left.sort))
