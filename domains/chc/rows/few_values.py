"""Analysis of the few values that an argument can have in derivable facts, from the clauses alone.

A least fixpoint over sets of at most `MOST` values (constant propagation with sets; Nielson, Nielson and Hankin,
Principles of Program Analysis, 2.1 and 4.2). An argument of a head depends on one variable at most. Its values are
those of its term at the values that the variable has in every atom of the body, if no other member of the body is false
there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.values import UNDETERMINED, Ground, Undetermined
from chcfuzz.grammar.sorts import INT
from chcfuzz.grammar.substitution import substitute
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import Atom, Predicate, Term, Variable, free_variables, is_operator, kept

MOST = 16
Values: TypeAlias = frozenset[Ground] | None  # None: more than MOST, or unknown
Argument = tuple[Predicate, int]


@dataclass(frozen=True)
class _Given:
    """An argument of a rule's head and everything that restricts its values.

    `variable` is the only variable of `term`, if it has one; `places` are the arguments of body atoms that are this
    variable, and `conditions` the members of the body that contain no other variable.
    """

    argument: Argument
    term: Term
    variable: Variable | None
    places: tuple[Argument, ...]
    conditions: tuple[Term, ...]


def few_values(system: System) -> dict[Argument, tuple[Ground, ...]]:
    """Return the Int arguments that have at most `MOST` values in derivable facts, with these values in order.

    Every argument returned has at least one value.
    """
    rules = [_given(clause) for clause in system.clauses if isinstance(clause.head, Atom)]
    known: dict[Argument, Values] = {
        (predicate, at): frozenset()
        for predicate in system.predicates
        for at, sort in enumerate(predicate.parameters)
        if sort is INT
    }
    changed = True
    while changed:
        changed = False
        for given in (given for rule in rules for given in rule):
            before = known.get(given.argument)
            if before is not None:
                more = _values(given, known)
                after = None if more is None or len(before | more) > MOST else before | more
                changed |= after != before
                known[given.argument] = after
    return {argument: tuple(sorted(values)) for argument, values in known.items() if values}  # type: ignore[type-var]


def _values(given: _Given, known: Mapping[Argument, Values]) -> Values:
    """Return the values of a head's argument where the body holds, given the known values of the body's atoms."""
    if given.variable is None:
        return _all([evaluate(given.term, {})])
    bounds = [known.get(place) for place in given.places]
    sets = [values for values in bounds if values is not None]
    if not sets:
        return None
    found = []
    for value in frozenset.intersection(*sets):
        at = {given.variable: value}
        if all(evaluate(condition, at) is not False for condition in given.conditions):
            found.append(evaluate(given.term, at))
    return _all(found)


def _all(values: Iterable[Ground | Undetermined]) -> Values:
    found = frozenset(values)
    return None if UNDETERMINED in found else found  # type: ignore[return-value]


def _given(clause: Clause) -> tuple[_Given, ...]:
    """Return the restrictions on the arguments of a rule's head."""

    def found() -> tuple[_Given, ...]:
        assert isinstance(clause.head, Atom)
        return tuple(_of(clause, (clause.head.predicate, at), term) for at, term in enumerate(clause.head.children))

    return kept(clause.formula, "what decides its head", found)


def _of(clause: Clause, argument: Argument, term: Term) -> _Given:
    term = _explained(term, clause)
    variables = free_variables(term)
    if not variables:
        return _Given(argument, term, None, (), ())
    atoms = [atom for atom in clause.body if isinstance(atom, Atom)]
    places = [(atom.predicate, at) for atom in atoms for at, child in enumerate(atom.children) if child is variables[0]]
    conditions = [each for each in clause.body if not each.has_atoms and free_variables(each) == variables]
    return _Given(argument, term, variables[0], tuple(places) if len(variables) == 1 else (), tuple(conditions))


def _explained(term: Term, clause: Clause) -> Term:
    """Return the term with variables replaced, twice, by terms that equations of the body give for them."""
    for _ in range(2):
        for variable in free_variables(term):
            equal = (_equal(variable, member) for member in clause.body)
            term = substitute(term, {variable: next((other for other in equal if other is not None), variable)})
    return term


def _equal(variable: Variable, member: Term) -> Term | None:
    """Return the term without this variable that the member equates it with, if it is such an equation."""
    if not is_operator(member, "=") or len(member.children) != 2 or member.has_atoms:
        return None
    left, right = member.children
    other = right if left is variable else left if right is variable else None
    return None if other is None or variable in free_variables(other) else other
