"""Predicates unfolded, parts of bodies folded, atoms tupled: text before, text after, and what is declined."""

import pytest
from chcfuzz.domains.chc.rows import unfolding
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.printing.witness import Fact
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System
from chcfuzz.mutators.mutation import Move
from chcfuzz.mutators.rewriting.model_converter import carried_facts

ROWS = {row.id.partition(".")[2]: row for row in unfolding.MUTATIONS}
DECLARED = "(declare-fun p (Int) Bool)(declare-fun q (Int Int) Bool)"
COUNTER = f"""{DECLARED}
(assert (p 0))
(assert (forall ((x Int) (z Int)) (=> (and (p x) (< z x)) (p (+ z 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x) (< x y)) (q y (- x)))))"""
QUERY = "(assert (forall ((x Int) (z Int)) (not (and (q x z) (p z) (> x 9)))))"

CASES = [
    (
        "unfold-predicate",
        b"",
        COUNTER + QUERY,
        """(declare-fun p (Int) Bool)
        (assert (p 0))
        (assert (forall ((x Int) (z Int)) (=> (and (p x) (< z x)) (p (+ z 1)))))
        (assert (forall ((x Int) (z Int) (y!1 Int))
            (not (and (and (= z (- y!1)) (p y!1) (< y!1 x)) (p z) (> x 9)))))""",
    ),
    (
        "unfold-predicate",
        b"\1",
        COUNTER + QUERY,
        """(declare-fun p (Int) Bool)
        (assert (p 0))
        (assert (forall ((x Int) (z Int)) (=> (and (p x) (< z x)) (p (+ z 1)))))
        (assert (forall ((x Int) (z Int) (y!2 Int) (y!1 Int))
            (not (and (and (= x y!2) (= z (- y!1)) (p y!1) (< y!1 y!2)) (p z) (> x 9)))))""",
    ),
    (  # nothing follows for a predicate without rules, nothing is lost with one without uses
        "unfold-predicate",
        b"\1",
        "(declare-fun a () Bool)(declare-fun b (Bool) Bool)(assert (=> (b true) (b false)))(assert (=> a (b true)))",
        "(declare-fun b (Bool) Bool)(assert (=> (b true) (b false)))(assert (=> false (b true)))",
    ),
    (
        "unfold-use",
        b"\0\0\1",
        COUNTER,
        f"""{DECLARED}
        (assert (p 0))
        (assert (forall ((x Int) (z Int) (y!2 Int) (y!1 Int))
            (=> (and (or (= x 0) (and (= x (+ y!2 1)) (p y!1) (< y!2 y!1))) (< z x)) (p (+ z 1)))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (< x y)) (q y (- x)))))""",
    ),
    (
        "fold",
        b"\0\0\1\0\1\3",
        COUNTER,
        """(declare-fun p (Int) Bool)(declare-fun part (Int Int) Bool)(declare-fun q (Int Int) Bool)
        (assert (p 0))
        (assert (forall ((x Int) (z Int)) (=> (part x z) (p (+ z 1)))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (< x y)) (q y (- x)))))
        (assert (forall ((x Int) (z Int)) (=> (and (p x) (< z x)) (part x z))))""",
    ),
    (
        "fold",
        b"\0\0\1\1\1\3",
        COUNTER,
        """(declare-fun p (Int) Bool)(declare-fun part (Int) Bool)(declare-fun q (Int Int) Bool)
        (assert (p 0))
        (assert (forall ((x Int) (z Int)) (=> (part z) (p (+ z 1)))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (< x y)) (q y (- x)))))
        (assert (forall ((x Int) (z Int)) (=> (and (p x) (< z x)) (part z))))""",
    ),
    (
        "tuple",
        b"\0\2",
        COUNTER + QUERY,
        f"""{DECLARED}(declare-fun q-p (Int Int Int) Bool)
        (assert (forall ((y!1 Int) (y!2 Int) (y!3 Int)) (=> (and (q y!1 y!2) (p y!3)) (q-p y!1 y!2 y!3))))
        (assert (p 0))
        (assert (forall ((x Int) (z Int)) (=> (and (p x) (< z x)) (p (+ z 1)))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (< x y)) (q y (- x)))))
        (assert (forall ((x Int) (z Int)) (not (and (q-p x z z) (> x 9)))))""",
    ),
    (
        "tuple",
        b"\1\0\1",
        f"{DECLARED}(assert (p 0))(assert (forall ((x Int)) (q x 7)))(assert (not (and (q 1 2) (p 3))))",
        f"""(declare-fun p-q (Int Int Int) Bool){DECLARED}
        (assert (forall ((y Int) (y!1 Int) (y!3 Int) (y!2 Int))
            (=> (and (= y 0) (and (= y!1 y!3) (= y!2 7))) (p-q y y!1 y!2))))
        (assert (p 0))(assert (forall ((x Int)) (q x 7)))(assert (not (p-q 3 1 2)))""",
    ),
]


def system(text: str) -> System:
    return parse(f"(set-logic HORN){text}")


@pytest.mark.parametrize(("row", "choices", "before", "after"), CASES)
def test_each_row_makes_this_of_that(row: str, choices: bytes, before: str, after: str) -> None:
    assert ROWS[row].applies(system(before))
    assert ROWS[row].rewrite(system(before), Choices(choices)) == system(after)


DECLINED = {
    "unfold-predicate": "(declare-fun p (Int) Bool)(assert (p 0))(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))",
    "unfold-use": "(declare-fun p (Int) Bool)(assert (p 0))",
    "fold": "(declare-fun p (Int) Bool)(assert (p 0))(assert (=> true (p 1)))",
    "tuple": "(declare-fun p (Int) Bool)(assert (=> (and (p 0) (or (p 1) (p 2))) false))",
}


@pytest.mark.parametrize("row", DECLINED)
def test_what_a_row_can_do_nothing_with_is_declined(row: str) -> None:
    assert not ROWS[row].applies(system(DECLINED[row]))
    assert ROWS[row].rewrite(system(DECLINED[row]), Choices(b"")) is None


def test_what_would_be_written_down_too_often_is_not_unfolded() -> None:
    text = "(declare-fun p (Int) Bool)" + "".join(f"(assert (p {n}))" for n in range(3))
    query = "(assert (not (or (p 1) (p 2) (p 3) (p 4){})))"
    assert ROWS["unfold-predicate"].applies(system(text + query.format("")))
    assert not ROWS["unfold-predicate"].applies(system(text + query.format(" (p 5)")))
    assert not ROWS["unfold-use"].applies(system(text + "(assert (p 8))(assert (p 9))" + query.format("")))


def test_facts_of_a_new_predicate_are_guessed_before_those_that_may_need_them() -> None:
    before = system(COUNTER)
    p, q = before.predicates
    given = (Fact(p, (0,)), Fact(p, (-3,)), Fact(q, (2, 3)))
    for choices, part in ((b"\0\0\1\0\1\3", "(part 0 (- 3))"), (b"\0\0\1\1\1\3", "(part (- 3))")):
        after = ROWS["fold"].rewrite(before, Choices(choices))
        assert after is not None
        carried = carried_facts([Move(before, after, ROWS["fold"], choices)], given)
        assert carried is not None
        assert list(map(str, carried)) == ["(p 0)", part, "(p (- 3))", "(q 2 3)"]


def test_every_row_has_a_case_and_is_declined_somewhere() -> None:
    assert {row for row, *_ in CASES} == set(ROWS)
    assert set(DECLINED) == set(ROWS)


def test_a_head_before_the_bodys_members_is_neither_a_use_nor_a_part() -> None:
    """In (not (and (not head) body)) the head is a member of the conjunction."""
    before = system("(declare-fun p (Int) Bool)(assert (p 0))(assert (not (and (not (p 1)) (p 2))))")
    made = {
        row: {ROWS[row].rewrite(before, Choices(bytes([n, m]))) for n in range(4) for m in range(4)} for row in ROWS
    }
    for found in made.values():
        for after in found:
            assert after is None or all(clause.reading for clause in after.clauses)
    assert all(after is None or "(not (p 1))" in print_system(after) for after in made["unfold-use"])
    assert any(made["fold"])
