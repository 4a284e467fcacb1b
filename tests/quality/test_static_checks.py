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


_ROW_WITHOUT_NEEDS = """
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.system import System
from chcfuzz.mutators.mutation import Mutation, Needs, Promise

def _dropped(system: System, choices: Choices) -> System | None:
    return system.with_clauses(system.clauses[1:]) if choices.index(2) else None

Mutation("row.wrong", Promise.NOTHING, "summary", "source", _dropped, lambda _: True)
Mutation("row.right", Promise.NOTHING, "summary", "source", _dropped, lambda _: True, needs=Needs.CLAUSES)
"""


@pytest.mark.slow
def test_types_check(tmp_path: Path) -> None:
    """Check the rooms and the folders beside them as packages."""
    done = _checked_types(tmp_path, "-p", "chcfuzz", "-p", "tests", "-p", "seeds", "-p", "bench")
    assert done.returncode == 0, done.stdout + done.stderr
    row = tmp_path / "row_without_needs.py"
    row.write_text(_ROW_WITHOUT_NEEDS)
    refused = _checked_types(tmp_path, str(row))
    wrong = next(number for number, line in enumerate(_ROW_WITHOUT_NEEDS.splitlines(), 1) if "row.wrong" in line)
    errors = [line for line in refused.stdout.splitlines() if ": error: " in line]
    assert errors
    assert all(f"{row.name}:{wrong}: " in line for line in errors), refused.stdout


def _checked_types(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run mypy with the rooms as the package `chcfuzz` in a folder."""
    if not (folder / "chcfuzz").exists():
        (folder / "chcfuzz").mkdir()
        for name in ("tests", "seeds", "bench"):
            (folder / name).symlink_to(ROOT / name)
        for package, name in ROOMS.items():
            if "/" not in name:  # others are part of a room
                (folder / package.replace(".", "/")).symlink_to(ROOT / name)
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), *arguments]
    environment = {**os.environ, "MYPYPATH": str(folder)}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


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
