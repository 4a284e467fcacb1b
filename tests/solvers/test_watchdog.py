"""The clock behind the limits: what runs past it is interrupted, and what ignores that ends the process."""

import threading
import time
import weakref

import pytest
import z3
from chcfuzz.domains.chc.solvers.spacer import Spacer
from chcfuzz.solvers import watchdog
from chcfuzz.solvers.outcome import Status
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
    """A fake context whose computation ignores the interrupt."""

    def __init__(self) -> None:
        self.asked = threading.Event()

    def interrupt(self) -> None:
        self.asked.set()


class Clock:
    """A clock for the watchdog of one test, which advances only when the test calls `tick`.

    The process has the processor for `share` of the time.
    """

    def __init__(self) -> None:
        self.share, self._used = 1.0, 0.0
        self._others = set(threading.enumerate())
        self._asleep, self._due = threading.Semaphore(0), threading.Semaphore(0)

    def sleep(self, seconds: float) -> None:
        if threading.current_thread() in self._others:
            time.sleep(seconds)
        else:
            self._asleep.release()
            self._due.acquire()

    def process_time(self) -> float:
        return round(self._used, 6)

    def tick(self, seconds: float) -> None:
        """Let these pass; what the watchdog does then is done."""
        for _ in range(round(seconds / watchdog.TICK)):
            assert self._asleep.acquire(timeout=SAFETY_NET)
            self._used += self.share * watchdog.TICK
            self._due.release()
        assert self._asleep.acquire(timeout=SAFETY_NET)
        self._asleep.release()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The watchdog's."""
    made = Clock()
    monkeypatch.setattr(watchdog, "time", made)
    return made


def nobody() -> None:
    """Receives the report that Z3 is stuck."""


def test_a_hang_costs_one_execution(monkeypatch: pytest.MonkeyPatch) -> None:
    spacer = Spacer(ProgressLog(), Watchdog(0.5))
    hang = spacer.solve(HARD, [], NO_LIMIT)
    assert (hang.status, hang.reason, hang.model) == (Status.HANG, "wall clock", None)
    assert not hang.status.is_decided
    monkeypatch.setattr(watchdog, "TICK", 0.0001)  # however long this takes
    assert spacer.solve(EASY, [], NO_LIMIT).status is Status.UNSAT


def test_what_comes_back_in_time_is_left_alone() -> None:
    context = Deaf()
    watch = Watchdog(60)
    with watch.guard(context):
        pass
    assert not watch.interrupted
    assert not context.asked.is_set()


def test_what_computes_is_interrupted_at_its_wall_clock_and_not_before(clock: Clock) -> None:
    context = Deaf()
    with Watchdog(1, nobody).guard(context):
        clock.tick(1)
        assert not context.asked.is_set()
        clock.tick(0.2)
        assert context.asked.is_set()


def test_the_time_of_other_programs_does_not_count(clock: Clock) -> None:
    clock.share = 0.2
    context = Deaf()
    with Watchdog(1, nobody).guard(context, computes=True):
        clock.tick(4.8)
        assert not context.asked.is_set()
        clock.tick(0.6)
        assert context.asked.is_set()


def test_the_time_of_a_child_process_counts(clock: Clock) -> None:
    clock.share = 0.0
    context = Deaf()
    with Watchdog(1, nobody).guard(context):
        clock.tick(1.2)
        assert context.asked.is_set()


def test_what_waits_without_computing_is_interrupted_later(clock: Clock) -> None:
    clock.share = 0.0
    context = Deaf()
    with Watchdog(1, nobody).guard(context, computes=True):
        clock.tick(watchdog.LOAD)
        assert not context.asked.is_set()
        clock.tick(0.4)
        assert context.asked.is_set()


def test_an_error_that_another_thread_left_in_the_context_does_not_end_the_clock() -> None:
    context = z3.Context()
    (function,) = z3.Z3_parse_smtlib2_string.__defaults__
    function.f(context.ref(), b"(", 0, None, None, 0, None, None)  # the bindings would read its error
    watch = Watchdog(0, nobody)
    with pytest.raises(z3.Z3Exception):
        context.interrupt()
    with watch.guard(context):
        watch.tick()
    assert watch.interrupted


def test_the_clock_stops_outside_of_the_guard(clock: Clock) -> None:
    first, second = Deaf(), Deaf()
    watch = Watchdog(1, nobody)
    with watch.guard(first):
        clock.tick(0.8)
    clock.tick(10)
    with watch.guard(second):
        clock.tick(0.8)
    assert not first.asked.is_set()
    assert not second.asked.is_set()


def test_an_interrupt_is_forgotten_with_the_next_execution(clock: Clock) -> None:
    watch = Watchdog(1, nobody)
    with watch.guard(Deaf()):
        clock.tick(2)
    assert watch.interrupted
    with watch.guard(Deaf()):
        assert not watch.interrupted


def test_the_guard_ends_with_an_exception_too(clock: Clock) -> None:
    context = Deaf()
    watch = Watchdog(1, nobody)
    with pytest.raises(ZeroDivisionError), watch.guard(context):
        raise ZeroDivisionError
    clock.tick(10)
    assert not context.asked.is_set()


def test_who_ignores_the_interrupt_is_reported_as_stuck(clock: Clock) -> None:
    stuck = threading.Event()
    with Watchdog(1, stuck.set).guard(Deaf()):
        clock.tick(1 + watchdog.GRACE_SECONDS)
        assert not stuck.is_set()
        clock.tick(0.4)
        assert stuck.is_set()


def test_who_heeds_the_interrupt_is_not_stuck(clock: Clock) -> None:
    stuck = threading.Event()
    context = Deaf()
    watch = Watchdog(1, stuck.set)
    with watch.guard(context):
        clock.tick(2)
    assert context.asked.is_set()
    clock.tick(10)
    assert not stuck.is_set()


def test_a_watchdog_that_nothing_refers_to_is_gone_with_its_thread_and_its_action() -> None:
    class Campaign:
        def end(self) -> None:
            """Do nothing."""

    campaign = Campaign()
    left, others = weakref.ref(campaign), set(threading.enumerate())
    guarding = Watchdog(SAFETY_NET, campaign.end)
    with guarding.guard(Deaf()):
        pass
    (thread,) = set(threading.enumerate()) - others
    del campaign, guarding
    thread.join(SAFETY_NET)
    assert not thread.is_alive()
    assert left() is None
