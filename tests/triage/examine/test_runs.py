"""The executions of an examination: each once, under its limit, announced before it begins, and summarized."""

from collections.abc import Callable

import pytest
from chcfuzz.execution.pipeline import Pipeline
from chcfuzz.execution.seed_answers import SeedAnswers
from chcfuzz.execution.solving import Solving
from chcfuzz.mutators.recipe import Recipe, encode
from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers.outcome import Status
from chcfuzz.tracing.source import Parameters
from chcfuzz.triage.examine.messages import Began, Message, RunFinished, RunReported
from chcfuzz.triage.examine.runs import Run, RunConfiguration, Runs, doubt_of_fault

from tests.played import Play, PlayedSolver, outcome
from tests.triage.examine.test_examination import SAT

CTP = ("fp.spacer.ctp", "false")
SEED, OTHER = Recipe(SAT), Recipe(SAT, (), (CTP,))


Make = Callable[..., tuple[Runs, PlayedSolver, list[Message]]]


@pytest.fixture
def make(play: Play) -> Make:
    def made(*without: str) -> tuple[Runs, PlayedSolver, list[Message]]:
        pipeline, solver = play(PlayedSolver, rlimit=7)
        solver.answer = lambda _text, _parameters: outcome(Status.UNKNOWN, cost=3, command=("solver", "{}"))
        sent: list[Message] = []
        return Runs(pipeline, 1000, frozenset(without), sent.append), solver, sent

    return made


def calls(solver: PlayedSolver) -> list[tuple[Parameters, int]]:
    return [(parameters, rlimit) for _, _, parameters, rlimit in solver.calls]


def test_a_run_is_announced_executed_and_reported_once(make: Make) -> None:
    runs, solver, sent = make()
    first = runs.execute("one", SEED)
    assert [type(message) for message in sent] == [Began, RunFinished, RunReported]
    assert sent[0] == Began("one", encode(SEED))
    assert sent[1] == RunFinished("one")
    assert isinstance(sent[2], RunReported)
    assert (sent[2].report.run, sent[2].report.status) == ("one", "unknown")
    sent.clear()
    assert runs.execute("two", SEED) is first
    assert (sent, len(solver.calls)) == ([], 1)
    assert first is not None
    assert (first.name, first.recipe, first.status, first.cost) == ("one", SEED, Status.UNKNOWN, 3)
    assert (first.command, first.model) == (("solver", "{}"), "")


def test_the_unit_itself_is_reported_again_under_its_name(make: Make) -> None:
    runs, solver, sent = make()
    runs.execute("with no parameter", SEED)
    sent.clear()
    runs.execute("given", SEED)
    (again,) = sent
    assert isinstance(again, RunReported)
    assert again.report.run == "given"
    assert len(solver.calls) == 1


def test_another_limit_or_a_second_opinion_is_another_run(make: Make) -> None:
    runs, solver, _ = make()
    runs.execute("one", SEED)
    runs.execute("more", SEED, factor=10)
    runs.execute("second", SEED, second=True)
    assert [limit for _, limit in calls(solver)] == [1000, 10_000, 1000]


def test_a_configuration_replaces_the_parameters_and_multiplies_the_limit(make: Make) -> None:
    runs, solver, _ = make()
    runs.under(RunConfiguration("plain", ()), OTHER)
    runs.under(RunConfiguration("more", (CTP,), 10), SEED)
    assert calls(solver) == [((), 1000), ((CTP,), 10_000)]


def test_a_run_that_killed_an_earlier_process_is_left_out(make: Make) -> None:
    runs, solver, sent = make("one")
    assert runs.execute("one", SEED) is None
    assert (sent, solver.calls) == ([], [])
    assert runs.execute("two", SEED) is not None
    assert runs.execute("one", SEED) is not None, "the same execution under another name has survived"


def test_a_guarded_check_has_no_unit(make: Make) -> None:
    runs, _, sent = make("fatal")
    assert runs.guarded("a check", lambda: 5) == 5
    assert sent == [Began("a check"), RunFinished("a check")]
    assert runs.guarded("fatal", lambda: 5) is None


def test_only_a_model_that_holds_is_kept_as_text() -> None:
    pipeline = Pipeline(Solving(rlimit=1_000_000), answers=SeedAnswers())
    run = Runs(pipeline, 1_000_000, frozenset(), lambda _: None).execute("one", SEED)
    assert run is not None
    assert (run.status, "define-fun inv" in run.model) == (Status.SAT, True)


def test_the_first_verdict_of_a_kind_counts() -> None:
    wrong = [Verdict("model", VerdictKind.WRONG_MODEL, detail) for detail in ("one", "two")]
    run = Run(
        "given", SEED, Pipeline(Solving()).mutant(SEED).problem, Status.SAT, (Verdict("a", VerdictKind.PASS), *wrong)
    )
    assert run.verdict("wrong-model") is wrong[0]
    assert run.shows("wrong-model")
    assert not run.shows("wrong-answer")


@pytest.mark.parametrize(
    ("cvc5", "judges", "doubt"),
    [
        (("unsat",), ("our evaluator", "Z3"), "cvc5 finds the clause true"),
        (("sat",), ("Z3",), ""),
        (("unknown",), ("Z3",), "only Z3, which made the model, finds it wrong"),
        ((), ("Z3",), "only Z3, which made the model, finds it wrong"),
        (("unknown",), ("our evaluator", "Z3"), ""),
        (("unknown",), ("cvc5",), ""),
    ],
)
def test_a_wrong_model_needs_a_judge_that_did_not_make_it(
    cvc5: tuple[str, ...], judges: tuple[str, ...], doubt: str
) -> None:
    assert doubt_of_fault(Verdict("model", VerdictKind.WRONG_MODEL, judges=judges), cvc5, "Z3") == doubt


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("given", "under its own parameters"),
        ("with no parameter", "with no parameter"),
        ("default parameters", "under default parameters"),
    ],
)
def test_the_configuration_of_a_run_is_part_of_a_sentence(name: str, where: str) -> None:
    assert Run(name, SEED, Pipeline(Solving()).mutant(SEED).problem, Status.SAT, ()).where == where
