"""Whole SMT problems drawn with a model, from an empty context."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.draw_problem import closed
from chcfuzz.grammar.drawing.draw_signature import DrawingSignature, draw_signature
from chcfuzz.grammar.drawing.drawing_limits import USUAL, Limits
from chcfuzz.grammar.drawing.drawing_scope import DrawingScope
from chcfuzz.grammar.drawing.weights import Weights
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading.leniences import as_read
from chcfuzz.grammar.terms import Function
from chcfuzz.learning.weighted_drawing import ModelDrawing

NUMBERS = ("LIA", "LRA", "BV")
_ASSERTIONS = (1, 1, 1, 2, 2, 2, 3, 4, 6)
_FUEL = (4, 6, 8, 12, 16, 24, 32)  # operators of an assertion
_TRIES = 200  # to draw a signature of the theories


@dataclass(frozen=True)
class Bounds:
    """Bounds of drawn problems: theories, sizes, and whether formulas may have quantifiers (`limits.quantified`).

    Numbers are from the `theories` among `NUMBERS`, if there are some. Other theories occur only if they are named, and
    all theories if none is named.
    """

    theories: Collection[str] = ()
    limits: Limits = USUAL


def draw_root(weights: Weights, choices: Choices, bounds: Bounds | None = None) -> Problem:
    """Draw a problem, whose text reads back as itself; raises `ChcfuzzError` for theories without a profile."""
    bounds = bounds or Bounds()
    signature = _signature(choices, bounds.theories)
    scope = DrawingScope((), (), signature.functions, signature.constant_arrays)
    drawing = ModelDrawing(scope, weights, bounds.limits.quantified > 0)
    sizes = bounds.limits.sizes(_FUEL)
    formulas = [as_read(drawing.formula(choices, choices.pick(sizes))) for _ in range(choices.pick(_ASSERTIONS))]
    return closed(formulas, signature.datatypes)


def _with_constants(signature: DrawingSignature) -> DrawingSignature:
    """Return the signature with a constant of each sort: models rarely draw problems of literals alone."""
    there = {function.result for function in signature.functions if not function.parameters}
    missing = [sort for sort in signature.sorts if sort not in there]
    more = tuple(Function(f"k{number}", (), sort) for number, sort in enumerate(missing))
    return replace(signature, functions=(*signature.functions, *more))


def _signature(choices: Choices, theories: Collection[str]) -> DrawingSignature:
    """Draw a signature that fits the theories; functions have parameters only with UF."""
    for _ in range(_TRIES):
        signature = _with_constants(draw_signature(choices))
        if theories and "UF" not in theories:
            constants = tuple(each for each in signature.functions if not each.parameters)
            signature = replace(signature, functions=constants)
        if not theories or _fits(Problem(signature.datatypes, (), signature.functions, ()).theories, theories):
            return signature
    raise ChcfuzzError(f"no problem with the theories {' '.join(theories)} was drawn; name fewer, or others")


def _fits(found: Collection[str], wanted: Collection[str]) -> bool:
    """Return whether numbers are from the wanted theories, if some are wanted, and the rest is wanted and there."""
    numbers, rest = set(wanted) & set(NUMBERS), set(wanted) - set(NUMBERS)
    other = set(found) - set(NUMBERS)
    return (not numbers or set(found) & set(NUMBERS) <= numbers) and other <= rest and bool(other or not rest)
