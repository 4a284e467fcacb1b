"""Floating point against gmpy2, a binding of MPFR: the formats of IEEE 754 in all rounding modes that it has."""

import random
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest
from chcfuzz.grammar.evaluation import ieee
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.ieee import MODES, Format
from chcfuzz.grammar.terms import Apply, Value
from chcfuzz.grammar.theories.float_kinds import MODE, floating

from tests.grammar.theories.float_terms import STANDARD, drawn_values

if find_spec("gmpy2") is None:
    pytest.skip("needs gmpy2: pip install 'chcfuzz[dev]'", allow_module_level=True)
gmpy2: Any = import_module("gmpy2")
ROUNDING = {
    "RNE": gmpy2.RoundToNearest,
    "RTP": gmpy2.RoundUp,
    "RTN": gmpy2.RoundDown,
    "RTZ": gmpy2.RoundToZero,
}  # MPFR does not round to nearest with ties away from zero
ROUNDED: dict[str, tuple[int, Callable[..., Any]]] = {
    "fp.add": (2, gmpy2.add),
    "fp.sub": (2, gmpy2.sub),
    "fp.mul": (2, gmpy2.mul),
    "fp.div": (2, gmpy2.div),
    "fp.sqrt": (1, gmpy2.sqrt),
    "fp.fma": (3, gmpy2.fma),
    "fp.roundToIntegral": (1, gmpy2.rint),
}
COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "fp.lt": lambda a, b: bool(a < b),
    "fp.leq": lambda a, b: bool(a <= b),
    "fp.eq": lambda a, b: bool(a == b),
}


def number_of(f: Format, bits: int) -> Any:
    """Return a value as a number of gmpy2, in a context of the format."""
    if ieee.is_nan(f, bits):
        return gmpy2.nan()
    if ieee.is_infinite(f, bits) or ieee.is_zero(f, bits):
        size = gmpy2.inf() if ieee.is_infinite(f, bits) else gmpy2.zero()
        return -size if bits >= f.sign else size
    exact = ieee.number(f, bits)
    assert exact is not None
    found = gmpy2.mpfr(gmpy2.mpq(exact.numerator, exact.denominator))
    assert Fraction(*map(int, found.as_integer_ratio())) == exact
    return found


def bits_of(f: Format, number: Any) -> int:
    """Return the pattern of a number of gmpy2 that the format has."""
    if gmpy2.is_nan(number):
        return f.nan
    sign = f.sign if gmpy2.is_signed(number) else 0
    if gmpy2.is_infinite(number):
        return f.infinity | sign
    exact = Fraction(*map(int, number.as_integer_ratio()))
    bits = ieee.rounded(f, "RTZ", exact) % f.sign
    assert ieee.number(f, bits | sign) == exact
    return bits | sign


@pytest.mark.parametrize("f", STANDARD, ids=lambda f: f"Float{f.width}")
def test_values_are_those_of_a_library_in_the_standard_formats(f: Format) -> None:
    chance = random.Random(f.width)
    sort = floating(*f)
    is_rounded = 0
    for _ in range(40):
        drawn = drawn_values(chance, f)
        values = [Value(each, sort) for each in drawn]
        for mode, rounding in ROUNDING.items():
            with gmpy2.context(gmpy2.ieee(f.width), round=rounding) as context:
                numbers = [number_of(f, each) for each in drawn]
                context.clear_flags()
                for name, (places, function) in ROUNDED.items():
                    term = Apply(name, (Value(MODES.index(mode), MODE), *values[:places]))
                    assert evaluate(term, {}) == bits_of(f, function(*numbers[:places])), (name, mode, drawn)
                is_rounded += context.inexact
                remainder = evaluate(Apply("fp.rem", values[:2]), {})
                assert remainder == bits_of(f, gmpy2.remainder(*numbers[:2])), drawn
                for name, compare in COMPARED.items():
                    assert evaluate(Apply(name, values[:2]), {}) is compare(*numbers[:2]), (name, drawn)
    assert is_rounded > 40
