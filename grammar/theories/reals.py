"""Real, and the conversions from and to Int."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.evaluation.values import UNDETERMINED
from chcfuzz.grammar.sorts import BOOL, INT, REAL, Sort
from chcfuzz.grammar.terms import Term, Value, apply, integer, real
from chcfuzz.grammar.theories.integers import COERCIONS, NUMBERS, WORDS, Numbers, from_left, is_number, whole
from chcfuzz.grammar.theory import ExtensionKind, Indices, Lenience, Operator, Theory, infix, of_one_sort

_FRACTIONS = (Fraction(1, 2), Fraction(-1, 2), Fraction(1, 3), Fraction(-3, 2), Fraction(7, 10), Fraction(1, 1000))


class Reals(Numbers):
    """The sort Real; values are fractions."""

    name = "Real"
    least_weight = 2
    learned_as = "Real"
    literal_words = (*WORDS[:-1], "fraction", WORDS[-1])

    def text(self, value: Any, _sort: Sort) -> str:
        """Return a decimal or a quotient of two."""
        fraction = Fraction(value)
        top, bottom = abs(fraction.numerator), fraction.denominator
        text = f"{top}.0" if bottom == 1 else f"(/ {top}.0 {bottom}.0)"
        return text if fraction >= 0 else f"(- {text})"

    def has(self, value: Any, _sort: Sort) -> bool:
        """Determine whether a value is a fraction; an int is not."""
        return isinstance(value, Fraction)

    def number(self, number: int | Fraction, _sort: Sort) -> Value:
        """Return the number as a constant."""
        return Value(Fraction(number), REAL)

    def samples(self, sort: Sort, constants: Sequence[Any]) -> Sequence[Any]:
        """Return small numbers, those around constants, and a fraction."""
        near = (value + step for value in constants for step in (0, 1, -1))
        return self._distinct((0, 1, -1, *near, Fraction(1, 2)), sort)

    def draw(self, _sort: Sort, choices: Choices, _fuel: int) -> Term:
        """Draw one of a few numbers and fractions."""
        return Value(choices.pick((*map(Fraction, NUMBERS), *_FRACTIONS)), REAL)


def _decimal(text: str) -> Term:
    before, after = text.rstrip("0").split(".")
    return real(Fraction(whole(before + after), 10 ** len(after)))


def _absolute(a: Term) -> Term:
    zero = integer(0) if a.sort is INT else real(0)
    return apply("ite", apply(">=", a, zero), a, apply("-", a))


def _native_absolute(sort: Sort, _: Indices, args: list[str]) -> str:
    return f"(if {args[0]} >= 0{'' if sort is INT else '.0'} then {args[0]} else (- {args[0]}))"


def _is_real(sort: Sort) -> bool:
    return sort is REAL


def _is_int(sort: Sort) -> bool:
    return sort is INT


THEORY = Theory(
    "reals",
    operators=(
        Operator(
            "/",
            of_one_sort(_is_real, REAL, 2),
            from_left(lambda a, b: UNDETERMINED if b == 0 else a / b),
            by_zero=lambda _: Fraction(0),
            constants_from=1,
            binary=frozenset(("princess",)),
        ),
        # SMT-LIB has `abs` on Int, Z3 on Real, too.
        Operator(
            "abs",
            of_one_sort(is_number, None, 1, 1),
            lambda _, a: abs(a),
            written_out=_absolute,
            lacking=frozenset(("smtlib", "princess", "yices", "mathsat")),
            lacking_on=REAL,
        ),
        Operator("to_real", of_one_sort(_is_int, REAL, 1, 1), lambda _, a: Fraction(a)),
        Operator("to_int", of_one_sort(_is_real, INT, 1, 1), lambda _, a: math.floor(a)),
        Operator("is_int", of_one_sort(_is_real, BOOL, 1, 1), lambda _, a: a.denominator == 1),
    ),
    kinds=(Reals(),),
    constants={"DECIMAL": _decimal},
    leniences=(Lenience(ExtensionKind.REALS, ("/", "to_int", "is_int"), COERCIONS),),
    alt_ergo={
        "/": infix("/"),
        "abs": _native_absolute,
        "to_real": lambda _, _i, args: f"real_of({args[0]})",
        "to_int": lambda _, _i, args: f"floor_of({args[0]})",
        "is_int": lambda _, _i, args: f"(real_of(floor_of({args[0]})) = {args[0]})",
    },
    taken=(
        *("abs", "root-obj", "exp", "sqrt", "sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "atan2"),
        *(f"a{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")),
        *(f"arc{name}" for name in ("sin", "cos", "tan", "cot", "sec", "csc")),
    ),
)
