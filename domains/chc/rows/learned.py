"""Conditions, terms and clauses that a model draws for their places; see `rewriting.drawn_text`.

Each row preserves one of the two answers, as the row of `monotone` with the same effect does.
"""

from __future__ import annotations

from chcfuzz.domains.chc.rows import monotone
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.drawing_scope import DrawingScope
from chcfuzz.grammar.occurrences import Occurrences
from chcfuzz.grammar.reading.leniences import as_read
from chcfuzz.grammar.sorts import BOOL
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import (
    FALSE,
    Atom,
    Term,
    conjunction,
    disjunction,
    implication,
)
from chcfuzz.learning import active
from chcfuzz.learning.places import around
from chcfuzz.learning.productions import production_of
from chcfuzz.learning.vocabulary import START, arity
from chcfuzz.learning.weighted_drawing import ModelDrawing
from chcfuzz.mutators.mutation import Mutation, Needs, Promise
from chcfuzz.mutators.rewriting.clause_making import Rewrite, closed, inserted, is_universal
from chcfuzz.mutators.rewriting.drawn_text import FUEL, SOURCE, data_of, head_of, selecting, stated
from chcfuzz.mutators.rewriting.places import Place, bound_at
from chcfuzz.mutators.rewriting.polarity import formulas, is_positive
from chcfuzz.mutators.rewriting.symbols import general_atom, taken_names

# A condition beside a formula of a body ------------------------------------------------------------


def _formula_at(system: System, head: int) -> Place | None:
    found = formulas(system)
    return found.pick(selecting(head)) if found else None


def _draw_condition(system: System, choices: Choices) -> bytes | None:
    """Draw a condition that becomes the second member of a conjunction or disjunction at a place."""
    head = head_of(choices)
    place, weights = _formula_at(system, head), active.drawn(choices)
    if place is None or weights is None:
        return None
    formula = system.formulas[place.clause]
    draw = ModelDrawing(DrawingScope.within(system, place.clause, bound_at(formula, place.path)), weights)
    above, _, _ = around(formula, place.path)
    draw.at([*above, "and.2"], 1, production_of(place.term))
    return data_of(head, draw.formula(choices, choices.pick(FUEL)))


def _with_condition(narrow: bool) -> Rewrite:
    """Return a rewrite that strengthens or weakens a formula by the condition that the choices state."""

    def rewrite(system: System, choices: Choices) -> System | None:
        place = _formula_at(system, head_of(choices))
        if place is None:
            return None
        clause = system.clauses[place.clause]
        condition = stated(system, choices.text(), bound_at(clause.formula, place.path), BOOL)
        if condition is None:
            return None
        join = conjunction if narrow == is_positive(clause, place.path) else disjunction
        return place.put(system, join(place.term, condition))

    return rewrite


# A term in place of a variable ---------------------------------------------------------------------


def _draw_term(system: System, choices: Choices) -> bytes | None:
    """Draw a term with the weights of the place where a variable occurs first."""
    head = head_of(choices)
    found, weights = monotone.picked_variable(system, selecting(head)), active.drawn(choices)
    if found is None or weights is None:
        return None
    number, gone, rest = found
    formula = system.formulas[number]
    draw = ModelDrawing(DrawingScope.within(system, number, rest), weights)
    occurrences = Occurrences(formula, lambda term: term is gone)
    if occurrences.number:
        draw.at(*around(formula, occurrences.path(0)))
    return data_of(head, draw.term(gone.sort, choices, choices.pick(FUEL)))


def _with_term(system: System, choices: Choices) -> System | None:
    found = monotone.picked_variable(system, selecting(head_of(choices)))
    if found is None:
        return None
    number, gone, rest = found
    term = stated(system, choices.text(), rest, gone.sort)
    return None if term is None else monotone.specialized(system, number, gone, term)


# A clause ------------------------------------------------------------------------------------------


def _draw_clause(system: System, choices: Choices) -> bytes | None:
    """Draw a clause: up to two predicates and a condition imply a predicate of terms, or false."""
    weights = active.drawn(choices)
    if weights is None or not system.predicates:
        return None
    taken = taken_names(system)
    body, variables = monotone.drawn_atoms(system, taken, choices)
    predicate = choices.pick(system.predicates) if not body or choices.index(4) else None
    if predicate is not None and not body:
        variables, _ = general_atom(predicate, taken)
    draw = ModelDrawing(DrawingScope.within(system, choices.index(len(system.clauses) or 1), variables), weights)
    outside = [f"forall.{arity(len(variables))}"] if variables else []
    if choices.boolean():
        members = [f"and.{arity(len(body) + 1)}"] if body else []
        draw.at([*outside, "=>.2", *members], len(body), _last(body))
        body.append(draw.formula(choices, choices.pick(FUEL)))
    args: list[Term] = []
    for sort in predicate.parameters if predicate is not None else ():
        assert predicate is not None
        draw.at(
            [*outside, *(["=>.2"] if body else []), f"predicate.{arity(len(predicate.parameters))}"],
            len(args),
            _last(args),
        )
        args.append(draw.term(sort, choices, choices.pick(FUEL)))
    head = FALSE if predicate is None else Atom(predicate, args)
    clause = closed(implication(conjunction(*body), head) if body else head)
    return data_of(head_of(choices), as_read(clause))


def _last(siblings: list[Term]) -> str:
    return production_of(siblings[-1]) if siblings else START


def _with_clause(system: System, choices: Choices) -> System | None:
    head = head_of(choices)
    formula = stated(system, choices.text(), (), BOOL)
    if formula is None or not Clause(formula).is_well_formed:
        return None
    return inserted(system, Clause(formula), selecting(head))


_ROWS = (
    Mutation(
        "learned.strengthen",
        Promise.SAT_PRESERVING,
        "a formula in a body is strengthened by a condition that a model draws",
        SOURCE,
        _with_condition(narrow=True),
        lambda system: bool(formulas(system)),
        data_for=_draw_condition,
        needs=Needs.CLAUSES,
    ),
    Mutation(
        "learned.weaken",
        Promise.UNSAT_PRESERVING,
        "a formula in a body is weakened by a condition that a model draws",
        SOURCE,
        _with_condition(narrow=False),
        lambda system: bool(formulas(system)),
        data_for=_draw_condition,
        needs=Needs.CLAUSES,
    ),
    Mutation(
        "learned.specialize",
        Promise.SAT_PRESERVING,
        "a variable of a clause becomes a term that a model draws for its place",
        SOURCE,
        _with_term,
        lambda system: any(map(is_universal, system.formulas)),
        data_for=_draw_term,
        needs=Needs.CLAUSES,
    ),
    Mutation(
        "learned.add-clause",
        Promise.UNSAT_PRESERVING,
        "a clause of terms that a model draws is added",
        SOURCE,
        _with_clause,
        lambda system: bool(system.predicates),
        data_for=_draw_clause,
        needs=Needs.CLAUSES,
    ),
)

MUTATIONS = tuple(map(monotone.one_sided, _ROWS))
