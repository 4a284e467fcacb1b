"""Rules that can never fire: text before, text after, and what is declined."""

import pytest
from chcfuzz.domains.chc.rows import rules
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System

ROWS = {row.id: row for row in rules.MUTATIONS}
LINEAR, NONLINEAR = "rules.add-lin-rule", "rules.add-nonlin-rule"
FACT = "(assert (p 0))"

CASES = [
    # row, choices, declarations, the rule that is added before the fact
    (LINEAR, b"", "(declare-fun p (Int) Bool)", "(forall ((v0 Int)) (=> false (p v0)))"),
    (LINEAR, b"\x01", "(declare-fun p (Int) Bool)", "(forall ((v0 Int)) (=> (distinct v0 v0) (p v0)))"),
    (LINEAR, b"\x02", "(declare-fun p (Int) Bool)", "(forall ((v0 Int)) (=> (not (= v0 v0)) (p v0)))"),
    (LINEAR, b"\x03", "(declare-fun p (Int) Bool)", "(forall ((v0 Int)) (=> (< v0 v0) (p v0)))"),
    (LINEAR, b"\x04", "(declare-fun p (Int) Bool)", "(forall ((v0 Int)) (=> (= v0 (+ v0 1)) (p v0)))"),
    (LINEAR, b"\x05", "(declare-fun p (Int) Bool)", "(forall ((v0 Int)) (=> (and (> v0 0) (< v0 0)) (p v0)))"),
    (LINEAR, b"\x06", "(declare-fun p (Int) Bool)", "(forall ((v0 Int)) (=> (= (+ v0 v0) 1) (p v0)))"),
    (LINEAR, b"\x07", "(declare-fun p (Int) Bool)", "(forall ((v0 Int)) (=> (and (> v0 0) (< v0 1)) (p v0)))"),
    (
        LINEAR,
        b"\x01\x03",
        "(declare-fun p (Int) Bool)(declare-fun q (Bool) Bool)",
        "(forall ((v0 Bool)) (=> (and v0 (not v0)) (q v0)))",
    ),
    (
        LINEAR,
        b"\x01\x04",
        "(declare-fun p (Int) Bool)(declare-fun q (Real) Bool)",
        "(forall ((v0 Real)) (=> (= v0 (+ v0 1.0)) (q v0)))",
    ),
    (
        LINEAR,
        b"\x01\x04",
        "(declare-fun p (Int) Bool)(declare-fun q ((_ BitVec 4)) Bool)",
        "(forall ((v0 (_ BitVec 4))) (=> (bvult v0 #x0) (q v0)))",
    ),
    (LINEAR, b"\x01", "(declare-fun p (Int) Bool)(declare-fun q () Bool)", "(=> false q)"),
    (
        LINEAR,
        b"\x01\x03",
        "(declare-fun p (Int) Bool)(declare-fun q ((Array Int Int) Bool) Bool)",
        "(forall ((v0 (Array Int Int)) (v1 Bool)) (=> (distinct v1 v1) (q v0 v1)))",
    ),
    (
        NONLINEAR,
        b"",
        "(declare-fun p (Int) Bool)",
        "(forall ((x0 Int) (v0 Int)) (=> (and (> x0 x0) (p x0)) (p v0)))",
    ),
    (
        NONLINEAR,
        b"\x02\x03\x00\x02",
        "(declare-fun p (Int) Bool)",
        """(forall ((x0 Int) (x1 Int) (x2 Int) (v0 Int))
           (=> (and (and (> x0 x1) (p v0)) (and (> x1 x2) (p x0)) (and (> x2 x0) (p x2))) (p v0)))""",
    ),
    (
        NONLINEAR,
        b"\x01\x01",
        "(declare-fun p (Int) Bool)(declare-fun q () Bool)",
        "(forall ((x0 Int) (x1 Int)) (=> (and (and (> x0 x1) q) (and (> x1 x0) q)) q))",
    ),
]

DECLINED = [(LINEAR, "(assert (not (= 1 1)))"), (NONLINEAR, "(assert (not (= 1 1)))")]


def system(text: str) -> System:
    return parse(f"(set-logic HORN){text}")


@pytest.mark.parametrize(("row", "choices", "declarations", "rule"), CASES)
def test_each_row_adds_this_rule(row: str, choices: bytes, declarations: str, rule: str) -> None:
    before = system(declarations + FACT)
    assert ROWS[row].applies(before)
    assert ROWS[row].rewrite(before, Choices(choices)) == system(f"{declarations}(assert {rule}){FACT}")


@pytest.mark.parametrize(("row", "before"), DECLINED)
def test_a_system_without_predicates_is_declined(row: str, before: str) -> None:
    assert not ROWS[row].applies(system(before))
    assert ROWS[row].rewrite(system(before), Choices(b"")) is None


def test_the_rule_can_stand_anywhere() -> None:
    before = system(f"(declare-fun p (Int) Bool){FACT}(assert (p 1))")
    places = set()
    for number in range(3):
        after = ROWS[LINEAR].rewrite(before, Choices(bytes([0, number])))
        assert after is not None
        assert [clause for clause in after.clauses if clause in before.clauses] == list(before.clauses)
        places.add(next(i for i, clause in enumerate(after.clauses) if clause not in before.clauses))
    assert places == {0, 1, 2}


def test_names_in_use_are_not_taken_by_the_rule() -> None:
    declarations = "(declare-fun v0 (Int) Bool)"
    after = ROWS[LINEAR].rewrite(system(f"{declarations}(assert (v0 0))"), Choices(b""))
    rule = "(assert (forall ((v0!1 Int)) (=> false (v0 v0!1))))"
    assert after == system(f"{declarations}{rule}(assert (v0 0))")
    declarations = "(declare-fun x0 (Int) Bool)"
    after = ROWS[NONLINEAR].rewrite(system(f"{declarations}(assert (x0 0))"), Choices(b""))
    rule = "(assert (forall ((x0!1 Int) (v0 Int)) (=> (and (> x0!1 x0!1) (x0 x0!1)) (x0 v0))))"
    assert after == system(f"{declarations}{rule}(assert (x0 0))")


def test_a_circle_has_from_one_to_ten_numbers() -> None:
    before = system(f"(declare-fun p (Int) Bool){FACT}")
    lengths = set()
    for number in range(20):
        after = ROWS[NONLINEAR].rewrite(before, Choices(bytes([number])))
        assert after is not None
        lengths.add(len(after.clauses[0].atoms))
    assert lengths == set(range(1, 11))


def test_every_row_has_a_case_and_is_declined_somewhere() -> None:
    assert {row for row, *_ in CASES} == set(ROWS)
    assert {row for row, _ in DECLINED} == set(ROWS)
