"""The same system solved by a process that has solved others before, and by a fresh one: both have to end alike."""

from __future__ import annotations

from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers.outcome import Status

_OF_A_CLOCK = (Status.HANG, Status.LIMIT)  # or of memory: these say nothing about the other run


def compared(fresh: Status, later: Status, number: int) -> Verdict:
    """CARRY_OVER where a process that had been asked `number` systems before ends otherwise than a fresh one."""
    if fresh is later:
        return Verdict("carry-over", VerdictKind.PASS)
    if fresh in _OF_A_CLOCK or later in _OF_A_CLOCK:
        return Verdict("carry-over", VerdictKind.UNDECIDED, "a limit ended one of both")
    after = f"{number} other system{'s' * (number != 1)} in the same process"
    words = f"{later.value} after {after}, {fresh.value} in a process of its own"
    return Verdict("carry-over", VerdictKind.CARRY_OVER, words)
