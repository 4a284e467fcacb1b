"""Parameters of SMT solvers, and the parameter that selects the solver under test."""

from __future__ import annotations

from collections.abc import Sequence

from chcfuzz.domains.smt.solvers.parameters import SolverParameter, parameters
from chcfuzz.domains.smt.solvers.together import solver_of
from chcfuzz.mutators.mutation import Parameter, Scope
from chcfuzz.solvers.solver_names import SOLVER

_SOURCES = {"z3": "z3-solver 5.4.0.0", "cvc5": "cvc5 1.4.2", "bitwuzla": "bitwuzla 0.10.0"}  # of the tables


def rows(names: Sequence[str]) -> tuple[Parameter, ...]:
    """Return the rows for solvers with these names, as `--solvers` spells them; the first one is the default."""
    solvers = dict.fromkeys(map(solver_of, names))
    found = [_row(each) for solver in solvers if solver in _SOURCES for each in parameters(solver)]
    return (*_selection(names), *found)


def _selection(names: Sequence[str]) -> tuple[Parameter, ...]:
    if len(names) < 2:
        return ()
    return (Parameter(SOLVER, names[0], tuple(names[1:]), Scope.DEFAULT, "each solver is tested by the others"),)


def _row(found: SolverParameter) -> Parameter:
    scope = Scope.EXPERIMENTAL if found.is_experimental else Scope.SINGLE_SWITCH
    return Parameter(found.key, found.default, found.values, scope, f"{_SOURCES[found.solver]}, {found.group}")
