"""The wall clock: what computes past it is interrupted, and what ignores that ends the process."""

import threading
import time

import pytest
from chcfuzz.solvers import watchdog
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.spacer import Spacer
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.progress_log import ProgressLog

from tests.targets import SAFETY_NET

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


class Clock:
    """Moves when a test says so."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The watchdog's; it looks at it every hundredth of a second."""
    made = Clock()
    monkeypatch.setattr(watchdog, "time", made)
    monkeypatch.setattr(watchdog, "_TICK", 0.01)
    return made


def some_looks() -> None:
    """Let the watchdog look at its clock, in case it would do something wrong then."""
    time.sleep(0.1)


def test_a_hang_costs_one_execution(monkeypatch: pytest.MonkeyPatch) -> None:
    spacer = Spacer(ProgressLog(), Watchdog(0.5))
    hang = spacer.solve(HARD, [], NO_LIMIT)
    monkeypatch.setattr(watchdog, "time", Clock())  # however long the next one takes
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


def test_the_clock_stands_still_outside_of_the_guard(clock: Clock) -> None:
    first, second = Deaf(), Deaf()
    watch = Watchdog(1)
    with watch.guard(first):
        pass
    clock.now = 100
    some_looks()
    with watch.guard(second):
        some_looks()
    assert not first.asked.is_set()
    assert not second.asked.is_set()


def test_an_interrupt_is_forgotten_with_the_next_execution(clock: Clock) -> None:
    context = Deaf()
    watch = Watchdog(1)
    with watch.guard(context):
        clock.now = 2
        assert context.asked.wait(SAFETY_NET)
    assert watch.interrupted
    with watch.guard(Deaf()):
        assert not watch.interrupted


def test_the_guard_ends_with_an_exception_too(clock: Clock) -> None:
    context = Deaf()
    watch = Watchdog(1)
    with pytest.raises(ZeroDivisionError), watch.guard(context):
        raise ZeroDivisionError
    clock.now = 100
    some_looks()
    assert not context.asked.is_set()


def test_who_ignores_the_interrupt_is_reported_as_stuck(clock: Clock) -> None:
    stuck = threading.Event()
    context = Deaf()
    with Watchdog(1, stuck.set).guard(context):
        clock.now = 1.5
        assert context.asked.wait(SAFETY_NET)
        some_looks()
        assert not stuck.is_set()
        clock.now = 1.5 + watchdog.GRACE_SECONDS
        assert stuck.wait(SAFETY_NET)


def test_who_heeds_the_interrupt_is_not_stuck(clock: Clock) -> None:
    stuck = threading.Event()
    context = Deaf()
    with Watchdog(1, stuck.set).guard(context):
        clock.now = 2
        assert context.asked.wait(SAFETY_NET)
    clock.now = 100
    some_looks()
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
