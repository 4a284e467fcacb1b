"""Short names, the same for the same system: predicates are p, q, r, ..., variables x, y, z, ..."""

from __future__ import annotations

from collections.abc import Sequence

from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Atom, Predicate, Quantifier, Term, Variable, kept, postorder, substitute
from chcfuzz.triage.shrink_arguments import mapped
from chcfuzz.triage.shrink_sites import occurrences

_PREDICATES, _VARIABLES = "pqrst", "xyzuvw"


def foreign_names(system: System) -> int:
    """How many predicates, and how many variables of clauses, have other names than these passes give."""
    return len(misnamed_predicates(system)) + sum(_misnamed(clause.formula) for clause in system.clauses)


def misnamed_predicates(system: System) -> list[int]:
    """Predicates with other names than their place gives them."""
    return [n for n, predicate in enumerate(system.predicates) if predicate.name != _name(_PREDICATES, n)]


def with_named_predicates(system: System, numbers: Sequence[int]) -> System:
    """The system with these predicates named by their places."""
    new = {
        predicate: Predicate(_name(_PREDICATES, n), predicate.parameters) if n in numbers else predicate
        for n, predicate in enumerate(system.predicates)
    }

    def renamed(term: Term, children: Sequence[Term]) -> Term:
        return Atom(new[term.predicate], children) if isinstance(term, Atom) else term.rebuild(children)

    clauses = [type(clause)(mapped(clause.formula, renamed), clause.name) for clause in system.clauses]
    return system.with_predicates(tuple(new.values())).with_clauses(clauses)


def misnamed_clauses(system: System) -> list[int]:
    """Clauses some of whose variables have other names than their places give them."""
    return [number for number, clause in enumerate(system.clauses) if _misnamed(clause.formula)]


def with_named_variables(system: System, numbers: Sequence[int]) -> System:
    """The system with the variables of these clauses named by their places."""
    for number in numbers:
        system = system.with_clause(number, _named(system.clauses[number].formula))
    return system


def _misnamed(formula: Term) -> int:
    return kept(formula, "shrink.misnamed", lambda: _count(formula, _named(formula)))


def _count(formula: Term, named: Term) -> int:
    if named is formula:
        return 0
    pairs = zip(occurrences(formula), occurrences(named), strict=True)
    return sum(
        old is not new
        for before, after in pairs
        if isinstance(before.term, Quantifier) and isinstance(after.term, Quantifier)
        for old, new in zip(before.term.variables, after.term.variables, strict=True)
    )


def _named(formula: Term, taken: int = 0) -> Term:
    """The formula, its variables numbered from the outside; `taken` are those around it."""
    done: dict[Term, Term] = {}
    for here in postorder(formula, enter_quantifiers=False):
        if isinstance(here, Quantifier):
            fresh = {v: Variable(_name(_VARIABLES, taken + n), v.sort) for n, v in enumerate(here.variables)}
            body = _named(substitute(here.body, fresh), taken + len(fresh))
            done[here] = Quantifier(here.kind, tuple(fresh.values()), body)
        else:
            done[here] = here.rebuild([done[child] for child in here.children])
    return done[formula]


def _name(letters: str, number: int) -> str:
    return letters[number] if number < len(letters) else f"{letters[0]}{number}"
