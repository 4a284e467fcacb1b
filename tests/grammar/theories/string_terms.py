"""Drawn ground terms of strings, sequences and sets, as equations with the values that we compute."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.draw import Drawing
from chcfuzz.grammar.drawing.drawing_scope import DrawingScope
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.values import Undetermined, as_term
from chcfuzz.grammar.sorts import BOOL, INT, Sort
from chcfuzz.grammar.substitution import substitute
from chcfuzz.grammar.terms import Term, Value, Variable, apply, integer, subterms
from chcfuzz.grammar.theories.sequences import of_elements as sequence_of
from chcfuzz.grammar.theories.sequences import sequence
from chcfuzz.grammar.theories.sets import of_elements, set_of
from chcfuzz.grammar.theories.strings import STRING, string

ITEMS, SETS = sequence(INT), set_of(INT)
# By theory: the sort of the variable in drawn terms, and the terms that replace it.
VALUES: Mapping[str, tuple[Sort, Sequence[Term]]] = {
    "strings": (STRING, [string(each) for each in ("", "a", "ab10", "\U0002ffff")]),
    "sequences": (ITEMS, [sequence_of(ITEMS, list(map(integer, each))) for each in ((), (1,), (1, 0, 1), (2, -1))]),
    "sets": (SETS, [of_elements(SETS, list(map(integer, each))) for each in ((), (1,), (0, 1), (2, -1))]),
}


def drawn_claims(theory: str, numbers: range) -> Iterator[Term | None]:
    """Yield the equation of each of these terms with its value; None for a constant, and a value that is open.

    Terms of Bool, of Int and of the theory's sort take turns.
    """
    sort, values = VALUES[theory]
    variable = Variable("x", sort)
    drawing = Drawing(DrawingScope((variable,), (), ()))
    word = "string" if theory == "strings" else theory
    for each in numbers:
        choices = Choices(hashlib.shake_256(f"{word} {each}".encode()).digest(3000))
        drawn = drawing.term((BOOL, INT, sort)[each % 3], choices, 2 + choices.index(9))
        term = substitute(drawn, {variable: choices.pick(values)})
        known = evaluate(term, {})
        is_claim = term.children and not isinstance(known, Undetermined)
        yield apply("=", term, as_term(known, term.sort)) if is_claim else None  # type: ignore[arg-type]


def largest_number(term: Term) -> int:
    """Return the largest absolute value of an Int in a term."""
    numbers = (here.value for here in subterms(term) if isinstance(here, Value) and here.sort is INT)
    return max((abs(int(each)) for each in numbers), default=0)
