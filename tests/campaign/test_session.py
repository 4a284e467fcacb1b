"""What the processes of a campaign share survives their death and adds up."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from chcfuzz.campaign.session import Counter, Session, Worker
from chcfuzz.campaign.shared import SharedSet

DYING_WORKER = """
import os, sys
from pathlib import Path
from chcfuzz.campaign.session import Counter, Session, Worker
worker = Worker(Session(Path(sys.argv[1])))
worker.count(Counter.EXECUTIONS, 3)
worker.unit.begin(b"first"); worker.unit.done()
worker.unit.begin(sys.argv[2].encode())
if sys.argv[3] == "between": worker.unit.done()
os._exit(9)
"""


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path)


def die(session: Session, unit: str, moment: str) -> None:
    subprocess.run([sys.executable, "-c", DYING_WORKER, str(session.folder), unit, moment], check=False)


def test_numbers_of_dead_and_living_workers_add_up(session: Session) -> None:
    die(session, "x", "between")
    Worker(session).count(Counter.EXECUTIONS, 4)
    assert session.totals()[Counter.EXECUTIONS] == 7


def test_the_unit_a_worker_died_of_is_found_once(session: Session) -> None:
    die(session, "killer", "within")
    assert session.take_units_of_dead_workers() == [b"killer"]
    assert session.take_units_of_dead_workers() == []


def test_a_worker_that_died_between_units_left_none(session: Session) -> None:
    die(session, "survived", "between")
    assert session.take_units_of_dead_workers() == []


def test_the_unit_of_a_living_worker_is_left_alone(session: Session) -> None:
    worker = Worker(session)
    worker.unit.begin(b"in work")
    assert session.take_units_of_dead_workers() == []


def test_a_unit_executed_instead_of_another_is_in_work_meanwhile(session: Session) -> None:
    unit = Worker(session).unit
    (file,) = session.folder.glob("worker-*.input")
    unit.begin(b"outside")
    with unit.instead(b"inside"):
        assert (unit.current, file.read_bytes()[8:14]) == (b"inside", b"inside")
    assert (unit.current, file.read_bytes()[8:15]) == (b"outside", b"outside")
    unit.done()
    with unit.instead(b"alone"):
        assert unit.current == b"alone"
    assert (unit.current, file.read_bytes()[:8]) == (None, bytes(8))


def test_a_worker_that_leaves_in_peace_while_asked_about_left_none(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = Worker(session)
    worker.unit.begin(b"its last")

    def leaves(_: int) -> bool:
        worker.unit.done()
        return False

    monkeypatch.setattr("chcfuzz.campaign.in_flight._alive", leaves)
    assert session.take_units_of_dead_workers() == []


def test_poisoned_and_stuck_units_are_known_by_their_digest(session: Session) -> None:
    session.poison(b"abc")
    session.mark_stuck(b"def")
    assert session.poisoned() == {"a9993e364706816aba3e25717850c26c9cd0d89d"}
    assert session.was_stuck(b"def")
    assert not session.was_stuck(b"abc")


def test_a_finding_said_twice_counts_once(session: Session) -> None:
    session.mark_finding("wrong-model", "wrong-model-default-1")
    session.mark_finding("wrong-model", "wrong-model-default-1")
    session.mark_finding("crash", "crash-default-2")
    assert sorted(session.findings()) == ["crash", "wrong-model"]


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
    assert session.why_left == ""
    session.say_why_left("no room for ä")
    session.say_why_left("something else, and longer")
    assert session.why_left == "no room for ä"
