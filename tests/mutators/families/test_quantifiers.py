"""The order of bound variables: text before, text after, and what is declined."""

import pytest
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System
from chcfuzz.mutators.families import quantifiers

ROWS = {row.id: row for row in quantifiers.MUTATIONS}
MIX = "quantifiers.mix-bound-vars"

CASES = [
    # row, choices, clause before, clause after; the first choice is the place where there are several
    (MIX, b"\x01", "(forall ((x Int) (y Int)) (p x y))", "(forall ((y Int) (x Int)) (p x y))"),
    (MIX, b"\x02\x00", "(forall ((x Int) (y Int) (b Bool)) (p x y))", "(forall ((b Bool) (x Int) (y Int)) (p x y))"),
    (MIX, b"\x02\x01", "(forall ((x Int) (y Int) (b Bool)) (p x y))", "(forall ((b Bool) (y Int) (x Int)) (p x y))"),
    (
        MIX,
        b"\x01\x01",
        "(forall ((x Int) (y Int)) (=> (exists ((z Int) (w Int)) (p z w)) (p x y)))",
        "(forall ((x Int) (y Int)) (=> (exists ((w Int) (z Int)) (p z w)) (p x y)))",
    ),
    (
        MIX,
        b"\x01",
        "(forall ((x Int)) (forall ((y Int) (z Int)) (=> (p x y) (p y z))))",
        "(forall ((x Int)) (forall ((z Int) (y Int)) (=> (p x y) (p y z))))",
    ),
]

DECLINED = [
    (MIX, b"\x01", "(p 1 2)"),
    (MIX, b"\x01", "(forall ((x Int)) (forall ((y Int)) (p x y)))"),
    (MIX, b"", "(forall ((x Int) (y Int)) (p x y))"),  # the drawn order is the one it has
]


def system(clause: str) -> System:
    return parse(f"(set-logic HORN)(declare-fun p (Int Int) Bool)(assert {clause})")


@pytest.mark.parametrize(("row", "choices", "before", "after"), CASES)
def test_each_row_makes_this_of_that(row: str, choices: bytes, before: str, after: str) -> None:
    assert ROWS[row].applies(system(before))
    assert ROWS[row].rewrite(system(before), Choices(choices)) == system(after)


@pytest.mark.parametrize(("row", "choices", "before"), DECLINED)
def test_what_does_not_fit_is_declined(row: str, choices: bytes, before: str) -> None:
    assert ROWS[row].rewrite(system(before), Choices(choices)) is None


def test_a_row_does_not_apply_without_a_longer_prefix() -> None:
    assert not ROWS[MIX].applies(system("(forall ((x Int)) (forall ((y Int)) (p x y)))"))


def test_every_row_has_a_case_and_is_declined_somewhere() -> None:
    assert {row for row, *_ in CASES} == set(ROWS)
    assert {row for row, *_ in DECLINED} == set(ROWS)
