"""Terms and assertions that a model draws. Their text is part of the step, so another model changes no stored unit.

The choices of a step are four bytes that select the place, and the text of the term.
"""

from __future__ import annotations

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.draw import Scope
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.leniences import as_read
from chcfuzz.grammar.parse import parse_term
from chcfuzz.grammar.printer import print_term
from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.sorts import BOOL, Sort
from chcfuzz.grammar.terms import Term, Variable
from chcfuzz.learning import active
from chcfuzz.learning.drawing import ModelDrawing
from chcfuzz.learning.places import around
from chcfuzz.mutators.families.smt_subterm import is_divisor
from chcfuzz.mutators.mutation import Mutation, Promise
from chcfuzz.mutators.rewriting.places import Place, bound_at
from chcfuzz.mutators.rewriting.term_rows import anywhere, put

_HEAD = 4  # bytes
_FUEL = (1, 2, 3, 4, 6, 8)  # operators of a drawn term
_SOURCE = "LaST (2023), a model instead of a transformer"


def _place(problem: Problem, head: int) -> Place | None:
    found = anywhere(problem, "smt_subterm.any", lambda _: True)
    return found.pick(Choices(head.to_bytes(_HEAD, "little"))) if found else None


def _draw_subterm(problem: Problem, choices: Choices) -> bytes | None:
    """Draw a term for a place, with the weights of what is around it."""
    head = choices.index(1 << 8 * _HEAD)
    place, weights = _place(problem, head), active.drawn(choices)
    if place is None or weights is None or is_divisor(problem.formulas[place.clause], place):
        return None
    formula = problem.formulas[place.clause]
    draw = ModelDrawing(Scope.within(problem, place.clause, bound_at(formula, place.path)), weights)
    if not draw.can_draw(place.term.sort):
        return None
    draw.at(*around(formula, place.path))
    return _data(head, draw.term(place.term.sort, choices, choices.pick(_FUEL)))


def _draw_assertion(problem: Problem, choices: Choices) -> bytes | None:
    weights = active.drawn(choices)
    if weights is None or not problem.assertions:
        return None
    scope = Scope.within(problem, choices.index(len(problem.formulas)), ())
    return _data(0, ModelDrawing(scope, weights).formula(choices, choices.pick(_FUEL)))


def _data(head: int, term: Term) -> bytes:
    data = head.to_bytes(_HEAD, "little") + print_term(as_read(term)).encode()
    active.temperings.note(data)
    return data


def _subterm(problem: Problem, choices: Choices) -> Problem | None:
    place = _place(problem, choices.index(1 << 8 * _HEAD))
    if place is None or is_divisor(problem.formulas[place.clause], place):
        return None
    bound = bound_at(problem.formulas[place.clause], place.path)
    term = _stated(problem, choices.text(), bound, place.term.sort)
    return None if term is None else put(problem, place, term)


def _assertion(problem: Problem, choices: Choices) -> Problem | None:
    choices.index(1 << 8 * _HEAD)
    term = _stated(problem, choices.text(), (), BOOL)
    if term is None:
        return None
    changed = problem.with_assertions((*problem.assertions, Assertion(term)))
    return None if changed == problem else changed


def _stated(problem: Problem, text: str, variables: tuple[Variable, ...], sort: Sort) -> Term | None:
    """Return the term that a text states, if the problem declares its symbols, and it has the sort."""
    try:
        term = parse_term(text, variables, problem)
    except ChcfuzzError:
        return None
    return term if term.sort is sort else None


def _has_assertions(problem: Problem) -> bool:
    return bool(problem.assertions)


MUTATIONS = (
    Mutation(
        "smt_learned.subterm",
        Promise.NOTHING,
        "a term becomes one that a model draws for its place",
        _SOURCE,
        _subterm,
        _has_assertions,
        data_for=_draw_subterm,
    ),
    Mutation(
        "smt_learned.assertion",
        Promise.UNSAT_PRESERVING,
        "a formula that a model draws is asserted",
        _SOURCE,
        _assertion,
        _has_assertions,
        data_for=_draw_assertion,
    ),
)
