"""Limits, memory and cost: an execution just beyond a bound is a finding, one just below is not."""

import pytest
from chcfuzz.oracles import resources
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.tracing.trace import NOTHING


def outcome(cost: int, status: Status = Status.SAT, reason: str = "") -> Outcome:
    return Outcome(status, reason, NOTHING, cost=cost, seconds=0.0)


@pytest.mark.parametrize("status", [Status.SAT, Status.UNSAT, Status.UNKNOWN, Status.LIMIT, Status.HANG])
@pytest.mark.parametrize(("cost", "kind"), [(0, "pass"), (1_000, "pass"), (10_000, "pass"), (10_001, "limit")])
def test_ten_times_its_limit_is_too_much(status: Status, cost: int, kind: str) -> None:
    verdict = resources.check(outcome(cost, status), 1_000)
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
    assert resources.check(outcome(5, status, reason), 1_000).kind is kind


def test_memory_goes_before_the_limit() -> None:
    assert resources.check(outcome(99_999, Status.LIMIT, "out of memory"), 1_000).kind is VerdictKind.MEMORY


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
    verdict = resources.costlier(outcome(cost), seed_cost)
    assert (verdict.oracle, verdict.kind) == ("cost", kind)
    assert (f"{cost} resource units" in verdict.detail) is (kind is VerdictKind.PERFORMANCE)


@pytest.mark.parametrize("kind", [VerdictKind.LIMIT, VerdictKind.MEMORY, VerdictKind.PERFORMANCE])
def test_all_of_these_are_findings(kind: VerdictKind) -> None:
    assert kind.is_finding
