"""The solvers of a campaign on interpolation problems: their names, releases and parameters."""

from __future__ import annotations

from dataclasses import replace

from chcfuzz.domains.chc.rows import parameters as spacer_parameters
from chcfuzz.domains.interpolation.solvers.interpolating_engines import is_command, running
from chcfuzz.domains.interpolation.solvers.interpolating_engines import names as names_of
from chcfuzz.domains.interpolation.solvers.selection import BITWUZLA, CVC5, INSTANCES, MODULES, SETTINGS, SPACER
from chcfuzz.domains.smt import campaign_solvers as engines
from chcfuzz.domains.smt.rows import parameters as smt_parameters
from chcfuzz.domains.smt.solvers.releases import PACKAGES
from chcfuzz.domains.smt.solvers.together import solver_of
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.mutators.mutation import Parameter, Scope
from chcfuzz.solvers.solver_names import SOLVER
from chcfuzz.solvers.z3_parameters import ENGINE, SPOILING_TRANSFORMS

_INTERPOLANTS = (  # options of Bitwuzla, with their defaults first
    ("interpolants-algo", "mcmillan", "pudlak"),
    ("interpolants-lift", "true", "false"),
    ("interpolants-simp", "false", "true"),
    ("interpolants-subst", "false", "true"),
)
_OF_CVC5 = ("interpolants-mode", "default", "assumptions", "conjecture", "shared", "all")
_SOURCE, _SOURCE_OF_CVC5 = "bitwuzla 0.10.0", "cvc5 1.4.2"
_PACKAGES = {solver: PACKAGES[module] for solver, module in MODULES.items()}


def prepared(solving: Solving, experimental: bool) -> Solving:
    """Return the flags with the solver of `--solver` among the solvers; raises `UsageError`."""
    if solving.command is not None:
        raise UsageError("--command is for fuzz_targets/chc_command.py; here --solver names the solver")
    if solving.solver is not None:  # findings record the names of solvers, which run no code of the user's
        names, lines = ((), (solving.solver,)) if is_command(solving.solver) else ((solving.solver,), ())
        solving = replace(solving, solver=None, solvers=names, cross=(*lines, *solving.cross))
    unsupported = [name for name in names_of(solving) if solver_of(name) == CVC5]
    if unsupported and not experimental:
        raise UsageError(f"{unsupported[0]}: interpolation is experimental in cvc5; add --experimental")
    return solving


def releases(tested: str, solving: Solving, z3: str) -> dict[str, str]:
    """Return the release of each solver by name, the one under test first; `z3` is that of Z3 in this process."""
    return engines.releases((tested, *running(solving)), z3, _PACKAGES)


def key(name: str, z3: str) -> str:
    """Return the name and the release of a solver."""
    return engines.key(name, z3, _PACKAGES)


def described(solving: Solving, z3: str) -> str:
    """Return the names and releases of all solvers on one line."""
    return ", ".join(key(name, z3) for name in running(solving))


def parameters(solving: Solving) -> tuple[Parameter, ...]:
    """Return the parameters of all solvers that a campaign may set, and the one that selects the solver under test."""
    running_names = running(solving)
    found: list[Parameter] = []
    if len(running_names) > 1:
        words = "each solver is tested beside the others"
        found.append(Parameter(SOLVER, running_names[0], tuple(running_names[1:]), Scope.DEFAULT, words))
    solvers = set(map(solver_of, running_names))
    if SPACER in solvers:
        found += _of_spacer()
    if BITWUZLA in solvers:
        found += _of_bitwuzla()
    if INSTANCES in solvers:
        words = "CSIsat (2010), instances"
        found += [Parameter(f"{INSTANCES}.{name}", "false", ("true",), Scope.SINGLE_SWITCH, words) for name in SETTINGS]
    if CVC5 in solvers:
        found += _of_cvc5()
    return tuple(found)


def _of_spacer() -> list[Parameter]:
    """Return Spacer's parameters, without its selection and the transforms that have to stay off."""
    fixed = (ENGINE[0], *SPOILING_TRANSFORMS)
    rows = (row for row in spacer_parameters.parameters() if row.name not in fixed)
    return [replace(row, name=f"{SPACER}.{row.name}") for row in rows]


def _of_bitwuzla() -> list[Parameter]:
    own = [
        Parameter(f"{BITWUZLA}.{name}", default, tuple(values), Scope.SINGLE_SWITCH, _SOURCE)
        for name, default, *values in _INTERPOLANTS
    ]
    others = smt_parameters.rows((BITWUZLA,))
    return [*own, *(row for row in others if "produce-" not in row.name)]


def _of_cvc5() -> list[Parameter]:
    name, default, *values = _OF_CVC5
    mode = Parameter(f"{CVC5}.{name}", default, tuple(values), Scope.SINGLE_SWITCH, _SOURCE_OF_CVC5)
    others = smt_parameters.rows((CVC5,))
    return [mode, *(row for row in others if "produce-" not in row.name and "incremental" not in row.name)]


def is_experimental(parameter: str) -> bool:
    """Return whether maintainers of its solver do not want findings under a parameter at once."""
    solver, _, name = parameter.partition(".")
    return solver == SPACER and spacer_parameters.scope_of(name) is Scope.EXPERIMENTAL
