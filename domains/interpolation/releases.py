"""Releases of the solver under test: other ones that locate the cause of a finding, and an old one to compare with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from chcfuzz.domains.smt.releases import with_version
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.problem import Pairs
from chcfuzz.solvers.interpolating import engines
from chcfuzz.solvers.interpolating.selection import BITWUZLA, CVC5, SPACER, selected
from chcfuzz.solvers.smt import releases
from chcfuzz.solvers.smt.releases import is_version
from chcfuzz.solvers.smt.selection import Z3, SelectionError
from chcfuzz.solvers.smt.together import SOLVER, release_of, solver_of

_PACKAGED = {SPACER: Z3, BITWUZLA: BITWUZLA, CVC5: CVC5}  # solvers that other releases replace, as releases name them


def released(selection: Pairs) -> tuple[Sequence[str], Sequence[str]]:
    """Return the releases of the selected solver that need no download, and all; none for a command."""
    package = _PACKAGED.get(solver_of(dict(selection)[SOLVER]))
    return (releases.in_cache(package), releases.on_offer(package)) if package else ((), ())


def with_release(solving: Solving, selection: Pairs, version: str) -> tuple[Solving, Pairs]:
    """Return the flags and the selection that test another release of the selected solver, after fetching it.

    Raises `ReleaseError`, and `SelectionError` for a solver without releases.
    """
    name = dict(selection)[SOLVER]
    solver = solver_of(name)
    if solver not in _PACKAGED:
        raise SelectionError(f"{name!r} has no releases; only those of {', '.join(_PACKAGED)} can be fetched")
    releases.fetched(_PACKAGED[solver], version)
    if solver == SPACER:
        return replace(solving, z3=version, z3_library=None), selection
    other = with_version(release_of(name)[0], version)
    names = tuple(dict.fromkeys(other if each == name else each for each in engines.names(solving)))
    return replace(solving, solver=None, solvers=names), ((SOLVER, other),)


def against(solving: Solving, old: str) -> tuple[Solving, Solving]:
    """Return the flags of the old and of the new solver, each alone; raises `SelectionError`.

    `old` is a solver as `--solvers` has it, or a release or a build of Z3, whose Spacer is compared.
    """
    if is_version(old):
        return replace(_alone(solving, SPACER), z3=old, z3_library=None), _alone(solving, SPACER)
    if Path(old).is_dir():
        return replace(_alone(solving, SPACER), z3=None, z3_library=Path(old)), _alone(solving, SPACER)
    selected((old,), solving.isolate)
    same = (name for name in engines.names(solving) if solver_of(name) == solver_of(old))
    return _alone(solving, old), _alone(solving, next(same, solver_of(old)))


def _alone(solving: Solving, name: str) -> Solving:
    return replace(solving, solver=None, solvers=(name,), cross=())


def runs(solving: Solving, parameters: Pairs) -> bool:
    """Return whether a release of the solver under test is one of those that run."""
    name = dict(parameters).get(SOLVER)
    return name is None or solver_of(name) in map(solver_of, engines.running(solving))
