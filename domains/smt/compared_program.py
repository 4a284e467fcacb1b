"""Run the z3 program on one mutant in 100, and compare it with all solvers of the campaign, Z3's library among them.

A verdict on the program accuses it by the parameter `solver`: it solves beside the others where it is selected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from chcfuzz.domains.protocol import Solve
from chcfuzz.domains.smt.oracles import answers as smt_answers
from chcfuzz.domains.smt.oracles import errors as smt_errors
from chcfuzz.domains.smt.roots import as_problem
from chcfuzz.domains.smt.solvers.engine import Engine
from chcfuzz.domains.smt.solvers.selection import PROGRAM, Z3
from chcfuzz.domains.smt.solvers.together import own
from chcfuzz.grammar.problem import Problem
from chcfuzz.mutators.chain import Mutant
from chcfuzz.oracles import outcome_checks
from chcfuzz.oracles.verdict import Verdict
from chcfuzz.solvers.outcome import OPPOSITE, Outcome
from chcfuzz.solvers.solver_names import SOLVER

ONE_IN = 100  # about half a per cent of the time of a campaign with three solvers
TESTED = ((SOLVER, PROGRAM),)  # the parameter that puts the program under test


class ProgramOpinion:
    """The opinion of the z3 program; `solve` runs all solvers, and the program if a mutant selects it.

    `make_program` makes its engine, once it is needed.
    """

    def __init__(self, make_program: Callable[[], Engine], rlimit: int, solve: Solve) -> None:
        self._make_program = make_program
        self._rlimit = rlimit
        self._solve = solve

    @cached_property
    def _program(self) -> Engine:
        return self._make_program()

    def verdicts(self, mutant: Mutant, outcome: Outcome) -> tuple[Verdict, ...]:
        """Return the findings about the program, and those that its answer shows about others."""
        if dict(mutant.parameters).get(SOLVER, Z3) == PROGRAM:
            return ()
        seen = self._program.solve(mutant.text, own(PROGRAM, mutant.parameters), self._rlimit)
        tested = dict(mutant.parameters).get(SOLVER, Z3)
        return tuple(self._findings(mutant, seen, ((tested, outcome), *outcome.others)))

    def _findings(self, mutant: Mutant, seen: Outcome, others: Sequence[tuple[str, Outcome]]) -> Iterator[Verdict]:
        problem = as_problem(mutant.problem)
        statuses = {other.status for _, other in others}
        found = [smt_errors.check(seen), outcome_checks.answer(mutant.promised_to(Z3), seen.status)]
        agrees = seen.status in statuses or not any(OPPOSITE.get(status) is seen.status for status in statuses)
        beside = replace(seen, others=() if agrees else tuple(others))
        found += smt_answers.check(
            problem, mutant.promised_to, beside, PROGRAM, lambda other: self._again(mutant, other)
        )
        for verdict in found:
            if verdict.kind.is_finding and verdict.accuses:
                yield verdict
            elif verdict.kind.is_finding:
                detail = f"the z3 program: {verdict.detail}"
                yield replace(verdict, detail=detail, accuses=TESTED, seen=seen.status.value)

    def _again(self, mutant: Mutant, problem: Problem) -> Outcome:
        parameters = tuple(sorted({**dict(mutant.parameters), **dict(TESTED)}.items()))
        return self._solve(replace(mutant, problem=problem, parameters=parameters))
