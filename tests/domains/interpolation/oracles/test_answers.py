"""Answers of interpolating solvers: sat without a model gets one of Z3."""

import pytest
from chcfuzz.domains.interpolation.oracles.answers import check
from chcfuzz.domains.interpolation.oracles.interpolant import Checker
from chcfuzz.grammar.interpolation.group_text import read
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.model_text import TextModel
from chcfuzz.solvers.outcome import Outcome, Status, Texts
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.trace import NOTHING

CHECKER = Checker(Watchdog(60.0))
GROUPS = (
    "(declare-const x Int)(assert (! (> x 0) :interpolation-group g0))(assert (! (< x {}) :interpolation-group g1))"
)
SAT = Outcome(Status.SAT, "", NOTHING, 0, 0.0)
INTERPOLATED = Outcome(Status.UNSAT, "", NOTHING, 0, 0.0, extra=Texts(("(> x 0)",)))


def test_a_satisfiable_problem_gets_a_model() -> None:
    (verdict,) = check(read(GROUPS.format(2)), SAT, "spacer", CHECKER)
    assert (verdict.kind, verdict.detail) == (VerdictKind.PASS, "satisfiable: (define-fun x () Int 1)")


def test_sat_without_any_model_is_not_judged() -> None:
    assert check(read(GROUPS.format(0)), SAT, "spacer", CHECKER) == []


@pytest.mark.parametrize(("bound", "accused"), [(2, "bitwuzla"), (0, "spacer")])
def test_a_model_decides_which_of_two_answers_is_wrong(bound: int, accused: str) -> None:
    outcome = Outcome(**{**vars(SAT), "others": (("bitwuzla", INTERPOLATED),)})
    found = [each for each in check(read(GROUPS.format(bound)), outcome, "spacer", CHECKER) if each.kind.is_finding]
    assert {dict(each.accuses).get("solver", "spacer") for each in found} == {accused}


def test_an_answer_is_suspected_before_its_wrong_model() -> None:
    wrong = TextModel("(define-fun x () Int 7)")
    outcome = Outcome(**{**vars(SAT), "model": wrong, "others": (("bitwuzla", INTERPOLATED),)})
    found = [each.kind for each in check(read(GROUPS.format(0)), outcome, "spacer", CHECKER) if each.kind.is_finding]
    assert found == [VerdictKind.DISAGREEMENT, VerdictKind.WRONG_MODEL]


@pytest.mark.parametrize(("bound", "kind"), [(2, VerdictKind.WRONG_ANSWER), (0, VerdictKind.WRONG_INTERPOLANT)])
def test_a_wrong_interpolant_of_a_satisfiable_problem_is_a_wrong_answer(bound: int, kind: VerdictKind) -> None:
    outcome = Outcome(**{**vars(INTERPOLATED), "extra": Texts(("(> x 7)",))})
    (verdict,) = check(read(GROUPS.format(bound)), outcome, "spacer", CHECKER)
    assert verdict.kind is kind
