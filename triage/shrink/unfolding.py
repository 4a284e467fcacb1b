"""Pass that resolves predicates away: their clauses replace their uses."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from chcfuzz.grammar.errors import SortError
from chcfuzz.grammar.substitution import fresh_name, substitute
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import (
    TRUE,
    Apply,
    Atom,
    Predicate,
    Quantifier,
    Term,
    Variable,
    apply,
    conjunction,
    is_operator,
    subterms,
)
from chcfuzz.triage.shrink.sites import Occurrence, closed, occurrences, rewritten

_MAX_CLAUSES = 256  # that resolving may make of one clause


def resolvable(system: System) -> Sequence[Predicate]:
    """Return the predicates that are used and do not occur in the body of a clause for them."""
    recursive = set()
    used = set()
    for clause in system.clauses:
        in_body = {atom.predicate for atom in clause.atoms}
        used |= in_body
        if isinstance(clause.head, Atom) and clause.head.predicate in in_body:
            recursive.add(clause.head.predicate)
    return [predicate for predicate in system.predicates if predicate in used and predicate not in recursive]


def resolved(system: System, gone: Sequence[Predicate]) -> System | None:
    """Return the system with every use of these predicates resolved with every clause for them.

    The answer stays the same: a predicate that is not recursive holds exactly if one of its clauses derives it. None if
    a clause would turn into too many.
    """
    for predicate in gone:
        if predicate in resolvable(system):
            smaller = _resolved(system, predicate)
            if smaller is None:
                return None
            system = smaller
    return system


def _resolved(system: System, predicate: Predicate) -> System | None:
    definitions = [c for c in system.clauses if isinstance(c.head, Atom) and c.head.predicate is predicate]
    clauses: list[Clause] = []
    for clause in system.clauses:
        if clause in definitions:
            continue
        uses = [
            here
            for here in occurrences(clause.formula)
            if isinstance(here.term, Atom) and here.term.predicate is predicate
        ]
        if len(definitions) ** len(uses) > _MAX_CLAUSES:
            return None
        for choice in product(definitions, repeat=len(uses)):
            formula = _with_bodies(clause.formula, uses, choice)
            if formula is None:
                return None
            clauses.append(Clause(formula, clause.name if len(definitions) == 1 else None))
    left = [other for other in system.predicates if other is not predicate]
    return system.with_predicates(left).with_clauses(clauses)


def _with_bodies(formula: Term, uses: Sequence[Occurrence], definitions: Sequence[Clause]) -> Term | None:
    """Return the formula with each use replaced by the body of its definition.

    Variables of definitions are quantified outermost: uses are positive in a body, so this is correct.
    """
    taken = {name for term in subterms(formula) for name in _names(term)}
    changes: dict[int, Term | None] = {}
    fresh: list[Variable] = []
    for use, definition in zip(uses, definitions, strict=True):
        assert isinstance(use.term, Atom)
        body, own = _body_at(definition, use.term, taken)
        in_conjunction = use.parent is not None and is_operator(use.parent, "and")
        changes[use.number] = None if body is TRUE and in_conjunction else body
        fresh += own
    try:
        new = rewritten(formula, changes)
        return None if new is None else closed(new, fresh)
    except SortError:
        return None


def _body_at(definition: Clause, use: Atom, taken: set[str]) -> tuple[Term, list[Variable]]:
    """Return the body of a definition for the arguments of a use, and its fresh variables.

    A variable that is an argument of the head becomes the argument of the use; other arguments become equations.
    """
    head = definition.head
    assert isinstance(head, Atom)
    mapping: dict[Variable, Term] = {}
    equations: list[tuple[Term, Term]] = []
    for formal, actual in zip(head.children, use.children, strict=True):
        if isinstance(formal, Variable) and formal in definition.variables and formal not in mapping:
            mapping[formal] = actual
        else:
            equations.append((formal, actual))
    own = []
    for variable in definition.variables:
        if variable not in mapping:
            own.append(Variable(fresh_name(variable.name, taken), variable.sort))
            taken.add(own[-1].name)
            mapping[variable] = own[-1]
    members = [substitute(member, mapping) for member in definition.body]
    members += [
        apply("=", substitute(formal, mapping), actual)
        for formal, actual in equations
        if substitute(formal, mapping) is not actual
    ]
    return conjunction(*members), own


def _names(term: Term) -> tuple[str, ...]:
    if isinstance(term, Variable):
        return (term.name,)
    if isinstance(term, Quantifier):
        return tuple(variable.name for variable in term.variables)
    if isinstance(term, Atom):
        return (term.predicate.name,)
    return (term.operator,) if isinstance(term, Apply) else ()
