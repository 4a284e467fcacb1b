"""The shape of a reduced interpolation problem: theories, operators, and whether it has two groups or more."""

from __future__ import annotations

from dataclasses import replace

from chcfuzz.domains.smt.shape import shape_of as shape_of_problem
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.triage.examine.shape import SystemShape

_FEW = 3


def shape_of(problem: Interpolation) -> SystemShape:
    """Return the shape of a problem, whose kind is a pair, a sequence or a tree."""
    kind = "tree" if problem.is_tree else "pair" if len(problem.groups) < _FEW else "sequence"
    return replace(shape_of_problem(problem), kind=kind)
