"""Solvers in reserve: they are queried where neither a witness nor another solver decides an answer to a CHC system.

First comes another release of Z3, if Spacer is under test, then each solver on PATH that the flags leave out. The
release is the installed one, whose program may be fetched, or the newest in the cache.
"""

from __future__ import annotations

from collections.abc import Iterator

from chcfuzz.execution.solving import Solving
from chcfuzz.solvers import z3_release
from chcfuzz.solvers.other_solvers import AUTO, CrossSolver, cross_solvers


def reserves(solving: Solving) -> tuple[CrossSolver, ...]:
    """Return the solvers in reserve for these flags, in their order; raises `ReleaseError`."""
    limits = (solving.wall_seconds, solving.memory_megabytes)
    command = solving.solver_command()
    tests_spacer = command is None and solving.solver is None
    release = next(_other_releases(solving), "") if tests_spacer else ""
    named = {other.project for other in cross_solvers(solving.cross, (), *limits, under_test=command)}
    found = cross_solvers((AUTO,), (release,) if release else (), *limits, under_test=command)
    of_z3 = [other for other in found if other.name == f"Z3 {release}"]
    others = [other for other in found if other not in of_z3 and other.project not in {*named, "z3"}]
    return (*of_z3, *others)


def _other_releases(solving: Solving) -> Iterator[str]:
    """Yield the other releases of Z3 that are here and that the flags do not name, the installed one first."""
    installed = z3_release.installed()
    known = ([] if installed is None else [installed.version]) + list(reversed(z3_release.in_cache()))
    for version in known:
        is_other = version != z3_release.active().version and version not in solving.cross_z3
        if is_other and _has_program(version):
            yield version


def _has_program(version: str) -> bool:
    """Return whether the z3 program of a release is here, or is fetched: a frozen package does not have pip."""
    try:
        return z3_release.released(version).executable is not None
    except z3_release.ReleaseError:
        return False
