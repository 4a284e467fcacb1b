"""A solver that stays alive and answers otherwise after other systems: found, cut down, and shown by its folder."""

import json
import subprocess
from pathlib import Path

import pytest
from chcfuzz.commands import main

from tests.targets import Run

# It answers sat to its first three systems, and unknown to all later ones.
FORGETFUL = """#!/usr/bin/env python3
import sys

asked = 0
for line in sys.stdin if "-in" in sys.argv else open(sys.argv[-1]):
    if line.startswith("(check-sat)"):
        print("unknown" if asked >= 3 else "sat", flush=True)
    elif line.startswith("(echo"):
        print(line[7:-3], flush=True)
    elif line.startswith("(reset)"):
        asked += 1
"""
SEED = """(set-logic HORN)
(set-info :status sat)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x {}) (p x))))
(assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))
(check-sat)
"""


@pytest.fixture
def forgetful(tmp_path: Path) -> Path:
    program = tmp_path / "forgetful"
    program.write_text(FORGETFUL)
    program.chmod(0o755)
    return program


@pytest.mark.slow
def test_what_was_solved_before_is_found_cut_down_and_shown(run_command: Run, forgetful: Path, tmp_path: Path) -> None:
    (tmp_path / "seeds").mkdir()
    for number in range(4):
        (tmp_path / "seeds" / f"{number}.smt2").write_text(SEED.format(number))
    ended = run_command(
        "--command", forgetful, "--dialect=z3", "--requests=40", "--second-opinion=0", "-runs=150", "-seed=1", "seeds"
    )
    assert ended.code == 0, ended.err
    finding = min((tmp_path / "findings").glob("carry-over-*"))
    told = json.loads((finding / "record.json").read_text())
    assert told["witness"] == "unknown after 3 other systems in the same process, sat in a process of its own"
    assert len(json.loads((finding / "session.json").read_text())["requests"]) == 4
    shown = subprocess.run(
        ["/bin/sh", "show.sh"],
        cwd=finding,
        env={"PATH": "/usr/bin:/bin", "Z3": "true"},
        capture_output=True,
        text=True,
        check=False,
    )
    answers = [line for line in shown.stdout.splitlines() if not line.startswith("mutant")]
    assert answers == [
        "sat",
        *(f"system {number} of 4: sat" for number in (1, 2, 3)),
        "system 4 of 4: unknown",
    ], shown
    assert main.main(["report", str(finding), "--no-bisect", "--out", str(tmp_path / "report")]) == 0
    report = (tmp_path / "report" / "report.md").read_text()
    assert "python3 ask_session.py forgetful rlimit=1000000 -in\n" in report
    assert "sat by itself, unknown after other systems" in report.splitlines()[0]
