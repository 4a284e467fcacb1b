"""Checks of an outcome alone: the answer against the promise, limits, memory and cost, and a fresh process."""

import pytest
from chcfuzz.oracles import outcome_checks
from chcfuzz.oracles.verdict import Verdict, VerdictKind, asks_others
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.tracing.trace import NOTHING


@pytest.mark.parametrize(
    ("expected", "status", "kind"),
    [
        ("sat", Status.SAT, VerdictKind.PASS),
        ("unsat", Status.UNSAT, VerdictKind.PASS),
        ("sat", Status.UNSAT, VerdictKind.WRONG_ANSWER),
        ("unsat", Status.SAT, VerdictKind.WRONG_ANSWER),
        (None, Status.SAT, VerdictKind.UNDECIDED),
        (None, Status.UNSAT, VerdictKind.UNDECIDED),
    ],
)
def test_an_answer_is_held_against_what_is_promised(expected: str | None, status: Status, kind: VerdictKind) -> None:
    assert outcome_checks.answer(expected, status).kind is kind


@pytest.mark.parametrize("expected", ["sat", "unsat", None])
@pytest.mark.parametrize("status", [Status.UNKNOWN, Status.LIMIT, Status.HANG, Status.ERROR])
def test_no_answer_is_no_wrong_answer(expected: str | None, status: Status) -> None:
    assert outcome_checks.answer(expected, status).kind is VerdictKind.UNDECIDED


def test_a_wrong_answer_reports_both_answers() -> None:
    found = outcome_checks.answer("sat", Status.UNSAT)
    assert found == Verdict("answer", VerdictKind.WRONG_ANSWER, "answers unsat, but sat is promised")


def test_only_what_a_person_should_see_is_a_finding() -> None:
    findings = {kind.value for kind in VerdictKind if kind.is_finding}
    assert {kind.value for kind in VerdictKind} - findings == {"pass", "undecided"}
    assert {"wrong-answer", "wrong-model", "exception", "crash", "disagreement"} <= findings


def outcome(cost: int, status: Status = Status.SAT, reason: str = "") -> Outcome:
    return Outcome(status, reason, NOTHING, cost=cost, seconds=0.0)


@pytest.mark.parametrize("status", [Status.SAT, Status.UNSAT, Status.UNKNOWN, Status.LIMIT, Status.HANG])
@pytest.mark.parametrize(("cost", "kind"), [(0, "pass"), (1_000, "pass"), (10_000, "pass"), (10_001, "limit")])
def test_ten_times_its_limit_is_too_much(status: Status, cost: int, kind: str) -> None:
    verdict = outcome_checks.resources(outcome(cost, status), 1_000)
    assert verdict.kind is VerdictKind(kind)
    assert ("10001" in verdict.detail) is (kind == "limit")


@pytest.mark.parametrize(
    ("status", "reason", "kind"),
    [
        (Status.LIMIT, "out of memory", VerdictKind.MEMORY),
        (Status.LIMIT, "max. resource limit exceeded", VerdictKind.PASS),
        (Status.LIMIT, "canceled", VerdictKind.PASS),
        (Status.UNKNOWN, "(incomplete quantifiers)", VerdictKind.PASS),
        (Status.ERROR, "out of memory", VerdictKind.PASS),  # the errors' oracle speaks of these
    ],
)
def test_all_memory_taken_is_a_finding(status: Status, reason: str, kind: VerdictKind) -> None:
    assert outcome_checks.resources(outcome(5, status, reason), 1_000).kind is kind


def test_memory_goes_before_the_limit() -> None:
    assert outcome_checks.resources(outcome(99_999, Status.LIMIT, "out of memory"), 1_000).kind is VerdictKind.MEMORY


@pytest.mark.parametrize(
    ("cost", "seed_cost", "kind"),
    [
        (1_999_999, 20_000, VerdictKind.PASS),
        (2_000_000, 20_000, VerdictKind.PERFORMANCE),
        (999_999, 10, VerdictKind.PASS),  # what costs less than start-up counts as start-up
        (1_000_000, 10, VerdictKind.PERFORMANCE),
        (1_000_000, 0, VerdictKind.PERFORMANCE),
        (100, 20_000, VerdictKind.PASS),
    ],
)
def test_a_hundred_times_its_seeds_cost_is_a_finding(cost: int, seed_cost: int, kind: VerdictKind) -> None:
    verdict = outcome_checks.cost(outcome(cost), seed_cost)
    assert (verdict.oracle, verdict.kind) == ("cost", kind)
    assert (f"{cost} resource units" in verdict.detail) is (kind is VerdictKind.PERFORMANCE)


@pytest.mark.parametrize("kind", [VerdictKind.LIMIT, VerdictKind.MEMORY, VerdictKind.PERFORMANCE])
def test_all_of_these_are_findings(kind: VerdictKind) -> None:
    assert kind.is_finding


@pytest.mark.parametrize(
    ("fresh", "later", "kind"),
    [
        (Status.SAT, Status.SAT, VerdictKind.PASS),
        (Status.SAT, Status.UNKNOWN, VerdictKind.CARRY_OVER),
        (Status.UNSAT, Status.CRASH, VerdictKind.CARRY_OVER),
        (Status.HANG, Status.SAT, VerdictKind.UNDECIDED),
        (Status.SAT, Status.LIMIT, VerdictKind.UNDECIDED),
    ],
)
def test_another_end_is_a_finding_unless_a_limit_made_it(fresh: Status, later: Status, kind: VerdictKind) -> None:
    verdict = outcome_checks.carry_over(fresh, later, 3)
    assert verdict.kind is kind
    assert not asks_others(verdict.oracle)


def test_the_words_say_what_came_before() -> None:
    result = outcome_checks.carry_over(Status.SAT, Status.UNKNOWN, 1).detail
    assert result == "unknown after 1 other system in the same process, sat in a process of its own"
