"""Releases of the solver under test: other ones that locate the cause of a finding, and an old one to compare with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.problem import Pairs
from chcfuzz.solvers.smt import releases
from chcfuzz.solvers.smt.releases import is_version
from chcfuzz.solvers.smt.selection import SOLVERS, Z3, SelectionError, names_of, selected
from chcfuzz.solvers.smt.together import SOLVER, release_of, solver_of


def released(selection: Pairs) -> tuple[Sequence[str], Sequence[str]]:
    """Return the releases of the selected solver that need no download, and all; none for a command."""
    solver = solver_of(dict(selection)[SOLVER])
    return (releases.in_cache(solver), releases.on_offer(solver)) if solver in SOLVERS else ((), ())


def with_release(solving: Solving, selection: Pairs, version: str) -> tuple[Solving, Pairs]:
    """Return the flags and the selection that test another release of the selected solver, after fetching it.

    Raises `ReleaseError`, and `SelectionError` for a command.
    """
    name = dict(selection)[SOLVER]
    solver, (plain, release) = solver_of(name), release_of(name)
    if solver not in SOLVERS:
        raise SelectionError(f"{name!r} is a command; only releases of {', '.join(SOLVERS)} can be fetched")
    releases.fetched(solver, version)
    if solver == Z3 and not release:
        return replace(solving, z3=version, z3_library=None), selection
    other = with_version(plain, version)
    names = tuple(dict.fromkeys(other if each == name else each for each in names_of(solving.solvers)))
    return replace(solving, solvers=names), ((SOLVER, other),)


def with_version(name: str, version: str) -> str:
    """Return the name of a solver, which may have settings, with a release."""
    solver, colon, settings = name.partition(":")
    return f"{solver}@{version}{colon}{settings}"


def against(solving: Solving, old: str) -> tuple[Solving, Solving]:
    """Return the flags of the old and of the new solver, each alone; raises `SelectionError`.

    `old` is a solver as `--solvers` has it, or a release or a build of Z3.
    """
    if is_version(old):
        return replace(solving, z3=old, z3_library=None, solvers=(Z3,)), replace(solving, solvers=(Z3,))
    if Path(old).is_dir():
        return replace(solving, z3=None, z3_library=Path(old), solvers=(Z3,)), replace(solving, solvers=(Z3,))
    if solver_of(old) not in SOLVERS:
        raise SelectionError(f"--against {old!r} is not an SMT solver; write cvc5@1.3.2, or a release of Z3")
    selected((old,), solving.isolate)
    new = next((name for name in names_of(solving.solvers) if solver_of(name) == solver_of(old)), solver_of(old))
    return replace(solving, solvers=(old,)), replace(solving, solvers=(new,))


def runs(solving: Solving, parameters: Pairs) -> bool:
    """Return whether a release of the solver under test is one of `--solvers`."""
    name = dict(parameters).get(SOLVER)
    return name is None or solver_of(name) in map(solver_of, names_of(solving.solvers))
