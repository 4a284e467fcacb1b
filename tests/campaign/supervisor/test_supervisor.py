"""The supervisor of libFuzzer leaves no process running."""

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.supervisor import corpus_keeper, supervisor
from chcfuzz.execution.exit_codes import EXIT_USAGE
from chcfuzz.mutators.recipe import digest

from tests.targets import SAFETY_NET, comes_true, ends

# A worker that starts a job, prints both process ids, and keeps running.
WORKER = """
import os, signal, subprocess, sys, time
{before}
job = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])
with open({told!r}, "w") as file:
    file.write(f"{{os.getpid()}} {{job.pid}} told")
time.sleep(300)
{after}
"""


# A supervisor of this worker that kills processes that do not end within some seconds.
SUPERVISOR = """
import sys
from pathlib import Path
from chcfuzz.campaign.supervisor import supervisor
from chcfuzz.campaign.supervisor import workers
from chcfuzz.campaign.command_line import parse

workers._PATIENCE = int(sys.argv[1])
sys.exit(supervisor.supervise(Path(sys.argv[2]), parse(sys.argv[3:]), "a campaign"))
"""


def has_told(told: Path) -> bool:
    return told.exists() and told.read_text().endswith("told")


def left_of(told: Path) -> list[int]:
    """The worker and its job as far as they live on; not any more, then."""
    worker, job, _ = told.read_text().split()
    left = [process for process in (int(worker), int(job)) if not ends(process)]
    for process in left:
        os.kill(process, 9)
    return left


def test_an_error_while_libfuzzer_runs_leaves_no_process_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: Callable[..., Options]
) -> None:
    told = tmp_path / "told"
    script = tmp_path / "worker.py"
    script.write_text(WORKER.format(told=str(told), before="", after=""))

    def full(_self: object) -> None:
        if has_told(told):
            raise OSError("no space left")

    monkeypatch.setattr("signal.signal", lambda *_: None)  # those of this process stay
    monkeypatch.setattr(supervisor.Supervisor, "_look_after", full)
    with pytest.raises(OSError, match="no space left"):
        supervisor.supervise(script, options(f"--state={tmp_path / 'state'}", "--status-seconds=0.2"), "a campaign")
    assert left_of(told) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("deaf_to", "patience"),
    [("SIGINT", int(SAFETY_NET)), ("SIGTERM", 1)],  # libFuzzer while it waits for a job; what hears nothing
)
def test_one_signal_ends_a_campaign_whatever_its_worker_does_not_hear(
    tmp_path: Path, deaf_to: str, patience: int
) -> None:
    told, script = tmp_path / "told", tmp_path / "worker.py"
    deaf = f"signal.signal(signal.{deaf_to}, signal.SIG_IGN)"
    script.write_text(WORKER.format(told=str(told), before=deaf, after=""))
    command = [sys.executable, "-c", SUPERVISOR, str(patience), str(script), "--status-seconds=600"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert comes_true(lambda: has_told(told))
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=SAFETY_NET)
    assert process.returncode == 0
    assert said.startswith(b"chcfuzz-summary: ")
    assert left_of(told) == []


@pytest.mark.slow
@pytest.mark.parametrize("flags", [(), ("--stop-on-finding",), ("-fork=1",)])
def test_a_worker_that_never_looks_at_the_clock_ends_with_the_time_of_the_campaign(
    tmp_path: Path, flags: Sequence[str]
) -> None:
    told, script = tmp_path / "told", tmp_path / "worker.py"
    script.write_text(WORKER.format(told=str(told), before="", after=f"open({str(tmp_path / 'late')!r}, 'w')"))
    command = [sys.executable, "-c", SUPERVISOR, "30", str(script), "-max_total_time=1", *flags]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=SAFETY_NET, check=False)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("chcfuzz-summary: ")
    assert not (tmp_path / "late").exists()


OPENED = """
from chcfuzz.campaign.session.session import Session

Session.from_environment().unmerged.keep(b"a mutant")
"""


@pytest.mark.parametrize("is_full", [False, True])
def test_a_mutant_that_libfuzzer_did_not_get_before_the_end_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: Callable[..., Options], is_full: bool
) -> None:
    script, grown = tmp_path / "worker.py", tmp_path / "grown"
    script.write_text(OPENED)
    grown.mkdir()

    def fail(path: Path, *_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "no space left", str(path))

    monkeypatch.setattr("signal.signal", lambda *_: None)  # those of this process stay
    if is_full:
        monkeypatch.setattr(corpus_keeper, "write_whole", fail)
    given = options(f"--state={tmp_path / 'state'}", str(grown))
    assert supervisor.supervise(script, given, "a campaign") == (EXIT_USAGE if is_full else 0)
    folder = given.findings / "unsaved" if is_full else grown
    assert (folder / digest(b"a mutant")).read_bytes() == b"a mutant"


LEAVING = """
import time
from chcfuzz.campaign.session.session import Session

Session.from_environment().exit_reason.write("the job has no room")
time.sleep(300)
"""


@pytest.mark.slow
def test_jobs_that_cannot_go_on_end_a_campaign_and_what_they_say_is_told(tmp_path: Path) -> None:
    script = tmp_path / "worker.py"
    script.write_text(LEAVING)
    command = [sys.executable, "-c", SUPERVISOR, "30", str(script), "-fork=1", "--status-seconds=0.1"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=SAFETY_NET, check=False)
    assert ended.returncode == 2
    assert ended.stderr.count("chcfuzz: the job has no room\n") == 1
