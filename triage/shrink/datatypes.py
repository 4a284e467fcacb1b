"""Passes over the unused parts of data types."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from chcfuzz.grammar.sorts import (
    Constructor,
    Datatype,
    Sort,
    datatypes,
    has_finite_value,
    with_declared_sorts,
    with_other_parts,
)
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Apply, Atom, Predicate, Quantifier, Term, Variable, subterms
from chcfuzz.triage.shrink.arguments import mapped

F = TypeVar("F")


@dataclass(frozen=True)
class DatatypePart:
    """A constructor of a data type by its number, or a field of it."""

    datatype: str
    constructor: int
    field: int | None = None


def unused_groups(system: System) -> list[int]:
    """Return the groups of data types that no term, parameter or later data type uses."""
    used = _sorts(system)
    return [n for n, group in enumerate(system.datatypes) if not any(datatype.sort in used for datatype in group)]


def without_groups(system: System, gone: Sequence[int]) -> System:
    """Return the system without these groups of data types."""
    left = tuple(group for number, group in enumerate(system.datatypes) if number not in gone)
    return replace(system, datatypes=left)


def _sorts(system: System) -> set[Sort]:
    """Return all sorts in use, including the sorts of fields of used data types."""
    todo = [sort for predicate in system.predicates for sort in predicate.parameters]
    for term in subterms(*(clause.formula for clause in system.clauses)):
        todo.append(term.sort)
        if isinstance(term, Quantifier):
            todo += [variable.sort for variable in term.variables]
    return with_declared_sorts(todo)


def unused_parts(system: System) -> list[DatatypePart]:
    """Return the constructors that no term builds, tests or selects from, and the fields that no term selects."""
    used = {
        (sort, term.operator)
        for term in subterms(*(clause.formula for clause in system.clauses))
        if isinstance(term, Apply)
        for sort in (term.sort, *(child.sort for child in term.children[:1]))
    }
    found = []
    for datatype in (datatype for group in system.datatypes for datatype in group):
        for number, constructor in enumerate(datatype.constructors):
            selected = [(datatype.sort, selector.operator) in used for selector in constructor.selectors]
            made = (datatype.sort, constructor.operator) in used or (datatype.sort, constructor.tester) in used
            if len(datatype.constructors) > 1 and not made and not any(selected):
                found.append(DatatypePart(datatype.name, number))
            found += [
                DatatypePart(datatype.name, number, place) for place, used_here in enumerate(selected) if not used_here
            ]
    return found


def without_parts(system: System, gone: Sequence[DatatypePart]) -> System | None:
    """Return the system without these parts.

    Return None if a data type would lose its last constructor or all its finite values.
    """

    def left(datatype: Datatype) -> tuple[Constructor, ...]:
        return tuple(
            Constructor(constructor.name, _left(constructor.selectors, datatype, number, gone))
            for number, constructor in enumerate(datatype.constructors)
            if DatatypePart(datatype.name, number) not in gone
        )

    new: list[tuple[Datatype, ...]] = []
    sorts: dict[Sort, Sort] = {}
    for group in system.datatypes:
        wanted = [left(datatype) for datatype in group]
        if not all(wanted):
            return None
        new.append(redefined(group, [datatype.name for datatype in group], wanted, sorts))
        if not all(map(has_finite_value, new[-1])):
            return None

    def narrowed(term: Apply, children: Sequence[Term]) -> tuple[str, Sequence[Term]]:
        datatype = term.sort.datatype
        for number, constructor in enumerate(datatype.constructors if datatype else ()):
            if datatype and constructor.operator == term.operator:
                return term.operator, _left(children, datatype, number, gone)
        return term.operator, children

    return over_datatypes(replace(system, datatypes=tuple(new)), sorts, narrowed)


def _left(fields: Sequence[F], datatype: Datatype, number: int, gone: Sequence[DatatypePart]) -> tuple[F, ...]:
    return tuple(part for place, part in enumerate(fields) if DatatypePart(datatype.name, number, place) not in gone)


def redefined(
    group: tuple[Datatype, ...],
    names: Sequence[str],
    wanted: Sequence[tuple[Constructor, ...]],
    sorts: dict[Sort, Sort],
) -> tuple[Datatype, ...]:
    """Return a group of data types with new names and constructors.

    The fields in `wanted` have old sorts; `sorts` maps old sorts to new ones, and receives those of this group.
    """

    def define(own: Sequence[Sort]) -> list[tuple[Constructor, ...]]:
        around = sorts | dict(zip((datatype.sort for datatype in group), own, strict=True))
        return [
            tuple(
                Constructor(c.name, tuple(replace(s, sort=_moved(s.sort, around)) for s in c.selectors))
                for c in constructors
            )
            for constructors in wanted
        ]

    new = datatypes(names, define)
    sorts.update(zip((datatype.sort for datatype in group), (datatype.sort for datatype in new), strict=True))
    return new


def _moved(sort: Sort, sorts: Mapping[Sort, Sort]) -> Sort:
    return sorts[sort] if sort in sorts else with_other_parts(sort, lambda part: _moved(part, sorts))


def over_datatypes(
    system: System,
    sorts: Mapping[Sort, Sort],
    applied: Callable[[Apply, Sequence[Term]], tuple[str, Sequence[Term]]],
) -> System:
    """Return the system over other sorts.

    `applied` returns the operator and the arguments of an application, given its new arguments.
    """
    new = {
        predicate: Predicate(predicate.name, [_moved(sort, sorts) for sort in predicate.parameters])
        for predicate in system.predicates
    }

    def build(term: Term, children: Sequence[Term]) -> Term:
        if isinstance(term, Variable):
            return Variable(term.name, _moved(term.sort, sorts))
        if isinstance(term, Atom):
            return Atom(new[term.predicate], children)
        if isinstance(term, Quantifier):
            variables = [Variable(variable.name, _moved(variable.sort, sorts)) for variable in term.variables]
            return Quantifier(term.kind, variables, children[0])
        if isinstance(term, Apply):
            sort = _moved(term.sort, sorts)
            operator, left = applied(term, children)
            return Apply(f"(as const {sort})" if operator.startswith("(as const ") else operator, left, sort)
        return term

    clauses = [replace(clause, formula=mapped(clause.formula, build)) for clause in system.clauses]
    return system.with_predicates(tuple(new.values())).with_clauses(clauses)
