"""Campaigns in which Spacer's interpolants have a planted fault: it is found, confirmed and reduced."""

import json
from pathlib import Path
from typing import Any

import pytest
from chcfuzz.domains.interpolation.roots import BUILT_IN
from chcfuzz.oracles import second_solver

from tests.domains.smt.test_planted import CHCFUZZ, run
from tests.targets import ROOT

TARGET = ROOT / "fuzz_targets" / "interpolation.py"
SEQUENCE = """(set-info :status unsat)
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (! (and (> x 3) (< x 9)) :interpolation-group g0))
(assert (! (= y (+ x 1)) :interpolation-group g1))
(assert (! (= z (* 2 y)) :interpolation-group g2))
(assert (! (or (< z 9) (> z 30)) :interpolation-group g3))
(check-sat)
"""


def campaign(folder: Path, fault: str, runs: int = 8) -> list[dict[str, Any]]:
    """Run a short campaign with a fault of `planted`; return the records of its findings."""
    (folder / "seeds").mkdir()
    (folder / "seeds" / "pair.smt2").write_text(BUILT_IN[0])
    (folder / "seeds" / "sequence.smt2").write_text(SEQUENCE)
    domain = f"--domain=tests.domains.interpolation.planted:{fault}"
    run(folder, str(TARGET), "seeds", domain, "--solver=spacer", f"-runs={runs}", "-seed=1", "--wall-seconds=100")
    return [json.loads(file.read_text()) for file in sorted((folder / "findings").glob("*/record.json"))]


def seen(records: list[dict[str, Any]]) -> set[tuple[str, str]]:
    return {(each["kind"], each["parameters"]["solver"]) for each in records}


@pytest.mark.slow
def test_a_wrong_interpolant_is_found_with_its_evidence(tmp_path: Path) -> None:
    records = campaign(tmp_path, "DROPPED_CONJUNCT", 4)
    assert seen(records) == {("wrong-interpolant", "spacer")}
    folder = next((tmp_path / "findings").glob("wrong-interpolant-*"))
    evidence = (folder / "evidence.smt2").read_text()
    assert "(define-fun I () Bool" in evidence
    assert second_solver.answers(evidence) == ("sat",)


@pytest.mark.slow
def test_a_reduced_finding_has_two_groups_and_evidence(tmp_path: Path) -> None:
    campaign(tmp_path, "DROPPED_CONJUNCT", 4)
    folder = next((tmp_path / "findings").glob("wrong-interpolant-*"))
    run(tmp_path, *CHCFUZZ, "reduce", str(folder), "--domain=tests.domains.interpolation.planted:DROPPED_CONJUNCT")
    reduced = (folder / "reduced.smt2").read_text()
    assert reduced.count("(assert") == 2
    assert (folder / "reduced-evidence.smt2").is_file()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "kinds"),
    [
        pytest.param("FOREIGN_SYMBOL", {"foreign-symbol"}, marks=pytest.mark.exhaustive),
        pytest.param("SIDE_A", {"foreign-symbol"}, marks=pytest.mark.exhaustive),
        ("NOT_SIDE_B", {"foreign-symbol"}),
        ("SHIFTED", {"wrong-interpolant"}),
        ("CUT_TEXT", {"unreadable"}),
        ("DEATH", {"crash"}),
    ],
)
def test_all_faults_are_found(tmp_path: Path, fault: str, kinds: set[str]) -> None:
    found = {kind for kind, _ in seen(campaign(tmp_path, fault))}
    assert kinds <= found <= kinds | {"foreign-symbol", "wrong-interpolant"}
