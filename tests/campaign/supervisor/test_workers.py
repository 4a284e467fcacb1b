"""The time of a campaign: fuzzing, and a reserve at its end for confirmation and triage."""

from collections.abc import Callable
from pathlib import Path

import pytest
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.supervisor.workers import Workers


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time that the module sees, in its only element."""
    now = [100.0]
    monkeypatch.setattr("chcfuzz.campaign.supervisor.workers.time.monotonic", lambda: now[0])
    return now


@pytest.mark.parametrize(("total", "reserve"), [(4, 1.0), (60, 10.0), (600, 60.0), (36_000, 120.0)])
def test_a_tenth_of_the_time_is_reserved_within_bounds(
    options: Callable[..., Options], tmp_path: Path, total: int, reserve: float
) -> None:
    assert Workers(Path(), options(f"-max_total_time={total}"), Session(tmp_path)).reserve(120.0) == reserve


def test_without_a_limit_no_time_is_left_to_count(options: Callable[..., Options], tmp_path: Path) -> None:
    assert Workers(Path(), options("-runs=5"), Session(tmp_path)).seconds_left is None


def test_time_after_the_last_worker_is_not_time_of_fuzzing(
    options: Callable[..., Options], tmp_path: Path, clock: list[float]
) -> None:
    script = tmp_path / "worker.py"
    script.write_text("")
    workers = Workers(script, options("-max_total_time=60"), Session(tmp_path))
    workers.run(lambda: None, lambda _units: False)
    assert workers.seconds == 0, "the clock stood still"
    clock[0] += 20
    assert (workers.seconds, workers.finishing_seconds) == (0, 20)
    assert workers.seconds_left == 40, "of -max_total_time, which bounds both"
