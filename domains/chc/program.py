"""The z3 program that the flags of a campaign on CHC systems use."""

from __future__ import annotations

from pathlib import Path

from chcfuzz.execution.solving import PROGRAM, Solving, UsageError
from chcfuzz.grammar.solver_options import is_allowed
from chcfuzz.solvers.command import Command
from chcfuzz.solvers.z3_program import LIBRARY, z3_program


def program(solving: Solving) -> Command | None:
    """Return the z3 program beside the library under test; None without one, or if it is not used."""
    if solving.front_end == LIBRARY or not solving.uses_z3 or solving.solver is not None:
        return None
    path = checked_path(solving)
    limits = (solving.wall_seconds, solving.memory_megabytes, solving.requests)
    return None if path is None else z3_program(path, is_allowed, *limits)


def checked_path(solving: Solving) -> Path | None:
    """Return the path of the z3 program; raises `UsageError` if the flags need one that is missing."""
    path = solving.program() if solving.uses_z3 else None
    if path is None and solving.front_end == PROGRAM:
        raise UsageError("--front-end program: this Z3 has no z3 program; name one with --z3-program FILE")
    return path
