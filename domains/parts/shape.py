"""The shape of a reduced part problem: its part, its theories and its operators."""

from __future__ import annotations

from dataclasses import replace

from chcfuzz.domains.parts.question import PartProblem
from chcfuzz.domains.smt.shape import shape_of as shape_of_problem
from chcfuzz.triage.examine.shape import SystemShape


def shape_of(problem: PartProblem) -> SystemShape:
    """Return the shape of a problem, whose kind is its part."""
    return replace(shape_of_problem(problem), kind=problem.question.part)
