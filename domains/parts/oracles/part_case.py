"""The input of a contract: the question, the result of the part, and solvers that confirm a fault."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from chcfuzz.domains.parts.oracles.violating_values import SecondProject, Values
from chcfuzz.domains.parts.question import PartProblem
from chcfuzz.grammar.small_formulas.assignments import ModelJudgement
from chcfuzz.grammar.terms import Function

NEIGHBOURS = 50  # values at which the evaluator computes a result


@dataclass(frozen=True)
class PartCase:
    """A question with the texts of its result, and the solvers of two projects that confirm a fault."""

    problem: PartProblem
    texts: tuple[str, ...]
    solvers: SecondProject

    @property
    def rest(self) -> tuple[Function, ...]:
        """The functions that stay in the result, because the question does not eliminate them."""
        return tuple(each for each in self.problem.functions if each not in self.problem.eliminated)

    @cached_property
    def model(self) -> Values:
        """The model of the question."""
        return dict(self.problem.question.model)

    @cached_property
    def in_model(self) -> ModelJudgement:
        """The values of formulas in the model of the question."""
        return self.at(self.model)

    def at(self, values: Values) -> ModelJudgement:
        """Return the values of formulas at these values."""
        return ModelJudgement(self.problem, values)
