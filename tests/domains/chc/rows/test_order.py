"""The order of clauses and declarations: text before, text after, and what is declined."""

import pytest
from chcfuzz.domains.chc.rows import order
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System

ROWS = {row.id: row for row in order.MUTATIONS}

CASES = [
    # row, choices, declarations and clauses before, the same after
    ("order.swap-clauses", b"", "pqr abc", "pqr bac"),
    ("order.swap-clauses", b"\x00\x01", "pqr abc", "pqr cba"),
    ("order.swap-clauses", b"\x02\x01", "pqr abc", "pqr acb"),
    ("order.shuffle-clauses", b"\x02\x00", "pqr abc", "pqr cab"),
    ("order.shuffle-clauses", b"\x01\x01", "pqr abcd", "pqr bcad"),
    ("order.swap-declarations", b"", "pqr abc", "qpr abc"),
    ("order.swap-declarations", b"\x01\x00", "pqr abc", "prq abc"),
    ("order.shuffle-declarations", b"\x02\x01", "pqr abc", "rqp abc"),
]

DECLINED = [
    ("order.swap-clauses", b"", "pqr a"),
    ("order.swap-clauses", b"", "pqr "),
    ("order.swap-clauses", b"", "pqr aa"),
    ("order.shuffle-clauses", b"\x01", "pqr a"),
    ("order.shuffle-clauses", b"", "pqr abc"),  # the drawn order is the one it has
    ("order.shuffle-clauses", b"\x01", "pqr aa"),
    ("order.swap-declarations", b"\x01", "p a"),
    ("order.shuffle-declarations", b"\x01", "p a"),
    ("order.shuffle-declarations", b"", "pqr abc"),
]

CLAUSES = {
    "a": "(assert (p 0))",
    "b": "(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))",
    "c": "(assert (! (forall ((x Int)) (=> (p x) (< x 0) false)) :named third))",
    "d": "(assert (forall ((x Int)) (=> (and (p x) (p (- x))) (= x 0))))",
}


def system(written: str) -> System:
    declarations, _, clauses = written.partition(" ")
    lines = [f"(declare-fun {name} (Int) Bool)" for name in declarations] + [CLAUSES[name] for name in clauses]
    return parse("(set-logic HORN)" + "".join(lines))


@pytest.mark.parametrize(("row", "choices", "before", "after"), CASES)
def test_each_row_makes_this_of_that(row: str, choices: bytes, before: str, after: str) -> None:
    assert ROWS[row].applies(system(before))
    assert ROWS[row].rewrite(system(before), Choices(choices)) == system(after)


@pytest.mark.parametrize(("row", "choices", "before"), DECLINED)
def test_what_does_not_fit_is_declined(row: str, choices: bytes, before: str) -> None:
    assert ROWS[row].rewrite(system(before), Choices(choices)) is None


@pytest.mark.parametrize("row", ROWS)
def test_swapping_and_shuffling_keep_all_members(row: str) -> None:
    before = system("pqr abcd")
    for number in range(256):
        after = ROWS[row].rewrite(before, Choices(bytes([number, number // 3, number // 7])))
        if after is None:
            continue
        assert after != before
        assert set(after.clauses) == set(before.clauses)
        assert set(after.predicates) == set(before.predicates)
        assert (len(after.clauses), len(after.predicates)) == (4, 3)


@pytest.mark.parametrize("row", ["order.shuffle-clauses", "order.shuffle-declarations"])
def test_shuffling_reaches_every_other_order(row: str) -> None:
    before = system("pqr abc")
    found = {ROWS[row].rewrite(before, Choices(bytes([i, j]))) for i in range(3) for j in range(2)}
    assert len(found) == 6
    assert None in found


def test_every_row_has_a_case_and_is_declined_somewhere() -> None:
    assert {row for row, *_ in CASES} == set(ROWS)
    assert {row for row, *_ in DECLINED} == set(ROWS)
