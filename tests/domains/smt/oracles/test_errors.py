"""Errors of SMT solvers: an internal error is a finding, a refusal is not."""

import pytest
from chcfuzz.domains.smt.oracles import errors as smt_errors
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.tracing.trace import NOTHING


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ('(error "java.lang.NullPointerException")', VerdictKind.EXCEPTION),
        ('(error "java.lang.AssertionError")', VerdictKind.EXCEPTION),
        ('(error "scala.MatchError: null")', VerdictKind.EXCEPTION),
        ("Fatal failure within cvc5", VerdictKind.EXCEPTION),
        ('(error "java.lang.UnsupportedOperationException: quantifiers")', VerdictKind.UNDECIDED),
        ('(error "java.lang.StackOverflowError")', VerdictKind.UNDECIDED),
        ("gives no answer", VerdictKind.UNDECIDED),
    ],
)
def test_an_internal_error_of_a_solver_is_a_finding(reason: str, kind: VerdictKind) -> None:
    assert smt_errors.check(Outcome(Status.ERROR, reason, NOTHING, 0, 0.0)).kind is kind


@pytest.mark.parametrize(
    ("status", "reason", "kind", "detail"),
    [
        (Status.CRASH, "dies of signal 11", VerdictKind.CRASH, "it dies of signal 11"),
        (Status.UNKNOWN, "unreachable", VerdictKind.EXCEPTION, "it raises: unreachable"),
        (Status.UNKNOWN, "timeout", VerdictKind.PASS, ""),
        (Status.SAT, "Fatal failure within cvc5", VerdictKind.PASS, ""),
        (Status.ERROR, "segmentation", VerdictKind.EXCEPTION, "it raises: segmentation"),
    ],
)
def test_only_a_death_or_an_error_is_a_finding(status: Status, reason: str, kind: VerdictKind, detail: str) -> None:
    found = smt_errors.check(Outcome(status, reason, NOTHING, 0, 0.0))
    assert (found.kind, found.detail) == (kind, detail)
