"""Weaker inequalities beside others: text before, text after, and what is declined."""

import pytest
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System
from chcfuzz.mutators.families import arithmetic

ROWS = {row.id: row for row in arithmetic.MUTATIONS}
ADD = "arithmetic.add-ineq"

CASES = [
    # row, choices, body before, body after; the first choice is the place where there are several
    (ADD, b"", "(< x 3)", "(and (< x 3) (< x 4))"),
    (ADD, b"\x00\x01", "(< x 3)", "(and (< x 4) (< x 3))"),
    (ADD, b"\x02", "(<= x 3)", "(and (<= x 3) (<= x 5))"),
    (ADD, b"\x03\x01", "(<= x 3)", "(and (<= x 19) (<= x 3))"),
    (ADD, b"", "(> x 0)", "(and (> x 0) (> x (- 1)))"),
    (ADD, b"\x03", "(>= x (- 1))", "(and (>= x (- 1)) (>= x (- 17)))"),
    (ADD, b"", "(< x y)", "(and (< x y) (< x (+ y 1)))"),
    (ADD, b"\x02", "(> x y)", "(and (> x y) (> x (+ y (- 2))))"),
    (ADD, b"", "(< u 0.5)", "(and (< u 0.5) (< u 1.5))"),
    (ADD, b"", "(>= u w)", "(and (>= u w) (>= u (+ w (- 1.0))))"),
    (ADD, b"\x01", "(and (< x 0) (< y 0))", "(and (< x 0) (and (< y 0) (< y 1)))"),
    (ADD, b"", "(not (< x 0))", "(not (and (< x 0) (< x 1)))"),
    (ADD, b"", "(exists ((z Int)) (<= z x))", "(exists ((z Int)) (and (<= z x) (<= z (+ x 1))))"),
]

DECLINED = [
    (ADD, "(= x 0)"),
    (ADD, "(< x y 3)"),
    (ADD, "(bvult v #x0f)"),
    (ADD, "(p (ite (< x 0) 1 2))"),
    (ADD, "true"),
]


def system(body: str) -> System:
    variables = "(x Int) (y Int) (u Real) (w Real) (v (_ BitVec 8))"
    declaration = "(set-logic HORN)(declare-fun p (Int) Bool)"
    return parse(f"{declaration}(assert (forall ({variables}) (=> {body} (p x))))")


@pytest.mark.parametrize(("row", "choices", "before", "after"), CASES)
def test_each_row_makes_this_of_that(row: str, choices: bytes, before: str, after: str) -> None:
    assert ROWS[row].applies(system(before))
    assert ROWS[row].rewrite(system(before), Choices(choices)) == system(after)


@pytest.mark.parametrize(("row", "before"), DECLINED)
def test_what_does_not_fit_is_declined(row: str, before: str) -> None:
    assert not ROWS[row].applies(system(before))
    assert ROWS[row].rewrite(system(before), Choices(b"")) is None


def test_heads_are_left_alone() -> None:
    query = parse("(set-logic HORN)(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (p x) (< x 3))))")
    assert ROWS[ADD].rewrite(query, Choices(b"")) is None


def test_every_row_has_a_case_and_is_declined_somewhere() -> None:
    assert {row for row, *_ in CASES} == set(ROWS)
    assert {row for row, _ in DECLINED} == set(ROWS)
