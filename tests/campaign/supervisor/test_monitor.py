"""The status lines of a campaign whose clock the test moves."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session.counters import Counter, WorkerCounters
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.supervisor.crash_reports import CrashReports
from chcfuzz.campaign.supervisor.monitor import Monitor
from chcfuzz.campaign.supervisor.workers import Workers
from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.execution.exit_codes import EXIT_USAGE
from chcfuzz.execution.seed_answers import SeedAnswers
from chcfuzz.mutators.recipe import Recipe, Step, encode
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings import suspicions
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
    ages = [line.partition("1 trace ")[2].partition(",")[0] for line in capsys.readouterr().err.splitlines()]
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


def test_the_numbers_of_counted_suspicions_are_those_of_the_folder_since_the_start(
    session: Session, options: Callable[..., Options], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suspicions, "MOST_ALIKE", 2)
    given = options(f"--json={tmp_path}/numbers.json")
    queue = ConfirmationQueue(FindingStore(given.findings, 5), SeedAnswers(given.findings), session.mark_finding)
    unit = encode(Recipe(BUILT_IN[0], ()))
    for theories in (("LIA",), ("LRA",), ("BV",)):  # the third is only counted
        queue.suspicions.add(Suspicion(unit, "crash", detail="it dies", theories=theories))
    monitor = Monitor(given, session, None, queue)
    monitor.begin()
    for number in range(3):  # each is counted, or displaces one that is
        queue.suspicions.add(
            Suspicion(encode(Recipe(BUILT_IN[1], (Step("x", bytes([number])),))), "crash", detail="it dies")
        )
    monitor.finish(cast(Workers, Clock(1.0)), CrashReports(session, queue, given), 0)
    assert json.loads((tmp_path / "numbers.json").read_text())["suspicions"]["counted"] == 3
    assert queue.suspicions.counted().total == 4


def test_the_number_of_runs_is_no_reason_before_it_has_ended_the_campaign(
    session: Session, options: Callable[..., Options], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "seeds").mkdir()
    for number in range(3):
        (tmp_path / "seeds" / f"{number}.smt2").write_text(f"(assert true) ; {number}")
    counters = WorkerCounters(session.folder)

    def reason(runs: int, executions: int) -> str:
        given = options(f"-runs={runs}", str(tmp_path / "seeds"))
        queue = ConfirmationQueue(FindingStore(given.findings, 5), SeedAnswers(given.findings), session.mark_finding)
        monitor = Monitor(given, session, None, queue)
        monitor.begin()
        counters.set(Counter.EXECUTIONS, executions)
        monitor.finish(cast(Workers, Clock(1.0)), CrashReports(session, queue, given), 0)
        return capsys.readouterr().err.partition("none, because ")[2].splitlines()[0]

    assert reason(runs=0, executions=0) == reason(runs=2, executions=1) == "the campaign ended after 0 of the 3 seeds"
    assert reason(runs=0, executions=4) == "-runs=0 ends with the 3 seeds"
    assert reason(runs=2, executions=2) == "-runs=2 ends with the 3 seeds"
