"""The oracle of solver steps, in an execution, an examination and a campaign."""

import json
from pathlib import Path

import pytest
from chcfuzz.oracles.verdict import SOLVER_STEPS, VerdictKind

from tests.commands.test_chcfuzz import chcfuzz
from tests.targets import ROOT

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


@pytest.mark.slow
def test_right_steps_pass(tmp_path: Path) -> None:
    (tmp_path / "right.smt2").write_text(SEED)
    (verdict,) = verdicts(tmp_path / "right.smt2", "--judge-solver-steps=all")
    assert verdict["kind"] == VerdictKind.PASS.value
    assert "lemma right" in verdict["detail"]


@pytest.mark.slow
def test_a_sample_is_judged_with_second_opinions(seed: Path) -> None:
    assert len(verdicts(seed, "--judge-solver-steps=sample", "--second-opinion=1")) == 1
    assert not verdicts(seed, "--judge-solver-steps=sample", "--second-opinion=0")
    assert not verdicts(seed, "--second-opinion=1")


@pytest.mark.slow
def test_a_campaign_confirms_a_wrong_lemma_and_reduces_it(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus/seed.smt2").write_text(SMALL)
    words = ("fuzz", "-runs=1", "-seed=1", "--judge-solver-steps", "all", "--findings", "findings", "grown", "corpus")
    (tmp_path / "grown").mkdir()
    done = chcfuzz(tmp_path, *words, "--json=numbers.json")
    first = json.loads((tmp_path / "numbers.json").read_text())["first"]
    assert first["wrong-step"]["executions"] >= 1
    assert first["contradiction"] is None
    (finding,) = (tmp_path / "findings").glob("wrong-lemma-*")
    assert finding.name in done.stderr
    step = (finding / "step.smt2").read_text()
    assert step.startswith("; The solver's lemma excludes")
    reduced = chcfuzz(tmp_path, "reduce", finding)
    assert reduced.returncode == 0, reduced.stderr
    again = chcfuzz(tmp_path, "replay", finding / "reduced-recipe", "--solver-steps", "--first-wrong")
    assert "the first wrong step is " in again.stdout
    assert "  made by: generalizer; right without lemma_eq_generalizer" in again.stdout
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
    (tmp_path / "corpus").mkdir()
    (tmp_path / "grown").mkdir()
    (tmp_path / "corpus/seed.smt2").write_text(SMALL)
    words = ("fuzz", "-runs=1", "-seed=1", "--judge-solver-steps=all", "--findings", "findings", "grown", "corpus")
    chcfuzz(tmp_path, *words)
    (finding,) = (tmp_path / "findings").glob("wrong-lemma-*")
    bundle = chcfuzz(tmp_path, "report", finding, "--bundle", "--no-bisect", "--out", "issue")
    assert bundle.returncode == 0, bundle.stderr
    issue = tmp_path / "issue/issue.md"
    assert "$ z3 step.smt2\nunsat\n" in issue.read_text()
    checked = chcfuzz(tmp_path, "report", "--check", "issue")
    assert "step.smt2" not in checked.stdout + checked.stderr
    issue.write_text(issue.read_text().replace("$ z3 step.smt2\nunsat", "$ z3 step.smt2\nsat"))
    checked = chcfuzz(tmp_path, "report", "--check", "issue")
    assert "`z3 step.smt2` prints" in checked.stdout + checked.stderr
