"""The oracle of solver steps, in an execution, an examination and a campaign."""

import json
from pathlib import Path
from typing import Any

import pytest
from chcfuzz.oracles.verdict import SOLVER_STEPS, VerdictKind

from tests.commands.test_chcfuzz import chcfuzz
from tests.targets import ROOT
from tests.traced import TRACED, needs_traced_build

SMALL = """(set-option :fp.spacer.use_euf_gen true)(set-logic HORN)(declare-fun p (Int Int Int) Bool)
(assert (p 0 0 0))(assert (p 0 1 1))(assert (forall ((x Int)) (=> (p 0 1 0) (p 2 x 0))))
(assert (forall ((x Int)) (=> (p 0 1 0) (p x 2 0))))(assert (forall ((x Int)) (=> (p 2 2 x) false)))(check-sat)
"""
SEED = (ROOT / "corpus/protocols/ticket-lock-safe.smt2").read_text()


@pytest.fixture
def seed(tmp_path: Path) -> Path:
    """A seed under an option with which Spacer makes a lemma `false` of a predicate with a fact; it answers rightly."""
    file = tmp_path / "seed.smt2"
    file.write_text(f"(set-option :fp.spacer.use_euf_gen true)\n{SEED}")
    return file


def verdicts(file: Path, *flags: object) -> list[dict[str, str]]:
    """Return the verdicts on the steps in a replay."""
    found = json.loads(chcfuzz(file.parent, "replay", "--json", file, *flags).stdout)
    assert found["status"] == "sat"
    return [verdict for verdict in found["verdicts"] if verdict["oracle"] == SOLVER_STEPS.name]


@pytest.mark.slow
def test_a_wrong_lemma_under_a_right_answer_is_a_finding(seed: Path) -> None:
    (verdict,) = verdicts(seed, "--judge-solver-steps=all")
    assert verdict["kind"] == VerdictKind.WRONG_LEMMA.value
    assert list(verdict["judges"]) == ["our evaluator", "cvc5"]
    assert verdict["evidence"].startswith("; The solver's lemma excludes the fact before the last step.\n")


@needs_traced_build
def test_a_traced_build_repeats_a_run_whose_model_is_printed(seed: Path) -> None:
    (verdict,) = verdicts(seed, "--judge-solver-steps=all", f"--z3-library={TRACED}")
    assert verdict["kind"] == VerdictKind.WRONG_LEMMA.value


@pytest.mark.slow
def test_right_steps_pass(tmp_path: Path) -> None:
    (tmp_path / "right.smt2").write_text(SEED)
    (verdict,) = verdicts(tmp_path / "right.smt2", "--judge-solver-steps=all")
    assert verdict["kind"] == VerdictKind.PASS.value
    assert "lemma right" in verdict["detail"]


@pytest.mark.slow
def test_a_replay_judges_steps_unless_they_are_off(seed: Path) -> None:
    assert len(verdicts(seed, "--judge-solver-steps=sample", "--second-opinion=0")) == 1
    assert not verdicts(seed, "--second-opinion=1")


def campaign(folder: Path, *flags: str) -> dict[str, Any]:
    """Return the summary of a campaign that executes the small system once."""
    for name in ("corpus", "grown"):
        (folder / name).mkdir(exist_ok=True)
    (folder / "corpus/seed.smt2").write_text(SMALL)
    words = ("fuzz", "-runs=1", "-seed=1", *flags, "--findings", "findings", "grown", "corpus", "--json=numbers.json")
    done = chcfuzz(folder, *words)
    assert done.returncode == 0, done.stderr
    summary: dict[str, Any] = json.loads((folder / "numbers.json").read_text())
    return summary


@pytest.mark.slow
def test_a_cached_outcome_is_judged_once_and_later_if_it_was_not(tmp_path: Path) -> None:
    """The other executions are the empty unit, and the system that libFuzzer itself makes."""
    assert campaign(tmp_path)["solver_steps"]["judged"] == 0
    first = campaign(tmp_path, "--judge-solver-steps=all")
    assert first["solver_steps"]["judged"] >= 1
    assert first["solver_steps"]["unstable"] == 0
    assert first["first"]["wrong-step"] is not None
    assert first["findings"] == {"wrong-lemma": 1}
    again = campaign(tmp_path, "--judge-solver-steps=all")
    assert again["solver_steps"]["judged"] == 0
    assert again["first"]["wrong-step"] is None


@pytest.mark.slow
def test_a_campaign_confirms_a_wrong_lemma_and_reduces_it(tmp_path: Path) -> None:
    first = campaign(tmp_path, "--judge-solver-steps=all")["first"]
    assert first["wrong-step"]["executions"] >= 1
    assert first["contradiction"] is None
    (finding,) = (tmp_path / "findings").glob("wrong-lemma-*")
    step = (finding / "step.smt2").read_text()
    assert step.startswith("; The solver's lemma excludes")
    reduced = chcfuzz(tmp_path, "reduce", finding)
    assert reduced.returncode == 0, reduced.stderr
    again = chcfuzz(tmp_path, "replay", finding / "reduced-recipe", "--solver-steps", "--first-wrong")
    assert "the first wrong step is " in again.stdout
    maker = next(line for line in again.stdout.splitlines() if line.startswith("  made by: "))
    assert maker.startswith("  made by: generalizer; right without ")
    assert "without lemma_eq_generalizer" in maker
    assert " answers sat" in again.stdout
    report = chcfuzz(tmp_path, "report", finding, "--no-bisect", "--out", "report")
    assert report.returncode == 0, report.stderr
    text = (tmp_path / "report/report.md").read_text()
    assert text.startswith("# Spacer: wrong lemma, at ")
    first_screen = text[: text.index("```")]
    assert "it answers `sat`" in first_screen
    assert "cvc5 on `reduced-step.smt2`: `unsat`" in text


@pytest.mark.slow
def test_the_folder_of_an_issue_on_a_wrong_lemma_runs_its_step(tmp_path: Path) -> None:
    campaign(tmp_path, "--judge-solver-steps=all")
    (finding,) = (tmp_path / "findings").glob("wrong-lemma-*")
    chcfuzz(tmp_path, "report", finding, "--bundle", "--no-bisect", "--out", "issue")
    issue = tmp_path / "issue/issue.md"
    shown = issue.read_text()
    assert "$ z3 step.smt2\nstep 1: clause 2\nunsat\n" in shown
    checked = chcfuzz(tmp_path, "report", "--check", "issue")
    assert "step.smt2" not in checked.stdout + checked.stderr
    issue.write_text(shown.replace("step 1: clause 2\nunsat", "step 1: clause 2\nsat"))
    checked = chcfuzz(tmp_path, "report", "--check", "issue")
    assert "`z3 step.smt2` prints" in checked.stdout + checked.stderr
