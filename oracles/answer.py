"""Check the answer against the promise: a mutant of a sat seed whose chain preserves sat must not be unsat, and so on.

The table is HornFuzz's (EASE 2023). `unknown` and `limit` are not answers, so they give no verdict.
"""

from __future__ import annotations

from chcfuzz.oracles.verdict import ANSWER, Verdict, VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status


def check(expected: str | None, outcome: Outcome) -> Verdict:
    """Check the answer against `expected`, the answer that the chain still promises (None if it promises nothing)."""
    return compared(expected, outcome.status)


def compared(expected: str | None, status: Status) -> Verdict:
    """Check an answer that is known without its outcome, such as a cached one."""
    if not status.is_decided or expected is None:
        return Verdict(ANSWER.name, VerdictKind.UNDECIDED)
    if status.value == expected:
        return Verdict(ANSWER.name, VerdictKind.PASS)
    return Verdict(ANSWER.name, VerdictKind.WRONG_ANSWER, f"answers {status.value}, but {expected} is promised")
