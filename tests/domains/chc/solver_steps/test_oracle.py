"""The oracle of solver steps, in an execution, an examination and a campaign."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from chcfuzz.domains.chc.solver_steps import oracle as steps_oracle
from chcfuzz.domains.chc.solver_steps.judge_worker import StepsReply
from chcfuzz.domains.chc.solver_steps.worker import StepsQuery
from chcfuzz.execution.solving import Solving
from chcfuzz.oracles.verdict import SOLVER_STEPS, VerdictKind
from chcfuzz.solvers.outcome import Status

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


# Judges the steps of the system in a file in an execution, as the examination of a wrong step does.
EXECUTED = """
import json, sys
from chcfuzz.execution.pipeline import Pipeline, report
from chcfuzz.execution.solving import Solving
from chcfuzz.mutators.recipe import read
import msgspec
solving = Solving.parsed(sys.argv[2:])
solving.activate()
pipeline = Pipeline(solving, judges_steps=True)
execution = pipeline.execute(pipeline.mutant(read(open(sys.argv[1], "rb").read()).recipe))
print(json.dumps(msgspec.to_builtins(report(execution))))
"""


def verdict_on_steps(file: Path, *flags: object) -> dict[str, Any]:
    """Return the verdict on the steps in an execution."""
    done = subprocess.run([sys.executable, "-c", EXECUTED, str(file), *map(str, flags)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["status"] == "sat"
    (verdict,) = (verdict for verdict in found["verdicts"] if verdict["oracle"] == SOLVER_STEPS.name)
    return dict(verdict)


class RunsThatDie:
    """A process that dies with each query for facts that has an x in `deaths`; keeps whether queries wanted facts."""

    def __init__(self, deaths: str) -> None:
        self.wanted: list[bool] = []
        self._deaths = iter(deaths)

    def request(self, query: StepsQuery, _kind: type) -> StepsReply:
        self.wanted.append(query.has_facts)
        return StepsReply(death="killed") if query.has_facts and next(self._deaths) == "x" else StepsReply()


@pytest.mark.parametrize(("deaths", "wanted"), [("xx.xx.x.", 8), ("x.xxx..", 5)])
def test_facts_are_given_up_after_three_deaths_in_a_row(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], deaths: str, wanted: int
) -> None:
    runs = RunsThatDie(deaths)
    monkeypatch.setattr(steps_oracle, "HelperProcess", lambda *_of_process: runs)
    oracle: Any = steps_oracle.StepsOracle(Solving())
    first: Any = SimpleNamespace(cost=0, status=Status.SAT, trace=SimpleNamespace(hash=0))
    for _ in deaths:
        oracle.check(SimpleNamespace(text="", parameters=()), first)
    assert sum(runs.wanted) == wanted
    assert len(runs.wanted) == len(deaths) + deaths[:wanted].count("x")
    assert ("no longer judges facts" in capfd.readouterr().err) is (wanted < len(deaths))


@pytest.mark.slow
def test_a_wrong_lemma_under_a_right_answer_is_a_finding(seed: Path) -> None:
    verdict = verdict_on_steps(seed)
    assert verdict["kind"] == VerdictKind.WRONG_LEMMA.value
    assert list(verdict["judges"]) == ["our evaluator", "cvc5"]
    assert verdict["evidence"].startswith("; The solver's lemma excludes the fact before the last step.\n")


@needs_traced_build
def test_a_traced_build_repeats_a_run_whose_model_is_printed(seed: Path) -> None:
    assert verdict_on_steps(seed, f"--z3-library={TRACED}")["kind"] == VerdictKind.WRONG_LEMMA.value


@pytest.mark.slow
def test_right_steps_pass(tmp_path: Path) -> None:
    (tmp_path / "right.smt2").write_text(SEED)
    verdict = verdict_on_steps(tmp_path / "right.smt2")
    assert verdict["kind"] == VerdictKind.PASS.value
    assert "lemma right" in verdict["detail"]


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
    """The other executions are the empty unit, and the system that libFuzzer itself makes.

    By default, a campaign judges a sample, and this one is too short for that.
    """
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
    replayed = chcfuzz(tmp_path, "replay", finding)
    assert "oracle solver-steps: wrong-lemma: step " in replayed.stdout
    assert replayed.returncode == 1
    assert "oracle solver-steps" not in chcfuzz(tmp_path, "replay", finding / "recipe").stdout
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


@pytest.mark.slow
def test_judging_changes_no_unit_that_a_campaign_keeps(tmp_path: Path) -> None:
    kept = []
    for mode in ("off", "all"):
        folder = tmp_path / mode
        (folder / "grown").mkdir(parents=True)
        (folder / "corpus").mkdir()
        (folder / "corpus/seed.smt2").write_text(SMALL)
        words = (
            "fuzz",
            "-runs=60",
            "-seed=7",
            f"--judge-solver-steps={mode}",
            "--finish-seconds=0.1",
            "--json=numbers.json",
        )
        done = chcfuzz(folder, *words, "--findings=findings", "grown", "corpus")
        assert done.returncode == 0, done.stderr
        kept.append({file.name: file.read_bytes() for file in (folder / "grown").iterdir()})
        judged = json.loads((folder / "numbers.json").read_text())["solver_steps"]["judged"]
        assert (judged > 0) is (mode == "all")
    assert len(kept[0]) > 1
    assert kept[0] == kept[1]
