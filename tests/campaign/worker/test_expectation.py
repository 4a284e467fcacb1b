"""The promised answer of a unit and its reason: verdicts are judged again when the status of the seed falls."""

from collections.abc import Callable
from typing import Any

import pytest
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.worker.expectation import Expectation
from chcfuzz.campaign.worker.target import Target
from chcfuzz.execution.cached_outcome import with_outcome
from chcfuzz.execution.pipeline import Pipeline
from chcfuzz.execution.seed_answers import Ground, SeedAnswer, SeedAnswers
from chcfuzz.mutators.recipe import Recipe, Unit, canonical, decode
from chcfuzz.triage.findings.suspicions import Suspicions

from tests.campaign.conftest import MORE_SAT, SAT, UNSAT, doubled

MakeOptions = Callable[..., Options]
OVERTURNED = SeedAnswer("sat", Ground.WITNESS, "a model")
WRONGLY_DECLARED = MORE_SAT.replace(":status sat", ":status unsat")  # its mutants are sat, and unsat is promised


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were solved."""
    texts: list[str] = []
    solve = Pipeline.solve

    def noted(pipeline: Pipeline, text: str, *rest: Any) -> Any:
        texts.append(text)
        return solve(pipeline, text, *rest)

    monkeypatch.setattr(Pipeline, "solve", noted)
    return texts


def started(options: MakeOptions, session: Session, *flags: str) -> Target:
    made = options(*flags)
    made.findings.mkdir(exist_ok=True)
    return Target(made, session)


def overturn(target: Target, unit: bytes, answer: SeedAnswer) -> None:
    """Note a witness as another process does."""
    seed = canonical(decode(unit)).seed
    SeedAnswers(target.context.options.findings).note(seed, answer)


def kinds(target: Target) -> list[str]:
    return [found.kind for found in Suspicions(target.context.options.findings)]


@pytest.mark.parametrize("answer", [None, "sat"])
@pytest.mark.parametrize("seed", [None, SeedAnswer("unsat", Ground.DECLARED), SeedAnswer(None, Ground.NONE)])
def test_an_expectation_is_read_as_it_was_written(answer: str | None, seed: SeedAnswer | None) -> None:
    made = Expectation.of(answer, seed)
    assert Expectation.read(made.written) == made


def test_only_a_declaration_or_a_witness_of_another_status_overturns_an_expectation() -> None:
    declared = Expectation.of("sat", SeedAnswer("sat", Ground.DECLARED))
    assert not declared.has_fallen(None)
    assert not declared.has_fallen(SeedAnswer("sat", Ground.WITNESS))
    assert not declared.has_fallen(SeedAnswer("unsat", Ground.ANSWER))
    assert declared.has_fallen(SeedAnswer("unsat", Ground.WITNESS))
    assert Expectation().has_fallen(SeedAnswer("unsat", Ground.DECLARED))


@pytest.mark.parametrize("restarted", [False, True])
def test_an_answer_that_agreed_with_a_fallen_status_is_suspected_without_another_execution(
    options: MakeOptions, session: Session, solved: list[str], restarted: bool
) -> None:
    target = started(options, session)
    unit = doubled(seed=SAT)
    for each in (UNSAT.encode(), unit):
        target.test_one_input(each)
    assert kinds(target) == []
    number = len(solved)
    overturn(target, unit, SeedAnswer("unsat", Ground.WITNESS, "a refutation"))
    if restarted:
        target = started(options, session)
    for each in (UNSAT.encode(), unit, unit):
        target.test_one_input(each)
    (found,) = Suspicions(target.context.options.findings)
    assert (found.kind, found.oracle, found.seen, found.expected) == ("wrong-answer", "answer", "sat", "unsat")
    assert len(solved) == number


def test_a_finding_that_only_the_fallen_status_implied_is_not_one_any_more(
    options: MakeOptions, session: Session, solved: list[str]
) -> None:
    target = started(options, session)
    unit = WRONGLY_DECLARED.encode()
    target.test_one_input(unit)
    assert kinds(target) == ["wrong-answer"]
    stored = target.context.outcomes.get(Unit(unit).digest)
    assert stored is not None
    assert (stored.finding, stored.expectation) == ("wrong-answer", Expectation("unsat", "unsat", Ground.DECLARED))
    overturn(target, unit, OVERTURNED)
    target.test_one_input(unit)
    stored = target.context.outcomes.get(Unit(unit).digest)
    assert stored is not None
    assert (stored.finding, stored.expectation) == (None, Expectation("sat", "sat", Ground.WITNESS))
    assert len(solved) == 1


def test_a_finding_that_does_not_depend_on_the_status_stays(options: MakeOptions, session: Session) -> None:
    target = started(options, session, "--solver=tests.quality.planted:ForgetfulSpacer")
    unit = SAT.encode()
    target.test_one_input(unit)
    assert kinds(target) == ["wrong-model"]
    overturn(target, unit, SeedAnswer("unsat", Ground.WITNESS, "a refutation"))
    target.test_one_input(unit)
    stored = target.context.outcomes.get(Unit(unit).digest)
    assert stored is not None
    assert stored.finding == "wrong-model"
    assert kinds(target) == ["wrong-model"]


def test_an_imported_outcome_that_a_witness_contradicts_is_not_believed(
    options: MakeOptions, session: Session, solved: list[str]
) -> None:
    target = started(options, session)
    pipeline = target.context.pipeline
    execution = pipeline.execute(pipeline.mutant(Recipe(MORE_SAT)))
    solved.clear()
    text = execution.mutant.text  # as an import prints it
    unit = with_outcome(text, execution.outcome, pipeline.setting).encode()
    overturn(target, unit, SeedAnswer("unsat", Ground.WITNESS, "a refutation"))
    target.test_one_input(unit)
    assert len(solved) == 1
    assert kinds(target) == ["wrong-answer"]
