"""Whether the solvers can be used that a campaign was given: asked at its start, not when a worker first needs them."""

from __future__ import annotations

from chcfuzz.execution.solving import Solving
from chcfuzz.solvers.cross import cross_solvers


def see_usable(solving: Solving) -> None:
    """See that every command and release can be started, and that the solver's class is there.

    Raises `CommandError`, `ReleaseError` and `UsageError`.
    """
    cross_solvers(solving.cross, solving.cross_z3, solving.wall_seconds, under_test=solving.solver_command())
    if solving.solver is not None:
        from chcfuzz.execution.pipeline import solver_class  # not at the top: it imports z3, which costs a start-up

        solver_class(solving.solver)
