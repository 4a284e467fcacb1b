"""Counts of the statuses of each of several solvers, and of the second opinions of other solvers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from chcfuzz.campaign.session.tallies import OPINIONS, REFUSAL, SOLVER, Totals
from chcfuzz.solvers.outcome import Status


@dataclass(frozen=True)
class SolverCounts:
    """The statuses or opinions of one of several solvers, and its most frequent reason to refuse a problem."""

    name: str
    statuses: Mapping[str, int]
    refusal: str = ""

    def description(self) -> str:
        """Return the counts as text."""
        counts = ", ".join(f"{status} {number}" for status, number in self.statuses.items())
        return f"{counts} (most often: {self.refusal})" if self.refusal else counts


def solver_counts(totals: Totals) -> tuple[SolverCounts, ...]:
    """Return the counts of each solver, ordered by name."""
    found: dict[str, dict[str, int]] = {}
    for name in sorted(totals):
        if name[0] == SOLVER and len(name) == 3:
            found.setdefault(name[1], {})[name[2]] = totals[name]
    refusals = [(number, name) for name, number in totals.items() if name[0] == REFUSAL and len(name) == 3]
    most = {name[1]: name[2] for _, name in sorted(refusals)}
    order = [*(status.value for status in Status), *OPINIONS]
    return tuple(
        SolverCounts(name, dict(sorted(counts.items(), key=lambda pair: order.index(pair[0]))), most.get(name, ""))
        for name, counts in found.items()
    )
