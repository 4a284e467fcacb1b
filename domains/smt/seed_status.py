"""The status of a seed that the answers of several projects show."""

from __future__ import annotations

from collections.abc import Sequence

from chcfuzz.domains.smt.solvers.together import project_of
from chcfuzz.execution.seed_answers import Ground, SeedAnswer
from chcfuzz.mutators.chain import LEAST_AGREEING
from chcfuzz.solvers.outcome import OPPOSITE, Outcome, Status

Outcomes = Sequence[tuple[str, Outcome]]  # with the name of the solver or of its project


def of_answers(outcomes: Outcomes) -> SeedAnswer | None:
    """Return the answer of two projects or more, if fewer projects give the opposite one; None without it."""
    for status in (Status.SAT, Status.UNSAT):
        agreeing, opposed = answering(outcomes, status), answering(outcomes, OPPOSITE[status])
        if len(agreeing) >= LEAST_AGREEING and len(agreeing) > len(opposed):
            return SeedAnswer(status.value, Ground.AGREED, projects=agreeing)
    return None


def answering(outcomes: Outcomes, status: Status) -> tuple[str, ...]:
    """Return the projects whose solvers give an answer, in order."""
    return tuple(dict.fromkeys(project_of(name) for name, outcome in outcomes if outcome.status is status))
