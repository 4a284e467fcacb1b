"""Documented limits are not reported, and other answers of the same parts are."""

import pytest
from chcfuzz.domains.parts.oracles import errors
from chcfuzz.domains.parts.oracles.known_limits import EXCEPTIONS, MAY_LEAVE_VARIABLES, SYMBOLS, WITHOUT_CORES
from chcfuzz.domains.parts.oracles.violations import Violation
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.tracing.trace import NOTHING

from tests.domains.parts.oracles.test_contracts import BETWEEN, CLASH, VALUES, judge

MESSAGES = {
    "canceled": ("project", "canceled", None),
    "unsupported theory": ("project", "quantifiers are not supported", None),
    "objective": ("optimum", "Objective must be bit-vector, integer or real", None),
    "partial function": ("cover", "Uninterpreted 'div' in <null>: states(#0) :- (< (div #0 #0) 1).", "unreachable"),
    "undecided by the model": ("mbp", "line 17 column 132: could not evaluate Boolean in model", "unreachable"),
    "fragment of a tactic": ("tactic nla2bv", "goal is not in the fragment supported by nla2bv", "unreachable"),
}


def kind(part: str, message: str) -> VerdictKind:
    return errors.check(part, Outcome(Status.ERROR, message, NOTHING, 0, 0.0)).kind


@pytest.mark.parametrize("limit", EXCEPTIONS, ids=lambda limit: limit.name)
def test_a_documented_exception_is_not_reported(limit: object) -> None:
    part, message, reported = MESSAGES[limit.name]  # type: ignore[attr-defined]
    assert kind(part, message) is VerdictKind.UNDECIDED
    assert reported is None or kind(part, reported) is VerdictKind.EXCEPTION


def test_a_tactic_of_a_part_of_its_own_may_fail() -> None:
    assert kind("qsat", "unknown") is VerdictKind.UNDECIDED
    assert kind("qsat", "unreachable") is VerdictKind.EXCEPTION


def test_a_step_that_spacer_does_not_validate_is_reported() -> None:
    """Its reached fact is too weak: see reports/z3/22-*, whose implicants lose a `distinct` of arrays."""
    assert kind("ground", "spacer: could not validate a proof step") is VerdictKind.EXCEPTION


def test_other_exceptions_are_reported_without_their_sorts() -> None:
    reason = "domain sort (Array Int Int) and parameter Int do not match"
    verdict = errors.check("project", Outcome(Status.ERROR, reason, NOTHING, 0, 0.0))
    assert verdict.kind is VerdictKind.EXCEPTION
    assert verdict.fault == "project: it raises: domain sort S and parameter S do not match"


def test_a_documented_symbol_is_not_reported() -> None:
    assert [limit.name for limit in SYMBOLS] == ["division by zero", "division by zero in cvc5"]
    question_of_cvc5 = f"(cvc5-disjunct (x) {VALUES})"
    assert judge(question_of_cvc5, BETWEEN, ["(= y (@mod_by_zero_5 y))"])[1].kind is VerdictKind.UNDECIDED
    assert judge(question_of_cvc5, BETWEEN, ["(= y (@other_5 y))"])[1].kind is VerdictKind.WRONG_RESULT
    question = f"(project (x) {VALUES})"
    assert judge(question, BETWEEN, ["(= y (div0 y))"])[1].kind is VerdictKind.UNDECIDED
    assert judge(question, BETWEEN, ["(= y (div1 y))"])[1].kind is VerdictKind.WRONG_RESULT


@pytest.mark.parametrize("tactic", sorted(WITHOUT_CORES))
def test_a_tactic_that_tracks_no_core_may_have_an_empty_one(tactic: str) -> None:
    empty = ["unsat", "", "0"]
    assert judge(f"(tactic ({tactic}) () ((core true)))", CLASH, empty)[1].kind is VerdictKind.PASS
    assert judge("(tactic (nnf) () ((core true)))", CLASH, empty)[1].kind is VerdictKind.WRONG_RESULT


@pytest.mark.parametrize("part", sorted(MAY_LEAVE_VARIABLES))
def test_a_part_with_best_effort_may_leave_variables(part: str) -> None:
    assert judge(f"({part} (x) {VALUES})", BETWEEN, ["(< 0 x y)"])[1].kind is VerdictKind.PASS
    found = judge(f"(project (x) {VALUES})", BETWEEN, ["(< 0 x y)"])[1]
    assert found.fault == f"project: {Violation.LEFT.value}"
