"""Types, lint and the house rules that a program can check."""

import ast
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-dir"]


def test_types_check(tmp_path: Path) -> None:
    (tmp_path / "chcfuzz").mkdir()
    for package, folder in ROOMS.items():
        if "/" in folder:
            continue  # a floor of a room, which is linked already
        (tmp_path / package.replace(".", "/")).symlink_to(ROOT / folder)
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), "-p", "chcfuzz"]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "MYPYPATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("command", [("check",), ("format", "--check")])
def test_ruff_finds_nothing(command: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ruff", *command, "."], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_room_is_packaged() -> None:
    rooms = {file.parent for file in ROOT.glob("*/__init__.py")}
    floors = {file.parent for room in rooms for file in room.glob("*/__init__.py")}
    seeds = {ROOT / "corpus"}  # which holds nothing but seeds: libFuzzer reads every file there
    assert {ROOT / folder for folder in ROOMS.values()} == rooms | floors | seeds


# What a mutation builds on has to be checked first, by the same hands that check a solver's answer.
WITNESSES = ("chcfuzz.oracles.witnesses", "chcfuzz.oracles.refutation")


@pytest.mark.parametrize(
    ("room", "forbidden"),
    [
        ("grammar", {"atheris", "z3", "chcfuzz.mutators", "chcfuzz.solvers", "chcfuzz.tracing", "chcfuzz.oracles"}),
        ("mutators", {"atheris", "chcfuzz.tracing", "chcfuzz.oracles", "chcfuzz.campaign"}),
        ("tracing", {"atheris", "z3", "chcfuzz.mutators", "chcfuzz.oracles", "chcfuzz.campaign"}),
        ("solvers", {"atheris", "chcfuzz.mutators", "chcfuzz.oracles", "chcfuzz.campaign"}),
        ("oracles", {"atheris", "chcfuzz.mutators", "chcfuzz.campaign"}),
        ("campaign", {"atheris"}),
    ],
)
def test_rooms_import_downward_only(room: str, forbidden: set[str]) -> None:
    floors = [ROOT / folder for folder in ROOMS.values() if folder.split("/")[0] == room]
    for file in sorted(file for floor in floors for file in floor.glob("*.py")):
        allowed = WITNESSES if file.name.startswith(("interrogation", "generate")) else ()
        for name in _imports(file):
            if not name.startswith(allowed):
                assert not any(name == f or name.startswith(f + ".") for f in forbidden), f"{file.name} imports {name}"


def _imports(file: Path) -> list[str]:
    names = []
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return names
