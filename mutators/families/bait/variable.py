"""A new variable in a body, near a drawn term: projection has to eliminate it."""

from __future__ import annotations

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.draw import Drawing
from chcfuzz.grammar.drawing.drawing_scope import DrawingScope
from chcfuzz.grammar.sort_kinds import is_first_class
from chcfuzz.grammar.sorts import INT
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import MAX_DEPTH, Apply, Term, Variable, apply, conjunction, disjunction, integer
from chcfuzz.mutators.families.bait.numbers import FACTORS, plus, times
from chcfuzz.mutators.families.bait.rows import FEW
from chcfuzz.mutators.mutation import Mutation, Needs, Promise
from chcfuzz.mutators.rewriting.clause_making import is_universal, outer_variables, with_body_member
from chcfuzz.mutators.rewriting.symbols import taken_names


def _new_variable(system: System, choices: Choices) -> System | None:
    """Add to a body that a new variable has a value near a drawn term; such a value always exists."""
    if not system.clauses:
        return None
    number = choices.index(len(system.clauses))
    clause = system.clauses[number]
    formula = clause.formula
    inside = formula.body if is_universal(formula) else formula
    if inside.depth >= MAX_DEPTH:
        return None
    draw = Drawing(DrawingScope.of([each.formula for each in system.clauses], number, outer_variables(clause)))
    term = draw.term(choices.pick(list(filter(is_first_class, draw.sorts))), choices, FEW)
    new = Variable(fresh_name("z", taken_names(system)), term.sort)
    near = _near(new, term, draw, choices)
    return system.with_formula(number, with_body_member(clause, near))


def _near(new: Variable, term: Term, draw: Drawing, choices: Choices) -> Term:
    """Return a formula that holds for some value of the new variable, whatever the value of the term."""
    sort = term.sort
    by = choices.pick(FACTORS)
    if sort is INT:
        options = [
            lambda: conjunction(apply("<=", times(by, new), term), apply("<", term, plus(times(by, new), by))),
            lambda: apply("=", term, apply("+", times(by, new), apply("mod", term, integer(by)))),
            lambda: disjunction(*(apply("=", term, plus(times(2, new), rest)) for rest in (0, 1))),
            lambda: conjunction(apply("<", term, new), apply("<", new, plus(term, 2))),
            lambda: apply("distinct", new, term),
        ]
    elif sort.is_numeric:
        options = [
            lambda: apply("=", term, times(by, new)),
            lambda: conjunction(apply("<", term, new), apply("<", new, plus(term, 1))),
            lambda: apply("<=", plus(times(-by, new), 1), term),
        ]
    elif sort.is_bitvector:
        some = draw.term(sort, choices, 0)
        options = [
            lambda: apply("=", apply("bvxor", new, term), some),
            lambda: apply("=", term, apply("bvadd", new, some)),
            lambda: apply("=", Apply("(_ extract 0 0)", (new,)), Apply("(_ extract 0 0)", (term,))),
        ]
    elif sort.is_array:
        index, element = draw.term(sort.index, choices, FEW), draw.term(sort.element, choices, FEW)
        options = [
            lambda: apply("=", apply("store", new, index, element), apply("store", term, index, element)),
            lambda: conjunction(
                apply("=", apply("select", new, index), element), apply("=", new, apply("store", term, index, element))
            ),
        ]
    else:
        options = [lambda: apply("=", new, term)]
    return choices.pick(options)()


MUTATIONS = (
    Mutation(
        "bait.new-variable",
        Promise.EQUIVALENT,
        "a body requires a value near a drawn term; such a value always exists",
        "src/qe/mbp: a variable to project away, with a factor, between bounds, in an array cell",
        _new_variable,
        lambda system: bool(system.clauses),
        needs=Needs.CLAUSES,
    ),
)
