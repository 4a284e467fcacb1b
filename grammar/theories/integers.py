"""Int, and the operators that Int shares with Real."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from typing import Any

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import LimitError, SortError
from chcfuzz.grammar.evaluation.values import UNDETERMINED, Undetermined
from chcfuzz.grammar.sort_kinds import SortKind
from chcfuzz.grammar.sorts import BOOL, INT, REAL, Sort
from chcfuzz.grammar.terms import MAX_DIGITS, Apply, Term, Value, apply, too_large
from chcfuzz.grammar.theory import (
    ALONE_IN_Z3,
    ExtensionKind,
    Indices,
    Lenience,
    Operator,
    Theory,
    TypingRule,
    WrittenOut,
    infix,
    joined_pairs,
    of_one_sort,
)

NUMBERS = (0, 1, -1, 2, -2, 3, 5, 7, 10, 16, -16, 100, 255, 256, 1000, -1000, 65535, 1 << 31, -(1 << 31), 1 << 64)
_OTHERS = (7, -5, 1000003, 2)
_MOST_OTHERS = 3
WORDS = ("0", "1", "-1", "small", "power", "near", "large")  # of literals


def distance(value: Any) -> int:
    """Return the distance of a value from the simplest one, in which reduction orders constants.

    For numbers that is 0, for strings the empty string; "a" is the simplest letter. Other values have distance 0.
    """
    if isinstance(value, str):
        return len(value) + sum(letter != "a" for letter in value)
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        return 0
    return 2 * abs(value.numerator) + (value < 0) + value.denominator - 1


class Numbers(SortKind):
    """Sorts whose values are numbers; `number` decides which number becomes which value."""

    literal_words: tuple[str, ...] = WORDS

    def text(self, value: Any, _sort: Sort) -> str:
        """Return a numeral, behind a sign if it is negative."""
        return str(value) if value >= 0 else f"(- {-value})"

    def normal(self, value: Any, sort: Sort) -> Any:
        """Refuse numbers that are too large."""
        return UNDETERMINED if too_large(value, sort) else value

    def number(self, number: int | Fraction, sort: Sort) -> Value:
        """Return the number as a constant."""
        return Value(int(number), sort)

    def default(self, sort: Sort, _elements: object) -> Any:
        """Return 0."""
        return self.number(0, sort).value

    def samples(self, sort: Sort, constants: Sequence[Any]) -> Sequence[Any]:
        """Return small numbers and those around constants."""
        near = (value + step for value in constants for step in (0, 1, -1))
        return self._distinct((0, 1, -1, *near, 2, -2), sort)

    def _distinct(self, numbers: Sequence[Any], sort: Sort) -> list[Any]:
        return list(dict.fromkeys(self.number(each, sort).value for each in numbers))

    def draw(self, sort: Sort, choices: Choices, _fuel: int) -> Term:
        """Draw one of a few numbers."""
        return self.number(choices.pick(NUMBERS), sort)

    def draw_plain(self, sort: Sort, choices: Choices) -> Term:
        """Draw a number without a sign, since (- 1) is an application for cvc5."""
        return self.number(choices.pick([n for n in NUMBERS if n >= 0]), sort)

    def near(self, value: Value) -> Sequence[Value]:
        """Return n, n - 1, n + 1, -n and 2n."""
        n = value.value
        return [self.number(near, value.sort) for near in (n, n - 1, n + 1, -n, 2 * n)]

    def zero(self, sort: Sort, _inside: tuple[Sort, ...]) -> Term | None:
        """Return 0."""
        return self.number(0, sort)

    def one(self, sort: Sort) -> Term | None:
        """Return 1."""
        return self.number(1, sort)

    def simpler(self, value: Value) -> Sequence[Value]:
        """Return 0, 1, then numbers that are nearer to 0 by powers of 2, large steps first."""
        number = Fraction(value.value)
        nearer: list[Fraction] = [Fraction(0), Fraction(1)]
        if number < 0:
            nearer.append(-number)
        whole = Fraction(int(number))
        if whole != number:
            nearer.append(whole)
        step = 1 if number > 0 else -1
        nearer += [whole - step * (1 << shift) for shift in reversed(range(abs(int(number)).bit_length()))]
        plainer = [other for other in dict.fromkeys(nearer) if distance(other) < distance(value.value)]
        return [self.number(other, value.sort) for other in plainer]

    def others(self, value: Value) -> Sequence[Value]:
        """Return a few numbers."""
        found = [self.number(number, value.sort) for number in _OTHERS]
        return [other for other in found if other is not value][:_MOST_OTHERS]


class Integers(Numbers):
    """The sort Int; values are Python's whole numbers."""

    name = "Int"
    least_weight = 1
    learned_as = "Int"

    def has(self, value: Any, _sort: Sort) -> bool:
        """Determine whether a value is an int."""
        return isinstance(value, int) and not isinstance(value, bool)


def whole(digits: str, base: int = 10) -> int:
    """Return the number with these digits; raises `LimitError`, since Python refuses to convert long ones."""
    if len(digits) > MAX_DIGITS:
        raise LimitError(f"a number of more than {MAX_DIGITS} digits")
    return int(digits, base)


def _divide(a: int, b: int) -> int | Undetermined:
    """SMT-LIB's `div`: the remainder is never negative."""
    return UNDETERMINED if b == 0 else a // b if b > 0 else -(a // -b)


def from_left(operation: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """Return the operation on any number of arguments, associating to the left."""

    def chained(_: Any, *args: Any) -> Any:
        return reduce(lambda a, b: UNDETERMINED if a is UNDETERMINED else operation(a, b), args)

    return chained


def _remainder(_: Indices, args: list[Term]) -> Term:
    """Write out `rem`, which has the sign of the divisor."""
    modulo = Apply("mod", args)
    return Apply("ite", (Apply(">=", (args[1], Value(0, INT))), modulo, Apply("-", (modulo,))))


def _divisible(indices: Indices, args: list[Term]) -> Term:
    return Apply("=", (Apply("mod", (*args, Value(indices[0], INT))), Value(0, INT)))


_MOST_FACTORS = 8
_MOST_EXPONENT = 4096  # of a constant
_MOST_BITS = 10_000  # of the power of a constant


def _power(_: Indices, args: list[Term]) -> Term:
    """Write out a power with a constant exponent as a product; raises `SortError` for others, 0 among them."""
    base, exponent = args if len(args) == 2 else (None, None)
    if base is None or not base.sort.is_numeric or not isinstance(exponent, Value) or not exponent.sort.is_numeric:
        raise SortError("^ is read with two numbers, the second a constant")
    times = exponent.value
    most = _MOST_EXPONENT if isinstance(base, Value) else _MOST_FACTORS
    if times != int(times) or not 1 <= times <= most:
        raise SortError(f"^ is read with an exponent from 1 to {most}")
    if isinstance(base, Value):
        number = Fraction(base.value)
        if max(number.numerator.bit_length(), number.denominator.bit_length()) * times > _MOST_BITS:
            raise LimitError(f"a power of more than {_MOST_BITS} bits")
        return Value(base.value ** int(times), base.sort)
    return apply("*", *[base] * int(times)) if times > 1 else base


def is_number(sort: Sort) -> bool:
    """Determine whether a sort is Int or Real."""
    return sort is INT or sort is REAL


def _is_int(sort: Sort) -> bool:
    return sort is INT


def _of_cvc5(name: str, value: Callable[..., Any]) -> Operator:
    """Return an operator of cvc5 alone, which is not drawn."""
    rule = TypingRule(of_one_sort(_is_int, INT, 1, 1).result, lambda _: [])
    return Operator(name, rule, value, is_for_smt=True, readers=frozenset(("cvc5", "smtlib")))


_CHAIN = of_one_sort(is_number, BOOL, 2)
_SUM = of_one_sort(is_number, None, 2)
_PRINCESS = frozenset(("princess",))
_SOURCE = "src/ast/arith_decl_plugin.cpp"
COERCIONS = f"{_SOURCE} and ast.cpp, coerce_arguments; its option int_real_coercions"

THEORY = Theory(
    "integers",
    operators=(
        Operator(
            "-",
            of_one_sort(is_number, None),
            lambda _, first, *others: first - sum(others) if others else -first,
            least_reduced=1,
        ),
        Operator("+", _SUM, lambda _, *args: sum(args), least_reduced=1),
        # Products and quotients by numbers alone, none of them zero: solvers decide these, and SMT-LIB leaves nothing
        # open.
        Operator("*", _SUM, lambda _, *args: math.prod(args), constants_from=1, least_reduced=1),
        Operator("<", _CHAIN, lambda _, *args: all(a < b for a, b in pairwise(args)), least_reduced=2),
        Operator("<=", _CHAIN, lambda _, *args: all(a <= b for a, b in pairwise(args)), least_reduced=2),
        Operator(">", _CHAIN, lambda _, *args: all(a > b for a, b in pairwise(args)), least_reduced=2),
        Operator(">=", _CHAIN, lambda _, *args: all(a >= b for a, b in pairwise(args)), least_reduced=2),
        Operator(
            "div",
            of_one_sort(_is_int, INT, 2),
            from_left(_divide),
            by_zero=lambda _: 0,
            constants_from=1,
            binary=_PRINCESS,
        ),
        Operator(
            "mod",
            of_one_sort(_is_int, INT, 2, 2),
            lambda _, a, b: UNDETERMINED if b == 0 else a % abs(b),
            by_zero=lambda a: a,
            constants_from=1,
        ),
        _of_cvc5("int.pow2", lambda _, a: 0 if a < 0 else 1 << a if a <= _MOST_BITS else UNDETERMINED),
        _of_cvc5("int.log2", lambda _, a: a.bit_length() - 1 if a > 0 else 0),
    ),
    kinds=(Integers(),),
    constants={"NUMERAL": lambda text: Value(whole(text), INT)},
    leniences=(
        Lenience(ExtensionKind.MIXED, ("+", "-", "*", "<", "<=", ">", ">=", "=", "distinct", "ite"), COERCIONS),
        Lenience(ExtensionKind.ALONE, ("+", "*"), ALONE_IN_Z3),
        Lenience(ExtensionKind.WRITTEN_OUT, ("rem",), f"{_SOURCE}, OP_REM"),
        Lenience(
            ExtensionKind.WRITTEN_OUT,
            ("divisible",),
            f"{_SOURCE}, OP_IDIVIDES; 5.0 does not read it",
        ),
    ),
    readings={
        "rem": WrittenOut(_remainder, is_for_smt=False),
        "divisible": WrittenOut(_divisible, indices=1),
        "^": WrittenOut(_power),
    },
    alt_ergo={
        "-": lambda _, _i, args: f"(- {args[0]})" if len(args) == 1 else f"({' - '.join(args)})",
        **{name: infix(symbol) for name, symbol in (("+", "+"), ("*", "*"), ("div", "/"), ("mod", "%"))},
        **{name: joined_pairs(f"{{}} {name} {{}}") for name in ("<", "<=", ">", ">=")},
    },
    taken=("rem", "div0", "mod0"),
)
