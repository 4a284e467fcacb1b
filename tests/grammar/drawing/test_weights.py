"""Fixed weights: stored choices depend on the terms that they draw."""

import hashlib
from collections.abc import Mapping

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.draw import Drawing
from chcfuzz.grammar.drawing.drawing_scope import DrawingScope
from chcfuzz.grammar.drawing.weights import NOWHERE, Fixed
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.sorts import INT
from chcfuzz.grammar.terms import Variable

TEXT = """(declare-const a Int)(declare-fun f (Int Real) Bool)(declare-const m (Array Int Bool))
(declare-const b (_ BitVec 8))(assert (< a 7))(assert (f a 1.5))(assert (select m 3))(assert (bvult b #x0f))"""
STORED = "f1a9bc89649257c6"  # of the terms that these choices drew when weights had no places


def test_fixed_weights_draw_what_stored_choices_drew() -> None:
    problem = parse.problem(TEXT)
    found = hashlib.blake2b(digest_size=8)
    weights: tuple[Mapping[str, int], ...] = ({}, {"operator": 3, "own": 2, "and": 5})
    for number in range(200):
        for each in weights:
            choices = Choices(b"", f"term {number}".encode())
            draw = Drawing(DrawingScope.within(problem, number % 4, (Variable("x", INT),)), each)
            found.update(print_term(draw.term(choices.pick(draw.sorts), choices)).encode())
            found.update(print_term(draw.condition(choices)).encode())
            found.update(str(draw.around(problem.formulas[0], choices)).encode())
    assert found.hexdigest() == STORED


def test_names_are_drawn_by_their_weights() -> None:
    weights = Fixed({"often": 3, "never": 0, "odd": -2})
    drawn = [weights.pick(("odd", "never", "often", "plain"), NOWHERE, Choices(bytes([n]))) for n in range(256)]
    assert {name: drawn.count(name) for name in set(drawn)} == {"often": 192, "plain": 64}
    assert Fixed({"never": 0}).pick(("never",), NOWHERE, Choices(b"")) == "never"
