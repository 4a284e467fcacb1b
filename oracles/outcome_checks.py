"""Checks of an outcome by itself, without the problem or a solver: its answer, its resources, its repetition.

The answer is compared with the promise of the chain: a mutant of a sat seed whose chain preserves sat must not be
unsat, and so on. The table is HornFuzz's (EASE 2023). `unknown` and `limit` are not answers, so they give no verdict.

Z3 only polls its limits (issues 599, 7247, 10417). Resources are checked by Z3's own count and never by a clock, so the
same execution gets the same verdict on any machine.

A process that has solved other systems before must answer like a fresh one.
"""

from __future__ import annotations

from chcfuzz.oracles.verdict import ANSWER, CARRY_OVER, COST, RESOURCES, Verdict, VerdictKind
from chcfuzz.solvers.faults import FaultClass
from chcfuzz.solvers.outcome import Outcome, Status

_BEYOND = 10  # times the resource limit
_COSTLIER = 100  # times the seed's cost
_LEAST_COST = 10_000  # assumed for a cheaper seed, whose cost is mainly start-up
_OF_A_CLOCK = (Status.HANG, Status.LIMIT)  # or of memory: the other run need not reach the same limit


def answer(expected: str | None, status: Status) -> Verdict:
    """Check an answer against `expected`, the answer that the chain still promises (None if it promises nothing)."""
    if not status.is_decided or expected is None:
        return Verdict(ANSWER.name, VerdictKind.UNDECIDED)
    if status.value == expected:
        return Verdict(ANSWER.name, VerdictKind.PASS)
    return Verdict(ANSWER.name, VerdictKind.WRONG_ANSWER, f"answers {status.value}, but {expected} is promised")


def resources(outcome: Outcome, rlimit: int) -> Verdict:
    """Report an execution far beyond its resource limit, or one that used all its memory (see `Spacer`)."""
    if outcome.status is Status.LIMIT and "out of memory" in outcome.reason:
        detail = f"takes all its memory at {outcome.cost} resource units"
        return Verdict(RESOURCES.name, VerdictKind.MEMORY, detail, fault=FaultClass.MEMORY)
    if outcome.cost > _BEYOND * rlimit:
        detail = f"counts {outcome.cost} resource units under a limit of {rlimit}"
        return Verdict(RESOURCES.name, VerdictKind.LIMIT, detail, fault=FaultClass.LIMIT)
    return Verdict(RESOURCES.name, VerdictKind.PASS)


def cost(outcome: Outcome, seed_cost: int) -> Verdict:
    """Report a mutant with its seed's models and parameters that costs a hundred times as much as the seed."""
    if outcome.cost >= _COSTLIER * max(seed_cost, _LEAST_COST):
        detail = f"costs {outcome.cost} resource units, its seed {seed_cost}"
        return Verdict(COST.name, VerdictKind.PERFORMANCE, detail, fault=FaultClass.COST)
    return Verdict(COST.name, VerdictKind.PASS)


def carry_over(fresh: Status, later: Status, number: int) -> Verdict:
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
