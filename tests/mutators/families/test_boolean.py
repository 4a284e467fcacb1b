"""Conjunctions and disjunctions: text before, text after, and what is declined."""

import pytest
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System
from chcfuzz.mutators.families import boolean

ROWS = {row.id: row for row in boolean.MUTATIONS}
DECLARATIONS = "(set-logic HORN)(declare-fun p () Bool)(declare-fun q (Int) Bool)(declare-fun r (Bool Bool) Bool)"

CASES = [
    # row, choices, body before, body after; the first choice is the place where there are several
    ("boolean.swap-and", b"", "(and a b c)", "(and b a c)"),
    ("boolean.swap-and", b"\x01\x00", "(and a b c)", "(and a c b)"),
    ("boolean.swap-and", b"\x01\x01", "(and a b c)", "(and b a c)"),
    ("boolean.swap-and", b"\x01\x00\x00", "(and a (or b (and a b)))", "(and a (or b (and b a)))"),
    ("boolean.swap-and", b"", "(or a (exists ((y Int)) (and (q y) b)))", "(or a (exists ((y Int)) (and b (q y))))"),
    ("boolean.swap-and", b"", "(not (not (and p b)))", "(not (not (and b p)))"),
    ("boolean.swap-and", b"", "(=> (and a b) b)", "(=> (and b a) b)"),
    ("boolean.swap-and", b"", "(r (and a b) c)", "(r (and b a) c)"),
    ("boolean.dup-and", b"", "(and a b)", "(and a a b)"),
    ("boolean.dup-and", b"\x01\x00", "(and a b)", "(and b a b)"),
    ("boolean.dup-and", b"\x00\x02", "(and a b)", "(and a b a)"),
    ("boolean.break-and", b"", "(and a b c)", "(and (and a b) c)"),
    ("boolean.break-and", b"\x01\x00", "(and a b c d)", "(and (and a b c) d)"),
    ("boolean.break-and", b"\x00\x02", "(and a b c d)", "(and a b (and c d))"),
    ("boolean.break-and", b"\x01\x01", "(and a b c d)", "(and a (and b c d))"),
    ("boolean.swap-or", b"", "(or a b)", "(or b a)"),
    ("boolean.swap-or", b"\x02\x01", "(or a b c)", "(or a c b)"),
    ("boolean.dup-or", b"\x01\x02", "(or a b)", "(or a b b)"),
    ("boolean.dup-or", b"\x01\x01\x00", "(and (or a b) (or c d))", "(and (or a b) (or d c d))"),
    ("boolean.break-or", b"\x01", "(or a b c)", "(or a (or b c))"),
    ("boolean.flatten-and", b"", "(and a (and b c) d)", "(and a b c d)"),
    ("boolean.flatten-and", b"\x01", "(and (and a b) (and c d))", "(and (and a b) c d)"),
    ("boolean.flatten-or", b"", "(or a (or b c) d)", "(or a b c d)"),
]

DECLINED = [
    ("boolean.swap-and", "(or a b)"),
    ("boolean.swap-and", "(and a a)"),
    ("boolean.swap-and", "(q (ite (and a b) 1 2))"),
    ("boolean.swap-or", "(and a b)"),
    ("boolean.swap-or", "(or a a)"),
    ("boolean.dup-and", "(or a b)"),
    ("boolean.dup-or", "(and a b)"),
    ("boolean.break-and", "(and a b)"),
    ("boolean.break-or", "(or a b)"),
    ("boolean.flatten-and", "(and a (or b c))"),
    ("boolean.flatten-and", "(and a (or b (or c d)))"),
    ("boolean.flatten-or", "(or a (and b (and c d)))"),
]


def system(body: str) -> System:
    return parse(f"{DECLARATIONS}(assert (forall ((a Bool) (b Bool) (c Bool) (d Bool)) (=> {body} p)))")


@pytest.mark.parametrize(("row", "choices", "before", "after"), CASES)
def test_each_row_makes_this_of_that(row: str, choices: bytes, before: str, after: str) -> None:
    assert ROWS[row].rewrite(system(before), Choices(choices)) == system(after)


@pytest.mark.parametrize(("row", "before"), [(row, before) for row, _, before, _ in CASES])
def test_a_row_applies_to_each_system_that_it_rewrites(row: str, before: str) -> None:
    assert ROWS[row].applies(system(before))


@pytest.mark.parametrize(("row", "before"), DECLINED)
def test_what_does_not_fit_is_declined(row: str, before: str) -> None:
    assert ROWS[row].rewrite(system(before), Choices(b"")) is None


def test_heads_are_left_alone() -> None:
    facts = parse(f"{DECLARATIONS}(assert (forall ((a Bool) (b Bool)) (r (and a b) (or a b))))(assert (or true false))")
    for row in boolean.MUTATIONS:
        assert not row.applies(facts)
        assert row.rewrite(facts, Choices(b"\x01\x01\x01")) is None


def test_bodies_are_found_in_clauses_of_every_shape() -> None:
    written = parse(
        f"""{DECLARATIONS}
        (assert (forall ((a Bool) (b Bool)) (or p (not (and a b)))))
        (assert (forall ((a Bool) (b Bool)) (not (and a b (not p)))))
        (assert (not (exists ((a Bool) (b Bool)) (and a b p))))"""
    )
    for number in range(2):
        found = ROWS["boolean.dup-and"].rewrite(written, Choices(bytes([number])))
        assert found is not None
        changed = [i for i in range(3) if found.clauses[i] != written.clauses[i]]
        assert len(changed) == 1


def test_a_head_inside_the_conjunction_is_moved_but_not_made_two() -> None:
    before = parse(f"{DECLARATIONS}(assert (forall ((x Int)) (not (and (q x) (not (q (+ x 1)))))))")
    duplicated = ROWS["boolean.dup-and"]
    assert duplicated.rewrite(before, Choices(b"\x01\x00")) is None
    after = parse(f"{DECLARATIONS}(assert (forall ((x Int)) (not (and (q x) (q x) (not (q (+ x 1)))))))")
    assert duplicated.rewrite(before, Choices(b"\x00\x00")) == after
    after = parse(f"{DECLARATIONS}(assert (forall ((x Int)) (not (and (not (q (+ x 1))) (q x)))))")
    assert ROWS["boolean.swap-and"].rewrite(before, Choices(b"")) == after


def test_breaking_and_flattening_undo_each_other() -> None:
    before = system("(and a b c d)")
    broken = ROWS["boolean.break-and"].rewrite(before, Choices(b"\x00\x01"))
    assert broken is not None
    assert ROWS["boolean.flatten-and"].rewrite(broken, Choices(b"")) == before


def test_every_row_has_a_case_and_is_declined_somewhere() -> None:
    assert {row for row, *_ in CASES} == set(ROWS)
    assert {row for row, _ in DECLINED} >= set(ROWS)
