"""The folder of a campaign is gone when its owner is, however that ended."""

import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from chcfuzz.campaign.session import scratch
from chcfuzz.execution.solving import UsageError
from chcfuzz.solvers import python
from chcfuzz.solvers.process import state_of

OWNER = """
import sys, time
from chcfuzz.campaign.session import scratch
with scratch.folder(lambda left: "") as folder:
    print(folder, flush=True)
    time.sleep(300)
"""
WORKER = """
import sys, time
from pathlib import Path
from chcfuzz.campaign.session import scratch
scratch.end_with_owner(Path(sys.argv[1]))
print("begun", flush=True)
time.sleep(300)
"""


@pytest.fixture(autouse=True)
def _own_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)


def started(code: str, *words: str) -> tuple[subprocess.Popen[str], str]:
    """Start a process; return it and the first line of its output."""
    process = subprocess.Popen(python.command("-c", code, *words), stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, process.stdout.readline().strip()


def killed(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


def nothing(_: Path) -> str:
    return ""


def test_temporary_files_of_a_campaign_are_in_its_folder_and_go_with_it(tmp_path: Path) -> None:
    with scratch.folder(nothing) as folder:
        assert folder.parent == tmp_path
        assert Path(os.environ["TMPDIR"]).parent == folder
        assert Path(tempfile.mkdtemp()).is_relative_to(folder)
    assert list(tmp_path.iterdir()) == []
    assert os.environ["TMPDIR"] == tempfile.gettempdir() == str(tmp_path)


def test_what_a_killed_campaign_left_is_rescued_told_and_removed_but_nobody_elses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dead, dead_folder = started(OWNER)
    living, living_folder = started(OWNER)
    killed(dead)
    (tmp_path / f"{scratch.PREFIX}being-made").mkdir()
    (tmp_path / "chcfuzz-of-somebody").mkdir()
    seen = []

    def rescue(left: Path) -> str:
        seen.append(left)
        return "7 units saved; "

    try:
        with scratch.folder(rescue) as mine:
            left = {path for path in tmp_path.iterdir() if path != mine}
    finally:
        killed(living)
    assert seen == [Path(dead_folder)]
    assert left == {Path(living_folder), tmp_path / f"{scratch.PREFIX}being-made", tmp_path / "chcfuzz-of-somebody"}
    (line,) = capsys.readouterr().err.splitlines()
    assert dead_folder in line
    assert "7 units saved; it is deleted" in line


def test_of_two_campaigns_that_begin_at_once_one_rescues() -> None:
    dead, _ = started(OWNER)
    killed(dead)
    rescues = []

    def rescue(left: Path) -> str:
        rescues.append(left)
        if len(rescues) == 1:
            with scratch.folder(rescue):
                pass
        return ""

    with scratch.folder(rescue):
        assert len(rescues) == 1


def test_a_worker_ends_with_its_owner() -> None:
    owner, folder = started(OWNER)
    worker, said = started(WORKER, folder)
    assert said == "begun"
    assert state_of(worker.pid) not in ("", "Z")
    killed(owner)
    try:
        assert worker.wait(timeout=60) == -signal.SIGKILL
    finally:
        killed(worker)


def test_a_worker_of_a_folder_that_is_gone_ends_at_once(tmp_path: Path) -> None:
    worker, _ = started(WORKER, str(tmp_path / "gone"))
    try:
        assert worker.wait(timeout=60) == -signal.SIGKILL
    finally:
        killed(worker)


def test_a_folder_that_cannot_be_made_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "mkdtemp", full)
    with pytest.raises(UsageError, match=r"No space left on device.*TMPDIR"), scratch.folder(nothing):
        time.sleep(0)
