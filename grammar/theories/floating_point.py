"""Floating point: formats of any width, rounding modes, and all operators of SMT-LIB 2.7."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

from chcfuzz.grammar.evaluation import ieee
from chcfuzz.grammar.evaluation.ieee import MODES, Format
from chcfuzz.grammar.evaluation.values import UNDETERMINED
from chcfuzz.grammar.sorts import BOOL, REAL, Sort, bitvec
from chcfuzz.grammar.terms import Apply, Term, Value, apply, conjunction, disjunction, negation
from chcfuzz.grammar.theories.float_kinds import (
    MODE,
    Floats,
    NamedFloats,
    RoundingModes,
    floating,
    format_of,
    is_float,
    special_names,
)
from chcfuzz.grammar.theory import (
    ExtensionKind,
    Indices,
    Lenience,
    Operator,
    Place,
    Sorts,
    Theory,
    TypingRule,
    joined,
    of_one_sort,
)

_LONG_NAMES = (
    "roundNearestTiesToEven",
    "roundNearestTiesToAway",
    "roundTowardPositive",
    "roundTowardNegative",
    "roundTowardZero",
)


# Typing rules


def _with_mode(number: int) -> TypingRule:
    """Return the rule for a rounding mode and numbers of one format."""

    def rule(indices: Indices, sorts: Sorts) -> Sort | None:
        if indices or len(sorts) != number + 1 or sorts[0] is not MODE or not is_float(sorts[1]):
            return None
        return sorts[1] if all(sort is sorts[1] for sort in sorts[2:]) else None

    return TypingRule(rule, lambda sorts: [((), (MODE, *[sort] * number)) for sort in sorts if is_float(sort)])


def _of_parts(indices: Indices, sorts: Sorts) -> Sort | None:
    """Return the format of a sign, an exponent and a significand."""
    if indices or len(sorts) != 3 or not all(sort.is_bitvector for sort in sorts) or sorts[0].width != 1:
        return None
    return floating(sorts[1].width, sorts[2].width + 1)


def _parts(sorts: Sorts) -> list[Place]:
    formats = [format_of(sort) for sort in sorts if is_float(sort)]
    return [((), (bitvec(1), bitvec(f.exponent), bitvec(f.significand - 1))) for f in formats]


def _to_float(indices: Indices, sorts: Sorts) -> Sort | None:
    if len(indices) != 2:
        return None
    target = floating(*indices)
    if len(sorts) == 1:
        return target if sorts[0] is bitvec(sum(indices)) else None
    fits = len(sorts) == 2 and sorts[0] is MODE
    return target if fits and (is_float(sorts[1]) or sorts[1] is REAL or sorts[1].is_bitvector) else None


def _to_float_places(sorts: Sorts) -> list[Place]:
    targets = [format_of(sort) for sort in sorts if is_float(sort)]
    sources = [sort for sort in sorts if is_float(sort) or sort is REAL or sort.is_bitvector]
    return [
        ((f.exponent, f.significand), domain)
        for f in targets
        for domain in ((bitvec(f.width),), *((MODE, sort) for sort in sources))
    ]


def _from_unsigned(indices: Indices, sorts: Sorts) -> Sort | None:
    fits = len(indices) == 2 and len(sorts) == 2 and sorts[0] is MODE and sorts[1].is_bitvector
    return floating(*indices) if fits else None


def _from_unsigned_places(sorts: Sorts) -> list[Place]:
    vectors = [sort for sort in sorts if sort.is_bitvector]
    targets = [format_of(sort) for sort in sorts if is_float(sort)]
    return [((*f,), (MODE, vector)) for f in targets for vector in vectors or [bitvec(f.width)]]


def _to_vector(indices: Indices, sorts: Sorts) -> Sort | None:
    fits = len(indices) == 1 and len(sorts) == 2 and sorts[0] is MODE and is_float(sorts[1])
    return bitvec(indices[0]) if fits else None


def _to_vector_places(sorts: Sorts) -> list[Place]:
    widths = [sort.width for sort in sorts if sort.is_bitvector]
    return [((width,), (MODE, sort)) for width in widths for sort in sorts if is_float(sort)]


_ONE, _TWO = (of_one_sort(is_float, None, number, number) for number in (1, 2))
_TEST = of_one_sort(is_float, BOOL, 1, 1)
_CHAIN = of_one_sort(is_float, BOOL, 2)


# Values: functions of the format of the last argument, and the arguments; rounding modes by name.


def _computed(f: Format, value: Callable[[], int | Fraction | None]) -> Any:
    """Return a value that needs rational arithmetic; UNDETERMINED where SMT-LIB or a large format leaves it open."""
    found = value() if f.is_computed else None
    return UNDETERMINED if found is None else found


def _arithmetic(name: str, operands: int, function: Callable[..., int], **more: Any) -> Operator:
    def of(term: Apply, mode: int, *args: int) -> Any:
        f = format_of(term.sort)
        return _computed(f, lambda: function(f, MODES[mode], *args))

    return Operator(name, _with_mode(operands), of, **more)


def _plain(name: str, rule: TypingRule, function: Callable[..., Any], **more: Any) -> Operator:
    def of(term: Apply, *args: int) -> Any:
        f = format_of(term.children[0].sort)
        return _computed(f, lambda: function(f, *args))

    return Operator(name, rule, of, **more)


def _bits(name: str, rule: TypingRule, function: Callable[..., Any], **more: Any) -> Operator:
    """Return an operator that compares or changes patterns, of any width."""

    def of(term: Apply, *args: int) -> Any:
        found = function(format_of(term.children[0].sort), *args)
        return UNDETERMINED if found is None else found

    return Operator(name, rule, of, **more)


def _chain(name: str, compare: Callable[[Format, int, int], bool]) -> Operator:
    return _bits(name, _CHAIN, lambda f, *args: all(compare(f, a, b) for a, b in pairwise(args)), least_reduced=2)


def _joined(term: Apply, sign: int, exponent: int, significand: int) -> int:
    f = format_of(term.sort)
    return ieee.of_bits(f, (sign << f.exponent | exponent) << (f.significand - 1) | significand)


def _float_of(term: Apply, *args: Any) -> Any:
    """Return the value of `to_fp`: bits, another format, a real number, or a signed integer."""
    f = format_of(term.sort)
    if len(args) == 1:
        return ieee.of_bits(f, args[0])
    source, (mode, value) = term.children[1].sort, args
    if is_float(source):
        old = format_of(source)
        return _computed(old, lambda: _computed(f, lambda: ieee.converted(old, f, MODES[mode], value)))
    if source.is_bitvector and value >> (source.width - 1):
        value -= 1 << source.width
    return _computed(f, lambda: ieee.rounded(f, MODES[mode], Fraction(value)))


def _float_of_unsigned(term: Apply, mode: int, value: int) -> Any:
    f = format_of(term.sort)
    return _computed(f, lambda: ieee.rounded(f, MODES[mode], Fraction(value)))


def _range(width: int, is_signed: bool) -> tuple[int, int]:
    """Return the least and the largest number of a bit-vector."""
    return (-(1 << (width - 1)), (1 << (width - 1)) - 1) if is_signed else (0, (1 << width) - 1)


def _vector_of(is_signed: bool) -> Callable[..., Any]:
    def of(term: Apply, mode: int, value: int) -> Any:
        f = format_of(term.children[1].sort)
        low, high = _range(term.sort.width, is_signed)
        return _computed(f, lambda: ieee.to_integer(f, MODES[mode], value, low, high))

    return of


def _has_wide_exponents(sort: Sort) -> bool:
    """Return whether a remainder takes a division of more than fifty bits."""
    return is_float(sort) and format_of(sort).exponent > 5


def _has_many_digits(sort: Sort) -> bool:
    """Return whether products, quotients and roots are larger than those of Float32."""
    return is_float(sort) and format_of(sort).significand > 24


# Conditions under which SMT-LIB fixes a value.


def _zeros_of_one_sign(term: Apply) -> Term:
    a, b = term.children
    return disjunction(apply("=", a, b), *(negation(apply("fp.isZero", each)) for each in (a, b)))


def _is_finite(a: Term) -> Term:
    return conjunction(*(negation(apply(test, a)) for test in ("fp.isNaN", "fp.isInfinite")))


def _in_range(is_signed: bool, term: Apply) -> Term:
    """Return whether the rounded number is one of the bit-vector's; a bound above all numbers does not matter."""
    mode, a = term.children
    a = _with_room(mode, a)
    f = format_of(a.sort)
    low, high = _range(term.sort.width, is_signed)
    found = apply("fp.roundToIntegral", mode, a)
    bounds = [_is_finite(found)]
    for compare, bound in (("fp.leq", low), ("fp.gt", high + 1)):
        if abs(bound).bit_length() <= 2 - f.least_exponent:  # 0 or a power of two, up to the greatest one of the format
            bounds.append(apply(compare, Value(ieee.rounded(f, "RTZ", Fraction(bound)), a.sort), found))
    return conjunction(*bounds)


def _with_room(mode: Term, a: Term) -> Term:
    """Return the number in a format in which rounding to an integer does not overflow."""
    f = format_of(a.sort)
    if 1 - f.least_exponent >= f.significand - 1:
        return a
    return Apply(joined("to_fp", (f.significand.bit_length() + 1, f.significand)), (mode, a))


def _literal(name: str, indices: Indices) -> Term | None:
    """Return the value of `(_ +oo 8 24)`."""
    if len(indices) != 2 or name not in special_names(Format(2, 2)).values():
        return None
    sort = floating(*indices)
    return next(Value(value, sort) for value, known in special_names(format_of(sort)).items() if known == name)


def _mode(place: int) -> Term:
    return Value(place, MODE)


_SOURCE = "src/ast/fpa_decl_plugin.cpp"

THEORY = Theory(
    "floating point",
    operators=(
        Operator("fp", TypingRule(_of_parts, _parts), _joined, is_literal=True),
        _bits("fp.abs", _ONE, ieee.absolute),
        _bits("fp.neg", _ONE, ieee.negated),
        _arithmetic("fp.add", 2, ieee.add),
        _arithmetic("fp.sub", 2, ieee.subtract),
        _arithmetic("fp.mul", 2, ieee.multiply),
        _arithmetic("fp.div", 2, ieee.divide, slow_on=_has_many_digits),
        _arithmetic("fp.fma", 3, ieee.multiply_add, slow_on=_has_many_digits),
        _arithmetic("fp.sqrt", 1, ieee.square_root, slow_on=_has_many_digits),
        _plain("fp.rem", _TWO, ieee.remainder, slow_on=_has_wide_exponents),
        _arithmetic("fp.roundToIntegral", 1, ieee.to_integral),
        _bits("fp.min", _TWO, ieee.least, defined=_zeros_of_one_sign),
        _bits("fp.max", _TWO, ieee.greatest, defined=_zeros_of_one_sign),
        _chain("fp.leq", ieee.is_at_most),
        _chain("fp.lt", ieee.is_less),
        _chain("fp.geq", lambda f, a, b: ieee.is_at_most(f, b, a)),
        _chain("fp.gt", lambda f, a, b: ieee.is_less(f, b, a)),
        _chain("fp.eq", ieee.is_equal),
        *(
            _bits(f"fp.is{name}", _TEST, test)
            for name, test in (
                ("Normal", ieee.is_normal),
                ("Subnormal", ieee.is_subnormal),
                ("Zero", ieee.is_zero),
                ("Infinite", ieee.is_infinite),
                ("NaN", ieee.is_nan),
                ("Negative", ieee.is_negative),
                ("Positive", ieee.is_positive),
            )
        ),
        Operator("to_fp", TypingRule(_to_float, _to_float_places), _float_of),
        Operator("to_fp_unsigned", TypingRule(_from_unsigned, _from_unsigned_places), _float_of_unsigned),
        *(
            Operator(
                name, TypingRule(_to_vector, _to_vector_places), _vector_of(signed), defined=partial(_in_range, signed)
            )
            for name, signed in (("fp.to_ubv", False), ("fp.to_sbv", True))
        ),
        _plain(
            "fp.to_real",
            of_one_sort(is_float, REAL, 1, 1),
            ieee.number,
            defined=lambda term: _is_finite(term.children[0]),
        ),
    ),
    kinds=(
        RoundingModes(),
        Floats(),
        *(
            NamedFloats(f"Float{bits}", exponent, bits - exponent)
            for bits, exponent in ((16, 5), (32, 8), (64, 11), (128, 15))
        ),
    ),
    literal=_literal,
    names={name: partial(_mode, place) for names in (MODES, _LONG_NAMES) for place, name in enumerate(names)},
    leniences=(Lenience(ExtensionKind.REALS, ("to_fp",), f"{_SOURCE}, mk_to_fp"),),
    taken=("fp", "to_fp", *MODES, *_LONG_NAMES),
    taken_sorts=("FloatingPoint", "Float16", "Float32", "Float64", "Float128", "RoundingMode"),
    samples=(floating(3, 5), MODE),
)
