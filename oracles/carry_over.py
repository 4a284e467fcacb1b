"""Check that a process which has solved other systems before gives the same answer as a fresh process."""

from __future__ import annotations

from chcfuzz.oracles.verdict import CARRY_OVER, Verdict, VerdictKind
from chcfuzz.solvers.faults import FaultClass
from chcfuzz.solvers.outcome import Status

_OF_A_CLOCK = (Status.HANG, Status.LIMIT)  # or of memory: the other run need not reach the same limit


def compared(fresh: Status, later: Status, number: int) -> Verdict:
    """Return CARRY_OVER if a process that had solved `number` other systems answers differently than a fresh one."""
    if fresh is later:
        return Verdict(CARRY_OVER.name, VerdictKind.PASS)
    if fresh in _OF_A_CLOCK or later in _OF_A_CLOCK:
        return Verdict(CARRY_OVER.name, VerdictKind.UNDECIDED, "a limit ended one of the two runs")
    after = f"{number} other system{'s' * (number != 1)} in the same process"
    detail = f"{later.value} after {after}, {fresh.value} in a process of its own"
    return Verdict(
        CARRY_OVER.name, VerdictKind.CARRY_OVER, detail, fault=FaultClass.CARRY_OVER.of(fresh.value, later.value)
    )
