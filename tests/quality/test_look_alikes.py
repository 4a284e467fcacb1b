"""Findings that look alike: a frequent bug has few of them, and hides neither another bug nor another solver."""

import json
import os
import signal
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from chcfuzz.domains.chc.solvers.spacer import Spacer
from chcfuzz.execution.solving import Solving
from chcfuzz.solvers.outcome import Outcome

from tests.targets import Run

ARRAYS = """(set-logic HORN)
(declare-fun p ((Array Int Int)) Bool)
(assert (p ((as const (Array Int Int)) {number})))
(check-sat)
"""
LISTS = """(set-logic HORN)
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
(declare-fun p (L) Bool)
(assert (p nil))
(check-sat)
"""
# A wrong model of every release under this option, which the text of the system sets.
UNFOLDED = """(set-option :fp.xform.unfold_rules 2)
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))
(assert (=> (p 1) false))
(check-sat)
"""
SAFE = """(set-logic HORN)
(set-info :status sat)
(declare-fun only-here (Int) Bool)
(assert (only-here 1))
(check-sat)
"""


class TwoDeathsSpacer(Spacer):
    """Dies of arrays, and of lists."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """Solve as `Spacer.solve` does, or die."""
        if "(Array" in text or "declare-datatypes" in text:
            os.kill(os.getpid(), signal.SIGSEGV)
        return super().solve(text, parameters, rlimit)


def corpus_of(folder: Path, *texts: str) -> Path:
    folder.mkdir()
    for number, text in enumerate(texts):
        (folder / f"{number}.smt2").write_text(text)
    return folder


def records(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(file.read_text()) for file in sorted(folder.glob("findings/*/record.json"))]


@pytest.mark.slow
def test_deaths_on_many_arrays_have_few_findings_and_do_not_hide_a_death_on_lists(run: Run, tmp_path: Path) -> None:
    texts = [ARRAYS.format(number=number) for number in range(6)]
    corpus = corpus_of(tmp_path / "deadly", *texts, LISTS)
    solver = "--solver=tests.quality.test_look_alikes:TwoDeathsSpacer"
    done = run(solver, "--per-bucket=2", "--finish-seconds=3600", "-runs=0", corpus)
    assert done.code == 0, done.err
    found = Counter(tuple(record["cause"]["theories"]) for record in records(tmp_path))
    assert found == {("Arrays", "LIA"): 4, ("ADT", "LIA"): 1}
    assert len(list(tmp_path.glob("findings/.alike/*.json"))) == 2
    assert done.summary["suspicions"]["waiting"] == 0


@pytest.mark.slow
def test_a_finding_of_an_old_release_does_not_hide_that_of_the_installed_one(run: Run, tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path / "units", UNFOLDED)
    for flags, new in (([], 1), (["--z3=4.13.4.0"], 1), ([], 0)):
        done = run(*flags, "--finish-seconds=3600", "-runs=0", corpus)
        assert done.code == 0, done.err
        assert sum(done.summary["findings"].values()) == new
    installed = Solving().activate().version
    assert sorted(record["z3"] for record in records(tmp_path)) == sorted(["4.13.4.0", installed])


@pytest.mark.slow
def test_a_finding_of_a_command_does_not_hide_that_of_the_rebuilt_command(run_command: Run, tmp_path: Path) -> None:
    corpus, program = corpus_of(tmp_path / "units", SAFE), tmp_path / "solver"
    for version, new in (("1", 1), ("1", 0), ("2", 1)):
        program.write_text(f"#!/bin/sh\n# {version}\ngrep -q only-here $1 && echo unsat || echo unknown\n")
        program.chmod(0o755)
        done = run_command(f"--command={program}", "--finish-seconds=3600", "-runs=0", corpus)
        assert done.code == 0, done.err
        assert sum(done.summary["findings"].values()) == new
    solvers = {record["cause"]["solver"] for record in records(tmp_path)}
    assert len(records(tmp_path)) == len(solvers) == 2
