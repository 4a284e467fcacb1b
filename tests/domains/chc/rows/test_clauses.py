"""Clauses split, joined and resolved: text before, text after, and what is declined."""

import pytest
from chcfuzz.domains.chc.rows import clauses
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System

ROWS = {row.id.partition(".")[2]: row for row in clauses.MUTATIONS}
DECLARED = "(declare-fun p (Int) Bool)(declare-fun q (Int Int) Bool)"
STEP = "(assert (! (forall ((x Int)) (=> (and (p x) (< x 5)) (p (+ x 1)))) :named a))"
EITHER = "(assert (! (forall ((x Int)) (=> (and (or (p x) (q x 1) (< x 0)) (< x 5)) (p (+ x 1)))) :named a))"
BOUND = "(assert (forall ((x Int)) (=> (p x) (< x 9))))"
QUERY = "(assert (not (p 7)))"
MOVE = "(assert (forall ((x Int)) (=> (q x x) (p (+ x 1)))))"
RULES = "(assert (forall ((x Int)) (=> (p x) (q x 3))))(assert (forall ((x Int) (y Int)) (=> (q x y) (p y))))"


def x(body: str) -> str:
    return f"(assert (forall ((x Int)) {body}))"


def named(clause: str) -> str:
    return clause.replace("(assert ", "(assert (! ", 1)[:-1] + " :named a))"


CASES = [
    # row, choices, clauses before, clauses after
    (
        "split-disjunction",
        b"",
        EITHER,
        named(x("(=> (and (p x) (< x 5)) (p (+ x 1)))"))
        + x("(=> (and (q x 1) (< x 5)) (p (+ x 1)))")
        + x("(=> (and (< x 0) (< x 5)) (p (+ x 1)))"),
    ),
    (
        "split-disjunction",
        b"\1\1",
        EITHER,
        named(x("(=> (and (or (p x) (q x 1)) (< x 5)) (p (+ x 1)))")) + x("(=> (and (< x 0) (< x 5)) (p (+ x 1)))"),
    ),
    (
        "split-cases",
        b"\1",
        STEP,
        named(x("(=> (< x 5) (=> (and (p x) (< x 5)) (p (+ x 1))))"))
        + x("(=> (not (< x 5)) (=> (and (p x) (< x 5)) (p (+ x 1))))"),
    ),
    (
        "split-cases",
        b"\0",
        STEP,
        named(x("(=> (= x x) (=> (and (p x) (< x 5)) (p (+ x 1))))"))
        + x("(=> (not (= x x)) (=> (and (p x) (< x 5)) (p (+ x 1))))"),
    ),
    (
        "split-ite",
        b"",
        x("(=> (p x) (p (ite (< x 0) 1 x)))"),
        x("(=> (< x 0) (=> (p x) (p 1)))") + x("(=> (not (< x 0)) (=> (p x) (p x)))"),
    ),
    (
        "join",
        b"",
        "(assert (! (p 0) :named a))" + QUERY + MOVE + BOUND,
        named("(assert (forall ((y Int) (y!1 Int)) (=> (or (= y 0) (and (= y (+ y!1 1)) (q y!1 y!1))) (p y))))")
        + QUERY
        + BOUND,
    ),
    (
        "join",
        b"\1",
        "(assert (p 0))" + QUERY + MOVE + BOUND,
        "(assert (p 0))(assert (forall ((y Int)) (=> (or (p 7) (and (p y) (not (< y 9)))) false)))" + MOVE,
    ),
    (
        "add-resolvent",
        b"\1\2",
        RULES,
        "(assert (forall ((x Int) (y Int)) (=> (and (= y 3) (p x)) (p y))))" + RULES,
    ),
    ("add-resolvent", b"\0\0\2", RULES, RULES + "(assert (forall ((x Int) (y!1 Int)) (=> (q y!1 x) (q x 3))))"),
]


def system(text: str) -> System:
    return parse(f"(set-logic HORN){DECLARED}{text}")


@pytest.mark.parametrize(("row", "choices", "before", "after"), CASES)
def test_each_row_makes_this_of_that(row: str, choices: bytes, before: str, after: str) -> None:
    assert ROWS[row].applies(system(before))
    assert ROWS[row].rewrite(system(before), Choices(choices)) == system(after)


def test_all_queries_reach_one() -> None:
    before = system("(assert (p 0))(assert (! (not (p 7)) :named a))" + BOUND)
    after = parse(
        f"""(set-logic HORN)(declare-fun p (Int) Bool)(declare-fun q (Int Int) Bool)(declare-fun bad () Bool)
        (assert (p 0))(assert (! (=> (p 7) bad) :named a))
        {x("(=> (and (p x) (not (< x 9))) bad)")}(assert (=> bad false))"""
    )
    assert ROWS["one-query"].applies(before)
    assert ROWS["one-query"].rewrite(before, Choices(b"\2\3")) == after


DECLINED = {
    "split-disjunction": x("(=> (and (p x) (not (or (< x 0) (> x 9)))) (p (+ x 1)))"),
    "split-cases": "",
    "split-ite": x("(=> (exists ((y Int)) (p (ite (< y 0) 1 x))) (p x))"),
    "join": "(assert (p 0))" + BOUND,
    "one-query": STEP,
    "add-resolvent": "(assert (p 0))" + x("(=> (q x x) (q x 3))").replace("(q x 3)", "(p x)"),
}


@pytest.mark.parametrize("row", DECLINED)
def test_what_a_row_can_do_nothing_with_is_declined(row: str) -> None:
    assert not ROWS[row].applies(system(DECLINED[row]))
    assert ROWS[row].rewrite(system(DECLINED[row]), Choices(b"")) is None


def test_a_condition_whose_variable_is_bound_again_above_an_ite_is_another() -> None:
    before = system(x("(=> (and (< x 0) (exists ((x Int)) (p (ite (< x 0) 1 2)))) (p x))"))
    assert ROWS["split-ite"].rewrite(before, Choices(b"")) is None


def test_every_row_has_a_case_and_is_declined_somewhere() -> None:
    assert {row for row, *_ in CASES} | {"one-query"} == set(ROWS)
    assert set(DECLINED) == set(ROWS)
