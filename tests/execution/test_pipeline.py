"""The pipeline runs the solver, the oracles and the second opinions as its arguments demand, and reports executions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from chcfuzz.domains.protocol import MutantSample, NoSecondOpinion
from chcfuzz.execution.pipeline import Execution, Pipeline, describe, report
from chcfuzz.execution.seed_answers import Ground, SeedAnswer, SeedAnswers
from chcfuzz.execution.solving import Solving
from chcfuzz.mutators.chain import Mutant
from chcfuzz.mutators.mutation import Promise
from chcfuzz.mutators.recipe import Recipe, Step
from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.tracing.trace import NOTHING, Trace
from msgspec import UNSET

from tests.campaign.conftest import SAT, UNSAT
from tests.played import Play, PlayedSolver, outcome

CTP = ("fp.spacer.ctp", "false")
DOUBLED = Recipe(SAT, (Step("boolean.dup-and", b"\0\0\0\0"),), (CTP,))
OPINION = Verdict("cross", VerdictKind.DISAGREEMENT, "another answer")


@dataclass
class Others(NoSecondOpinion):
    """A second opinion that always disagrees; `asked` are the mutants that it got."""

    has_others: bool = False
    asked: list[Mutant] = field(default_factory=list)

    def verdicts(self, mutant: Mutant, _outcome: Outcome) -> tuple[Verdict, ...]:
        self.asked.append(mutant)
        return (OPINION,)


Make = Callable[..., tuple[Pipeline, PlayedSolver, Others]]


@pytest.fixture
def make(play: Play) -> Make:
    def made(
        status: Status = Status.SAT, why: str = "", one_in: int = 0, has_others: bool = False, **changed: Any
    ) -> tuple[Pipeline, PlayedSolver, Others]:
        given = outcome(status, **{"cost": 7, **changed})
        pipeline, solver = play(lambda source: PlayedSolver(source, lambda *_: given, why), second_opinion=one_in)
        others = Others(has_others)
        pipeline.second_opinion = others
        return pipeline, solver, others

    return made


def kinds(execution: Execution) -> Mapping[str, VerdictKind]:
    return {verdict.oracle: verdict.kind for verdict in execution.verdicts}


def test_a_mutant_is_solved_once_under_the_limit_of_the_campaign_or_the_given_one(make: Make) -> None:
    pipeline, played, _ = make()
    mutant = pipeline.mutant(DOUBLED)
    for limit in (None, 50):
        pipeline.execute(mutant, limit)
    pipeline.execute(mutant, fresh=True)
    rest = (mutant.text, mutant.parameters)
    assert mutant.parameters == (CTP,)
    assert played.calls == [("solve", *rest, 1000), ("solve", *rest, 50), ("afresh", *rest, 1000)]
    played.calls.clear()
    pipeline.solve("text", (), 9)
    pipeline.solve_afresh("text", (), 8)
    assert played.calls == [("solve", "text", (), 9), ("afresh", "text", (), 8)]


def test_a_mutant_that_the_solver_does_not_read_is_not_solved(make: Make) -> None:
    pipeline, played, _ = make(why="arrays are not read")
    outcome = pipeline.execute(pipeline.mutant(DOUBLED)).outcome
    assert (outcome.status, outcome.reason, outcome.cost) == (Status.UNSUPPORTED, "arrays are not read", 0)
    assert played.calls == []


@pytest.mark.parametrize(("status", "kind"), [(Status.SAT, VerdictKind.PASS), (Status.UNSAT, VerdictKind.WRONG_ANSWER)])
def test_the_answer_is_compared_with_that_of_the_seed(make: Make, status: Status, kind: VerdictKind) -> None:
    pipeline, _, _ = make(status)
    execution = pipeline.execute(pipeline.mutant(DOUBLED))
    assert execution.mutant.expected == "sat"
    assert kinds(execution)["answer"] is kind
    finding = execution.finding
    assert finding is None if kind is VerdictKind.PASS else finding is not None and finding.kind is kind


def test_the_answer_of_a_silent_seed_is_the_known_one() -> None:
    silent = UNSAT.replace("(set-info :status unsat)\n", "")
    assert silent != UNSAT
    answers = SeedAnswers()
    pipeline = Pipeline(Solving(), answers=answers)
    assert pipeline.mutant(Recipe(silent)).expected is None
    answers.note(silent, SeedAnswer("unsat", Ground.ANSWER))
    assert pipeline.mutant(Recipe(silent)).expected == "unsat"


def test_one_mutant_in_n_gets_a_second_opinion_and_always_the_same(make: Make) -> None:
    def chosen(one_in: int) -> list[int]:
        pipeline, _, _ = make(one_in=one_in)
        mutant = pipeline.mutant(DOUBLED)
        parameters = [((CTP[0], str(number)),) for number in range(400)]
        mutants = [replace(mutant, parameters=each) for each in parameters]
        found = [pipeline.is_for_second_opinion(each) for each in mutants]
        assert found == [one_in > 0 and int.from_bytes(each.key[:4], "big") % one_in == 0 for each in mutants]
        return [number for number, each in enumerate(found) if each]

    assert chosen(0) == []
    assert len(chosen(1)) == 400
    assert 60 < len(chosen(5)) < 100
    assert chosen(5) == chosen(5)


@pytest.mark.parametrize(
    ("one_in", "second", "is_asked"), [(0, None, False), (1, None, True), (1, False, False), (0, True, True)]
)
def test_a_second_opinion_is_last_and_on_request(make: Make, one_in: int, second: bool | None, is_asked: bool) -> None:
    pipeline, _, others = make(one_in=one_in)
    mutant = pipeline.mutant(DOUBLED)
    execution = pipeline.execute(mutant, second=second)
    assert others.asked == [mutant] * is_asked
    assert execution.second == (OPINION,) * is_asked
    assert (execution.verdicts[-1] == OPINION) is is_asked


@pytest.mark.parametrize("second", [None, True, False])
def test_a_sample_gets_its_mutants_with_or_without_a_second_opinion(make: Make, second: bool | None) -> None:
    pipeline, _, others = make()
    others.samples = (
        MutantSample(1, lambda *_: (OPINION,)),
        MutantSample(1 << 32, lambda *_: pytest.fail("it is not taken")),
    )
    execution = pipeline.execute(pipeline.mutant(DOUBLED), second=second)
    assert execution.second == (OPINION,) * (2 if second else 1)


@pytest.mark.parametrize(("has_others", "status", "is_asked"), [
    (True, Status.UNSAT, True), (True, Status.SAT, False), (False, Status.UNSAT, False),
])  # fmt: skip
def test_other_solvers_are_asked_about_every_contradiction(
    make: Make, has_others: bool, status: Status, is_asked: bool
) -> None:
    pipeline, _, others = make(status, has_others=has_others)
    pipeline.execute(pipeline.mutant(DOUBLED))
    assert bool(others.asked) is is_asked


def test_a_mutant_with_the_models_of_its_seed_is_compared_with_its_cost(make: Make) -> None:
    pipeline, _, _ = make(cost=2_000_000)
    mutant = pipeline.mutant(replace(DOUBLED, parameters=()))
    assert mutant.promise is Promise.EQUIVALENT
    assert "cost" not in kinds(pipeline.execute(mutant))
    assert kinds(pipeline.execute(mutant, seed_cost=15_000))["cost"] is VerdictKind.PERFORMANCE
    assert kinds(pipeline.execute(mutant, seed_cost=21_000))["cost"] is VerdictKind.PASS
    weaker = replace(mutant, promise=Promise.EQUISATISFIABLE)
    assert "cost" not in kinds(pipeline.execute(weaker, seed_cost=15_000))


@pytest.mark.parametrize(("status", "is_named"), [(Status.UNSAT, True), (Status.UNKNOWN, False)])
def test_a_message_beside_an_answer_is_part_of_its_findings(make: Make, status: Status, is_named: bool) -> None:
    pipeline, _, _ = make(status, reason="line 3: odd")
    mutant = pipeline.mutant(DOUBLED)
    answered = next(verdict for verdict in pipeline.execute(mutant).verdicts if verdict.oracle == "answer")
    assert (answered.complaint == "line 3: odd") is is_named


def test_the_report_on_an_execution_is_complete(make: Make) -> None:
    trace = Trace(0xABC, 5, NOTHING.keys, NOTHING.counts)
    other = Outcome(Status.UNSAT, "", NOTHING, 0, 0.0)
    pipeline, _, _ = make(Status.UNKNOWN, reason="why", command=("solver", "{}"), others=(("two", other),), trace=trace)
    found = report(pipeline.execute(pipeline.mutant(DOUBLED)))
    assert (found.status, found.reason, found.cost, found.command) == ("unknown", "why", 7, ("solver", "{}"))
    assert (found.trace_hash, found.events) == ("0000000000000abc", 5)
    assert found.others == {"two": "unsat"}
    assert found.run is UNSET
    assert not found.model_holds
    assert [verdict.oracle for verdict in found.verdicts] == ["errors", "answer", "resources"]


def test_without_other_solvers_a_report_has_none(make: Make) -> None:
    pipeline, _, _ = make()
    assert report(pipeline.execute(pipeline.mutant(DOUBLED))).others is UNSET


def test_a_model_that_was_checked_holds_in_the_report() -> None:
    pipeline = Pipeline(Solving(rlimit=1_000_000))
    execution = pipeline.execute(pipeline.mutant(DOUBLED))
    assert execution.model_verdict is VerdictKind.PASS
    assert execution.proof_verdict is None
    assert report(execution).model_holds


def test_a_unit_is_described_with_its_chain() -> None:
    pipeline = Pipeline(Solving())
    mutant = pipeline.mutant(DOUBLED)
    found = describe(DOUBLED, mutant)
    assert (found.promise, found.expected, found.parameters) == ("equisatisfiable", "sat", (CTP,))
    assert (found.mutant, found.system) == (mutant.script(), mutant.text)
    (step,) = found.chain
    assert (step.mutation, step.choices, step.key, step.changed) == ("boolean.dup-and", "00000000", "", True)
    assert step.words


def test_second_opinions_solve_a_mutant_again_under_its_parameters(make: Make) -> None:
    pipeline, played, _ = make()
    mutant = pipeline.mutant(DOUBLED)
    assert pipeline._solve_again(mutant).cost == 7  # noqa: SLF001
    assert played.calls == [("solve", mutant.text, (CTP,), 1000)]


def test_a_report_has_the_details_of_one_kind_and_can_drop_the_evidence(make: Make) -> None:
    pipeline, _, _ = make(Status.UNSAT)
    found = report(pipeline.execute(pipeline.mutant(DOUBLED)))
    assert found.details("wrong-answer") == ["answers unsat, but sat is promised"]
    assert found.details("wrong-model") == []
    assert {verdict.evidence for verdict in found.verdicts} == {""}
    assert {verdict.evidence for verdict in found.without_evidence().verdicts} == {UNSET}
