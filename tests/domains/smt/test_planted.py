"""Campaigns in which one solver has a planted fault: the finding names the solver."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.domains.smt.planted import SILENT
from tests.targets import ROOT, SAFETY_NET

SMT = ROOT / "fuzz_targets" / "smt.py"
SAT = """(set-info :status sat)
(declare-const x Int)
(declare-const y Int)
(assert (and (= (mod x 7) 3) (> x 20)))
(assert (or (< y x) (= y 5)))
(check-sat)
"""
UNSAT = """(set-info :status unsat)
(declare-const x Int)
(declare-const y Int)
(assert (= (mod x 4) 3))
(assert (and (> y 10) (= x (* 2 y))))
(check-sat)
"""
Seen = tuple[str, str, str]  # a kind, a solver and its answer
CHCFUZZ = ("-c", "import sys; from chcfuzz.commands.main import main; sys.exit(main())")


def run(folder: Path, *words: str, code: int = 0) -> str:
    """Run a program, which ends with an exit code, in a folder; return its output."""
    path = os.pathsep.join((str(ROOT), os.environ.get("PYTHONPATH", "")))
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=SAFETY_NET,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def campaign(folder: Path, fault: str, runs: int = 4) -> list[dict[str, Any]]:
    """Run a short campaign with a fault of `planted`; return the records of its findings."""
    (folder / "seeds").mkdir()
    (folder / "seeds" / "sat.smt2").write_text(SAT)
    (folder / "seeds" / "unsat.smt2").write_text(UNSAT)
    domain = f"--domain=tests.domains.smt.planted:{fault}"
    run(folder, str(SMT), "seeds", domain, f"-runs={runs}", "-seed=1", "--wall-seconds=100")
    files = sorted((folder / "findings").glob("*/record.json"))
    return sorted(
        (json.loads(file.read_text()) for file in files), key=lambda record: (record["kind"], record["cause"]["solver"])
    )


def seen(records: list[dict[str, Any]]) -> set[Seen]:
    """Return the kind of each finding, the accused solver and its answer."""
    return {(each["kind"], each["parameters"]["solver"], each["answer"]) for each in records}


CORE = """(set-option :produce-unsat-cores true)
(set-info :status unsat)
(declare-const x Int)
(declare-const y Int)
(assert (! (= (mod x 4) 3) :named odd))
(assert (! (= x (* 2 y)) :named even))
(assert (! (> y 10) :named large))
(check-sat)
(get-unsat-core)
"""


@pytest.mark.slow
def test_a_wrong_core_is_found_and_reduced(tmp_path: Path) -> None:
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds" / "core.smt2").write_text(CORE)
    domain = "--domain=tests.domains.smt.planted:SMALLER_CORE"
    run(tmp_path, str(SMT), "seeds", domain, "-runs=1", "-seed=1", "--wall-seconds=100")
    (record,) = (tmp_path / "findings").glob("*/record.json")
    assert seen([json.loads(record.read_text())]) == {("wrong-result", "cvc5", "unsat")}
    folder = record.parent
    assert (folder / "mutant.smt2").read_text().endswith("(get-unsat-core)\n")
    evidence = (folder / "evidence.smt2").read_text()
    assert "(check-sat)" in evidence
    assert ":status" not in evidence
    run(tmp_path, *CHCFUZZ, "reduce", str(folder), domain)
    reduced = (folder / "reduced.smt2").read_text()
    assert "(get-unsat-core)" in reduced
    assert ":named" in reduced
    assert ":named large" not in reduced


@pytest.mark.slow
def test_a_wrong_answer_to_a_seed_without_a_status_accuses_no_right_answer_to_a_mutant(tmp_path: Path) -> None:
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds" / "silent.smt2").write_text(SILENT)
    domain = "--domain=tests.domains.smt.planted:SAT_FOR_SILENT"
    run(tmp_path, str(SMT), "seeds", domain, "-runs=30", "-seed=1", "--wall-seconds=100")
    (found,) = (tmp_path / "findings").glob("*/record.json")
    record = json.loads(found.read_text())
    assert seen([record]) == {("contradiction", "z3", "sat")}
    assert record["seed"]["ground"] == "agreed"
    text = (found.parent / "mutant.smt2").read_text()
    assert "; The ground of the status: the answers of cvc5 and bitwuzla for the seed" in text
    assert "(set-info :status unsat)" in text


@pytest.mark.slow
def test_a_fault_is_found_under_the_name_of_its_solver(tmp_path: Path) -> None:
    assert seen(campaign(tmp_path, "UNSAT_FOR_SAT")) == {("wrong-answer", "cvc5", "unsat")}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "expected", "possible"),
    [
        ("UNSAT_FOR_SAT_OF_Z3", {("wrong-answer", "z3", "unsat")}, set()),
        # Whether a mutant also shows a wrong model depends on its other assertions: that of the fault is empty.
        ("SAT_FOR_UNSAT", {("contradiction", "cvc5", "sat")}, {("wrong-model", "cvc5", "sat")}),
        ("WRONG_VALUE", {("wrong-model", "cvc5", "sat")}, set()),
        pytest.param(
            "DROPPED_ASSERTION",
            {("wrong-model", "cvc5", "sat"), ("contradiction", "cvc5", "sat")},
            set(),
            marks=pytest.mark.exhaustive,
        ),
        pytest.param("INTERNAL_ERROR", {("exception", "cvc5", "error")}, set(), marks=pytest.mark.exhaustive),
        ("DEATH", {("crash", "z3", "death")}, set()),
        ("HANG", set(), set()),
    ],
)
def test_all_faults_are_found(tmp_path: Path, fault: str, expected: set[Seen], possible: set[Seen]) -> None:
    assert seen(campaign(tmp_path, fault)) - possible == expected


@pytest.mark.slow
def test_a_contradiction_is_reduced_while_the_same_solver_is_accused(tmp_path: Path) -> None:
    campaign(tmp_path, "SAT_FOR_UNSAT")
    domain = "--domain=tests.domains.smt.planted:SAT_FOR_UNSAT"
    folder = min((tmp_path / "findings").glob("contradiction-*"))
    record = json.loads((folder / "record.json").read_text())
    run(tmp_path, *CHCFUZZ, "reduce", str(folder), domain)
    reduced = json.loads((folder / "reduced.json").read_text())
    assert reduced["minimal"]
    assert reduced["parameters"] == record["parameters"]
    assert reduced["after"]["nodes"] < reduced["before"]["nodes"]
    replayed = run(tmp_path, *CHCFUZZ, "replay", str(folder / "reduced-recipe"), domain, code=1)
    assert "oracle answers: disagreement: the answers differ" in replayed
