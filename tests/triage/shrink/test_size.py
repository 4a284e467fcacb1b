"""The size of a system: it is smaller with less to read, and every descending chain ends."""

import pytest
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.sort_kinds import kind_of
from chcfuzz.grammar.sorts import BOOL, INT, REAL, Sort, array, bitvec
from chcfuzz.grammar.theories.integers import distance
from chcfuzz.triage.shrink.passes import measured

P, Q = "(declare-fun p (Int) Bool)", "(declare-fun q (Int) Bool)"


@pytest.mark.parametrize(
    ("smaller", "bigger"),
    [
        # fewer clauses, although longer; fewer predicates, although more arguments
        (
            f"{P}(assert (forall ((x Int)) (=> (and (< x 1) (> x 2) (= x 3)) (p x))))",
            f"{P}(assert (p 1))(assert (p 2))",
        ),
        ("(declare-fun p (Int Int Int) Bool)(assert (p 1 2 3))", f"{P}{Q}(assert (p 1))"),
        ("(declare-fun p () Bool)(assert (=> p p))", f"{P}(assert (p 1))"),
        # fewer nodes; a constant counts less than a variable, a variable less than a term
        (f"{P}(assert (p 9))", f"{P}(assert (forall ((x Int)) (p x)))"),
        (f"{P}(assert (forall ((x Int)) (p x)))", f"{P}(assert (forall ((x Int)) (p (+ x 1))))"),
        (f"{P}(assert (forall ((x Int)) (p x)))", f"{P}(assert (forall ((x Int) (y Int)) (p x)))"),
        # simpler sorts, then constants, then notes, then names
        ("(declare-fun p (Bool) Bool)(assert (p true))", f"{P}(assert (p 1))"),
        ("(assert (= #b1 #b0))", "(assert (= #b01 #b00))"),
        (f"{P}(assert (p 1))", f"{P}(assert (p 2))"),
        (f"{P}(assert (p 1))", f"{P}(assert (p (- 1)))"),
        (f"{P}(assert (p 1))", f"{P}(assert (! (p 1) :named a))"),
        (f"{P}(assert (p 1))", f"(set-info :status sat){P}(assert (p 1))"),
        (f"{P}(assert (p 1))", "(declare-fun other (Int) Bool)(assert (other 1))"),
        (f"{P}(assert (forall ((x Int)) (p x)))", f"{P}(assert (forall ((y Int)) (p y)))"),
        # parts of data types
        ("(declare-datatypes ((t 0)) (((a))))", "(declare-datatypes ((t 0)) (((a) (b))))"),
        ("(declare-datatypes ((t 0)) (((a) (b))))", "(declare-datatypes ((t 0)) (((a) (b (c Bool)))))"),
    ],
)
def test_what_is_smaller(smaller: str, bigger: str) -> None:
    predicate = "(declare-fun p () Bool)" if "declare-fun" not in smaller else ""
    assert measured(parse(predicate + smaller)) < measured(parse(predicate + bigger))


def test_every_number_is_a_natural_one() -> None:
    sizes = measured(parse(f"{P}(assert (p (- 7)))(assert (forall ((r Real)) (=> (= r (- (/ 1.0 3.0))) false)))"))
    assert all(number >= 0 for number in sizes)


def sort_weight(sort: Sort) -> int:
    return kind_of(sort).weight(sort)


def test_sorts_by_what_there_is_to_know_of_them() -> None:
    order = [BOOL, INT, REAL, bitvec(1), bitvec(8), bitvec(32)]
    assert [sort_weight(sort) for sort in order] == sorted({sort_weight(sort) for sort in order})
    assert sort_weight(array(INT, BOOL)) < sort_weight(array(INT, INT)) < sort_weight(array(INT, array(INT, INT)))


def test_zero_weighs_nothing() -> None:
    assert distance(0) == distance(False) == distance(True) == 0
    assert distance(1) < distance(-1) < distance(2)
