"""The shape of a reduced SMT problem: theories and classes of operators; no names and no numbers."""

from __future__ import annotations

from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.terms import Quantifier, subterms
from chcfuzz.triage.examine.operator_classes import classes_of, repeats
from chcfuzz.triage.examine.shape import SystemShape


def shape_of(problem: Problem) -> SystemShape:
    """Return the shape of a problem."""
    terms = list(subterms(*problem.formulas))
    operators = {name for term in terms for name in classes_of(term)}
    operators |= {term.kind for term in terms if isinstance(term, Quantifier)}
    doubled = any(map(repeats, terms))
    return SystemShape(tuple(sorted(problem.theories)), True, False, doubled, tuple(sorted(operators)), horn=False)
