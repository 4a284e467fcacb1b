"""Passes over whole clauses and whole predicates: the coarsest ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import FALSE, TRUE, Atom, Predicate, Term, is_operator, subterms
from chcfuzz.triage.shrink.sites import Edit, TermSite, edited, sites


def clauses(system: System) -> Sequence[int]:
    """Return the number of every clause."""
    return range(len(system.clauses))


def without_clauses(system: System, numbers: Sequence[int]) -> System:
    """Return the system without these clauses."""
    gone = set(numbers)
    return system.with_clauses([clause for number, clause in enumerate(system.clauses) if number not in gone])


def redundant_clauses(system: System) -> Sequence[int]:
    """Return the clauses that are `true` or equal to an earlier clause."""
    seen: set[Term] = {TRUE}
    found = []
    for number, clause in enumerate(system.clauses):
        if clause.formula in seen:
            found.append(number)
        seen.add(clause.formula)
    return found


def predicates(system: System) -> Sequence[Predicate]:
    """Return every predicate, in the order of declaration."""
    return system.predicates


def unused_predicates(system: System) -> Sequence[Predicate]:
    """Return the predicates that no clause mentions."""
    used = {predicate for clause in system.clauses for predicate in _mentioned(clause)}
    return [predicate for predicate in system.predicates if predicate not in used]


def without_mention(system: System, gone: Sequence[Predicate]) -> System:
    """Return the system without these predicates and without every clause that mentions one of them."""
    left = [clause for clause in system.clauses if _mentioned(clause).isdisjoint(gone)]
    return _undeclared(system, gone).with_clauses(left)


def always_true(system: System, gone: Sequence[Predicate]) -> System | None:
    """Return the system with these predicates interpreted as true; clauses with them as the head vanish."""
    left = [clause for clause in system.clauses if _headed(clause) not in gone]
    return _interpreted(system.with_clauses(left), gone, TRUE)


def always_false(system: System, gone: Sequence[Predicate]) -> System | None:
    """Return the system with these predicates interpreted as false; clauses that need them vanish."""
    left = [
        clause
        for clause in system.clauses
        if not any(isinstance(member, Atom) and member.predicate in gone for member in clause.body)
    ]
    return _interpreted(system.with_clauses(left), gone, FALSE)


def _interpreted(system: System, gone: Sequence[Predicate], value: Term) -> System | None:
    edits = [
        _as_value(site, value) for site in sites(system) if isinstance(site.term, Atom) and site.term.predicate in gone
    ]
    return edited(_undeclared(system, gone), edits)


def _as_value(site: TermSite, value: Term) -> Edit:
    neutral = "and" if value is TRUE else "or"
    return site.put(None if site.parent is not None and is_operator(site.parent, neutral) else value)


def _undeclared(system: System, gone: Sequence[Predicate]) -> System:
    return system.with_predicates([predicate for predicate in system.predicates if predicate not in gone])


def _mentioned(clause: Clause) -> frozenset[Predicate]:
    return frozenset(term.predicate for term in subterms(clause.formula) if isinstance(term, Atom))


def _headed(clause: Clause) -> Predicate | None:
    return clause.head.predicate if isinstance(clause.head, Atom) else None


def notes(system: System) -> Sequence[tuple[str, int]]:
    """Return every note on the system: each `set-info`, each `set-option`, each name of a clause."""
    named = [("name", number) for number, clause in enumerate(system.clauses) if clause.name is not None]
    return [("info", n) for n in range(len(system.info))] + [("option", n) for n in range(len(system.options))] + named


def without_notes(system: System, gone: Sequence[tuple[str, int]]) -> System:
    """Return the system without these notes."""
    clauses = [
        replace(clause, name=None) if ("name", number) in gone else clause
        for number, clause in enumerate(system.clauses)
    ]
    info = tuple(pair for number, pair in enumerate(system.info) if ("info", number) not in gone)
    options = tuple(pair for number, pair in enumerate(system.options) if ("option", number) not in gone)
    return replace(system, clauses=tuple(clauses), info=info, options=options)
