"""Releases of the solver under test: other ones that locate the cause of a finding, and an old one to compare with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from chcfuzz.domains.smt.solvers import releases
from chcfuzz.domains.smt.solvers.selection import SOLVERS, Z3, Selected, SelectionError, names_of, selected
from chcfuzz.domains.smt.solvers.solver_engines import running
from chcfuzz.domains.smt.solvers.together import front_end_of, release_of, solver_of
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.problem import Pairs
from chcfuzz.solvers.solver_names import SOLVER, is_version


@dataclass(frozen=True)
class Releases:
    """The releases of a domain's solvers.

    `packages` has the solvers that other releases replace, by name, with the solver in the package. `names` returns the
    solvers of some flags, and `running` those of commands too. `select` raises `SelectionError` for a wrong name.
    """

    packages: Mapping[str, str]
    names: Callable[[Solving], Sequence[str]]
    running: Callable[[Solving], Sequence[str]]
    select: Callable[[Sequence[str], Sequence[str]], Sequence[Selected]]

    def first(self, solving: Solving) -> str:
        """Return the name of the solver that is under test unless a parameter names another one."""
        return (self.names(solving) or self.running(solving))[0]

    def inside(self, solving: Solving) -> str:
        """Return the name of the first solver that runs in this process; empty if all are isolated."""
        found = self.select(self.names(solving), solving.isolate)
        return next((one.name for one in found if not one.isolated), "")

    def released(self, selection: Pairs) -> tuple[Sequence[str], Sequence[str]]:
        """Return the releases of the selected solver that need no download, and all; none for a command."""
        package = self.packages.get(solver_of(dict(selection)[SOLVER]))
        return (releases.in_cache(package), releases.on_offer(package)) if package else ((), ())

    def with_release(self, solving: Solving, selection: Pairs, version: str) -> tuple[Solving, Pairs]:
        """Return the flags and the selection that test another release of the selected solver, after fetching it.

        Raises `ReleaseError`, and `SelectionError` for a solver without releases.
        """
        name = dict(selection)[SOLVER]
        solver, (plain, release) = solver_of(name), release_of(name)
        if solver not in self.packages:
            raise SelectionError(f"{name!r} has no releases; only those of {', '.join(self.packages)} can be fetched")
        releases.fetched(self.packages[solver], version)
        if self.packages[solver] == Z3 and not release:
            return replace(solving, z3=version, z3_library=None, z3_program=None), selection
        other = with_version(plain, version)
        names = tuple(dict.fromkeys(other if each == name else each for each in self.names(solving)))
        return replace(solving, solver=None, solvers=names), ((SOLVER, other),)

    def against(self, solving: Solving, old: str) -> tuple[Solving, Solving]:
        """Return the flags of the old and of the new solver, each alone; raises `SelectionError`.

        `old` is a solver as `--solvers` has it, or a release or a build of Z3.
        """
        of_z3 = _alone(solving, next(name for name, package in self.packages.items() if package == Z3))
        if is_version(old):
            return replace(of_z3, z3=old, z3_library=None), of_z3
        if Path(old).is_dir():
            return replace(of_z3, z3=None, z3_library=Path(old)), of_z3
        self.select((old,), solving.isolate)
        same = (name for name in self.names(solving) if solver_of(name) == solver_of(old))
        return _alone(solving, old), _alone(solving, next(same, solver_of(old)))

    def runs(self, solving: Solving, parameters: Pairs) -> bool:
        """Return whether a release of the solver under test is one of those that run."""
        name = dict(parameters).get(SOLVER)
        return name is None or front_end_of(name) in map(front_end_of, self.running(solving))


def _alone(solving: Solving, name: str) -> Solving:
    return replace(solving, solver=None, solvers=(name,), cross=())


def with_version(name: str, version: str) -> str:
    """Return the name of a solver, which may have settings, with a release."""
    solver, colon, settings = name.partition(":")
    return f"{solver}@{version}{colon}{settings}"


RELEASES = Releases({name: name for name in SOLVERS}, lambda solving: names_of(solving.solvers), running, selected)
