"""A result with its question, as contracts judge it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from chcfuzz.domains.parts.assignments import ModelJudgement
from chcfuzz.domains.parts.oracles.violating_values import SecondProject, Values
from chcfuzz.domains.parts.question import PartProblem
from chcfuzz.grammar.terms import Function

NEIGHBOURS = 50  # values at which the evaluator computes a result


@dataclass(frozen=True)
class PartCase:
    """A result with its question."""

    problem: PartProblem
    texts: tuple[str, ...]
    solvers: SecondProject

    @property
    def rest(self) -> tuple[Function, ...]:
        """The functions that are not eliminated."""
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
