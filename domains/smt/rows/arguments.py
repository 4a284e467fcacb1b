"""Operators that take any number of arguments get one more, or lose one."""

from __future__ import annotations

from collections.abc import Iterator

from chcfuzz.domains.smt.rows.subterm import by_sort
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading.leniences import rebuilt
from chcfuzz.grammar.sorts import Sort
from chcfuzz.grammar.terms import Apply, Call, Term, Value, free_variables
from chcfuzz.grammar.theory import divisions, result_sort
from chcfuzz.mutators.mutation import Promise
from chcfuzz.mutators.rewriting.places import Place, bound_at
from chcfuzz.mutators.rewriting.term_rows import About, row_at, row_of_term

_SOURCE = "after OpFuzz (OOPSLA 2020): arities are part of an operator's type, and rewriters treat two and more apart"


def _takes(term: Term, number: int) -> bool:
    """Return whether the operator of a term takes this number of arguments of the sort of its last one."""
    if not isinstance(term, Apply) or len(term.children) < 2:
        return False
    sorts = [child.sort for child in term.children][:number]
    sorts += [sorts[-1]] * (number - len(sorts))
    try:
        return result_sort(term.operator, sorts) is term.sort
    except ChcfuzzError:
        return False


def _takes_more(term: Term) -> bool:
    return _takes(term, len(term.children) + 1)


def _takes_fewer(term: Term) -> bool:
    return len(term.children) > 2 and _takes(term, len(term.children) - 1)


def _may_divide(term: Apply, divisor: Term) -> bool:
    """Return whether a divisor adds nothing that SMT-LIB leaves open: it is not zero, or another one may be zero."""
    if term.operator not in divisions() or (isinstance(divisor, Value) and bool(divisor.value)):
        return True
    return not all(isinstance(child, Value) for child in term.children[1:])


def _more(problem: Problem, place: Place, choices: Choices) -> Term | None:
    term = place.term
    assert isinstance(term, Apply)
    found = [other for other in terms_in_scope(problem, place, term.children[-1].sort) if _may_divide(term, other)]
    if not found:
        return None
    at = choices.integer(1, len(term.children))
    children = (*term.children[:at], choices.pick(found), *term.children[at:])
    return rebuilt(term, children)


def terms_in_scope(problem: Problem, place: Place, sort: Sort) -> list[Term]:
    """Return the bound variables, constants and terms of a problem that have a sort and may be copied to a place."""
    bound = bound_at(problem.formulas[place.clause], place.path)
    found = [other for other in dict.fromkeys((*bound, *_terms(problem))) if other.sort is sort]
    return [other for other in found if set(free_variables(other)) <= set(bound)]


def _terms(problem: Problem) -> Iterator[Term]:
    """Yield the constants of a problem and the terms of its formulas that may be copied."""
    yield from (Call(function) for function in problem.functions if not function.parameters)
    for formula in problem.formulas:
        for terms in by_sort(formula).values():
            yield from terms


def _fewer(term: Term, choices: Choices) -> Term:
    at = choices.integer(1, len(term.children) - 1)
    return rebuilt(term, (*term.children[:at], *term.children[at + 1 :]))


MUTATIONS = (
    row_at(
        About("smt_arguments.more", Promise.NOTHING, "an operator gets one more argument", _SOURCE, light=True),
        _takes_more,
        _more,
    ),
    row_of_term(
        About("smt_arguments.fewer", Promise.NOTHING, "an operator loses an argument", _SOURCE, light=True),
        _takes_fewer,
        _fewer,
    ),
)
