"""A worker waits while the first suspicion of a kind is examined, on a clock that the tests move."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.worker import pause
from chcfuzz.campaign.worker.context import WorkerContext
from chcfuzz.campaign.worker.pause import MOST_SECONDS, Pause
from chcfuzz.campaign.worker.target import Target

from tests.campaign.conftest import SAT

MakeOptions = Callable[..., Options]


class Clock:
    """A clock that moves when somebody sleeps; `after` seconds, `event` happens."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.slept, self.after = 0.0, float("inf")
        self.event: Callable[[], None] = lambda: None
        monkeypatch.setattr(pause, "time", SimpleNamespace(monotonic=lambda: self.slept, sleep=self.sleep))

    def sleep(self, seconds: float) -> None:
        self.slept += seconds
        if self.slept >= self.after:
            self.event()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_a_worker_waits_until_the_examination_has_ended(options: MakeOptions, session: Session, clock: Clock) -> None:
    waiting = Pause(WorkerContext(options(), session))
    waiting.wait()
    assert clock.slept == 0
    clock.after, clock.event = 7, session.examines_first.clear
    session.examines_first.set()
    waiting.wait()
    assert 7 <= clock.slept < 8
    waiting.wait()
    assert clock.slept < 8


def test_a_worker_waits_once_for_an_examination_that_lasts(
    options: MakeOptions, session: Session, clock: Clock
) -> None:
    waiting = Pause(WorkerContext(options(), session))
    session.examines_first.set()
    waiting.wait()
    assert MOST_SECONDS <= clock.slept < MOST_SECONDS + 1
    waiting.wait()
    assert clock.slept < MOST_SECONDS + 1


def test_each_unit_of_a_campaign_waits(options: MakeOptions, session: Session, clock: Clock, tmp_path: Path) -> None:
    (tmp_path / "found").mkdir()
    target = Target(options("--second-opinion=0"), session)
    session.examines_first.set()
    target.test_one_input(SAT.encode())
    assert clock.slept >= MOST_SECONDS
