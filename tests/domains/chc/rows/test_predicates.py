"""Predicates that become several or one: text before, text after, and what is declined."""

import pytest
from chcfuzz.domains.chc.rows import predicates
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System

ROWS = {row.id.partition(".")[2]: row for row in predicates.MUTATIONS}
COUNTER = """(declare-fun p (Int) Bool)
(assert (! (p 0) :named first))
(assert (! (forall ((x Int)) (=> (and (p x) (< x 5)) (p (+ x 1)))) :named step))
(assert (forall ((x Int)) (not (and (p x) (> x 9)))))"""
SWITCH = """(declare-fun p (Int Bool) Bool)
(assert (p 0 true))
(assert (forall ((x Int) (b Bool)) (=> (p x b) (< x 5) (p (+ x 1) (not b)))))
(assert (forall ((x Int)) (=> (p x false) (< x 9))))"""
PING = """(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)(declare-fun r (Bool) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (q (+ x 1)))))
(assert (forall ((x Int)) (=> (q x) (r true))))
(assert (=> (r false) false))"""

CASES = [
    (
        "clone",
        b"\0\2\3",
        COUNTER,
        """(declare-fun p (Int) Bool)(declare-fun p!1 (Int) Bool)
        (assert (! (p 0) :named first))
        (assert (p!1 0))
        (assert (! (forall ((x Int)) (=> (and (p!1 x) (< x 5)) (p (+ x 1)))) :named step))
        (assert (forall ((x Int)) (=> (and (and (p x) (p!1 x)) (< x 5)) (p!1 (+ x 1)))))
        (assert (forall ((x Int)) (not (and (or (p!1 x) (p x)) (> x 9)))))""",
    ),
    (
        "share-rules",
        b"\0\1",
        COUNTER,
        """(declare-fun p (Int) Bool)(declare-fun p!1 (Int) Bool)
        (assert (! (p!1 0) :named first))
        (assert (! (forall ((x Int)) (=> (and (or (p x) (p!1 x)) (< x 5)) (p (+ x 1)))) :named step))
        (assert (forall ((x Int)) (not (and (or (p x) (p!1 x)) (> x 9)))))""",
    ),
    (
        "rules-through",
        b"\0\0\3",
        COUNTER,
        """(declare-fun p!1 (Int) Bool)(declare-fun p (Int) Bool)
        (assert (! (p!1 0) :named first))
        (assert (! (forall ((x Int)) (=> (and (p x) (< x 5)) (p (+ x 1)))) :named step))
        (assert (forall ((x Int)) (not (and (p x) (> x 9)))))
        (assert (forall ((y Int)) (=> (p!1 y) (p y))))""",
    ),
    (
        "rules-through",
        b"\1\1\0\1\0",
        COUNTER,
        """(declare-fun p (Int) Bool)(declare-fun p!1 (Int) Bool)
        (assert (forall ((y Int)) (=> (p!1 y) (p y))))
        (assert (! (p 0) :named first))
        (assert (! (forall ((x Int)) (=> (and (p x) (< x 5)) (p!1 (+ x 1)))) :named step))
        (assert (forall ((x Int)) (not (and (p x) (> x 9)))))""",
    ),
    (
        "split-boolean",
        b"\0",
        SWITCH,
        """(declare-fun p!1 (Int) Bool)(declare-fun p!2 (Int) Bool)
        (assert (p!1 0))
        (assert (forall ((x Int) (b Bool)) (=> (or (and b (p!1 x)) (and (p!2 x) (not b))) (< x 5)
            (=> (not b) (p!1 (+ x 1))))))
        (assert (forall ((x Int) (b Bool)) (=> (or (and b (p!1 x)) (and (p!2 x) (not b))) (< x 5)
            (=> (not (not b)) (p!2 (+ x 1))))))
        (assert (forall ((x Int)) (=> (p!2 x) (< x 9))))""",
    ),
    (
        "split-sign",
        b"\1\1",
        COUNTER,
        """(declare-fun p!1 (Int) Bool)(declare-fun p!2 (Int) Bool)
        (assert (! (p!2 0) :named first))
        (assert (! (forall ((x Int)) (=> (and (or (p!1 x) (p!2 x)) (< x 5)) (=> (> (+ x 1) 0) (p!1 (+ x 1)))))
            :named step))
        (assert (forall ((x Int)) (=> (and (or (and (> x 0) (p!1 x)) (and (p!2 x) (not (> x 0)))) (< x 5))
            (=> (not (> (+ x 1) 0)) (p!2 (+ x 1))))))
        (assert (forall ((x Int)) (not (and (or (and (> x 0) (p!1 x)) (and (p!2 x) (not (> x 0)))) (> x 9)))))""",
    ),
    (
        "join",
        b"",
        PING,
        """(declare-fun p!1 (Bool Int) Bool)(declare-fun r (Bool) Bool)
        (assert (p!1 true 0))
        (assert (forall ((x Int)) (=> (p!1 true x) (p!1 false (+ x 1)))))
        (assert (forall ((x Int)) (=> (p!1 false x) (r true))))
        (assert (=> (r false) false))""",
    ),
    (
        "join",
        b"\1\0\1\0\1",
        PING,
        """(declare-fun p (Int) Bool)(declare-fun q!1 (Bool Int Bool) Bool)
        (assert (p 0))
        (assert (forall ((x Int) (y!2 Bool)) (=> (p x) (q!1 true (+ x 1) y!2))))
        (assert (forall ((x Int) (y!1 Int)) (=> (q!1 true x false) (q!1 false y!1 true))))
        (assert (forall ((y!4 Int)) (=> (q!1 false y!4 false) false)))""",
    ),
]


def system(text: str) -> System:
    return parse(f"(set-logic HORN){text}")


@pytest.mark.parametrize(("row", "choices", "before", "after"), CASES)
def test_each_row_makes_this_of_that(row: str, choices: bytes, before: str, after: str) -> None:
    assert ROWS[row].applies(system(before))
    assert ROWS[row].rewrite(system(before), Choices(choices)) == system(after)


DECLINED = {
    "clone": "(declare-fun p (Int) Bool)(assert (=> (p 0) false))",
    "share-rules": "(declare-fun p (Int) Bool)(assert (=> (p 0) false))",
    "rules-through": "(declare-fun p (Int) Bool)(assert (=> (p 0) false))",
    "split-boolean": "(declare-fun p (Int) Bool)(declare-fun q (Bool) Bool)(assert (p 0))",
    "split-sign": "(declare-fun p (Bool) Bool)(declare-fun q (Int) Bool)(assert (p true))",
    "join": "(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)(assert (p 0))",
}


@pytest.mark.parametrize("row", DECLINED)
def test_what_a_row_can_do_nothing_with_is_declined(row: str) -> None:
    assert not ROWS[row].applies(system(DECLINED[row]))
    assert ROWS[row].rewrite(system(DECLINED[row]), Choices(b"")) is None


def test_every_row_has_a_case_and_is_declined_somewhere() -> None:
    assert {row for row, *_ in CASES} == set(ROWS)
    assert set(DECLINED) == set(ROWS)


def test_a_new_predicates_name_is_no_variables() -> None:
    """A variable of that name would be read as the predicate's, or the other way round."""
    before = system(
        """(declare-fun y (Bool) Bool)(assert (y true))
        (assert (forall ((y!1 Bool) (v0 Bool)) (=> (and (y y!1) v0) (y v0))))"""
    )
    for number in range(60):
        for row in ROWS.values():
            after = row.rewrite(before, Choices(b"", str(number).encode()))
            assert after is None or parse(print_system(after)) == after, row.id
