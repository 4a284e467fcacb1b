"""Fixtures that start the real fuzz targets as a user does."""

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
SAFETY_NET = 600.0  # seconds: 10 on an idle machine, and ten times that on a loaded one
WALL = "--wall-seconds=200"  # the resource limits end an execution within seconds, before this limit


@dataclass(frozen=True)
class Campaign:
    """Exit code and output of a campaign. `summary` is the JSON object of its last line, empty without one."""

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
    """Function that runs the Spacer target in a new folder, with findings in its `findings/`."""
    return _starting(SPACER, tmp_path)


@pytest.fixture
def run_command(tmp_path: Path) -> Run:
    """Function that runs the target for commands in the same way."""
    return _starting(CHC_COMMAND, tmp_path)


def _starting(target: Path, folder: Path) -> Run:
    def started(
        *arguments: object, cwd: Path = folder, until: Callable[[str], bool] | None = None, **environment: str
    ) -> Campaign:
        """Run the target to its end, or interrupt it when `until` returns True for its standard error."""
        with (
            tempfile.TemporaryFile("w+", errors="replace") as out,
            subprocess.Popen(
                [sys.executable, str(target), WALL, "--self-check", *map(str, arguments)],
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
    read = ""
    assert process.stderr is not None
    for line in process.stderr:
        read += line
        if until is not None and until(read):
            process.send_signal(signal.SIGINT)
            until = None
    return read


def lives(pid: int) -> bool:
    """Determine whether a process exists and is not a zombie."""
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def ends(pid: int) -> bool:
    """Determine whether a process ends before `SAFETY_NET` seconds have passed."""
    return comes_true(lambda: not lives(pid))


def comes_true(condition: Callable[[], bool]) -> bool:
    """Determine whether a condition holds before `SAFETY_NET` seconds have passed."""
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


# For campaigns of several processes, which are not deterministic: mutations whose mutants Z3's limits always end.
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
        """Folder of the new corpus entries."""
        return self.folder / "grown"


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """Campaign for all tests that only inspect one."""
    folder = tmp_path_factory.mktemp("finished")
    (folder / "grown").mkdir()
    seeds = _cheap_seeds(folder / "seeds")
    ended = _starting(SPACER, folder)("--verbose", "-runs=150", "-seed=1", folder / "grown", seeds, PYTHONHASHSEED="1")
    return Finished(folder, ended)
