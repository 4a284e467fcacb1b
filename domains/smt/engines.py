"""The solvers of a campaign on SMT problems: their names, releases, parameters, and the objects that run them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import metadata

from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.problem import Pairs
from chcfuzz.mutators.mutation import Parameter
from chcfuzz.solvers.smt.together import SOLVER, SmtSolvers, solver_of
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.source import TraceSource
from chcfuzz.tracing.statistics import StatisticsSource

PACKAGES = {"z3": "z3-solver", "cvc5": "cvc5", "bitwuzla": "bitwuzla"}  # on PyPI, by solver
_NAMES = tuple(PACKAGES)


def names(_solving: Solving) -> tuple[str, ...]:
    """Return the names of the solvers in their order; raises `UsageError` for a solver that does not exist."""
    return _NAMES


def tested(parameters: Pairs) -> str:
    """Return the name of the solver under test for messages."""
    return dict(parameters).get(SOLVER) or "the solver under test"


def concerns(selection: Pairs, name: str) -> bool:
    """Return whether a parameter is an option of the selected solver; True if none is selected."""
    chosen = dict(selection).get(SOLVER)
    return chosen is None or name.partition(".")[0] == solver_of(chosen)


def releases(solving: Solving, z3: str) -> dict[str, str]:
    """Return the release of each solver by name; `z3` is the release of Z3 in this process."""
    return {name: _release(name, z3) for name in names(solving)}


def _release(name: str, z3: str) -> str:
    solver = solver_of(name)
    return z3 if solver == "z3" else metadata.version(PACKAGES[solver])


def key(selection: Mapping[str, str], z3: str) -> str:
    """Return the name and the release of the selected solver."""
    return f"{selection[SOLVER]} {_release(selection[SOLVER], z3)}"


def described(solving: Solving, z3: str) -> str:
    """Return the names and releases of all solvers on one line."""
    return ", ".join(f"{name} {release}" for name, release in releases(solving, z3).items())


def parameters(_solving: Solving) -> tuple[Parameter, ...]:
    """Return the parameters of all solvers that a campaign may set."""
    return ()


def source(solving: Solving) -> TraceSource:
    """Return the source of the features of all solvers."""
    return StatisticsSource(f"statistics of {', '.join(names(solving))}")


def solvers(_solving: Solving, given: TraceSource | None, watchdog: Watchdog) -> SmtSolvers:
    """Return all solvers as one."""
    from chcfuzz.solvers.smt.bitwuzla import Bitwuzla
    from chcfuzz.solvers.smt.cvc5 import Cvc5
    from chcfuzz.solvers.smt.z3 import Z3

    shown = given if isinstance(given, StatisticsSource) else StatisticsSource("statistics")
    return SmtSolvers((Z3(watchdog), Cvc5(), Bitwuzla()), shown)
