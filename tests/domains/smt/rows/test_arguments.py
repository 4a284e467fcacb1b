"""Operators get one more argument, of the problem or drawn, or lose one."""

import pytest
from chcfuzz.domains.smt.rows.arguments import MUTATIONS

from tests.domains.smt.rows.cases import results

CASES = [
    ("more", "(assert (< x y))", {"(assert (< x x y))", "(assert (< x y x))", "(assert (< x y y))"}),
    ("fewer", "(assert (distinct a b (bvnot a)))", {"(assert (distinct a b))", "(assert (distinct a (bvnot a)))"}),
    ("fewer", "(assert (< x y))", set()),
    ("more", "(assert (f x))", set()),
    ("more", "(assert (forall ((z Bool)) z))", set()),
    ("draw", "(assert (f x))", set()),
    ("draw", "(assert (forall ((z Bool)) z))", set()),
]


@pytest.mark.parametrize(("row", "before", "after"), CASES)
def test_a_row_makes_all_of_these_and_nothing_else(row: str, before: str, after: set[str]) -> None:
    assert results(MUTATIONS, f"smt_arguments.{row}", before) == after


def test_a_variable_of_another_quantifier_is_not_used() -> None:
    before = "(assert (and (forall ((z Bool)) (or z p)) (= q r)))"
    found = results(MUTATIONS, "smt_arguments.more", before, 200)
    assert "(assert (and (forall ((z Bool)) (or z z p)) (= q r)))" in found
    assert not [text for text in found if "(= q r z)" in text or "(= q z r)" in text]


def test_a_new_divisor_is_no_zero_unless_another_one_may_be() -> None:
    assert "(assert (= s (/ s 2.0 0.0)))" not in results(MUTATIONS, "smt_arguments.more", "(assert (= s (/ s 2.0)))")
    assert "(assert (= s (/ s s s)))" in results(MUTATIONS, "smt_arguments.more", "(assert (= s (/ s s)))")


@pytest.mark.parametrize(
    ("before", "among"),
    [
        ("(distinct x 3)", "(distinct x 4 3)"),
        ("(= a b)", "(= a b #x0)"),
        ("(and p q)", "(and p (< y x) q)"),
        ("(< x y)", "(< x y 0)"),
        ("(= x (+ x y))", "(= x (+ x (- 1) y))"),
        ('(= "a" (str.++ "a" "a"))', '(= "a" (str.++ "a" "a" ""))'),
        ("(distinct c red)", "(distinct c red green)"),
    ],
)
def test_an_operator_gets_a_drawn_argument(before: str, among: str) -> None:
    assert f"(assert {among})" in results(MUTATIONS, "smt_arguments.draw", f"(assert {before})", 300)


def test_a_drawn_argument_is_another_one_than_those_before() -> None:
    repeated = {"(assert (distinct x 3 3))", "(assert (distinct x x 3))", "(assert (distinct x 3 x))"}
    assert repeated <= results(MUTATIONS, "smt_arguments.more", "(assert (distinct x 3))")
    assert repeated.isdisjoint(results(MUTATIONS, "smt_arguments.draw", "(assert (distinct x 3))", 300))


def test_a_drawn_divisor_is_no_zero_unless_another_one_may_be() -> None:
    found = results(MUTATIONS, "smt_arguments.draw", "(assert (= s (/ s 2.0)))", 300)
    assert any("(/ s 2.0 " in text for text in found)
    assert not [text for text in found if "(/ s 2.0 0.0)" in text or "(/ s 0.0 2.0)" in text]
    assert not [text for text in found if "(/ s 2.0 s)" in text or "(/ s s 2.0)" in text]
