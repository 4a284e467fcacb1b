"""Which of Z3's exceptions tell of a failed check inside, and which only refuse the input."""

import pytest
from chcfuzz.oracles import errors
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.spacer import Spacer
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.progress_log import ProgressLog
from chcfuzz.tracing.trace import NOTHING


def error(reason: str) -> Outcome:
    return Outcome(Status.ERROR, reason, NOTHING, cost=0, seconds=0.0)


@pytest.mark.parametrize(
    "reason",
    [
        # what release builds throw in the place of an abort
        "unreachable",
        "internal fatal",
        "unknown",
        "ASSERTION VIOLATION File: ../src/muz/spacer/spacer_context.cpp Line: 123",
        "UNEXPECTED CODE WAS REACHED.",
        "Failed to verify: m_core.size() > 0",
        "Overflow encountered when expanding vector",
        "std::bad_alloc",
        "Invalid model",
        '(error "line 3 column 7: internal fatal")',
    ],
)
def test_a_failed_check_inside_z3_is_a_finding(reason: str) -> None:
    found = errors.check(error(reason))
    assert (found.kind, found.detail) == (VerdictKind.EXCEPTION, f"Z3 raises: {reason}")


@pytest.mark.parametrize(
    "reason",
    [
        '(error "line 1 column 38: unknown constant q")',
        '(error "line 1 column 13: invalid expression, unexpected input")',
        '(error "line 1 column 38: unknown constant unreachable (Int) ")',
        '(error "line 2 column 5: invalid declaration, Overflow already declared")',
        "unknown parameter 'fp.no_such'",
        "Rule is not recursive: unsupported sort",
        "quantifiers are not supported in the body of a rule",
        "",
    ],
)
def test_a_refusal_is_no_finding(reason: str) -> None:
    found = errors.check(error(reason))
    assert (found.kind, found.detail) == (VerdictKind.UNDECIDED, f"Z3 refuses: {reason}")


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.ERROR])
def test_what_is_no_error_passes_whatever_its_reason(status: Status) -> None:
    outcome = Outcome(status, "unreachable", NOTHING, cost=0, seconds=0.0)
    assert errors.check(outcome).kind is VerdictKind.PASS


@pytest.mark.parametrize(
    "text",
    [
        "(assert",
        "(declare-fun p (Int) Bool)(assert (p true))",
        "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (p x) (unreachable x))))",
        "(declare-fun p (NoSort) Bool)",
    ],
)
def test_what_z3_says_of_bad_texts_is_no_finding(text: str) -> None:
    outcome = Spacer(ProgressLog(), Watchdog(60)).solve(text, [], 100_000)
    assert outcome.status is Status.ERROR
    assert not errors.check(outcome).kind.is_finding
