"""Trivial problems: at every cut, one side is unsatisfiable by itself."""

from __future__ import annotations

import z3
from chcfuzz.domains.interpolation.solvers.quick_z3 import Queries
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.grammar.problem import Assertion
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
    """Return whether each cut has a side that Z3 finds unsatisfiable by itself.

    The queries share a context: a new one takes more time than most of them.
    """
    queries, problem = Queries(watchdog, RLIMIT, z3.Context()), interpolation.problem

    def has_no_model(side: tuple[Term, ...]) -> bool:
        return queries.quick_answer(problem.with_assertions(tuple(map(Assertion, side)))) == "unsat"

    return all(any(map(has_no_model, interpolation.sides(cut))) for cut in range(interpolation.cuts))
