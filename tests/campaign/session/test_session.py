"""Data shared by the processes of a campaign survives their death and adds up."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from chcfuzz.campaign.session.counters import Counter, WorkerCounters
from chcfuzz.campaign.session.marks import FirstEvent
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.session.shared import SharedSet

DYING_WORKER = """
import os, sys
from pathlib import Path
from chcfuzz.campaign.session.counters import Counter, WorkerCounters
from chcfuzz.campaign.session.session import Session
folder = Path(sys.argv[1])
WorkerCounters(folder).add(Counter.EXECUTIONS, 3)
unit = Session(folder).in_flight.of_this_worker()
unit.begin(b"first"); unit.clear()
unit.begin(sys.argv[2].encode())
if sys.argv[3] == "between": unit.clear()
os._exit(9)
"""


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path)


def die(session: Session, unit: str, moment: str) -> None:
    subprocess.run([sys.executable, "-c", DYING_WORKER, str(session.folder), unit, moment], check=False)


def test_numbers_of_dead_and_living_workers_add_up(session: Session) -> None:
    die(session, "x", "between")
    WorkerCounters(session.folder).add(Counter.EXECUTIONS, 4)
    assert session.counters.totals()[Counter.EXECUTIONS] == 7


def test_a_worker_without_room_for_its_numbers_has_executed_nothing(session: Session) -> None:
    (session.folder / "worker-7.counters").touch()
    assert session.counters.of_workers([7], Counter.EXECUTIONS) == 0


def test_the_unit_a_worker_died_of_is_found_once(session: Session) -> None:
    die(session, "killer", "within")
    assert session.in_flight.take_from_dead() == [b"killer"]
    assert session.in_flight.take_from_dead() == []


def test_a_worker_that_died_between_units_left_none(session: Session) -> None:
    die(session, "survived", "between")
    assert session.in_flight.take_from_dead() == []


def test_the_unit_of_a_living_worker_is_left_alone(session: Session) -> None:
    session.in_flight.of_this_worker().begin(b"in flight")
    assert session.in_flight.take_from_dead() == []


def test_a_unit_executed_instead_of_another_is_in_flight_meanwhile(session: Session) -> None:
    unit = session.in_flight.of_this_worker()
    (file,) = session.folder.glob("worker-*.input")
    unit.begin(b"outside")
    with unit.replaced_by(b"inside"):
        assert (unit.current, file.read_bytes()[8:14]) == (b"inside", b"inside")
    assert (unit.current, file.read_bytes()[8:15]) == (b"outside", b"outside")
    unit.clear()
    with unit.replaced_by(b"alone"):
        assert unit.current == b"alone"
    assert (unit.current, file.read_bytes()[:8]) == (None, bytes(8))


def test_a_worker_that_leaves_in_peace_while_unit_of_mutation_left_none(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    unit = session.in_flight.of_this_worker()
    unit.begin(b"its last")

    def leaves(_: int) -> bool:
        unit.clear()
        return False

    monkeypatch.setattr("chcfuzz.campaign.session.in_flight._alive", leaves)
    assert session.in_flight.take_from_dead() == []


def test_denied_and_stuck_units_are_known_by_their_digest(session: Session) -> None:
    session.denylist.add(b"abc")
    session.denylist.mark_stuck(b"def")
    assert session.denylist.digests() == {"a9993e364706816aba3e25717850c26c9cd0d89d"}
    assert session.denylist.was_stuck(b"def")
    assert not session.denylist.was_stuck(b"abc")


def test_a_finding_said_twice_counts_once(session: Session) -> None:
    session.findings.mark("wrong-model", "wrong-model-default-1")
    session.findings.mark("wrong-model", "wrong-model-default-1")
    session.findings.mark("crash", "crash-default-2")
    assert sorted(session.findings.kinds()) == ["crash", "wrong-model"]


def test_a_shared_set_counts_what_no_process_had_seen(tmp_path: Path) -> None:
    first, second = SharedSet(tmp_path / "set"), SharedSet(tmp_path / "set")
    assert first.add([1, 2, 2**64 - 1]) == 3
    assert second.add([2, 3]) == 1
    assert first.add([1, 2, 3]) == 0
    assert len(first) == len(second) == 4


def test_a_shared_set_keeps_hashes_that_fall_into_one_slot_apart(tmp_path: Path) -> None:
    hashes = SharedSet(tmp_path / "set", slots=64)
    assert hashes.add(64 * np.arange(1, 20, dtype=np.uint64).astype(object)) == 19
    assert len(hashes) == 19


def test_why_a_worker_left_is_what_the_first_one_said(session: Session) -> None:
    assert session.exit_reason.read() == ""
    session.exit_reason.write("no room for ä")
    session.exit_reason.write("something else, and longer")
    assert session.exit_reason.read() == "no room for ä"


def test_the_first_time_of_an_event_stays(tmp_path: Path) -> None:
    session = Session(tmp_path)
    assert session.first.by_event() == {"contradiction": None, "wrong-step": None, "finding": None}
    counters = WorkerCounters(tmp_path)
    counters.add(Counter.EXECUTIONS, 7)
    counters.add(Counter.SOLVER_TIME, 2_500_000_000)
    counters.add(Counter.SOLVER_WORK, 30_000)
    session.first.mark("contradiction")
    counters.add(Counter.EXECUTIONS, 5)
    Session(tmp_path).first.mark("contradiction")  # another process
    session.mark_finding("wrong-answer", "wrong-answer-1")
    first = session.first.by_event()
    assert first["contradiction"] == FirstEvent(executions=7, solver_work=30_000, solver_seconds=2.5, seconds=0.0)
    assert first["finding"] == FirstEvent(executions=12, solver_work=30_000, solver_seconds=2.5, seconds=0.0)


def test_an_event_is_seen_only_with_its_numbers_though_its_worker_may_be_killed(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.rename", killed)
    with pytest.raises(KeyboardInterrupt):
        session.first.mark("contradiction")
    assert not session.first.has("contradiction")


def test_traces_are_counted_once_and_twice_and_older_ones_are_not(session: Session) -> None:
    for value in (0, 1, 1 << 63, (1 << 64) - 1):  # 0 and 1 differ in the bits that hold the number only
        session.sightings.add(value, is_new=True)
    assert session.sightings.once_and_twice() == (2, 1)
    session.sightings.add(7 << 20, is_new=False)
    assert session.sightings.once_and_twice() == (2, 1)
    for _ in range(5):
        Session(session.folder).sightings.add(1 << 63, is_new=False)
    assert session.sightings.once_and_twice() == (1, 1)
