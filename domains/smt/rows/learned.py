"""Terms and assertions that a model draws; see `rewriting.drawn_text`."""

from __future__ import annotations

from chcfuzz.domains.smt.rows.subterm import is_divisor
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.drawing_scope import DrawingScope
from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.sorts import BOOL
from chcfuzz.learning import active
from chcfuzz.learning.places import around
from chcfuzz.learning.weighted_drawing import ModelDrawing
from chcfuzz.mutators.mutation import Mutation, Needs, Promise
from chcfuzz.mutators.rewriting.drawn_text import FUEL, SOURCE, data_of, head_of, selecting, stated
from chcfuzz.mutators.rewriting.places import Place, bound_at
from chcfuzz.mutators.rewriting.term_rows import anywhere, put


def _place(problem: Problem, head: int) -> Place | None:
    found = anywhere(problem, "smt_subterm.any", lambda _: True)
    return found.pick(selecting(head)) if found else None


def _draw_subterm(problem: Problem, choices: Choices) -> bytes | None:
    """Draw a term for a place, with the weights of what is around it."""
    head = head_of(choices)
    place, weights = _place(problem, head), active.drawn(choices)
    if place is None or weights is None or is_divisor(problem.formulas[place.clause], place):
        return None
    formula = problem.formulas[place.clause]
    draw = ModelDrawing(DrawingScope.within(problem, place.clause, bound_at(formula, place.path)), weights)
    if not draw.can_draw(place.term.sort):
        return None
    draw.at(*around(formula, place.path))
    return data_of(head, draw.term(place.term.sort, choices, choices.pick(FUEL)))


def _draw_assertion(problem: Problem, choices: Choices) -> bytes | None:
    weights = active.drawn(choices)
    if weights is None or not problem.assertions:
        return None
    scope = DrawingScope.within(problem, choices.index(len(problem.formulas)), ())
    return data_of(0, ModelDrawing(scope, weights).formula(choices, choices.pick(FUEL)))


def _subterm(problem: Problem, choices: Choices) -> Problem | None:
    place = _place(problem, head_of(choices))
    if place is None or is_divisor(problem.formulas[place.clause], place):
        return None
    bound = bound_at(problem.formulas[place.clause], place.path)
    term = stated(problem, choices.text(), bound, place.term.sort)
    return None if term is None else put(problem, place, term)


def _assertion(problem: Problem, choices: Choices) -> Problem | None:
    head_of(choices)
    term = stated(problem, choices.text(), (), BOOL)
    if term is None:
        return None
    changed = problem.with_assertions((*problem.assertions, Assertion(term)))
    return None if changed == problem else changed


def _has_assertions(problem: Problem) -> bool:
    return bool(problem.assertions)


MUTATIONS = (
    Mutation(
        "smt_learned.subterm",
        Promise.NOTHING,
        "a term becomes one that a model draws for its place",
        SOURCE,
        _subterm,
        _has_assertions,
        data_for=_draw_subterm,
        needs=Needs.ASSERTIONS,
    ),
    Mutation(
        "smt_learned.assertion",
        Promise.UNSAT_PRESERVING,
        "a formula that a model draws is asserted",
        SOURCE,
        _assertion,
        _has_assertions,
        data_for=_draw_assertion,
        needs=Needs.ASSERTIONS,
    ),
)
