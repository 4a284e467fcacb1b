"""Cells of bench/power/planted.py: a campaign on a solver with a planted fault reports that fault and nothing else."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.targets import ROOT

PROGRAM = ("-m", "bench.power.planted")
OTHER_CELLS = (
    "wrong_unsat/switch/lra",
    "wrong_model/default/bv",
    "dropped_clause/default/adt",
    "hang/switch/lra",
    "stuck/default/bv",
    "chatter/default/bool",
    "memory/default/lra",
    "second_time/default/lia",
)


def planted(*arguments: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, *PROGRAM, *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace", timeout=900, check=False)


@pytest.mark.slow
# The two cells that take the least time.
@pytest.mark.parametrize("cell", ["second_time/switch/bool", "wrong_model/switch/bool"])
def test_a_cheap_cell_reports_its_fault(cell: str) -> None:
    done = planted(f"--cell={cell}", "--executions=20")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "cell",
    [
        "none/default/arrays",
        "wrong_sat/default/lia",
        "death/default/bool",
        *(pytest.param(cell, marks=pytest.mark.exhaustive) for cell in OTHER_CELLS),
    ],
)
def test_a_campaign_reports_each_fault(cell: str) -> None:
    done = planted(f"--cell={cell}")
    assert done.returncode == 0, done.stdout + done.stderr


def test_results_are_kept_and_a_cell_that_differs_from_its_expected_report_fails(tmp_path: Path) -> None:
    fields = '"code":0,"seconds":1.0,"findings":[{"kind":"crash","signature":"crash-1","parameters":{"a":"b"}}]'
    counts = '"executions":1,"hangs":0,"crashes":1,"replaced":0,"own_errors":1,"seen":0,"waiting":0,"failed":0'
    line = f'{{"cell":"wrong_sat/default/lia",{fields},"counts":{{{counts}}},"vanished":{{"memory":2}}}}\n'
    (tmp_path / "cells.jsonl").write_text(line + '{"cell":"cut')
    done = planted("--cell=wrong_sat/default/lia", f"--into={tmp_path}")
    assert done.returncode == 1
    wrong = "own_errors: 1; no wrong-answer; unexpected crash; crash with a=b; vanished memory"
    assert done.stdout.splitlines()[1].split("  ")[-2].strip() == wrong, done.stdout
    assert "0 of 1 cells pass" in done.stderr


def test_a_name_without_a_cell_is_refused() -> None:
    done = planted("--cell=wrong_sat/default/strings")
    assert done.returncode == 1
    assert "a name is fault/condition/theory, such as none/default/lia" in done.stderr
