"""The names that a system uses, and renamed systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.grammar.substitution import fresh_name, with_other_names
from chcfuzz.grammar.symbols import RESERVED
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import Atom, Binder, Predicate, Term, Variable, kept, postorder, subterms
from chcfuzz.grammar.theory import operator_names


def taken_names(problem: BaseProblem) -> set[str]:
    """Return every name with a meaning in the problem, including its variables and the theories' operators."""
    return own_names(problem) | operator_names(is_smt=False) | RESERVED


def own_names(problem: BaseProblem) -> set[str]:
    """Return every name that the problem declares or binds."""
    names = {*problem.declared_names, *problem.datatype_names}
    for asserted in problem.asserted:
        names |= _names_in(asserted.formula)
        if asserted.name:
            names.add(asserted.name)
    return names


def _names_in(formula: Term) -> frozenset[str]:
    def variables() -> frozenset[str]:
        found = set()
        for term in subterms(formula):
            if isinstance(term, Variable):
                found.add(term.name)
            elif isinstance(term, Binder):
                found.update(variable.name for variable in term.variables)
        return frozenset(found)

    return kept(formula, "names", variables)


def general_atom(predicate: Predicate, taken: set[str]) -> tuple[list[Variable], Atom]:
    """Return new variables for the predicate's arguments, and the atom over them; `taken` gets their names."""
    variables: list[Variable] = []
    for sort in predicate.parameters:
        variable = Variable(fresh_name(f"v{len(variables)}", taken), sort)
        taken.add(variable.name)
        variables.append(variable)
    return variables, Atom(predicate, variables)


def with_predicates_renamed(system: System, mapping: Mapping[Predicate, Predicate]) -> System:
    """Return the same system with some predicates replaced by others of the same sorts."""
    return replace(
        system,
        predicates=tuple(mapping.get(predicate, predicate) for predicate in system.predicates),
        clauses=tuple(Clause(_renamed(clause.formula, mapping), clause.name) for clause in system.clauses),
    )


def apart(other: System, system: System) -> tuple[System, dict[Predicate, Predicate]]:
    """Return the other system with names that are unused in this one, and the new predicates by the old ones.

    Its data types keep their names; its clauses lose theirs.
    """
    taken = taken_names(system)
    mapping = {}
    for predicate in other.predicates:
        mapping[predicate] = Predicate(fresh_name(predicate.name, taken), predicate.parameters)
        taken.add(mapping[predicate].name)
    unwanted = {predicate.name for predicate in (*system.predicates, *mapping.values())}
    unwanted |= {symbol.strip("|") for symbol in system.signature}
    renamed = with_predicates_renamed(other, mapping)
    clauses = [Clause(with_other_names(each.formula, unwanted, taken)) for each in renamed.clauses]
    return renamed.with_clauses(clauses), mapping


def _renamed(formula: Term, mapping: Mapping[Predicate, Predicate]) -> Term:
    done: dict[Term, Term] = {}
    for term in postorder(formula):
        children = [done[child] for child in term.children]
        if isinstance(term, Atom):
            done[term] = Atom(mapping.get(term.predicate, term.predicate), children)
        else:
            done[term] = term.rebuild(children) if term.has_atoms else term
    return done[formula]
