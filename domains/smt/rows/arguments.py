"""Operators that take any number of arguments get one more, of the problem or drawn, or lose one."""

from __future__ import annotations

from collections.abc import Iterator

from chcfuzz.domains.smt.rows.subterm import WEIGHTS, by_sort
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading.leniences import rebuilt
from chcfuzz.grammar.sorts import BOOL, Sort
from chcfuzz.grammar.terms import Apply, Call, Term, Value, free_variables
from chcfuzz.grammar.theory import divisions, result_sort
from chcfuzz.mutators.mutation import Promise
from chcfuzz.mutators.rewriting.places import Place, bound_at, drawing
from chcfuzz.mutators.rewriting.term_rows import About, row_at, row_of_term

_TRIES = 3  # to draw a term that is not an argument yet
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
    return _with_argument(term, at, choices.pick(found))


def _with_argument(term: Apply, at: int, new: Term) -> Term:
    return rebuilt(term, (*term.children[:at], new, *term.children[at:]))


def _draw(problem: Problem, place: Place, choices: Choices) -> Term | None:
    """Add a drawn term, which is another one than the arguments: two equal ones make `distinct` false."""
    term = place.term
    assert isinstance(term, Apply)
    sort, draw = term.children[-1].sort, drawing(problem, place.clause, place.path, WEIGHTS)
    if not draw.can_draw(sort):
        return None
    at = choices.integer(1, len(term.children))
    for _ in range(_TRIES):
        fuel = choices.pick((0, 1, 2))
        new = draw.condition(choices, 1 + fuel) if sort is BOOL else draw.term(sort, choices, fuel)
        if new not in term.children and _may_divide(term, new):
            return _with_argument(term, at, new)
    return None


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
    row_at(
        About(
            "smt_arguments.draw",
            Promise.NOTHING,
            "an operator gets a drawn argument that it does not have yet",
            _SOURCE,
            light=True,
        ),
        _takes_more,
        _draw,
    ),
)
