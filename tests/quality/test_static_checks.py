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
    """Check the rooms, tests and seeds as packages, and the scripts of bench/ as the modules that they are."""
    (tmp_path / "chcfuzz").mkdir()
    for folder in ("tests", "seeds"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    for package, folder in ROOMS.items():
        if "/" not in folder:  # others are part of a room
            (tmp_path / package.replace(".", "/")).symlink_to(ROOT / folder)
    modules = sorted(file.stem for file in (ROOT / "bench").glob("*.py"))
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml")]
    command += ["-p", "chcfuzz", "-p", "tests", "-p", "seeds"]
    command += [*(word for name in modules for word in ("-m", name))]
    environment = {**os.environ, "MYPYPATH": os.pathsep.join(map(str, (tmp_path, ROOT / "bench")))}
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
