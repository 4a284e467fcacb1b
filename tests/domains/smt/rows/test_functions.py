"""New functions in place of terms, and other functions in place of old ones: text before, text after."""

import pytest
from chcfuzz.domains.smt.rows.functions import MUTATIONS

from tests.domains.smt.rows.cases import results

CASES = [
    ("name", "(assert (f (+ x 1)))", "(assert (= named (+ x 1))) (assert (f named))"),
    ("name", "(assert (f (+ x 1)))", "(assert named) (assert (= named (f (+ x 1))))"),
    ("call", "(assert (f x))", "(assert (f (named (f x)))) (assert (= (named (f x)) x))"),
    ("identity", "(assert (f x))", "(assert (forall ((x!1 Int)) (= (same x!1) x!1))) (assert (f (same x)))"),
    ("substitute", "(assert (f x))", "(assert (f (to_int sub)))"),
    ("substitute", "(assert p)", "(assert (= sub #b1))"),
    ("substitute", "(assert (= a #x1))", "(assert (= (concat sub sub!1) #x1))"),
    ("substitute", "(assert (= u u))", "(assert (= (ite which sub sub!1) (ite which sub sub!1)))"),
    ("argument", "(assert (f x))", "(assert (f x x))"),
    ("cell", "(assert (f x))", "(assert (f (select (store cells x x) x)))"),
    ("cell", "(assert (f x))", "(assert (select (store cells true (f x)) true))"),
    ("record", "(assert (f x))", "(assert (f (held (hold x))))"),
    ("permute", "(assert (f (h x p)))", "(assert (f (h p x)))"),
    ("as-array", "(assert (f x))", "(assert (select f x))"),
    (
        "congruence",
        "(assert (f x)) (assert (f y))",
        "(assert (f x)) (assert (f y)) (assert (=> (= x y) (= (f x) (f y))))",
    ),
]


@pytest.mark.parametrize(("row", "before", "after"), CASES)
def test_a_row_makes_this_among_others(row: str, before: str, after: str) -> None:
    assert after in results(MUTATIONS, f"smt_functions.{row}", before, 400)


def test_a_term_with_bound_variables_gets_no_name() -> None:
    found = results(MUTATIONS, "smt_functions.name", "(assert (forall ((z Int)) (f z)))", 100)
    assert len(found) <= 4
    assert all("(assert named)" in text for text in found)


def test_calls_must_differ() -> None:
    assert results(MUTATIONS, "smt_functions.congruence", "(assert (f x))") == set()
