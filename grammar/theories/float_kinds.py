"""The sorts of floating point and their values: formats of any width, and rounding modes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import LimitError, SortError
from chcfuzz.grammar.evaluation import ieee
from chcfuzz.grammar.evaluation.ieee import MODES, Format
from chcfuzz.grammar.sort_kinds import SortKind
from chcfuzz.grammar.sorts import MAX_WIDTH, Sort, basic, bitvec
from chcfuzz.grammar.terms import Term, Value
from chcfuzz.grammar.theories.integers import WORDS, Numbers

MODE = basic("RoundingMode")
NAME = "FloatingPoint"


def floating(exponent: int, significand: int) -> Sort:
    """Return the sort of a format; raises `SortError` for less than two bits each, and `LimitError` above 65536."""
    if exponent < 2 or significand < 2:
        raise SortError(f"a format has exponents and significands of at least 2 bits, not {exponent} and {significand}")
    if exponent + significand > MAX_WIDTH:
        raise LimitError(f"a format has at most {MAX_WIDTH} bits, not {exponent + significand}")
    return basic(NAME, exponent, significand)


def is_float(sort: Sort) -> bool:
    """Determine whether a sort has floating-point numbers."""
    return sort.name == NAME and bool(sort.parameters)


def format_of(sort: Sort) -> Format:
    """Return the format of a sort."""
    return Format(*sort.parameters)  # type: ignore[arg-type]


class RoundingModes(SortKind):
    """RoundingMode; values are the places of the modes in `MODES`."""

    name = "RoundingMode"
    least_weight = 1
    learned_as = "Int"
    literal_words = ("0", "1", "small")

    def sort(self) -> Sort:
        """Return the only sort."""
        return MODE

    def text(self, value: Any, _sort: Sort) -> str:
        """Return the short name."""
        return MODES[value]

    def values(self, _sort: Sort, _limit: int, _inside: tuple[Sort, ...] = ()) -> Sequence[Any] | None:
        """Return all modes."""
        return range(len(MODES))

    def number(self, number: int | Fraction, sort: Sort) -> Value:
        """Return the mode at this place, modulo their number."""
        return Value(int(number) % len(MODES), sort)

    def near(self, value: Value) -> Sequence[Value]:
        """Return the mode itself and the next one."""
        return [self.number(value.value + step, value.sort) for step in (0, 1)]

    def simpler(self, value: Value) -> Sequence[Value]:
        """Return the modes before this one."""
        return [self.number(other, value.sort) for other in range(int(value.value))]

    def others(self, value: Value) -> Sequence[Value]:
        """Return the other modes."""
        return [self.number(other, value.sort) for other in range(len(MODES)) if other != value.value]


class Floats(Numbers):
    """The formats; values are bit patterns, with one pattern for NaN."""

    name = NAME
    indices = 2
    learned_as = "Float"
    literal_words = (*WORDS[:-1], "fraction", WORDS[-1])

    def sort(self, exponent: int, significand: int) -> Sort:
        """Return the format with these bits."""
        return floating(exponent, significand)

    def related(self, sort: Sort) -> Iterable[Sort]:
        """Return the rounding modes, and the bit-vectors of the width."""
        return MODE, bitvec(format_of(sort).width)

    def weight(self, sort: Sort) -> int:
        """Return more for wider formats, and more than a bit-vector of the width."""
        return 3 + format_of(sort).width

    def text(self, value: Any, sort: Sort) -> str:
        """Return a special value by its name, and the bits of another one."""
        f = format_of(sort)
        name = special_names(f).get(value)
        if name is not None:
            return f"(_ {name} {f.exponent} {f.significand})"
        digits = f"{value:0{f.width}b}"
        return f"(fp #b{digits[0]} #b{digits[1 : f.exponent + 1]} #b{digits[f.exponent + 1 :]})"

    def values(self, sort: Sort, limit: int, _inside: tuple[Sort, ...] = ()) -> Sequence[Any] | None:
        """Return all patterns, the NaN once."""
        f = format_of(sort)
        if f.width > limit.bit_length() + 1:
            return None
        found = [pattern for pattern in range(1 << f.width) if pattern == f.nan or not ieee.is_nan(f, pattern)]
        return found if len(found) <= limit else None

    def has(self, value: Any, sort: Sort) -> bool:
        """Determine whether a value is a pattern of the width, other than a second NaN."""
        f = format_of(sort)
        is_number = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << f.width
        return is_number and (value == f.nan or not ieee.is_nan(f, value))

    def normal(self, value: Any, _sort: Sort) -> Any:
        """Return the value, which is a pattern already."""
        return value

    def number(self, number: int | Fraction, sort: Sort) -> Value:
        """Return the nearest value; 0 in a format that is too large."""
        f = format_of(sort)
        return Value(ieee.rounded(f, "RNE", Fraction(number)) if f.is_computed else 0, sort)

    def as_number(self, value: Any, sort: Sort) -> int | Fraction:
        """Return the number that a value denotes, 0 for infinities and NaN."""
        f = format_of(sort)
        return (ieee.number(f, value) if f.is_computed else None) or Fraction(0)

    def samples(self, sort: Sort, constants: Sequence[Any]) -> Sequence[Any]:
        """Return special values, and those around constants."""
        f = format_of(sort)
        near = (each for value in constants for each in _around(f, value))
        return list(dict.fromkeys((0, f.sign, self.number(1, sort).value, f.nan, f.infinity, *near)))

    def draw(self, sort: Sort, choices: Choices, _fuel: int) -> Term:
        """Draw a special value, a bound of a class of values, or a number of few bits."""
        return Value(choices.pick(_drawn(sort)), sort)

    def draw_plain(self, sort: Sort, choices: Choices) -> Term:
        """Draw any value: each is a literal."""
        return self.draw(sort, choices, 0)

    def near(self, value: Value) -> Sequence[Value]:
        """Return the value, its neighbours, and the one with the other sign."""
        return [Value(each, value.sort) for each in _around(format_of(value.sort), int(value.value))]

    def simpler(self, value: Value) -> Sequence[Value]:
        """Return 0, 1, and values with a smaller pattern: without the sign, or with fewer bits of the significand."""
        f, pattern = format_of(value.sort), int(value.value)
        cut = [pattern >> bits << bits for bits in reversed(range(1, f.significand))]
        found = dict.fromkeys((0, self.number(1, value.sort).value, ieee.magnitude(f, pattern), *cut, pattern - 1))
        return [Value(each, value.sort) for each in found if 0 <= each < pattern and self.has(each, value.sort)]

    def others(self, value: Value) -> Sequence[Value]:
        """Return a few numbers of other classes."""
        sort = value.sort
        f = format_of(sort)
        found = (self.number(3, sort).value, 0, f.infinity, f.nan)
        return [Value(each, sort) for each in found if each != value.value][:3]


def special_names(f: Format) -> dict[int, str]:
    """Return the names that SMT-LIB has for some values of a format."""
    return {0: "+zero", f.sign: "-zero", f.infinity: "+oo", f.infinity | f.sign: "-oo", f.nan: "NaN"}


def _around(f: Format, pattern: int) -> list[int]:
    """Return a value, those before and after it, and the one with the other sign."""
    steps = [pattern, pattern - 1, pattern + 1, pattern ^ f.sign]
    return list(dict.fromkeys(ieee.of_bits(f, each % (1 << f.width)) for each in steps))


_NUMBERS = (1, -1, 2, Fraction(1, 2), 3, Fraction(-3, 2), Fraction(1, 10), 10, 255, -100)


def _drawn(sort: Sort) -> list[int]:
    f = format_of(sort)
    least_normal = 1 << (f.significand - 1)
    special = [0, f.sign, f.nan, f.infinity, f.infinity | f.sign, 1, least_normal - 1, least_normal, f.infinity - 1]
    special += [1 | f.sign, f.infinity - 1 | f.sign]
    plain = [ieee.rounded(f, "RNE", Fraction(each)) for each in _NUMBERS] if f.is_computed else []
    return [*plain[:2], *special, *plain[2:]]


class NamedFloats(Floats):
    """A format with a name of its own in SMT-LIB."""

    indices = 0

    def __init__(self, name: str, exponent: int, significand: int) -> None:
        self.name = name
        self._sort = floating(exponent, significand)

    def sort(self) -> Sort:  # type: ignore[override]
        """Return the format."""
        return self._sort
