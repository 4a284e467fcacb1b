"""Operators in terms of others, for readers that do not have them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from chcfuzz.grammar.errors import LimitError, OperandError, SortError
from chcfuzz.grammar.sorts import INT
from chcfuzz.grammar.terms import Apply, Term, Value, apply, conjunction, integer, real, vector


def written_out(operator: str, args: Sequence[Term]) -> Term:
    """Return the application of an operator of `WRITTEN_OUT`, without this operator."""
    return WRITTEN_OUT[operator](*args)


def _most(width: int) -> Value:
    return vector(-1, width)


def _least_signed(width: int) -> Value:
    return vector(1 << (width - 1), width)


def _parity(a: Term) -> Term:
    bits = [Apply(f"(_ extract {bit} {bit})", (a,)) for bit in range(a.sort.width)]
    return Apply("bvxor", bits) if len(bits) > 1 else a


def _unsigned_overflow(operator: str, more: int) -> Callable[[Term, Term], Term]:
    """Return whether the result has a bit above the width; `more` is the number of these bits, 0 for the width."""

    def written(a: Term, b: Term) -> Term:
        width = a.sort.width
        by = more or width
        wide = apply(operator, *(Apply(f"(_ zero_extend {by})", (each,)) for each in (a, b)))
        return apply("distinct", Apply(f"(_ extract {width + by - 1} {width})", (wide,)), vector(0, by))

    return written


def _signed_overflow(operator: str, more: int) -> Callable[[Term, Term], Term]:
    def written(a: Term, b: Term) -> Term:
        extend = f"(_ sign_extend {more or a.sort.width})"
        exact = apply(operator, *(Apply(extend, (each,)) for each in (a, b)))
        return apply("distinct", Apply(extend, (apply(operator, a, b),)), exact)

    return written


def _signed_number(a: Term) -> Term:
    width = a.sort.width
    plain = apply("bv2nat", a)
    return apply("ite", apply("bvslt", a, vector(0, width)), apply("-", plain, integer(1 << width)), plain)


def _absolute(a: Term) -> Term:
    zero = integer(0) if a.sort is INT else real(0)
    return apply("ite", apply(">=", a, zero), a, apply("-", a))


WRITTEN_OUT: dict[str, Callable[..., Term]] = {
    "abs": _absolute,
    "bvredor": lambda a: apply("bvnot", apply("bvcomp", a, vector(0, a.sort.width))),
    "bvredand": lambda a: apply("bvcomp", a, _most(a.sort.width)),
    "bvnego": lambda a: apply("=", a, _least_signed(a.sort.width)),
    "bvuaddo": _unsigned_overflow("bvadd", 1),
    "bvsaddo": _signed_overflow("bvadd", 1),
    "bvusubo": lambda a, b: apply("bvult", a, b),
    "bvssubo": _signed_overflow("bvsub", 1),
    "bvumulo": _unsigned_overflow("bvmul", 0),
    "bvsmulo": _signed_overflow("bvmul", 0),
    "bvsdivo": lambda a, b: conjunction(apply("=", a, _least_signed(a.sort.width)), apply("=", b, _most(b.sort.width))),
    "sbv_to_int": _signed_number,
}


# Operators of bit-vectors that only some readers have, and that are written out when they are read.


def _no_signed_overflow(is_above: bool) -> Callable[[Term, Term], Term]:
    """Return whether a product is in range on one side: it is above if the factors have one sign."""

    def written(a: Term, b: Term) -> Term:
        zero = vector(0, a.sort.width)
        signs = [apply("bvslt", each, zero) for each in (a, b)]
        side = apply("=" if is_above else "distinct", *signs)
        return apply("not", conjunction(apply("bvsmulo", a, b), side))

    return written


def _rotation(forth: str, back: str) -> Callable[[Term, Term], Term]:
    def written(a: Term, b: Term) -> Term:
        width = vector(a.sort.width, a.sort.width)
        by = apply("bvurem", b, width)
        return apply("bvor", apply(forth, a, by), apply(back, a, apply("bvsub", width, by)))

    return written


_FOREIGN: dict[str, tuple[int, Callable[..., Term]]] = {
    "bvredxor": (1, _parity),
    "bvumul_noovfl": (2, lambda a, b: apply("not", apply("bvumulo", a, b))),
    "bvsmul_noovfl": (2, _no_signed_overflow(True)),
    "bvsmul_noudfl": (2, _no_signed_overflow(False)),
    "ext_rotate_left": (2, _rotation("bvshl", "bvlshr")),
    "ext_rotate_right": (2, _rotation("bvlshr", "bvshl")),
}
FOREIGN = frozenset(_FOREIGN)


def foreign(operator: str, args: Sequence[Term]) -> Term:
    """Return the application of an operator of `FOREIGN`, written out; raises `SortError`."""
    number, write = _FOREIGN[operator]
    if len(args) != number or not args[0].sort.is_bitvector or any(arg.sort is not args[0].sort for arg in args):
        raise OperandError(f"{operator} is not defined on ({' '.join(str(arg.sort) for arg in args)})")
    return write(*args)


# Powers, which Z3 and cvc5 read.

POWER = "^"
_MOST_FACTORS = 8
_MOST_EXPONENT = 4096  # of a constant
_MOST_BITS = 10_000  # of the power of a constant


def power(args: Sequence[Term]) -> Term:
    """Return a power with a constant exponent as a product; raises `SortError` for others, 0 among them."""
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
