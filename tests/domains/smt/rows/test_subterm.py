"""Subterms: copied, hoisted and replaced everywhere, with variables in scope."""

import pytest
from chcfuzz.domains.smt.rows.subterm import MUTATIONS

from tests.domains.smt.rows.cases import results

CASES = [
    ("copy", "(assert (f x)) (assert (g y))", "(assert (g y)) (assert (g y))"),
    ("copy", "(assert (f x)) (assert (g y))", "(assert (f y)) (assert (g y))"),
    ("copy", "(assert (forall ((z Int)) (f z))) (assert (f x))", "(assert (forall ((z Int)) (f x))) (assert (f x))"),
    ("copy", "(assert (forall ((z Int)) (f z))) (assert (f x))", "(assert (forall ((z Int)) (f z))) (assert (f y))"),
    ("everywhere", "(assert (< x (h x p))) (assert (f y))", "(assert (< y (h y p))) (assert (f y))"),
    ("hoist", "(assert (not (and p q)))", "(assert p)"),
    ("hoist", "(assert (f (h x p)))", "(assert (f x))"),
]


@pytest.mark.parametrize(("row", "before", "after"), CASES)
def test_a_row_makes_this_among_others(row: str, before: str, after: str) -> None:
    assert after in results(MUTATIONS, f"smt_subterm.{row}", before, 200)


def test_a_quantifier_keeps_its_variables_inside() -> None:
    found = results(MUTATIONS, "smt_subterm.hoist", "(assert (not (exists ((z Int)) (and p (f z)))))", 100)
    assert "(assert p)" in found
    assert "(assert (f z))" not in found


def test_drawn_terms_use_functions_and_uninterpreted_constants() -> None:
    found = results(MUTATIONS, "smt_subterm.draw", "(assert (= u u))", 300)
    assert {"(assert (f x))", "(assert (= u u))"} & found
    around = results(MUTATIONS, "smt_subterm.around", "(assert (f x))", 300)
    assert any("(h x" in text for text in around)
    assert any(text.startswith("(assert (not (f x") for text in around)


def test_a_divisor_is_not_replaced() -> None:
    for name in ("copy", "everywhere", "draw"):
        found = results(MUTATIONS, f"smt_subterm.{name}", "(assert (= y (div x 3)))", 200)
        assert found
        assert all("(div" not in text or " 3)" in text for text in found)
