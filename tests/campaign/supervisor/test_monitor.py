"""The status lines of a campaign whose clock the test moves."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.supervisor.crash_reports import CrashReports
from chcfuzz.campaign.supervisor.monitor import Monitor
from chcfuzz.campaign.supervisor.workers import Workers
from chcfuzz.execution.exit_codes import EXIT_USAGE
from chcfuzz.execution.seed_answers import SeedAnswers
from chcfuzz.triage.findings.confirmation_queue import ConfirmationQueue
from chcfuzz.triage.findings.store import FindingStore


@dataclass
class Clock:
    """The part of `Workers` that a monitor reads."""

    seconds: float = 0.0
    finishing_seconds: float = 0.0
    replaced: int = 0
    stopped_by: None = None


def test_the_age_of_the_last_trace_grows_while_suspicions_are_confirmed(
    session: Session, options: Callable[..., Options], capsys: pytest.CaptureFixture[str]
) -> None:
    given = options("--status-seconds=1")
    queue = ConfirmationQueue(FindingStore(given.findings, 5), SeedAnswers(given.findings), session.mark_finding)
    clock, crashes = Clock(), CrashReports(session, queue, given)
    monitor = Monitor(given, session, None, queue)
    monitor.begin()
    session.traces.add([7])
    for clock.seconds, clock.finishing_seconds in ((10.0, 0.0), (12.0, 0.0), (12.0, 30.0)):
        monitor.print_status(cast(Workers, clock), crashes)
    ages = [line.partition("1 traces ")[2].partition(",")[0] for line in capsys.readouterr().err.splitlines()]
    assert ages == ["(new 0 s ago)", "(new 2 s ago)", "(new 32 s ago)"]


def test_a_file_that_cannot_be_written_does_not_prevent_the_next_one(
    session: Session, options: Callable[..., Options], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = options(f"--metrics={tmp_path}/gone/m.csv", f"--json={tmp_path}/numbers.json")
    queue = ConfirmationQueue(FindingStore(given.findings, 5), SeedAnswers(given.findings), session.mark_finding)
    monitor = Monitor(given, session, None, queue)
    assert monitor.finish(cast(Workers, Clock(1.0)), CrashReports(session, queue, given), 0) == EXIT_USAGE
    assert "m.csv': No such file or directory" in capsys.readouterr().err
    assert (tmp_path / "numbers.json").is_file()
