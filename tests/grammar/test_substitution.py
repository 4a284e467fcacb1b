"""Substitution replaces free variables, and renames bound ones that would capture."""

import pytest
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.substitution import fresh_name, substitute
from chcfuzz.grammar.terms import Quantifier, apply, integer

from tests.grammar.test_terms import X, Y, Z, term


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("(< x y)", "(< y 1)"),
        ("(exists ((x Int)) (< x y))", "(exists ((x Int)) (< x 1))"),
        ("(exists ((y!1 Int)) (< y!1 x))", "(exists ((y!1 Int)) (< y!1 y))"),
        (
            "(exists ((v Int)) (exists ((w Int)) (= x v w)))",
            "(exists ((v Int)) (exists ((w Int)) (= y v w)))",
        ),
    ],
)
def test_substitution_replaces_free_variables(before: str, after: str) -> None:
    assert print_term(substitute(term(before), {X: Y, Y: integer(1)})) == after


def test_substitution_does_not_capture() -> None:
    bound = Quantifier("exists", (Y,), apply("<", X, Y))
    assert print_term(substitute(bound, {X: apply("+", Y, Z)})) == "(exists ((y!1 Int)) (< (+ y z) y!1))"
    assert substitute(bound, {Y: X}) is bound


def test_fresh_names_count_up() -> None:
    assert fresh_name("x", set()) == "x"
    assert fresh_name("x", {"x", "x!1"}) == "x!2"
