"""IEEE 754 arithmetic as SMT-LIB defines it: the exact rational result, rounded once.

A value of a format is its bit pattern as a number, and all NaNs are one pattern, so equal values are equal numbers.
Rounding modes are their short names. A function returns None where SMT-LIB leaves the value open.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

MODES = ("RNE", "RNA", "RTP", "RTN", "RTZ")
MOST_EXPONENT_BITS = 17  # of formats whose numbers are computed: a rational number has up to 2^17 bits then

_WHOLE: Mapping[str, Callable[[Fraction], int]] = {
    "RNE": round,
    "RNA": lambda x: math.floor(x + Fraction(1, 2)) if x >= 0 else math.ceil(x - Fraction(1, 2)),
    "RTP": math.ceil,
    "RTN": math.floor,
    "RTZ": math.trunc,
}


class Format(NamedTuple):
    """A format by its bits: of the exponent, and of the significand with the hidden bit."""

    exponent: int
    significand: int

    @property
    def width(self) -> int:
        """Number of bits of a value."""
        return self.exponent + self.significand

    @property
    def least_exponent(self) -> int:
        """The exponent of subnormal numbers, and of the smallest normal ones."""
        return 2 - (1 << (self.exponent - 1))

    @property
    def sign(self) -> int:
        """The sign bit, which is also the value -0."""
        return 1 << (self.width - 1)

    @property
    def infinity(self) -> int:
        """The positive infinity; the finite numbers of this sign are the patterns below it."""
        return ((1 << self.exponent) - 1) << (self.significand - 1)

    @property
    def nan(self) -> int:
        """The bits of NaN: SMT-LIB has one, and this is its pattern here."""
        return self.infinity | 1 << (self.significand - 2)

    @property
    def is_computed(self) -> bool:
        """Whether numbers of the format are small enough for rational arithmetic."""
        return self.exponent <= MOST_EXPONENT_BITS


def of_bits(f: Format, bits: int) -> int:
    """Return the value with these bits."""
    return f.nan if is_nan(f, bits) else bits


def magnitude(f: Format, a: int) -> int:
    """Return the pattern without its sign."""
    return a & (f.sign - 1)


def is_nan(f: Format, a: int) -> bool:
    """Determine whether a pattern is a NaN."""
    return magnitude(f, a) > f.infinity


def is_infinite(f: Format, a: int) -> bool:
    """Determine whether a value is an infinity."""
    return magnitude(f, a) == f.infinity


def is_zero(f: Format, a: int) -> bool:
    """Determine whether a value is a zero."""
    return magnitude(f, a) == 0


def is_normal(f: Format, a: int) -> bool:
    """Determine whether a value is a normal number."""
    return 1 << (f.significand - 1) <= magnitude(f, a) < f.infinity


def is_subnormal(f: Format, a: int) -> bool:
    """Determine whether a value is a subnormal number other than zero."""
    return 0 < magnitude(f, a) < 1 << (f.significand - 1)


def is_negative(f: Format, a: int) -> bool:
    """Determine whether a value other than NaN has a sign."""
    return a >= f.sign and not is_nan(f, a)


def is_positive(f: Format, a: int) -> bool:
    """Determine whether a value other than NaN lacks a sign."""
    return a < f.sign and not is_nan(f, a)


def negated(f: Format, a: int) -> int:
    """Return a value with the other sign."""
    return a if is_nan(f, a) else a ^ f.sign


def absolute(f: Format, a: int) -> int:
    """Return a value without its sign."""
    return a if is_nan(f, a) else magnitude(f, a)


def _signed(f: Format, a: int, is_negative: bool) -> int:
    return a | f.sign if is_negative else a


def number(f: Format, a: int) -> Fraction | None:
    """Return the number that a value denotes; None for infinities and NaN."""
    most = magnitude(f, a)
    if most >= f.infinity:
        return None
    hidden = 1 << (f.significand - 1)
    above = max(0, (most >> (f.significand - 1)) - 1)  # exponent, from the least one on
    found = most - above * hidden  # the significand: with the hidden bit, if there is one
    exponent = above + f.least_exponent - f.significand + 1
    scaled = Fraction(found << exponent) if exponent >= 0 else Fraction(found, 1 << -exponent)
    return -scaled if a >= f.sign else scaled


def whole(mode: str, x: Fraction) -> int:
    """Return a number rounded to an integer."""
    return _WHOLE[mode](x)


def rounded(f: Format, mode: str, x: Fraction, is_zero_negative: bool = False) -> int:
    """Return the value that is nearest to a number in the direction of the mode, with this sign if the number is 0."""
    if x == 0:
        return _signed(f, 0, is_zero_negative)
    exponent = max(_exponent(abs(x)), f.least_exponent)
    found = abs(whole(mode, x * _power(f.significand - 1 - exponent)))
    pattern = found + ((exponent - f.least_exponent) << (f.significand - 1))
    if pattern >= f.infinity:
        away = mode in ("RNE", "RNA") or mode == ("RTP" if x > 0 else "RTN")
        pattern = f.infinity if away else f.infinity - 1
    return _signed(f, pattern, x < 0)


def _exponent(x: Fraction) -> int:
    """Return the number e with 2^e <= x < 2^(e + 1)."""
    e = x.numerator.bit_length() - x.denominator.bit_length()
    return e if x >= _power(e) else e - 1


def _power(e: int) -> Fraction:
    return Fraction(1 << e) if e >= 0 else Fraction(1, 1 << -e)


def _is_nan(f: Format, *args: int) -> bool:
    return any(is_nan(f, a) for a in args)


def add(f: Format, mode: str, a: int, b: int) -> int:
    """`fp.add`: infinities of two signs give NaN; an exact sum 0 of two signs is -0 in RTN alone."""
    x, y = number(f, a), number(f, b)
    if x is None or y is None:
        return _infinite_sum(f, a, b)
    return _sum(f, mode, x + y, a, b)


def _infinite_sum(f: Format, a: int, b: int) -> int:
    if _is_nan(f, a, b) or (is_infinite(f, a) and is_infinite(f, b) and a != b):
        return f.nan
    return a if is_infinite(f, a) else b


def _sum(f: Format, mode: str, exact: Fraction, a: int, b: int) -> int:
    """Return the rounded sum of two values; `a` may be any value of the sign of the first one."""
    both = a >= f.sign, b >= f.sign
    return rounded(f, mode, exact, both[0] if both[0] == both[1] else mode == "RTN")


def subtract(f: Format, mode: str, a: int, b: int) -> int:
    """`fp.sub`: the sum with the negated value."""
    return add(f, mode, a, negated(f, b))


def multiply(f: Format, mode: str, a: int, b: int) -> int:
    """`fp.mul`: an infinity times zero is NaN."""
    is_below = (a >= f.sign) != (b >= f.sign)
    x, y = number(f, a), number(f, b)
    if x is not None and y is not None:
        return rounded(f, mode, x * y, is_below)
    return f.nan if _is_nan(f, a, b) or x == 0 or y == 0 else _signed(f, f.infinity, is_below)


def divide(f: Format, mode: str, a: int, b: int) -> int:
    """`fp.div`: zero by zero and infinity by infinity are NaN, and another number by zero is an infinity."""
    is_below = (a >= f.sign) != (b >= f.sign)
    x, y = number(f, a), number(f, b)
    if _is_nan(f, a, b) or (x is None and y is None) or (x == 0 and y == 0):
        return f.nan
    if x is None or y == 0:
        return _signed(f, f.infinity, is_below)
    return _signed(f, 0, is_below) if y is None else rounded(f, mode, x / y, is_below)


def multiply_add(f: Format, mode: str, a: int, b: int, c: int) -> int:
    """`fp.fma`: the product plus the third value, rounded once."""
    x, y, z = number(f, a), number(f, b), number(f, c)
    sign = _signed(f, 0, (a >= f.sign) != (b >= f.sign))
    if x is not None and y is not None:
        return c if z is None else _sum(f, mode, x * y + z, sign, c)
    return _infinite_sum(f, multiply(f, mode, a, b), c)


def square_root(f: Format, mode: str, a: int) -> int:
    """`fp.sqrt`: the root of -0 is -0, and that of numbers below 0 NaN.

    The integer root has more bits behind the point than any value; one more bit marks a root that is not exact.
    """
    if is_nan(f, a) or is_zero(f, a):
        return a
    x = number(f, a)
    if a >= f.sign or x is None:
        return f.nan if a >= f.sign else a
    bits = f.significand + 2 - f.least_exponent
    square = x * _power(2 * bits)
    root = math.isqrt(math.floor(square))
    return rounded(f, mode, Fraction(2 * root + (root * root != square), 2) * _power(-bits))


def remainder(f: Format, a: int, b: int) -> int:
    """`fp.rem`: x - y * n, where n is the integer nearest to x / y; a remainder 0 has the sign of x."""
    x, y = number(f, a), number(f, b)
    if x is None or y == 0 or is_nan(f, b):
        return f.nan
    return a if y is None else rounded(f, "RNE", x - y * round(x / y), a >= f.sign)


def to_integral(f: Format, mode: str, a: int) -> int:
    """`fp.roundToIntegral`: zeros have the sign of the argument."""
    x = number(f, a)
    return a if x is None else rounded(f, mode, Fraction(whole(mode, x)), a >= f.sign)


def is_less(f: Format, a: int, b: int) -> bool:
    """`fp.lt`: both zeros are equal, and NaN is less than nothing."""
    return not _is_nan(f, a, b) and _place(f, a) < _place(f, b)


def is_at_most(f: Format, a: int, b: int) -> bool:
    """`fp.leq`: both zeros are equal, and nothing is comparable with NaN."""
    return not _is_nan(f, a, b) and _place(f, a) <= _place(f, b)


def is_equal(f: Format, a: int, b: int) -> bool:
    """`fp.eq`: both zeros are equal, and NaN differs from itself."""
    return not _is_nan(f, a, b) and _place(f, a) == _place(f, b)


def _place(f: Format, a: int) -> int:
    """Return the place of a value other than NaN in their order; 0 for both zeros."""
    return -magnitude(f, a) if a >= f.sign else a


def least(f: Format, a: int, b: int) -> int | None:
    """`fp.min`: of NaN and another value, the other one; None for two zeros of different signs."""
    if is_nan(f, a) or is_nan(f, b):
        return b if is_nan(f, a) else a
    return None if is_zero(f, a) and is_zero(f, b) and a != b else min(a, b, key=lambda each: _place(f, each))


def greatest(f: Format, a: int, b: int) -> int | None:
    """`fp.max`; see `least`."""
    if is_nan(f, a) or is_nan(f, b):
        return b if is_nan(f, a) else a
    return None if is_zero(f, a) and is_zero(f, b) and a != b else max(a, b, key=lambda each: _place(f, each))


def converted(old: Format, new: Format, mode: str, a: int) -> int:
    """`to_fp` of a value of another format."""
    x = number(old, a)
    if x is not None:
        return rounded(new, mode, x, a >= old.sign)
    return new.nan if is_nan(old, a) else _signed(new, new.infinity, a >= old.sign)


def to_integer(f: Format, mode: str, a: int, low: int, high: int) -> int | None:
    """`fp.to_ubv` and `fp.to_sbv`: the rounded integer; None if it is not between these, or does not exist."""
    x = number(f, a)
    found = None if x is None else whole(mode, x)
    return found if found is not None and low <= found <= high else None
