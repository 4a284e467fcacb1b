"""Compare the z3 program with the library and with the promise, for one mutant in 100.

The library is under test; a verdict accuses the program by its parameter. If no promise decides, both are
accused, and the examination of each searches for a witness.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from chcfuzz.mutators.chain import Mutant
from chcfuzz.oracles import outcome_checks
from chcfuzz.oracles.verdict import ANSWERS, Verdict, VerdictKind
from chcfuzz.solvers.command import Command
from chcfuzz.solvers.outcome import OPPOSITE, Outcome
from chcfuzz.solvers.solver_names import SOLVER
from chcfuzz.solvers.z3_program import NAME

ONE_IN = 100  # with a process for each, about 2 % of the time of a campaign
TESTED = ((SOLVER, NAME),)  # the parameters that put the program under test


class FrontEndOracle:
    """Runs the z3 program on some mutants of the library; one process solves those without parameters."""

    def __init__(self, program: Command, rlimit: int) -> None:
        self._program = program
        self._rlimit = rlimit

    def check(self, mutant: Mutant, outcome: Outcome) -> tuple[Verdict, ...]:
        """Return the verdicts on the program; none for a mutant that names its front end."""
        if SOLVER in dict(mutant.parameters):
            return ()
        solve = self._program.solve_afresh if mutant.parameters else self._program.solve
        return tuple(verdicts(mutant.expected, outcome, solve(mutant.text, mutant.parameters, self._rlimit)))


def verdicts(expected: str | None, library: Outcome, program: Outcome) -> Iterator[Verdict]:
    """Yield the findings about the program, and the one about the library that only a difference shows."""
    seen = program.status.value
    for verdict in (outcome_checks.errors(program), outcome_checks.answer(expected, program.status)):
        if verdict.kind.is_finding:
            yield replace(verdict, detail=f"the z3 program: {verdict.detail}", accuses=TESTED, seen=seen)
    if expected is None and OPPOSITE.get(program.status) is library.status:
        detail = f"the answers differ: library {library.status.value}, {NAME} {seen}"
        for accuses, answered in (((), ""), (TESTED, seen)):
            yield Verdict(ANSWERS.name, VerdictKind.DISAGREEMENT, detail, accuses=accuses, seen=answered)
