"""Exceptions that a solver raises where it should have answered, and its death.

A release build turns failed UNREACHABLE and VERIFY checks into a plain exception (`util/debug.cpp`,
`invoke_exit_action`), so a crash of a debug build looks like bad input here. Told apart by Z3's own words: refusals of
what Spacer does not support are no findings.

A command that dies of a signal is a finding by itself. What it prints is an exception only where it speaks of its own
code: a failed assertion, or an error that nobody caught. All else is a refusal.
"""

from __future__ import annotations

import re

from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status

_FAILED = re.compile(
    r"^(unreachable|internal fatal|unknown)$"  # what invoke_exit_action throws
    r'|: (unreachable|internal fatal|unknown)"\)$'  # the same while it reads
    r"|ASSERTION VIOLATION|UNEXPECTED CODE|Failed to verify|unreachable"
    r"|[Oo]verflow|out of bounds|bad_alloc|invalid (iterator|pointer)"
    r"|[Ii]nvalid (proof|model|interpolant|lemma)"
)
# What the reader of scripts says quotes names of the input, and these may be any words.
_OF_READER = re.compile(r'\(error "line \d+ column \d+: (?!(unreachable|internal fatal|unknown)"\)$)')


# Java's and Scala's errors by name, and by what is left where only their message is printed; C++, C and Rust.
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
    """An exception that tells of a failed check inside the solver is a finding, and so is its death."""
    if outcome.status is Status.CRASH:
        return Verdict("errors", VerdictKind.CRASH, f"it {outcome.reason}")
    if outcome.status is not Status.ERROR:
        return Verdict("errors", VerdictKind.PASS)
    if outcome.command:
        failed = _OF_COMMAND.search(outcome.reason)
        kind = VerdictKind.EXCEPTION if failed else VerdictKind.UNDECIDED
        return Verdict("errors", kind, f"it says: {outcome.reason}")
    if _FAILED.search(outcome.reason) and not _OF_READER.match(outcome.reason):
        return Verdict("errors", VerdictKind.EXCEPTION, f"Z3 raises: {outcome.reason}")
    return Verdict("errors", VerdictKind.UNDECIDED, f"Z3 refuses: {outcome.reason}")
