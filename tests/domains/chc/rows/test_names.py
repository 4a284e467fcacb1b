"""Other names: text before, text after, and what is declined."""

import pytest
from chcfuzz.domains.chc.rows import names
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System

ROWS = {row.id: row for row in names.MUTATIONS}
PREDICATE, EXCHANGE, VARIABLE = "names.rename-predicate", "names.exchange-predicates", "names.rename-variable"
TWO = "(declare-fun p (Int) Bool)(declare-fun q (Bool) Bool)"

CASES = [
    # row, choices, before, after; the first choice is the place where there are several
    (PREDICATE, b"", "(declare-fun p (Int) Bool)(assert (p 0))", "(declare-fun A (Int) Bool)(assert (A 0))"),
    (
        PREDICATE,
        b"\x05",
        "(declare-fun p (Int) Bool)(assert (p 0))",
        "(declare-fun |x y| (Int) Bool)(assert (|x y| 0))",
    ),
    (
        PREDICATE,
        b"\x01\x02",
        f"{TWO}(assert (forall ((x Int) (b Bool)) (=> (p x) (q b))))",
        "(declare-fun p (Int) Bool)(declare-fun zz (Bool) Bool)(assert (forall ((x Int) (b Bool)) (=> (p x) (zz b))))",
    ),
    (
        PREDICATE,
        b"\x01",  # `a` is taken, by a variable
        "(declare-fun p (Int) Bool)(assert (forall ((a Int)) (p a)))",
        "(declare-fun a!1 (Int) Bool)(assert (forall ((a Int)) (a!1 a)))",
    ),
    (
        EXCHANGE,
        b"\x01",
        f"{TWO}(assert (forall ((x Int) (b Bool)) (=> (p x) (q b))))",
        "(declare-fun q (Int) Bool)(declare-fun p (Bool) Bool)(assert (forall ((x Int) (b Bool)) (=> (q x) (p b))))",
    ),
    (
        VARIABLE,
        b"",
        "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (p x)))",
        "(declare-fun p (Int) Bool)(assert (forall ((A Int)) (p A)))",
    ),
    (
        VARIABLE,
        b"\x01\x03",
        "(declare-fun p (Int) Bool)(assert (forall ((x Int) (y Int)) (=> (p x) (> y x) (p y))))",
        "(declare-fun p (Int) Bool)(assert (forall ((x Int) (_x Int)) (=> (p x) (> _x x) (p _x))))",
    ),
    (
        VARIABLE,
        b"\x01\x01",
        "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (exists ((y Int)) (and (> y x) (p y))) (p x))))",
        "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (exists ((a Int)) (and (> a x) (p a))) (p x))))",
    ),
    (VARIABLE, b"", "(assert (forall ((x Int)) (= x 0)))", "(assert (forall ((A Int)) (= A 0)))"),
]

DECLINED = [
    (PREDICATE, b"", "(assert (not (= 1 1)))"),
    (EXCHANGE, b"", f"{TWO}(assert (p 0))"),  # the drawn order is the one they have
    (EXCHANGE, b"\x01", "(declare-fun p (Int) Bool)(assert (p 0))"),
    (VARIABLE, b"", f"{TWO}(assert (p 0))"),
]


def system(text: str) -> System:
    return parse(f"(set-logic HORN){text}")


@pytest.mark.parametrize(("row", "choices", "before", "after"), CASES)
def test_each_row_makes_this_of_that(row: str, choices: bytes, before: str, after: str) -> None:
    assert ROWS[row].applies(system(before))
    assert ROWS[row].rewrite(system(before), Choices(choices)) == system(after)


@pytest.mark.parametrize(("row", "choices", "before"), DECLINED)
def test_what_does_not_fit_is_declined(row: str, choices: bytes, before: str) -> None:
    assert ROWS[row].rewrite(system(before), Choices(choices)) is None


def test_a_predicate_declared_after_a_variable_of_its_name_is_exchanged_too() -> None:
    before = system(
        """(declare-fun q () Bool)(assert (forall ((p Bool)) (=> p q)))
        (declare-fun p () Bool)(assert (=> q p))(assert (=> p false))"""
    )
    after = ROWS[EXCHANGE].rewrite(before, Choices(b"\x01"))
    assert after == system(
        """(declare-fun p () Bool)(declare-fun q () Bool)(assert (forall ((p!1 Bool)) (=> p!1 p)))
        (assert (=> p q))(assert (=> q false))"""
    )
    assert parse(print_system(after)) == after


@pytest.mark.parametrize("number", range(10))
@pytest.mark.parametrize("row", [PREDICATE, VARIABLE])
def test_every_new_name_can_be_printed_and_read(row: str, number: int) -> None:
    before = system("(declare-fun p (Int) Bool)(assert (forall ((x Int)) (p x)))")
    after = ROWS[row].rewrite(before, Choices(bytes([number])))
    assert after is not None
    assert parse(print_system(after)) == after


@pytest.mark.parametrize("row", [PREDICATE, VARIABLE])
def test_names_in_use_anywhere_get_a_number(row: str) -> None:
    before = system(
        """(declare-datatypes ((A 0)) (((a (zz Int)))))(declare-fun |k!0| (A) Bool)
        (assert (! (forall ((_x A) (aux A)) (=> (exists ((|x y| A)) (|k!0| |x y|)) (|k!0| _x))) :named |P#1|))"""
    )
    for number in range(9):
        after = ROWS[row].rewrite(before, Choices(bytes([number]) if row == PREDICATE else bytes([0, 0, number])))
        assert after is not None
        assert parse(print_system(after)) == after
        assert ("!1" in print_system(after)) == (number != 8)


def test_every_row_has_a_case_and_is_declined_somewhere() -> None:
    assert {row for row, *_ in CASES} == set(ROWS)
    assert {row for row, *_ in DECLINED} == set(ROWS)
