"""Clauses removed, strengthened or weakened: only one of the two answers is preserved.

A clause with a stronger body is weaker, so a model remains one (SAT_PRESERVING); a clause with a weaker body is
stronger, so all derivations remain (UNSAT_PRESERVING). A row does not apply if the seed's status is the answer that it
does not preserve: nothing could be expected of its mutant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.draw import Drawing
from chcfuzz.grammar.drawing.drawing_scope import DrawingScope
from chcfuzz.grammar.occurrences import Occurrences
from chcfuzz.grammar.paths import at, path_of, replace_at
from chcfuzz.grammar.substitution import fresh_name, substitute
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import (
    FALSE,
    MAX_DEPTH,
    TRUE,
    Atom,
    Quantifier,
    Term,
    Variable,
    conjunction,
    implication,
    is_operator,
)
from chcfuzz.mutators.mutation import ModelConverter, Mutation, Needs, Promise
from chcfuzz.mutators.rewriting.clause_making import Rewrite, as_read, closed, inserted, is_universal, one_way
from chcfuzz.mutators.rewriting.model_converter import SAME, no_facts, no_meanings
from chcfuzz.mutators.rewriting.places import Found, Place, Places, drawing, holds_a_value, matrix
from chcfuzz.mutators.rewriting.polarity import changed, formulas, is_no_constant, without_one
from chcfuzz.mutators.rewriting.symbols import general_atom, taken_names

_MOST_BODY_ATOMS = 2  # of a clause that is added


# Weaker systems ------------------------------------------------------------------------------------


def _drop_clause(system: System, choices: Choices) -> System | None:
    if not system.clauses:
        return None
    number = choices.index(len(system.clauses))
    return system.with_clauses((*system.clauses[:number], *system.clauses[number + 1 :]))


def _specialize(system: System, choices: Choices) -> System | None:
    """Replace a variable of a clause by a term over the others, or by a value."""
    found = picked_variable(system, choices)
    if found is None:
        return None
    number, gone, rest = found
    drawn = Drawing(DrawingScope.of([clause.formula for clause in system.clauses], number, rest)).term(
        gone.sort, choices
    )
    return specialized(system, number, gone, drawn)


def picked_variable(system: System, choices: Choices) -> tuple[int, Variable, tuple[Variable, ...]] | None:
    """Draw a clause and a variable that its outer quantifier binds; return the other ones that it binds, too."""
    numbers = [number for number, formula in enumerate(system.formulas) if is_universal(formula)]
    if not numbers:
        return None
    number = choices.pick(numbers)
    formula = system.clauses[number].formula
    assert isinstance(formula, Quantifier)
    gone = choices.pick(formula.variables)
    return number, gone, tuple(variable for variable in formula.variables if variable is not gone)


def specialized(system: System, number: int, gone: Variable, term: Term) -> System | None:
    """Return the system with a variable of a clause replaced by a term over the others; None if it is not Horn."""
    formula = system.clauses[number].formula
    assert isinstance(formula, Quantifier)
    rest = [variable for variable in formula.variables if variable is not gone]
    body = substitute(formula.body, {gone: term})
    instance = Quantifier(formula.kind, rest, body) if rest else body
    return as_read(system.with_formula(number, instance), system)


def _add_conjunct(system: System, choices: Choices) -> System | None:
    return with_condition(system, choices.index(len(system.clauses)), choices) if system.clauses else None


def with_condition(system: System, number: int, choices: Choices) -> System | None:
    """Add a drawn condition to the body of a clause; None if that changes nothing."""
    clause = system.clauses[number]
    if clause.body_paths:
        path = choices.pick(clause.body_paths)
        member = at(clause.formula, path)
        condition = drawing(system, number, path).condition(choices)
        pair = (member, condition) if choices.boolean() else (condition, member)
        return Place(number, path, member).put(system, conjunction(*pair))
    link, whole = matrix(clause)
    path = path_of(link)
    guarded = implication(drawing(system, number, path).condition(choices), whole)
    return Place(number, path, whole).put(system, guarded)


# Stronger systems ----------------------------------------------------------------------------------


def _drop_conjunct(system: System, choices: Choices) -> System | None:
    """Remove a member of a body."""
    found = _members(system)
    if not found:
        return None
    place = found.pick(choices)
    if is_operator(place.term, "and") and len(place.term.children) > 1:
        return place.put(system, without_one(place.term, conjunction, choices))
    return place.put(system, TRUE)


def _members(system: System) -> Places:
    def find(clause: Clause) -> Found:
        return ((link, Occurrences(root, is_no_constant, _nothing)) for link, root in clause.body_roots)

    return Places(system, "members", find)


def _generalize(system: System, choices: Choices) -> System | None:
    """Replace one occurrence of a term by a new, universally quantified variable."""
    found = _generalizable(system)
    if not found:
        return None
    place = found.pick(choices)
    formula = system.clauses[place.clause].formula
    if not isinstance(formula, Quantifier) and formula.depth >= MAX_DEPTH:
        return None
    variable = Variable(fresh_name("g", taken_names(system)), place.term.sort)
    opened = replace_at(formula, place.path, variable)
    if isinstance(opened, Quantifier) and opened.kind == "forall":
        return system.with_formula(place.clause, Quantifier("forall", (*opened.variables, variable), opened.body))
    return system.with_formula(place.clause, Quantifier("forall", (variable,), opened))


def _generalizable(system: System) -> Places:
    """Return the terms below no other quantifiers than the outer ones, which therefore bind all their variables."""

    def find(clause: Clause) -> Found:
        link, whole = matrix(clause)
        return [(link, Occurrences(whole, _is_term, _may_be_entered))]

    return Places(system, "generalizable", find)


def _is_term(term: Term) -> bool:
    return not (term.has_atoms or isinstance(term, Quantifier) or term in (TRUE, FALSE))


def _may_be_entered(term: Term) -> bool:
    return not isinstance(term, Quantifier) and not holds_a_value(term)


def _add_clause(system: System, choices: Choices) -> System | None:
    """Add a clause: up to two predicates and a drawn condition imply a predicate of drawn terms, or false."""
    if not system.predicates:
        return None
    taken = taken_names(system)
    body, variables = drawn_atoms(system, taken, choices)
    head: Term = FALSE
    if not body or choices.index(4):
        predicate = choices.pick(system.predicates)
        if not body:
            variables, _ = general_atom(predicate, taken)
        draw = _drawing_anywhere(system, variables, choices)
        head = Atom(predicate, [draw.term(sort, choices, 4) for sort in predicate.parameters])
    if choices.boolean():
        body.append(_drawing_anywhere(system, variables, choices).condition(choices))
    return inserted(system, Clause(closed(implication(conjunction(*body), head) if body else head)), choices)


def drawn_atoms(system: System, taken: set[str], choices: Choices) -> tuple[list[Term], list[Variable]]:
    """Draw up to two atoms that may share variables, and return them with all their variables."""
    atoms: list[Term] = []
    variables: list[Variable] = []
    for _ in range(choices.integer(0, _MOST_BODY_ATOMS)):
        own, atom = general_atom(choices.pick(system.predicates), taken)
        shared = {v: choices.pick(same) for v in own if (same := [w for w in variables if w.sort is v.sort])}
        merged = {v: w for v, w in shared.items() if choices.boolean()}
        atoms.append(substitute(atom, merged))
        variables += [variable for variable in own if variable not in merged]
    return atoms, variables


def _drawing_anywhere(system: System, variables: Sequence[Variable], choices: Choices) -> Drawing:
    formulas = [clause.formula for clause in system.clauses]
    return Drawing(DrawingScope.of(formulas, choices.index(len(formulas)), variables))


# Both directions -----------------------------------------------------------------------------------


def _in_bodies(narrow: bool) -> Rewrite:
    """Return a rewrite that strengthens or weakens a body by changing a formula in it."""

    def rewrite(system: System, choices: Choices) -> System | None:
        found = formulas(system)
        if not found:
            return None
        place = found.pick(choices)
        draw = drawing(system, place.clause, place.path)
        return place.put(system, changed(system.clauses[place.clause], place, narrow, draw, choices))

    return rewrite


def _nothing(_term: Term) -> bool:
    return False


def _has_clauses(system: System) -> bool:
    return bool(system.clauses)


def one_sided(row: Mutation) -> Mutation:
    """Return the row for problems that may have the answer that it preserves, with a converter for its witnesses."""
    return one_way(keeping_one_answer(row))


def keeping_one_answer(row: Mutation) -> Mutation:
    """Return the row with a converter for the witnesses of the answer that it preserves."""
    keeps_sat = row.promise is Promise.SAT_PRESERVING
    converter = ModelConverter(SAME.meanings, no_facts) if keeps_sat else ModelConverter(no_meanings, SAME.facts)
    return replace(row, converter=converter)


_ROWS = (
    Mutation(
        "monotone.drop-clause",
        Promise.SAT_PRESERVING,
        "a clause is removed",
        "a model of all clauses is one of some",
        _drop_clause,
        _has_clauses,
        needs=Needs.CLAUSES,
    ),
    Mutation(
        "monotone.specialize",
        Promise.SAT_PRESERVING,
        "a variable of a clause becomes a drawn term",
        "instances follow; after Spacer's own generalization, undone",
        _specialize,
        lambda system: any(map(is_universal, system.formulas)),
        needs=Needs.CLAUSES,
    ),
    Mutation(
        "monotone.add-conjunct",
        Promise.SAT_PRESERVING,
        "a drawn condition is added to a body",
        "TypeFuzz (OOPSLA 2021), terms by type",
        _add_conjunct,
        _has_clauses,
        needs=Needs.CLAUSES,
    ),
    Mutation(
        "monotone.strengthen",
        Promise.SAT_PRESERVING,
        "a formula in a body is strengthened",
        "Janus (ASE 2022), weakening and strengthening",
        _in_bodies(narrow=True),
        lambda system: bool(formulas(system)),
        needs=Needs.CLAUSES,
    ),
    Mutation(
        "monotone.drop-conjunct",
        Promise.UNSAT_PRESERVING,
        "a member of a body is removed",
        "slicing and abstraction do the same to bodies",
        _drop_conjunct,
        lambda system: bool(_members(system)),
        needs=Needs.CLAUSES,
    ),
    Mutation(
        "monotone.generalize",
        Promise.UNSAT_PRESERVING,
        "a term in a clause is replaced by a new variable",
        "Spacer's generalizers do the same to lemmas",
        _generalize,
        lambda system: bool(_generalizable(system)),
        needs=Needs.CLAUSES,
    ),
    Mutation(
        "monotone.add-clause",
        Promise.UNSAT_PRESERVING,
        "a clause of drawn terms is added",
        "TypeFuzz (OOPSLA 2021), terms by type",
        _add_clause,
        lambda system: bool(system.predicates),
        needs=Needs.CLAUSES,
    ),
    Mutation(
        "monotone.weaken",
        Promise.UNSAT_PRESERVING,
        "a formula in a body is weakened",
        "Janus (ASE 2022), weakening and strengthening",
        _in_bodies(narrow=False),
        lambda system: bool(formulas(system)),
        needs=Needs.CLAUSES,
    ),
)

MUTATIONS = tuple(map(one_sided, _ROWS))
