"""The steps of a script in Z3's library: levels, checks, and queries about their answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import z3
from chcfuzz.domains.smt.solvers.script import ASSERT, CHECK, POP, PUSH, QUERY, ScriptStep, Steps
from chcfuzz.grammar import queries
from chcfuzz.solvers.model_text import error_text, standard
from chcfuzz.solvers.z3_errors import message


def formulas_of(context: Any, steps: Steps) -> list[Any]:
    """Return the formulas of a script; they are read at once, since a reader forgets its declarations.

    A solver reads them, because `parse_smt2_string` has sorts of its own, `List` among them. A term of a query may have
    any sort, so it is read as equal to itself.
    """
    asserted = "\n".join(
        f"(assert (= {formula} {formula}))" if step.kind == QUERY else f"(assert {formula})"
        for step in steps.steps
        for formula in step.formulas
    )
    reader = z3.Solver(ctx=context)  # its logic is in the text
    reader.from_string(f"{steps.declarations}\n{asserted}")
    found = list(reader.assertions())
    if len(found) != len(steps.formulas):
        raise z3.Z3Exception(f"{len(found)} of {len(steps.formulas)} assertions are read".encode())
    of_queries = (step.kind == QUERY for step in steps.steps for _ in step.formulas)
    return [each.arg(0) if is_term else each for each, is_term in zip(found, of_queries, strict=True)]


class Z3Steps:
    """A solver that runs the steps of a script; `found` is the result of its last check.

    `results` are those of the queries, as SMT-LIB; empty for a query that does not fit the answer.
    """

    def __init__(self, solver: Any, has_cores: bool) -> None:
        """With `has_cores`, formulas with a name are asserted under it."""
        self.found: Any = z3.unknown
        self.results: list[str] = []
        self._solver = solver
        self._has_cores = has_cores
        self._named: list[tuple[str, Any]] = []  # formulas, with their names
        self._levels: list[int] = []  # numbers of formulas with names
        self._assumed: tuple[str, ...] = ()

    def run(self, steps: Steps, formulas: Sequence[Any]) -> None:
        """Run the steps of a script, with their formulas; raises `Z3Exception` for an error of a check."""
        left = iter(formulas)
        for step in steps.steps:
            terms = [next(left) for _ in step.formulas]
            if step.kind == QUERY:
                self.results.append(self._answered(step, terms))
            else:
                self._step(step, terms)

    def _step(self, step: ScriptStep, terms: Sequence[Any]) -> None:
        if step.kind == ASSERT and step.name:
            self._named.append((step.name, terms[0]))
        if step.kind == ASSERT and step.name and self._has_cores:
            self._solver.assert_and_track(terms[0], z3.Bool(step.name.strip("|"), ctx=self._solver.ctx))
        elif step.kind == ASSERT:
            self._solver.add(*terms)
        elif step.kind == PUSH:
            self._solver.push()
            self._levels.append(len(self._named))
        elif step.kind == POP:
            self._solver.pop()
            del self._named[self._levels.pop() :]
        elif step.kind == CHECK:
            self._assumed = step.formulas
            self.found = self._solver.check(*terms)

    def _answered(self, step: ScriptStep, terms: Sequence[Any]) -> str:
        """Return the result of a query; an exception of Z3 is an error message."""
        try:
            match step.name:
                case queries.VALUE:
                    return self._evaluated(zip(step.formulas, terms, strict=True))
                case queries.ASSIGNMENT:
                    return self._evaluated(self._named)
                case queries.CORE | queries.ASSUMPTIONS:
                    return self._core(are_assumed=step.name == queries.ASSUMPTIONS)
            self._run_for_its_faults(step.name)
        except z3.Z3Exception as error:
            return error_text(message(error))
        return ""

    def _evaluated(self, terms: Any) -> str:
        """Return terms, each with its value in the model; empty without a model."""
        if self.found != z3.sat:
            return ""
        model = self._solver.model()
        values = (f"({text} {standard(model.eval(term, model_completion=True).sexpr())})" for text, term in terms)
        return f"({' '.join(values)})"

    def _core(self, are_assumed: bool) -> str:
        """Return the names of formulas, or the assumptions, that the answer unsat needs; empty for another answer."""
        if self.found != z3.unsat or not (are_assumed or self._has_cores):
            return ""
        names = {name for name, _ in self._named}
        core = [each.sexpr() for each in self._solver.unsat_core()]
        return f"({' '.join(each for each in core if (each in names) is not are_assumed)})"

    def _run_for_its_faults(self, query: str) -> None:
        """Run a query whose result is not judged."""
        if query == "get-proof" and self.found == z3.unsat:
            self._solver.proof()  # its text may take more time than solving, and nothing interrupts that
        elif query == "get-assertions":
            self._solver.sexpr()
        elif query == "get-info :reason-unknown":
            self._solver.reason_unknown()
        elif query == "get-info :all-statistics":
            self._solver.statistics()
