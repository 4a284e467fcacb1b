"""Clauses in other shapes: text before, text after, and what is declined."""

import pytest
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System
from chcfuzz.mutators.families import shapes

ROWS = {row.id.partition(".")[2]: row for row in shapes.MUTATIONS}
DECLARED = "(declare-fun p (Int) Bool)(declare-fun q (Int Int) Bool)"
STEP = "(assert (! (forall ((x Int)) (=> (and (p x) (< x 5)) (p (+ x 1)))) :named a))"
TAKE = "(assert (! (forall ((x Int)) (=> (and (p x) (< x 5)) (q x x))) :named a))"
BOUND = "(assert (forall ((x Int)) (=> (p x) (< x 9))))"
RULES = "(assert (forall ((x Int)) (=> (p x) (q x 3))))(assert (forall ((x Int) (y Int)) (=> (q x y) (p y))))"
THREE = "(assert (forall ((x Int) (y Int) (z Int)) (=> (and (q x y) (< z y)) (p x))))"
NONE = THREE.replace("(p x)", "false")
CHOICE = "(assert (forall ((x Int)) (=> (ite (< x 0) (p x) (< x 9)) (p (+ x 1)))))"


def x(body: str) -> str:
    return f"(assert (forall ((x Int)) {body}))"


def named(clause: str) -> str:
    return clause.replace("(assert ", "(assert (! ", 1)[:-1] + " :named a))"


CASES = [
    # row, choices, clauses before, clauses after
    ("reshape", b"\1", TAKE, named(x("(or (not (p x)) (not (< x 5)) (q x x))"))),
    ("reshape", b"\2", TAKE, named(x("(or (q x x) (not (p x)) (not (< x 5)))"))),
    ("reshape", b"\3", TAKE, named(x("(not (and (p x) (< x 5) (not (q x x))))"))),
    ("reshape", b"\4", TAKE, named(x("(=> (p x) (=> (< x 5) (q x x)))"))),
    ("reshape", b"\5", TAKE, named(x("(=> (p x) (< x 5) (q x x))"))),
    ("reshape", b"\6", BOUND, x("(=> (and (p x) (not (< x 9))) false)")),
    ("reshape", b"\0", "(assert (p 0))", "(assert (=> true (p 0)))"),
    ("reshape", b"\0", "(assert (< 0 1))", "(assert (=> (not (< 0 1)) false))"),
    (
        "exists-out",
        b"",
        x("(=> (or (p x) (exists ((y Int)) (q x y))) (p (+ x 1)))"),
        "(assert (forall ((x Int) (y!1 Int)) (=> (or (p x) (q x y!1)) (p (+ x 1)))))",
    ),
    (
        "exists-in",
        b"",
        THREE,
        "(assert (forall ((x Int) (z Int)) (=> (exists ((y Int)) (and (q x y) (< z y))) (p x))))",
    ),
    ("exists-in", b"\0\1", THREE, x("(=> (exists ((y Int) (z Int)) (and (q x y) (< z y))) (p x))")),
    (
        "cell-for-variable",
        b"",
        THREE,
        "(assert (forall ((x Int) (z Int) (y!1 (Array Int Int))) "
        "(=> (and (q x (select y!1 0)) (< z (select y!1 0))) (p x))))",
    ),
    (
        "cell-for-variable",
        b"\0\1",
        THREE,
        "(assert (forall ((x Int) (y!1 (Array Int Int))) "
        "(=> (and (q x (select y!1 0)) (< (select y!1 1) (select y!1 0))) (p x))))",
    ),
    ("split-prefix", b"\1", NONE, NONE.replace("(z Int))", ") (forall ((z Int))").replace("false)", "false))")),
    ("merge-prefix", b"", x("(forall ((y Int)) (=> (q x y) (p x)))"), RULES[46:].replace("(p y)", "(p x)")),
    (
        "name-argument",
        b"\0\1",
        x("(=> (q x 7) (p (+ x 1)))"),
        "(assert (forall ((x Int) (y Int)) (=> (and (q x y) (= y 7)) (p (+ x 1)))))",
    ),
    (
        "name-argument",
        b"\1\1",
        x("(=> (q x 7) (p (+ x 1)))"),
        "(assert (forall ((x Int) (y Int)) (=> (q x 7) (=> (= (+ x 1) y) (p y)))))",
    ),
    (
        "use-equation",
        b"",
        "(assert (forall ((x Int) (y Int)) (=> (and (p x) (= y (+ x 1))) (p y))))",
        x("(=> (and (p x) true) (p (+ x 1)))"),
    ),
    ("open-ite", b"", CHOICE, x("(=> (or (and (< x 0) (p x)) (and (not (< x 0)) (< x 9))) (p (+ x 1)))")),
    ("open-ite", b"\1", CHOICE, x("(=> (and (=> (< x 0) (p x)) (=> (not (< x 0)) (< x 9))) (p (+ x 1)))")),
    ("close-ite", b"\0\1", STEP, named(x("(=> (and (p (ite (distinct x x) x x)) (< x 5)) (p (+ x 1)))"))),
]


def system(text: str) -> System:
    return parse(f"(set-logic HORN){DECLARED}{text}")


@pytest.mark.parametrize(("row", "choices", "before", "after"), CASES)
def test_each_row_makes_this_of_that(row: str, choices: bytes, before: str, after: str) -> None:
    assert ROWS[row].applies(system(before))
    assert ROWS[row].rewrite(system(before), Choices(choices)) == system(after)


DECLINED = {
    "reshape": "",
    "exists-out": x("(=> (and (p x) (forall ((y Int)) (< x y))) (p (+ x 1)))"),
    "exists-in": STEP,
    "cell-for-variable": STEP + "(assert (forall ((a (Array Int (Array Int Int)))) (not (= a a))))",
    "split-prefix": THREE,
    "merge-prefix": x("(=> (p x) (forall ((x Int)) (< x 9)))") + x("(forall ((x Int)) (=> (p x) (< x 9)))"),
    "name-argument": "(assert (not (= 0 1)))",
    "use-equation": x("(=> (or (p x) (= x 7)) (p 1))") + x("(=> (and (p x) (= x (+ x 1))) (p 1))"),
    "open-ite": x("(=> (p x) (p (ite (< x 0) 1 x)))"),
    "close-ite": "(assert (p 0))",
}


@pytest.mark.parametrize("row", DECLINED)
def test_what_a_row_can_do_nothing_with_is_declined(row: str) -> None:
    assert not ROWS[row].applies(system(DECLINED[row]))
    assert ROWS[row].rewrite(system(DECLINED[row]), Choices(b"")) is None


def test_an_equation_of_a_variable_that_is_bound_again_is_left_alone() -> None:
    before = system("(assert (forall ((x Int) (y Int)) (=> (and (= x y) (p x) (exists ((x Int)) (q x y))) (p y))))")
    after = system(x("(=> (and true (p x) (exists ((x!1 Int)) (q x!1 x))) (p x))"))
    assert ROWS["use-equation"].rewrite(before, Choices(b"")) in (None, after)


def test_every_row_has_a_case_and_is_declined_somewhere() -> None:
    assert {row for row, *_ in CASES} == set(ROWS)
    assert set(DECLINED) == set(ROWS)
