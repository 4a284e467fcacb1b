"""Passes over the arguments of predicates."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Atom, Predicate, Term, postorder

Argument = tuple[Predicate, int]


def arguments(system: System) -> Sequence[Argument]:
    """Return every argument of every predicate, by its position."""
    return [(predicate, place) for predicate in system.predicates for place in range(len(predicate.parameters))]


def without_arguments(system: System, gone: Sequence[Argument]) -> System:
    """Return the system whose predicates do not have these arguments."""
    left = {
        predicate: [place for place in range(len(predicate.parameters)) if (predicate, place) not in gone]
        for predicate in system.predicates
    }
    new = {
        predicate: Predicate(predicate.name, [predicate.parameters[place] for place in places])
        for predicate, places in left.items()
    }

    def narrowed(term: Term, children: Sequence[Term]) -> Term:
        if not isinstance(term, Atom):
            return term.rebuild(children)
        return Atom(new[term.predicate], [children[place] for place in left[term.predicate]])

    clauses = [type(clause)(mapped(clause.formula, narrowed), clause.name) for clause in system.clauses]
    return system.with_predicates(tuple(new.values())).with_clauses(clauses)


def mapped(term: Term, build: Callable[[Term, Sequence[Term]], Term]) -> Term:
    """Return the term rebuilt bottom-up: `build` is called for each node with its new children."""
    done: dict[Term, Term] = {}
    for here in postorder(term):
        done[here] = build(here, [done[child] for child in here.children]) if here.children else build(here, ())
    return done[term]
