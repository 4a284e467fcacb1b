"""Spacer's effort for a system: levels and lemmas, without exceptions."""

from chcfuzz.domains.chc.solvers.effort import effort
from chcfuzz.solvers.made import Effort
from chcfuzz.solvers.watchdog import Watchdog

LOOP = """(set-logic HORN)(declare-fun p (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (p x y))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 10)) (p (+ x 1) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (> y 20)) false)))"""


def test_a_loop_takes_levels_and_lemmas() -> None:
    found = effort(LOOP, 1_000_000, Watchdog(60))
    assert found.answer == "sat"
    assert found.levels >= 1
    assert found.lemmas >= 1


def test_what_the_transforms_decide_takes_none() -> None:
    trivial = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (p x) false)))"
    assert effort(trivial, 1_000_000, Watchdog(60)) == Effort("sat", 0, 0)


def test_a_limit_and_a_text_that_z3_refuses_are_unknown() -> None:
    assert effort(LOOP, 100, Watchdog(60)).answer == "unknown"
    assert effort("(assert", 1_000_000, Watchdog(60)).answer == "unknown"
