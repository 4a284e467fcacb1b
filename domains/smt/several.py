"""The common part of domains in which several solvers get each problem."""

from __future__ import annotations

from typing import cast

from chcfuzz.grammar.problem import Pairs
from chcfuzz.oracles.verdict import Verdict
from chcfuzz.solvers.outcome import Outcome
from chcfuzz.solvers.solver import Solver
from chcfuzz.triage.examine.domain import TriageDomain


class SeveralSolvers(TriageDomain):
    """A domain whose solvers all get each problem; the parameter `solver` names the one under test."""

    def prepare(self, solver: Solver, afresh: bool = False) -> None:
        """Start the solvers in child processes that do not run."""
        from chcfuzz.solvers.smt.engine import Concurrent
        from chcfuzz.solvers.smt.together import SmtSolvers

        for engine in cast(SmtSolvers, solver).engines:
            if afresh and isinstance(engine, Concurrent):
                engine.close()
            _ = engine.version

    def held_memory(self) -> int:
        """Return the bytes that Z3 holds."""
        from chcfuzz.solvers.spacer import held_memory

        return held_memory()

    def errors(self, outcome: Outcome) -> Verdict:
        """Return the verdict on a death or an error, by the messages of SMT solvers."""
        from chcfuzz.oracles import smt_errors

        return smt_errors.check(outcome)

    def concerns(self, selection: Pairs, name: str) -> bool:
        """Return whether the parameter is an option of the selected solver; True if none is selected."""
        from chcfuzz.solvers.smt.together import SOLVER, solver_of

        chosen = dict(selection).get(SOLVER)
        return chosen is None or name.partition(".")[0] == solver_of(chosen)
