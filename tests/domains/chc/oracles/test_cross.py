"""Two answers to one system: witnesses determine which one is wrong, if there are any."""

import pytest
import z3
from chcfuzz.domains.chc.oracles import cross
from chcfuzz.domains.chc.solvers.spacer import Spacer
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers.model_text import TextModel
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.progress_log import ProgressLog
from chcfuzz.tracing.trace import NOTHING

RLIMIT = 1_000_000
WATCHDOG = Watchdog(60)
SAT = """(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (> x 0) (p x))))
(assert (forall ((x Int)) (=> (p x) (> x 0))))"""
RIGHT = "(define-fun p ((x Int)) Bool (> x 0))"
WRONG = "(define-fun p ((x Int)) Bool (> x 1))"
UNREADABLE = "(define-fun p ((x Int)) Bool (odd x))"
STEPS = "3 steps along Spacer's proof"


def answered(status: Status, definitions: str | None = None) -> Outcome:
    model = None if definitions is None else TextModel(definitions)
    return Outcome(status, "", NOTHING, cost=0, seconds=0.0, model=model)


def settled(ours: Outcome, other: Outcome, refutation: str = "") -> Verdict:
    return cross.settle(parse(SAT), ours, cross.Opinion("another", other, refutation), WATCHDOG)


@pytest.mark.parametrize("status", [Status.SAT, Status.UNSAT])
def test_the_same_answer_passes(status: Status) -> None:
    assert settled(answered(status, WRONG), answered(status)).kind is VerdictKind.PASS


@pytest.mark.parametrize("status", [status for status in Status if not status.is_decided])
def test_without_two_answers_there_is_no_verdict(status: Status) -> None:
    for pair in ((answered(status), answered(Status.SAT, RIGHT)), (answered(Status.UNSAT), answered(status))):
        verdict = settled(*pair)
        assert verdict.kind is VerdictKind.UNDECIDED
        assert status.value in verdict.detail


def test_an_unsat_of_ours_is_wrong_if_the_others_model_holds() -> None:
    verdict = settled(answered(Status.UNSAT), answered(Status.SAT, RIGHT))
    assert verdict.kind is VerdictKind.WRONG_ANSWER
    assert verdict.detail == "answers unsat, another sat with a model that holds in every clause"
    assert verdict.kind.is_finding


def test_an_unsat_of_the_others_is_its_own_fault() -> None:
    verdict = settled(answered(Status.SAT, RIGHT), answered(Status.UNSAT))
    assert verdict.kind is VerdictKind.DISAGREEMENT
    assert verdict.detail.endswith(": another is wrong")
    assert verdict.judges == ("another",)


@pytest.mark.parametrize("definitions", [None, WRONG, UNREADABLE])
def test_without_a_witness_the_disagreement_stays(definitions: str | None) -> None:
    for ours, other in (
        (answered(Status.SAT, definitions), answered(Status.UNSAT)),
        (answered(Status.UNSAT), answered(Status.SAT, definitions)),
    ):
        verdict = settled(ours, other)
        assert verdict.kind is VerdictKind.DISAGREEMENT
        assert verdict.detail.startswith(f"answers {ours.status.value}, another {other.status.value}; the model is ")
        assert bool(verdict.evidence) == (definitions == WRONG)


@pytest.mark.parametrize("definitions", [None, WRONG, UNREADABLE])
def test_a_refutation_contradicts_the_solver_that_answers_sat(definitions: str | None) -> None:
    verdict = settled(answered(Status.SAT, definitions), answered(Status.UNSAT), STEPS)
    assert (verdict.kind, STEPS in verdict.detail) == (VerdictKind.WRONG_ANSWER, True)
    verdict = settled(answered(Status.UNSAT), answered(Status.SAT, definitions), STEPS)
    assert (verdict.kind, STEPS in verdict.detail) == (VerdictKind.DISAGREEMENT, True)


def test_witnesses_for_both_sides_settle_nothing() -> None:
    """One of our own checks is wrong then; calling either solver a liar would be one more."""
    verdict = settled(answered(Status.SAT, RIGHT), answered(Status.UNSAT), STEPS)
    assert verdict.kind is VerdictKind.DISAGREEMENT
    assert STEPS in verdict.detail


def test_a_model_of_spacers_is_a_witness_too() -> None:
    ours = Spacer(ProgressLog(), WATCHDOG).solve(SAT, [], RLIMIT)
    assert ours.status is Status.SAT
    assert settled(ours, answered(Status.UNSAT)).kind is VerdictKind.DISAGREEMENT


def test_the_check_of_a_model_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    other = answered(Status.SAT, RIGHT)
    assert other.model is not None
    guarded: list[z3.Context] = []
    guard = Watchdog.guard
    monkeypatch.setattr(Watchdog, "guard", lambda self, context: guarded.append(context) or guard(self, context))
    settled(answered(Status.UNSAT), other)
    assert guarded == [other.model.context]
