"""Operators exchanged by type: all results of small assertions."""

import pytest
from chcfuzz.domains.smt.rows.operator import MUTATIONS

from tests.domains.smt.rows.cases import results

CASES = [
    ("exchange", "(assert (< x y))", {"<=", ">", ">=", "=", "distinct"}),
    ("exchange", "(assert (and p q))", {"or", "xor", "=>", "=", "distinct"}),
    ("exchange", "(assert (= (bvnot a) #x1))", None),
    ("exchange", "(assert (= ((_ extract 2 1) a) #b11))", None),
]


@pytest.mark.parametrize(("row", "before", "operators"), CASES)
def test_an_operator_becomes_another_of_its_type(row: str, before: str, operators: set[str] | None) -> None:
    found = results(MUTATIONS, f"smt_operator.{row}", before)
    assert before not in found
    if operators is not None:
        old = before.split()[1].strip("(")
        assert found == {before.replace(f"({old} ", f"({operator} ") for operator in operators}
    assert len(found) > 3


def test_divisors_stay_numbers_other_than_zero() -> None:
    found = results(MUTATIONS, "smt_operator.exchange", "(assert (= 1 (+ x y)))", 200)
    assert "(assert (= 1 (* x y)))" in found
    assert not [text for text in found if "div" in text or "mod" in text]
    assert "(assert (= 1 (mod x 3)))" in results(MUTATIONS, "smt_operator.exchange", "(assert (= 1 (div x 3)))")


ALL = [
    ("function", "(assert (f x))", {"(assert (f y))", "(assert (g x))"}),
    ("constructor", "(assert (= c red))", {"(assert (= c green))"}),
    ("constructor", "(assert ((_ is red) c))", {"(assert ((_ is green) c))", "(assert ((_ is mixed) c))"}),
    ("swap-arguments", "(assert (< x (h y p)))", {"(assert (< (h y p) x))"}),
    (
        "quantifier",
        "(assert (forall ((z Int)) (f z)))",
        {"(assert (exists ((z Int)) (f z)))"},
    ),
    ("negate", "(assert (not p))", {"(assert p)", "(assert (not (not p)))"}),
]


@pytest.mark.parametrize(("row", "before", "after"), ALL)
def test_a_row_makes_all_of_these_and_nothing_else(row: str, before: str, after: set[str]) -> None:
    assert results(MUTATIONS, f"smt_operator.{row}", before) == after


@pytest.mark.parametrize(("row", "before"), [("quantifier", "(assert p)"), ("swap-arguments", "(assert (f x))")])
def test_a_row_declines_what_has_another_form(row: str, before: str) -> None:
    assert results(MUTATIONS, f"smt_operator.{row}", before) == set()
