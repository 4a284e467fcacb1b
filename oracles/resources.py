"""What an execution took: limits that are not kept, memory, and cost beside the seed's.

Z3 only polls its limits (issues 599, 7247, 10417). Nothing here looks at a clock: Z3's own resource count decides, and
so the same execution gets the same verdict on any machine.
"""

from __future__ import annotations

from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status

_BEYOND = 10  # times its limit
_DEARER = 100  # times the seed's cost
_LEAST_COST = 10_000  # of a seed: what costs less is all start-up


def check(outcome: Outcome, rlimit: int) -> Verdict:
    """Whether Z3 went on far beyond a resource limit, or used up the memory it may have (`solvers.spacer`)."""
    if outcome.status is Status.LIMIT and "out of memory" in outcome.reason:
        return Verdict("resources", VerdictKind.MEMORY, f"takes all its memory at {outcome.cost} resource units")
    if outcome.cost > _BEYOND * rlimit:
        told = f"counts {outcome.cost} resource units under a limit of {rlimit}"
        return Verdict("resources", VerdictKind.LIMIT, told)
    return Verdict("resources", VerdictKind.PASS)


def dearer(outcome: Outcome, seed_cost: int) -> Verdict:
    """Whether a mutant with its seed's models, under the same parameters, costs a hundred times what its seed does."""
    if outcome.cost >= _DEARER * max(seed_cost, _LEAST_COST):
        told = f"costs {outcome.cost} resource units, its seed {seed_cost}"
        return Verdict("cost", VerdictKind.PERFORMANCE, told)
    return Verdict("cost", VerdictKind.PASS)
