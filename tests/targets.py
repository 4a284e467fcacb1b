"""Start the real fuzz target, as a user does."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
SPACER = ROOT / "fuzz_targets" / "spacer.py"
CHC_COMMAND = ROOT / "fuzz_targets" / "chc_command.py"


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
    def started(*arguments: object, cwd: Path = folder, **environment: str) -> Campaign:
        done = subprocess.run(
            [sys.executable, str(target), *map(str, arguments)],
            cwd=cwd,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            errors="replace",
            timeout=300,
            check=False,
        )
        return Campaign(done.returncode, done.stdout, done.stderr)

    return started


def lives(pid: int) -> bool:
    """Whether a process is there, and more than a zombie."""
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


@pytest.fixture
def seeds(tmp_path: Path) -> Path:
    """A small corpus: a folder with some of the project's cheap seeds."""
    folder = tmp_path / "seeds"
    folder.mkdir()
    for file in sorted((ROOT / "corpus").rglob("*.smt2"), key=lambda file: (file.stat().st_size, file.name))[:12]:
        (folder / file.name).write_bytes(file.read_bytes())
    return folder
