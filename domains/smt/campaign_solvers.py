"""The solvers of a campaign on SMT problems: their names, releases, parameters, and the objects that run them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from importlib import metadata

from chcfuzz.domains.smt import compared_program
from chcfuzz.domains.smt.rows import parameters as smt_parameters
from chcfuzz.domains.smt.solvers.parameters import STABLE
from chcfuzz.domains.smt.solvers.parameters import parameters as table
from chcfuzz.domains.smt.solvers.releases import PACKAGES
from chcfuzz.domains.smt.solvers.selection import CVC5, PROGRAM, Z3, names_of
from chcfuzz.domains.smt.solvers.solver_engines import has_program_beside, running
from chcfuzz.domains.smt.solvers.together import front_end_of, release_of, solver_of
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.grammar.problem import Pairs
from chcfuzz.mutators.mutation import Parameter
from chcfuzz.solvers.solver_names import SOLVER


def names(solving: Solving) -> tuple[str, ...]:
    """Return the names of the solvers in their order, without those of `--cross`."""
    return names_of(solving.solvers)


def selection(solving: Solving) -> Pairs:
    """Return the parameter that names the solver of `--solver`; raises `UsageError` if it does not run."""
    if solving.solver is None:
        return ()
    known = running(solving)
    if solving.solver not in known and not (solving.solver == PROGRAM and has_program_beside(solving)):
        raise UsageError(
            f"--solver {solving.solver!r} is not one of {', '.join(known)}; add it to --solvers, or name one of them"
        )
    return ((SOLVER, solving.solver),)


def tested(parameters: Pairs) -> str:
    """Return the name of the solver under test for messages."""
    return dict(parameters).get(SOLVER) or "the solver under test"


def releases(names: Sequence[str], z3: str, packages: Mapping[str, str] = PACKAGES) -> dict[str, str]:
    """Return the release of each solver by name, in this order; `z3` is that of Z3 in this process.

    `packages` are the names of Python packages by solver.
    """
    found: dict[str, str] = {}
    kept: dict[str, str] = {}  # a script installs one release of each solver: that of the first
    for name in names:
        release = _release(name, z3, packages)
        if kept.setdefault(solver_of(name), release) == release:
            found[release_of(name)[0]] = release
    return found


def _release(name: str, z3: str, packages: Mapping[str, str]) -> str:
    """Return the release of a solver; empty for a command."""
    package, chosen = packages.get(solver_of(name)), release_of(name)[1]
    if chosen or package is None:
        return chosen
    return z3 if package == PACKAGES["z3"] else metadata.version(package)


def key(name: str, z3: str, packages: Mapping[str, str] = PACKAGES) -> str:
    """Return the name and the release of a solver; see `releases`."""
    return f"{release_of(name)[0]} {_release(name, z3, packages)}".strip()


def described(solving: Solving, z3: str) -> str:
    """Return the names and releases of all solvers on one line."""
    return ", ".join((*(key(name, z3) for name in names(solving)), *_front_end(solving)))


def _front_end(solving: Solving) -> Sequence[str]:
    """Return the part on the z3 program beside Z3's library, which is named if it is not tested."""
    if has_program_beside(solving):
        return (f"the z3 program for one mutant in {compared_program.ONE_IN}",)
    of_z3 = {front_end_of(name) for name in names(solving)} & {Z3, PROGRAM}
    return ("the z3 program is not tested",) if of_z3 == {Z3} else ()


def parameters(solving: Solving) -> tuple[Parameter, ...]:
    """Return the parameters of all solvers that a campaign may set."""
    return smt_parameters.rows(names(solving))


def allowed_words(parameters: Collection[str]) -> str:
    """Return the strictest mode of cvc5 that allows all of these options, in words; empty without one."""
    modes = {found.key: found.mode for found in table(CVC5)}
    needed = {modes.get(parameter, "") for parameter in parameters}
    if not needed or "" in needed:
        return ""
    return "allowed in stable mode" if STABLE in needed else "allowed in safe mode (label safe-options)"


def is_experimental(parameter: str) -> bool:
    """Return whether maintainers of its solver do not want findings under a parameter at once."""
    solver = parameter.partition(".")[0]
    return solver in PACKAGES and any(found.key == parameter and found.is_experimental for found in table(solver))


def is_program_beside(solving: Solving, parameters: Pairs) -> bool:
    """Return whether the solver under test is the z3 program that runs on some mutants."""
    return dict(parameters).get(SOLVER) == PROGRAM and has_program_beside(solving)
