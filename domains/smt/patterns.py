"""Reduction of patterns: each quantifier loses its patterns if the finding does not need them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.terms import Quantifier, Term, postorder, subterms


def with_patterns(problem: Problem) -> list[Quantifier]:
    """Return the quantifiers that have patterns."""
    return [term for term in subterms(*problem.formulas) if isinstance(term, Quantifier) and term.patterns]


def without_patterns(problem: Problem, quantifiers: Sequence[Quantifier]) -> Problem:
    """Return the problem without the patterns of these quantifiers."""
    gone: set[Term] = set(quantifiers)
    done: dict[Term, Term] = {}
    for here in postorder(*problem.formulas):
        children = [done[child] for child in here.children]
        if here in gone and isinstance(here, Quantifier):
            done[here] = Quantifier(here.kind, here.variables, children[0])
        else:
            done[here] = here.rebuild(children)
    return problem.with_assertions([replace(each, formula=done[each.formula]) for each in problem.assertions])
