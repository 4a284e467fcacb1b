"""Exceptions that Z3 raises where it should have answered.

A release build turns failed UNREACHABLE and VERIFY checks into a plain exception (`util/debug.cpp`,
`invoke_exit_action`), so a crash of a debug build looks like bad input here. Told apart by Z3's own words: refusals of
what Spacer does not support are no findings.
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


def check(outcome: Outcome) -> Verdict:
    """An exception that tells of a failed check inside Z3 is a finding."""
    if outcome.status is not Status.ERROR:
        return Verdict("errors", VerdictKind.PASS)
    if _FAILED.search(outcome.reason) and not _OF_READER.match(outcome.reason):
        return Verdict("errors", VerdictKind.EXCEPTION, f"Z3 raises: {outcome.reason}")
    return Verdict("errors", VerdictKind.UNDECIDED, f"Z3 refuses: {outcome.reason}")
