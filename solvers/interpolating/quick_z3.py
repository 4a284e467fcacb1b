"""Queries to Z3's SMT solver about the parts of one problem: they share a context, which costs as much as a query."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import z3
from chcfuzz.grammar.printer import print_problem
from chcfuzz.grammar.problem import Problem
from chcfuzz.solvers.model_text import standard
from chcfuzz.solvers.spacer import message
from chcfuzz.solvers.watchdog import Watchdog


class Queries:
    """Queries within `rlimit` units each, in a context that is fresh for this object."""

    def __init__(self, watchdog: Watchdog, rlimit: int) -> None:
        """Let the watchdog stop a query that ignores its limit."""
        self._watchdog = watchdog
        self._rlimit = rlimit

    @cached_property
    def _context(self) -> Any:
        return z3.Context()

    def answer(self, problem: Problem) -> tuple[str, str]:
        """Return "sat", "unsat", "unknown" or an error, and the model for sat."""
        solver = z3.Solver(ctx=self._context)
        with self._watchdog.guard(self._context):
            try:
                solver.set("rlimit", self._rlimit)
                solver.set("ctrl_c", False)  # the signal is for the campaign
                solver.from_string(print_problem(problem.with_header((), ())))
                answer = solver.check()
                return str(answer), standard(solver.model().sexpr()) if answer == z3.sat else ""
            except z3.Z3Exception as error:
                return f"an error: {message(error)}", ""
