"""Every nanosecond of a worker is charged to one counter, on a clock that the tests move."""

from collections.abc import Callable
from pathlib import Path

import pytest
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session.counters import Counter, CounterTables, WorkerCounters
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.worker.target import Target
from chcfuzz.campaign.worker.time_account import TimeAccount

from tests.campaign.conftest import MORE_SAT, SAT, UNSAT

MakeOptions = Callable[..., Options]


class Clock:
    """A clock that tests move."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1_000
        monkeypatch.setattr("chcfuzz.campaign.worker.time_account.time.perf_counter_ns", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def spent(folder: Path) -> dict[str, int]:
    """Return the times that are not zero."""
    totals = CounterTables(folder).totals()
    return {counter.name: int(totals[counter]) for counter in Counter if totals[counter]}


def test_a_block_pauses_the_one_around_it(tmp_path: Path, clock: Clock) -> None:
    account = TimeAccount(WorkerCounters(tmp_path))
    clock.now += 7  # nothing is charged before the start
    account.start()
    clock.now += 1
    with account.charging(Counter.OTHER_TIME):
        clock.now += 10
        with account.charging(Counter.DECODE_TIME):
            clock.now += 100
        clock.now += 20
    clock.now += 2
    account.update()
    assert spent(tmp_path) == {"LIBFUZZER_TIME": 3, "OTHER_TIME": 30, "DECODE_TIME": 100, "WALL_TIME": 133}


def test_the_solvers_own_measure_is_taken_out_of_the_block(tmp_path: Path, clock: Clock) -> None:
    account = TimeAccount(WorkerCounters(tmp_path))
    account.start()
    with account.charging(Counter.CHECK_TIME):
        clock.now += 5_000
        account.move(3e-6, Counter.SOLVER_TIME)
    account.update()
    assert spent(tmp_path) == {"SOLVER_TIME": 3_000, "CHECK_TIME": 2_000, "WALL_TIME": 5_000}


def test_the_times_of_a_worker_that_is_killed_add_up_too(tmp_path: Path, clock: Clock) -> None:
    """Nothing is written after the kill; the block that it ended is lost."""
    account = TimeAccount(WorkerCounters(tmp_path))
    account.start()
    clock.now += 2
    with account.charging(Counter.MUTATE_TIME):
        clock.now += 30
    with account.charging(Counter.CHECK_TIME):
        clock.now += 400
        assert spent(tmp_path) == {"LIBFUZZER_TIME": 2, "MUTATE_TIME": 30, "WALL_TIME": 32}


def test_a_block_that_raises_ends_too(tmp_path: Path, clock: Clock) -> None:
    account = TimeAccount(WorkerCounters(tmp_path))
    account.start()

    def fail() -> None:
        with account.charging(Counter.MUTATE_TIME):
            clock.now += 4
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    clock.now += 1
    account.update()
    assert spent(tmp_path) == {"MUTATE_TIME": 4, "LIBFUZZER_TIME": 1, "WALL_TIME": 5}


def test_the_times_of_a_worker_add_up_to_its_time(options: MakeOptions, session: Session) -> None:
    target = Target(options(), session)
    options().findings.mkdir()
    for unit in (SAT, UNSAT, MORE_SAT):
        target.test_one_input(unit.encode())
        target.test_one_input(target.mutate(unit.encode(), 1 << 20, 1, lambda data, _: data))
    times = {name: time for name, time in spent(session.folder).items() if name.endswith("_TIME")}
    parts = times.keys() - {"WALL_TIME", "DEFAULT_TIME", "SWITCH_TIME"}
    assert sum(times[name] for name in parts) == pytest.approx(times["WALL_TIME"], rel=0.1)
    assert {"SOLVER_TIME", "MUTATE_TIME", "DECODE_TIME", "CACHE_TIME", "LIBFUZZER_TIME"} <= parts
    assert times["DEFAULT_TIME"] <= times["SOLVER_TIME"]


def test_a_recheck_belongs_to_the_scope_of_its_parameters(options: MakeOptions, session: Session) -> None:
    target = Target(options(), session)
    options().findings.mkdir()
    system = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p {}))(assert (=> (p 9) false))(check-sat)"
    for number in range(9):
        target.test_one_input(system.format(number).encode())
    counts = session.counters.totals()
    assert counts[Counter.RECHECKED] == 1
    assert counts[Counter.DEFAULT_TIME] == counts[Counter.SOLVER_TIME] > 0
