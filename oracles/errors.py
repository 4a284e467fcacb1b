"""Exceptions that a solver raises instead of answering, and crashes.

A release build turns failed UNREACHABLE and VERIFY checks into plain exceptions (`util/debug.cpp`,
`invoke_exit_action`), so a crash of a debug build looks like bad input here. The text of Z3's message distinguishes the
two: refusals of input that Spacer does not support are not findings.

A command that dies from a signal is always a finding. Its output is an exception only if it refers to the solver's own
code: a failed assertion, or an uncaught error. Everything else is a refusal.
"""

from __future__ import annotations

import re

from chcfuzz.oracles.verdict import ERRORS, Verdict, VerdictKind
from chcfuzz.solvers.faults import FaultClass
from chcfuzz.solvers.outcome import Outcome, Status

_FAILED = re.compile(
    r"^(unreachable|internal fatal|unknown)$"  # thrown by invoke_exit_action
    r'|: (unreachable|internal fatal|unknown)"\)$'  # the same while Z3 reads a script
    r"|ASSERTION VIOLATION|UNEXPECTED CODE|Failed to verify|unreachable"
    r"|[Oo]verflow|out of bounds|bad_alloc|invalid (iterator|pointer)"
    r"|[Ii]nvalid (proof|model|interpolant|lemma)"
)
# A tactic catches what a failed check throws in the search: the answer is `unknown`, for this reason.
_FAILED_IN_SEARCH = re.compile(r"^(unreachable|internal fatal)$")
# Messages of the script reader quote names of the input, which may be any text.
_OF_READER = re.compile(r'\(error "line \d+ column \d+: (?!(unreachable|internal fatal|unknown)"\)$)')

# Text that Z3 prints to the standard error output before it throws a message (`util/debug.cpp`).
PRINTED_BEFORE = {"unreachable": "ASSERTION VIOLATION"}

# Errors of Java and Scala, by their names or typical messages, then those of C++, C and Rust.
_OF_COMMAND = re.compile(
    r"^Exception in thread "
    r"|\b(java|scala)\.[\w.]*(Error|Exception)\b|\bassertion failed\b|\bnone\.get\b|\bkey not found: "
    r"|\(of class [\w.$]+\)|^Fatal failure within |^terminate called after |: Assertion `|^thread '[^']*' panicked at "
    r"|Internal witness validation failed|Verification of clause failed|ERROR: (Address|UndefinedBehavior)Sanitizer"
    r"|ASSERTION VIOLATION|UNEXPECTED CODE|Failed to verify: |\binternal (fatal )?error\b"
    r'|: (unreachable|internal fatal)"\)$',
    re.IGNORECASE,
)


def check(outcome: Outcome) -> Verdict:
    """Return a finding for a crash, or for an exception that reports a failed check inside the solver."""
    raised = f"Z3 raises: {outcome.reason}"
    if outcome.status is Status.CRASH:
        return Verdict(
            ERRORS.name, VerdictKind.CRASH, f"it {outcome.reason}", fault=FaultClass.DEATH.of(outcome.reason)
        )
    if has_failed_in_search(outcome):
        return Verdict(ERRORS.name, VerdictKind.EXCEPTION, raised, fault=FaultClass.Z3_RAISES.of(outcome.reason))
    if outcome.status is not Status.ERROR:
        return Verdict(ERRORS.name, VerdictKind.PASS)
    if outcome.command:
        failed = _OF_COMMAND.search(outcome.reason)
        kind = VerdictKind.EXCEPTION if failed else VerdictKind.UNDECIDED
        return Verdict(ERRORS.name, kind, f"it says: {outcome.reason}", fault=FaultClass.REPORTS.of(outcome.reason))
    if _FAILED.search(outcome.reason) and not _OF_READER.match(outcome.reason):
        return Verdict(ERRORS.name, VerdictKind.EXCEPTION, raised, fault=FaultClass.Z3_RAISES.of(outcome.reason))
    return Verdict(ERRORS.name, VerdictKind.UNDECIDED, f"Z3 refuses: {outcome.reason}")


def has_failed_in_search(outcome: Outcome) -> bool:
    """Return whether Z3 answers `unknown` because a check inside it has failed."""
    return outcome.status is Status.UNKNOWN and not outcome.command and bool(_FAILED_IN_SEARCH.search(outcome.reason))
