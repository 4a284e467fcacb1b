"""The wall clock: what computes past it is interrupted, and what ignores that ends the process."""

import threading
import time

import pytest
from chcfuzz.solvers import watchdog
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.spacer import Spacer
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.progress_log import ProgressLog

NO_LIMIT = 4_000_000_000

# Factors of a product of two primes; Z3 does not find them soon.
HARD = """(set-logic HORN)(declare-fun p ((_ BitVec 64) (_ BitVec 64)) Bool)
(assert (forall ((x (_ BitVec 64)) (y (_ BitVec 64))) (=> (and (bvult #x0000000000000001 x) (bvult x y)
  (bvult x #x00000000ffffffff) (bvult y #x00000000ffffffff) (= (bvmul x y) #x3ffffffd7a2b4efb)) (p x y))))
(assert (forall ((x (_ BitVec 64)) (y (_ BitVec 64))) (=> (p x y) false)))"""
EASY = "(set-logic HORN)(declare-fun p () Bool)(assert p)(assert (=> p false))"


class Deaf:
    """Stands for a context whose computation ignores the interrupt."""

    def __init__(self) -> None:
        self.asked = threading.Event()

    def interrupt(self) -> None:
        self.asked.set()


def test_a_hang_costs_one_execution() -> None:
    spacer = Spacer(ProgressLog(), Watchdog(0.5))
    hang = spacer.solve(HARD, [], NO_LIMIT)
    assert (hang.status, hang.reason, hang.model) == (Status.HANG, "wall clock", None)
    assert not hang.status.is_decided
    assert spacer.solve(EASY, [], NO_LIMIT).status is Status.UNSAT


def test_what_comes_back_in_time_is_left_alone() -> None:
    context = Deaf()
    watch = Watchdog(60)
    with watch.guard(context):
        pass
    assert not watch.interrupted
    assert not context.asked.is_set()


def test_the_clock_stands_still_outside_of_the_guard() -> None:
    first, second = Deaf(), Deaf()
    watch = Watchdog(0.2)
    with watch.guard(first):
        pass
    time.sleep(0.7)
    with watch.guard(second):
        pass
    assert not first.asked.is_set()
    assert not second.asked.is_set()


def test_an_interrupt_is_forgotten_with_the_next_execution() -> None:
    context = Deaf()
    watch = Watchdog(0.3)
    with watch.guard(context):
        assert context.asked.wait(timeout=10)
    assert watch.interrupted
    with watch.guard(Deaf()):
        assert not watch.interrupted


def test_the_guard_ends_with_an_exception_too() -> None:
    context = Deaf()
    watch = Watchdog(0.3)
    with pytest.raises(ZeroDivisionError), watch.guard(context):
        raise ZeroDivisionError
    time.sleep(0.7)
    assert not context.asked.is_set()


def test_who_ignores_the_interrupt_is_reported_as_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "GRACE_SECONDS", 0.1)
    stuck = threading.Event()
    context = Deaf()
    with Watchdog(0.1, stuck.set).guard(context):
        assert stuck.wait(timeout=10)
    assert context.asked.is_set()


def test_who_heeds_the_interrupt_is_not_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "GRACE_SECONDS", 0.3)
    stuck = threading.Event()
    context = Deaf()
    with Watchdog(0, stuck.set).guard(context):
        assert context.asked.wait(timeout=10)
    time.sleep(0.7)
    assert not stuck.is_set()


def test_a_pause_of_the_process_is_no_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    """However late the clock says it is: only ticks count."""
    context = Deaf()
    watch = Watchdog(60)
    monkeypatch.setattr(time, "monotonic", lambda: 1e9)
    with watch.guard(context):
        time.sleep(3 * watchdog.TICK)
    assert not watch.interrupted
    assert not context.asked.is_set()
