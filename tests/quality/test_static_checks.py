"""Types, lint and the house rules that a program can check."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.sources import listed
from tests.targets import ROOT

ROOMS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-dir"]


@pytest.mark.slow
def test_types_check(tmp_path: Path) -> None:
    """Check the rooms and the folders beside them as packages."""
    (tmp_path / "chcfuzz").mkdir()
    for folder in ("tests", "seeds", "bench"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    for package, folder in ROOMS.items():
        if "/" not in folder:  # others are part of a room
            (tmp_path / package.replace(".", "/")).symlink_to(ROOT / folder)
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml")]
    command += ["-p", "chcfuzz", "-p", "tests", "-p", "seeds", "-p", "bench"]
    environment = {**os.environ, "MYPYPATH": str(tmp_path)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("command", [("check",), ("format", "--check")])
def test_ruff_finds_nothing(command: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ruff", *command, *(str(file) for file in listed() if file.suffix == ".py")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
