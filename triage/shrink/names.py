"""Passes that give short names, deterministically.

Predicates are named p, q, r, ..., variables x, y, z, ..., data types A, B, C, ..., their constructors a, b, c, ... and
their fields f, g, h, ...
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from chcfuzz.grammar.sorts import Constructor, Datatype, Selector, Sort
from chcfuzz.grammar.substitution import substitute
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Apply, Atom, Binder, Predicate, Term, Variable, kept, postorder
from chcfuzz.triage.shrink.arguments import mapped
from chcfuzz.triage.shrink.datatypes import over_datatypes, redefined
from chcfuzz.triage.shrink.sites import occurrences

_PREDICATES, _VARIABLES, _DATATYPES, _CONSTRUCTORS, _FIELDS = "pqrst", "xyzuvw", "ABCDE", "abcde", "fghij"


def foreign_names(system: System) -> int:
    """Return the number of predicates, clause variables and groups of data types that these passes would rename."""
    misnamed = len(misnamed_predicates(system)) + len(misnamed_groups(system))
    return misnamed + sum(_misnamed(clause.formula) for clause in system.clauses)


def misnamed_predicates(system: System) -> list[int]:
    """Return the predicates whose name does not follow from their position."""
    return [n for n, predicate in enumerate(system.predicates) if predicate.name != nth_name(_PREDICATES, n)]


def with_named_predicates(system: System, numbers: Sequence[int]) -> System:
    """Return the system with these predicates named by their positions."""
    names = [nth_name(_PREDICATES, n) if n in numbers else each.name for n, each in enumerate(system.predicates)]
    return with_predicate_names(system, names)


def with_predicate_names(system: System, names: Sequence[str]) -> System:
    """Return the system with its predicates named so, in their order."""
    new = {
        predicate: Predicate(name, predicate.parameters)
        for predicate, name in zip(system.predicates, names, strict=True)
    }

    def renamed(term: Term, children: Sequence[Term]) -> Term:
        return Atom(new[term.predicate], children) if isinstance(term, Atom) else term.rebuild(children)

    clauses = [type(clause)(mapped(clause.formula, renamed), clause.name) for clause in system.clauses]
    return system.with_predicates(tuple(new.values())).with_clauses(clauses)


def misnamed_groups(system: System) -> list[int]:
    """Return the groups of data types with a name, or a part with a name, that does not follow from its position."""
    named = _named_constructors(system)
    return [
        number
        for number, group in enumerate(system.datatypes)
        if any((datatype.name, datatype.constructors) != named[datatype] for datatype in group)
    ]


def with_named_groups(system: System, numbers: Sequence[int]) -> System:
    """Return the system with these groups of data types, and their parts, named by their positions."""
    named = _named_constructors(system)
    groups: list[tuple[Datatype, ...]] = []
    sorts: dict[Sort, Sort] = {}
    spelled: dict[tuple[Sort, str], str] = {}
    for number, group in enumerate(system.datatypes):
        wanted = [named[d] if number in numbers else (d.name, d.constructors) for d in group]
        groups.append(redefined(group, [name for name, _ in wanted], [new for _, new in wanted], sorts))
        for old, (_, constructors) in zip(group, wanted, strict=True):
            for before, after in zip(old.constructors, constructors, strict=True):
                spelled[old.sort, before.operator] = after.operator
                spelled[old.sort, before.tester] = after.tester
                for selector, other in zip(before.selectors, after.selectors, strict=True):
                    spelled[old.sort, selector.operator] = other.operator

    def renamed(term: Apply, children: Sequence[Term]) -> tuple[str, Sequence[Term]]:
        taken = term.children[0].sort if term.children else term.sort
        made = spelled.get((term.sort, term.operator), term.operator)
        return spelled.get((taken, term.operator), made), children

    return over_datatypes(replace(system, datatypes=tuple(groups)), sorts, renamed)


def _named_constructors(system: System) -> dict[Datatype, tuple[str, tuple[Constructor, ...]]]:
    """Return the name and the constructors that each data type gets by its position; fields have old sorts."""
    constructors, fields = count(), count()
    return {
        datatype: (
            nth_name(_DATATYPES, number),
            tuple(
                Constructor(
                    nth_name(_CONSTRUCTORS, next(constructors)),
                    tuple(
                        Selector(nth_name(_FIELDS, next(fields)), selector.sort) for selector in constructor.selectors
                    ),
                )
                for constructor in datatype.constructors
            ),
        )
        for number, datatype in enumerate(datatype for group in system.datatypes for datatype in group)
    }


def misnamed_clauses(system: System) -> list[int]:
    """Return the clauses with a variable whose name does not follow from its position."""
    return [number for number, clause in enumerate(system.clauses) if _misnamed(clause.formula)]


def with_named_variables(system: System, numbers: Sequence[int]) -> System:
    """Return the system with the variables of these clauses named by their positions."""
    for number in numbers:
        system = system.with_formula(number, _named(system.clauses[number].formula))
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
        if isinstance(before.term, Binder) and isinstance(after.term, Binder)
        for old, new in zip(before.term.variables, after.term.variables, strict=True)
    )


def _named(formula: Term) -> Term:
    return numbered(formula, _VARIABLES)


def numbered(formula: Term, letters: str, taken: int = 0) -> Term:
    """Return the formula with its bound variables named from the outside; `taken` is the number of outer variables."""
    done: dict[Term, Term] = {}
    for here in postorder(formula, enter_quantifiers=False):
        if isinstance(here, Binder):
            fresh = {v: Variable(nth_name(letters, taken + n), v.sort) for n, v in enumerate(here.variables)}
            body = numbered(substitute(here.body, fresh), letters, taken + len(fresh))
            done[here] = here.over(tuple(fresh.values()), body)
        else:
            done[here] = here.rebuild([done[child] for child in here.children])
    return done[formula]


def nth_name(letters: Sequence[str], number: int) -> str:
    """Return a letter, and from the end of `letters` on the first letter with a number."""
    return letters[number] if number < len(letters) else f"{letters[0]}{number}"
