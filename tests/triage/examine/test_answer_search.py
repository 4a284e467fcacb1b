"""The search for a wrong answer next to a unit with a wrong step: planted bugs and the systems that expose them."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from chcfuzz.domains.chc.witness_search import ChcWitnessSearch
from chcfuzz.execution.pipeline import Pipeline
from chcfuzz.execution.solver_steps import JudgedSteps, RepeatableRun, SolverStepReport, StepJudges
from chcfuzz.execution.solving import Solving
from chcfuzz.mutators.chain import Mutant
from chcfuzz.mutators.recipe import Recipe, Step, decode, encode
from chcfuzz.oracles.verdict import SOLVER_STEPS, Verdict, VerdictKind
from chcfuzz.solvers.outcome import Status
from chcfuzz.triage.examine import answer_search
from chcfuzz.triage.examine.answer_search import AnswerSearch, WrongAnswer
from chcfuzz.triage.examine.conclusion import ANSWERED, Conclusion
from chcfuzz.triage.examine.examination import Examination
from chcfuzz.triage.examine.runs import RunConfiguration, Runs
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings.contents import FILES

from tests.triage.examine.test_examination import CTP, SAT, SLICE, doubled

DUP = Step("boolean.dup-and", b"\0\0\0\0")
EXPOSING = SAT.replace("(< x 5)", "(< x 5) (< x 5)")


@pytest.fixture(autouse=True)
def _few_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole portfolio has a hundred settings."""
    settings = [RunConfiguration("sliced", (SLICE,)), RunConfiguration("without ctp", (CTP,))]
    monkeypatch.setattr(answer_search, "portfolio", lambda _pipeline, _recipe: settings)


def runs_with(solver: str, judges_steps: bool = False) -> tuple[Runs, ChcWitnessSearch]:
    solving = Solving(solver=f"tests.quality.planted:{solver}", wall_seconds=100.0, rlimit=1_000_000)
    runs = Runs(Pipeline(solving, judges_steps=judges_steps), solving.rlimit, frozenset(), lambda _message: None)
    return runs, ChcWitnessSearch(runs, runs.pipeline.watchdog, None, ())


def found(solver: str, recipe: Recipe, *exposing: str) -> WrongAnswer | None:
    runs, search = runs_with(solver)
    given = runs.execute("given", recipe)
    assert given is not None
    assert given.status is Status.SAT
    return AnswerSearch(runs, search, given).found(exposing)


def test_a_system_that_exposes_the_step_is_tried_first() -> None:
    wrong = found("PlantedSpacer", Recipe(SAT), SAT.replace("3", "4"), EXPOSING)
    assert wrong is not None
    assert (wrong.number, wrong.run.status, wrong.witness.status) == (2, Status.UNSAT, Status.SAT)
    assert wrong.run.recipe == Recipe(EXPOSING)


def test_the_unit_is_run_in_other_configurations() -> None:
    wrong = found("SwitchedSpacer", decode(doubled()))
    assert wrong is not None
    assert (wrong.number, wrong.run.recipe) == (2, replace(decode(doubled()), parameters=(CTP,)))


def test_mutants_are_run_and_the_search_is_the_same_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    runs, search = runs_with("PlantedSpacer")
    rows = [row for row in runs.pipeline.chains.registry.mutations if row.id in ("boolean.dup-and", "order.reverse")]
    monkeypatch.setattr(runs.pipeline.chains.registry, "mutations", rows)
    given = runs.execute("given", Recipe(SAT))
    assert given is not None
    wrong, again = (AnswerSearch(runs, search, given).found(()) for _ in range(2))
    assert wrong is not None
    assert again is not None
    assert wrong.run.recipe == again.run.recipe
    assert DUP.mutation in [step.mutation for step in wrong.run.recipe.steps]


def test_a_right_solver_is_not_accused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_search, "MOST_RUNS", 8)
    assert found("Spacer", Recipe(SAT), EXPOSING) is None


class _Judges(StepJudges):
    """The oracle of solver steps, which finds a wrong lemma in each run."""

    version = "1"

    def check(
        self, _mutant: Mutant, _first: RepeatableRun, _with_facts: bool = True, _with_doubts: bool = False
    ) -> JudgedSteps:
        return JudgedSteps(Verdict(SOLVER_STEPS.name, VerdictKind.WRONG_LEMMA, "step 1", "script"), 0, True)


def examined(monkeypatch: pytest.MonkeyPatch, *exposing: str, full: Sequence[str] = ()) -> Conclusion:
    runs, search = runs_with("PlantedSpacer", judges_steps=True)
    runs.pipeline.second_opinion.steps = _Judges()  # type: ignore[misc]
    step = SolverStepReport(number=1, kind="lemma", predicate="p", formula="f", judgement="wrong", exposing=exposing)
    monkeypatch.setattr(runs.pipeline, "first_wrong_step", lambda _mutant: step)
    suspicion = Suspicion(encode(Recipe(SAT)), "wrong-lemma", SOLVER_STEPS.name, "sat", solving=("--rlimit=5",))
    return Examination(suspicion, Recipe(SAT), runs, search, full).examine()


def test_a_finding_of_a_wrong_step_names_the_wrong_answer_that_it_leads_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_search, "MOST_RUNS", 2)
    found = examined(monkeypatch, EXPOSING)
    assert found.words.startswith("step 1; it leads to a wrong answer, unsat to wrong-answer.smt2, but sat is right: ")
    assert "(set-info :status sat)" in found.answered
    assert "(< x 5) (< x 5)" in found.answered
    assert ANSWERED in FILES
    (wrong,) = found.more
    assert (wrong.kind, wrong.seen, decode(wrong.unit)) == ("disagreement", "unsat", Recipe(EXPOSING))
    none = examined(monkeypatch, SAT)
    assert (none.words, none.answered, none.more) == ("step 1; no wrong answer in 200 runs next to it", "", ())


def test_no_answer_is_searched_for_a_signature_with_enough_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_search, "MOST_RUNS", 2)
    name = examined(monkeypatch, SAT).signature.name
    assert examined(monkeypatch, EXPOSING, full=[name]).words == "step 1"
