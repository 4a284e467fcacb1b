"""A printed text that binds a name of the problem is not taken for a term."""

import pytest
import z3
from chcfuzz.grammar.reading.shared_terms import ambiguous_name

# A shared term, and a constant with the name that Z3's library gives to it.
FORMULA = """
(declare-const a!1 Int)(declare-const x Int)(declare-fun f (Int Int Int Int) Int)
(assert (let ((t (f (f x x x x) (f x x x x) (f x x x x) x))) (= (f t t a!1 x) (+ t a!1))))
"""


def test_z3_prints_a_constant_under_the_name_of_a_shared_term() -> None:
    text = z3.parse_smt2_string(FORMULA)[0].sexpr()
    assert "(let ((a!1 " in text
    assert ambiguous_name(text, ("x", "a!1", "f")) == "a!1"


@pytest.mark.parametrize(
    ("text", "declared"),
    [
        ("(+ a!1 x)", ("a!1", "x")),  # nothing is bound
        ("(let ((a!1 (f x x))) (+ a!1 a!1))", ("f", "x")),  # another name
        ("(let ((a!1 (f x x))) (+ a!1 |a!1 |))", ("a!1 ",)),
        ("(let ((a!1 (f x x))) (+ a!1 a!10))", ("a!2", "a!100")),
    ],
)
def test_other_texts_say_what_they_state(text: str, declared: tuple[str, ...]) -> None:
    assert not ambiguous_name(text, declared)
