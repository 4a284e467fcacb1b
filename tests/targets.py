"""Start the real fuzz target, as a user does."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
SPACER = ROOT / "fuzz_targets" / "spacer.py"
CHC_COMMAND = ROOT / "fuzz_targets" / "chc_command.py"
SAFETY_NET = 600.0  # seconds: a loaded machine may take ten times as long as a quiet one, which takes ten
WALL = "--wall-seconds=200"  # behind the resource limits, which end an execution within seconds on any machine


@dataclass(frozen=True)
class Campaign:
    """How a campaign ended. `summary` is the JSON object of its last line, empty where it has none."""

    code: int
    out: str
    err: str

    @property
    def summary(self) -> dict[str, Any]:
        last = self.out.strip().splitlines()[-1] if self.out.strip() else ""
        prefix = "chcfuzz-summary: "
        return json.loads(last.removeprefix(prefix)) if last.startswith(prefix) else {}


Run = Callable[..., Campaign]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run the Spacer target in an empty folder of its own; findings go to `findings/` there."""
    return _starting(SPACER, tmp_path)


@pytest.fixture
def run_command(tmp_path: Path) -> Run:
    """Run the target for commands in the same way."""
    return _starting(CHC_COMMAND, tmp_path)


def _starting(target: Path, folder: Path) -> Run:
    def started(
        *arguments: object, cwd: Path = folder, until: Callable[[str], bool] | None = None, **environment: str
    ) -> Campaign:
        """To its end, or interrupted when `until` holds of what it has said to the error stream."""
        with (
            tempfile.TemporaryFile("w+", errors="replace") as out,
            subprocess.Popen(
                [sys.executable, str(target), WALL, *map(str, arguments)],
                cwd=cwd,
                env={**os.environ, **environment},
                stdout=out,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
            ) as process,
        ):
            net = threading.Timer(SAFETY_NET, process.kill)
            net.start()
            try:
                err = _followed(process, until)
                code = process.wait()
                if net.finished.is_set():
                    pytest.fail(f"still running after {SAFETY_NET} s:\n{err}")
            finally:
                net.cancel()
            out.seek(0)
            return Campaign(code, out.read(), err)

    return started


def _followed(process: subprocess.Popen[str], until: Callable[[str], bool] | None) -> str:
    said = ""
    assert process.stderr is not None
    for line in process.stderr:
        said += line
        if until is not None and until(said):
            process.send_signal(signal.SIGINT)
            until = None
    return said


def lives(pid: int) -> bool:
    """Whether a process is there, and more than a zombie."""
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def ends(pid: int) -> bool:
    """Whether a process does before the safety net is reached."""
    return comes_true(lambda: not lives(pid))


def comes_true(condition: Callable[[], bool]) -> bool:
    """Whether it does before the safety net is reached."""
    end = time.monotonic() + SAFETY_NET
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


@pytest.fixture
def seeds(tmp_path: Path) -> Path:
    """A small corpus: a folder with some of the project's cheap seeds."""
    return _cheap_seeds(tmp_path / "seeds")


# For campaigns of several processes, no two of which are the same: rows whose mutants no limit of Z3's fails to end.
TAME = "--rows=arithmetic.*,boolean.*,names.*,order.*,quantifiers.*,rules.*"


def _cheap_seeds(folder: Path) -> Path:
    folder.mkdir()
    for file in sorted((ROOT / "corpus").rglob("*.smt2"), key=lambda file: (file.stat().st_size, file.name))[:12]:
        (folder / file.name).write_bytes(file.read_bytes())
    return folder


@dataclass(frozen=True)
class Finished:
    """A campaign of 150 executions under `-seed=1`, started in `folder`: `seeds/`, `grown/` and `findings/`."""

    folder: Path
    ended: Campaign

    @property
    def grown(self) -> Path:
        """What libFuzzer kept."""
        return self.folder / "grown"


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """One for all tests that look at a campaign and change nothing."""
    folder = tmp_path_factory.mktemp("finished")
    (folder / "grown").mkdir()
    seeds = _cheap_seeds(folder / "seeds")
    ended = _starting(SPACER, folder)("-runs=150", "-seed=1", folder / "grown", seeds, PYTHONHASHSEED="1")
    return Finished(folder, ended)
