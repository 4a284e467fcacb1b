"""Check the resources of an execution: exceeded limits, memory, and cost relative to the seed.

Z3 only polls its limits (issues 599, 7247, 10417). This oracle uses Z3's own resource count and never a clock, so the
same execution gets the same verdict on any machine.
"""

from __future__ import annotations

from chcfuzz.oracles.verdict import COST, RESOURCES, Verdict, VerdictKind
from chcfuzz.solvers.faults import FaultClass
from chcfuzz.solvers.outcome import Outcome, Status

_BEYOND = 10  # times the resource limit
_COSTLIER = 100  # times the seed's cost
_LEAST_COST = 10_000  # assumed for a cheaper seed, whose cost is mainly start-up


def check(outcome: Outcome, rlimit: int) -> Verdict:
    """Report an execution far beyond its resource limit, or one that used all its memory (see `Spacer`)."""
    if outcome.status is Status.LIMIT and "out of memory" in outcome.reason:
        detail = f"takes all its memory at {outcome.cost} resource units"
        return Verdict(RESOURCES.name, VerdictKind.MEMORY, detail, fault=FaultClass.MEMORY)
    if outcome.cost > _BEYOND * rlimit:
        detail = f"counts {outcome.cost} resource units under a limit of {rlimit}"
        return Verdict(RESOURCES.name, VerdictKind.LIMIT, detail, fault=FaultClass.LIMIT)
    return Verdict(RESOURCES.name, VerdictKind.PASS)


def costlier(outcome: Outcome, seed_cost: int) -> Verdict:
    """Report a mutant with its seed's models and parameters that costs a hundred times as much as the seed."""
    if outcome.cost >= _COSTLIER * max(seed_cost, _LEAST_COST):
        detail = f"costs {outcome.cost} resource units, its seed {seed_cost}"
        return Verdict(COST.name, VerdictKind.PERFORMANCE, detail, fault=FaultClass.COST)
    return Verdict(COST.name, VerdictKind.PASS)
