"""Trivial problems: at every cut, one side is unsatisfiable by itself."""

from __future__ import annotations

import z3
from chcfuzz.grammar.interpolation import Interpolation
from chcfuzz.grammar.printer import print_problem
from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.terms import Term
from chcfuzz.solvers.watchdog import Watchdog

RLIMIT = 100_000  # for each side; a side that is not decided counts as one with a model
TRIVIAL = "trivial: at every cut, one side has no model by itself"
_LEAST_GROUPS = 2


def refused(interpolation: Interpolation, watchdog: Watchdog) -> str:
    """Return why a problem is not given to interpolating solvers; empty for one that is."""
    if len(interpolation.groups) < _LEAST_GROUPS:
        return f"{len(interpolation.groups)} groups of assertions: an interpolant needs two"
    return TRIVIAL if is_trivial(interpolation, watchdog) else ""


def is_trivial(interpolation: Interpolation, watchdog: Watchdog) -> bool:
    """Return whether each cut has a side that Z3 finds unsatisfiable by itself."""
    problem = interpolation.problem
    sides = (interpolation.sides(cut) for cut in range(interpolation.cuts))
    return all(_has_no_model(problem, a, watchdog) or _has_no_model(problem, b, watchdog) for a, b in sides)


def _has_no_model(problem: Problem, side: tuple[Term, ...], watchdog: Watchdog) -> bool:
    context = z3.Context()
    solver = z3.Solver(ctx=context)
    text = print_problem(problem.with_header((), ()).with_assertions(tuple(map(Assertion, side))))
    with watchdog.guard(context):
        try:
            solver.set("rlimit", RLIMIT)
            solver.set("ctrl_c", False)
            solver.from_string(text)
            return bool(solver.check() == z3.unsat)
        except z3.Z3Exception:
            return False
