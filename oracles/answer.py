"""The answer against the promise: a mutant of a sat seed whose chain keeps sat must not be unsat, and so on.

The table is HornFuzz's (EASE 2023, section 3; table of `unknown` and `limit` too: they are no answer, so no verdict).
"""

from __future__ import annotations

from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status


def check(expected: str | None, outcome: Outcome) -> Verdict:
    """`expected` is what the chain still promises of the answer; None if nothing."""
    return compared(expected, outcome.status)


def compared(expected: str | None, status: Status) -> Verdict:
    """The same for an answer that is remembered."""
    if not status.is_decided or expected is None:
        return Verdict("answer", VerdictKind.UNDECIDED)
    if status.value == expected:
        return Verdict("answer", VerdictKind.PASS)
    return Verdict("answer", VerdictKind.WRONG_ANSWER, f"answers {status.value}, but {expected} is promised")
