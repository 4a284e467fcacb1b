"""Exceptions of Z3 that report a failed internal check, and those that only reject the input."""

import pytest
from chcfuzz.domains.chc.solvers.spacer import Spacer
from chcfuzz.oracles import outcome_checks
from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status
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
    found = outcome_checks.errors(error(reason))
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
    found = outcome_checks.errors(error(reason))
    assert (found.kind, found.detail) == (VerdictKind.UNDECIDED, f"Z3 refuses: {reason}")


REASONS = ("unreachable", "internal fatal", "unknown", "(incomplete quantifiers)", "max. resource limit exceeded")


def test_an_unknown_is_a_finding_if_its_reason_is_a_failed_check() -> None:
    found = [outcome_checks.errors(Outcome(Status.UNKNOWN, each, NOTHING, cost=0, seconds=0.0)) for each in REASONS]
    assert [verdict.kind for verdict in found] == [VerdictKind.EXCEPTION] * 2 + [VerdictKind.PASS] * 3


NO_ERRORS = [each for each in Status if each not in (Status.ERROR, Status.CRASH, Status.UNKNOWN)]


@pytest.mark.parametrize("status", NO_ERRORS)
def test_what_is_no_error_passes_whatever_its_reason(status: Status) -> None:
    outcome = Outcome(status, "unreachable", NOTHING, cost=0, seconds=0.0)
    assert outcome_checks.errors(outcome).kind is VerdictKind.PASS


@pytest.mark.parametrize(
    "text",
    [
        "(assert",
        "(declare-fun p (Int) Bool)(assert (p true))",
        "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (p x) (unreachable x))))",
        "(declare-fun p (NoSort) Bool)",
    ],
)
def test_z3s_messages_about_bad_texts_are_not_findings(text: str) -> None:
    outcome = Spacer(ProgressLog(), Watchdog(60)).solve(text, [], 100_000)
    assert outcome.status is Status.ERROR
    assert not outcome_checks.errors(outcome).kind.is_finding


def of_command(status: Status, reason: str) -> Verdict:
    outcome = Outcome(status, reason, NOTHING, cost=0, seconds=0.0, command=("/usr/bin/solver", "{}"))
    return outcome_checks.errors(outcome)


def test_a_command_that_dies_is_a_finding() -> None:
    verdict = of_command(Status.CRASH, "dies of signal 11 (Segmentation fault)")
    assert (verdict.kind, verdict.detail) == (VerdictKind.CRASH, "it dies of signal 11 (Segmentation fault)")
    assert verdict.kind.is_finding


@pytest.mark.parametrize(
    "reason",
    [
        'Exception in thread "main" java.lang.AssertionError',
        'Exception in thread "main" java.lang.NoClassDefFoundError: scala/Product',
        "java.util.NoSuchElementException: None.get",
        '(error "None.get")',
        '(error "key not found: p/2")',
        '(error "IExists(...) (of class ap.parser.IQuantified)")',
        '(error "assertion failed")',
        "golem: src/engine/TPA.cc:123: bool f(): Assertion `x' failed.",
        "terminate called after throwing an instance of 'std::out_of_range'",
        "thread 'main' panicked at src/main.rs:3:5:",
        "ASSERTION VIOLATION",
        '(error "line 3 column 7: internal fatal")',
        "Fatal failure within void cvc5::internal::f() at x.cpp:1",
    ],
)
def test_an_error_of_a_command_in_its_own_code_is_a_finding(reason: str) -> None:
    verdict = of_command(Status.ERROR, reason)
    assert (verdict.kind, verdict.detail) == (VerdictKind.EXCEPTION, f"it says: {reason}")


@pytest.mark.parametrize(
    "reason",
    [
        '(error "line 3 column 14: unknown constant unreachable")',
        "(error \"unrecognized option '-x'\")",
        '(error "Predicate generation failed")',
        '(error "stack overflow")',
        '(error "out of memory")',
        "leaves with code 1 and no answer",
        "answers sat and unsat",
    ],
)
def test_a_refusal_of_a_command_is_no_finding(reason: str) -> None:
    assert of_command(Status.ERROR, reason).kind is VerdictKind.UNDECIDED


@pytest.mark.parametrize("status", [Status.SAT, Status.UNSAT, Status.UNKNOWN, Status.LIMIT, Status.HANG])
def test_other_ends_of_a_command_are_no_errors(status: Status) -> None:
    assert of_command(status, "still running after 5 s").kind is VerdictKind.PASS
