"""Errors of SMT solvers: a death, or a failed check inside the solver; refusals are not findings."""

from __future__ import annotations

import re

from chcfuzz.oracles.outcome_checks import has_failed_in_search
from chcfuzz.oracles.verdict import ERRORS, Verdict, VerdictKind
from chcfuzz.solvers.faults import FaultClass
from chcfuzz.solvers.outcome import Outcome, Status, texts_of

_INTERNAL = re.compile(
    r"^(unreachable|internal fatal|unknown)$"  # Z3, see `errors`
    r"|ASSERTION VIOLATION|UNEXPECTED CODE|Failed to verify|unreachable|Unreachable|Unhandled"
    r"|Fatal failure within|Check failure|[Ii]nternal (fatal )?error|[Aa]ssertion .*(failed|failure|violat)"
    r"|bad_alloc|out of bounds|invalid (iterator|pointer)|[Ii]nvalid (proof|model|interpolant|lemma)"
    r"|(NullPointer|IndexOutOfBounds|ClassCast|NoSuchElement|IllegalState|Arithmetic)Exception"  # of solvers in Java
    r"|(Assertion|Match)Error"
    r"|model (check|validat)\w* fail|doesn't satisfy|[Ss]egmentation"
)

_ERROR = re.compile(r'\(error "(.*)"\)', re.DOTALL)


def check(outcome: Outcome) -> Verdict:
    """Return a finding for a death, or for an error that reports a failed check inside the solver."""
    detail, fault = f"it raises: {outcome.reason}", FaultClass.RAISES.of(outcome.reason)
    if outcome.status is Status.CRASH:
        death = FaultClass.DEATH.of(outcome.reason)
        return Verdict(ERRORS.name, VerdictKind.CRASH, f"it {outcome.reason}", fault=death)
    if has_failed_in_search(outcome):
        return Verdict(ERRORS.name, VerdictKind.EXCEPTION, detail, fault=fault)
    if outcome.status is not Status.ERROR:
        return _in_queries(outcome)
    kind = VerdictKind.EXCEPTION if _INTERNAL.search(outcome.reason) else VerdictKind.UNDECIDED
    return Verdict(ERRORS.name, kind, detail, fault=fault)


def _in_queries(outcome: Outcome) -> Verdict:
    """Return a finding for a failed check in a query behind an answer; other errors are refusals."""
    for text in texts_of(outcome):
        found = _ERROR.fullmatch(text)
        if found and _INTERNAL.search(found[1]):
            fault = FaultClass.RAISES.of(found[1])
            return Verdict(ERRORS.name, VerdictKind.EXCEPTION, f"it raises in a query: {found[1]}", fault=fault)
    return Verdict(ERRORS.name, VerdictKind.PASS)
