"""The steps of a script in Bitwuzla's library: levels, checks, and queries about their answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import bitwuzla
from chcfuzz.domains.smt.solvers.engine import one_line
from chcfuzz.domains.smt.solvers.script import ASSERT, POP, PUSH, QUERY, ScriptStep, Steps
from chcfuzz.grammar import queries
from chcfuzz.solvers.model_text import error_text


class BitwuzlaSteps:
    """A solver that runs the steps of a script; `found` is the result of its last check.

    `results` are those of the queries, as SMT-LIB; empty for a query that does not fit the answer.
    """

    def __init__(self, solver: Any) -> None:
        self.found: Any = bitwuzla.Result.UNKNOWN
        self.results: list[str] = []
        self._solver = solver
        self._asserted: list[tuple[str, Any]] = []  # formulas, with their names
        self._levels: list[int] = []  # numbers of formulas
        self._assumed: list[tuple[str, Any]] = []  # with their texts

    def run(self, steps: Steps, formulas: Sequence[Any]) -> None:
        """Run the steps of a script, with their formulas; raises `BitwuzlaException` for an error of a check."""
        left = iter(formulas)
        for step in steps.steps:
            terms = [next(left) for _ in step.formulas]
            if step.kind == QUERY:
                self.results.append(self._answered(step, terms))
            elif step.kind == ASSERT:
                self._solver.assert_formula(*terms)
                self._asserted.append((step.name, terms[0]))
            elif step.kind == PUSH:
                self._solver.push(1)
                self._levels.append(len(self._asserted))
            elif step.kind == POP:
                self._solver.pop(1)
                del self._asserted[self._levels.pop() :]
            else:
                self._assumed = list(zip(step.formulas, terms, strict=True))
                self.found = self._solver.check_sat(*terms)

    def _answered(self, step: ScriptStep, terms: Sequence[Any]) -> str:
        """Return the result of a query; an exception of Bitwuzla is an error message."""
        try:
            if step.name == queries.VALUE and self.found == bitwuzla.Result.SAT:
                return self._values(zip(step.formulas, terms, strict=True))
            if step.name == queries.CORE and self.found == bitwuzla.Result.UNSAT:
                return _members(self._solver.get_unsat_core(), self._asserted)
            if step.name == queries.ASSUMPTIONS and self.found == bitwuzla.Result.UNSAT:
                return _members(self._solver.get_unsat_assumptions(), self._assumed)
        except bitwuzla.BitwuzlaException as error:
            return error_text(one_line(error))
        return ""

    def _values(self, terms: Iterable[tuple[str, Any]]) -> str:
        return f"({' '.join(f'({text} {self._solver.get_value(term)})' for text, term in terms)})"


def _members(core: Sequence[Any], known: Sequence[tuple[str, Any]]) -> str:
    """Return the texts of the known formulas that are in a core."""
    return f"({' '.join(text for text, term in known if text and term in core)})"
