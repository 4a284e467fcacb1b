"""SMT queries for values of variables, by Z3 under a resource limit."""

from __future__ import annotations

from collections.abc import Sequence

import z3
from chcfuzz.domains.chc.oracles.counterexample import completed, values_of
from chcfuzz.grammar.evaluation.values import Ground
from chcfuzz.grammar.printing.printer import print_datatypes, print_term
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Term, Variable
from chcfuzz.solvers.watchdog import Watchdog


class Query:
    """SMT queries about a system, with a common resource limit and a wall-clock limit for each."""

    def __init__(self, system: System, context: z3.Context, rlimit: int, watchdog: Watchdog) -> None:
        self._system = system
        self._context = context
        self._rlimit = rlimit
        self.spent = 0
        self._watchdog = watchdog
        self.has_none = False  # whether the last assertions were shown to be unsatisfiable

    def values(self, declared: Sequence[Variable], assertions: Sequence[Term]) -> dict[Variable, Ground] | None:
        """Return values that satisfy the assertions; None if none exist, or none can be found or read."""
        lines = [print_datatypes(group) for group in self._system.datatypes]
        lines += [f"(declare-const {quoted(variable.name)} {variable.sort})" for variable in declared]
        lines += [f"(assert {print_term(assertion)})" for assertion in assertions]
        found: dict[str, str] | None = None
        with self._watchdog.guard(self._context):
            solver = z3.Solver(ctx=self._context)
            before = cost_of(solver)
            solver.set("rlimit", max(1, self._rlimit - self.spent))
            solver.from_string("\n".join(lines))
            answer = solver.check()
            if answer == z3.sat:
                found = values_of(solver.model())
            self.has_none = answer == z3.unsat
            self.spent += cost_of(solver) - before
        if self._watchdog.interrupted:
            self.spent = self._rlimit
        return None if found is None else completed(self._system, declared, found)

    @property
    def exhausted(self) -> bool:
        """Whether the resource limit is used up, or the wall-clock limit was reached."""
        return self.spent >= self._rlimit


def cost_of(solver: z3.Solver) -> int:
    """Return the resources that the solver's context has used so far, in all its solvers together."""
    statistics = solver.statistics()
    return int(statistics.get_key_value("rlimit count")) if "rlimit count" in statistics.keys() else 0  # noqa: SIM118
