"""Passes over the variables that a clause quantifies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from chcfuzz.grammar.sort_kinds import kind_of
from chcfuzz.grammar.sorts import Sort
from chcfuzz.grammar.substitution import substitute
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Quantifier, Term, Variable, free_variables

_MAX_PARTNERS = 4  # variables that are tried for merging with each variable


@dataclass(frozen=True)
class Instance:
    """A term for a variable that the outermost quantifier of clause number `clause` binds."""

    clause: int
    variable: Variable
    term: Term


def instances(value: Callable[[Sort], Term | None]) -> Callable[[System], list[Instance]]:
    """Return the function that lists the edits replacing a variable by a value of its sort."""

    def find(system: System) -> list[Instance]:
        return [
            Instance(number, variable, term)
            for number, variable in _outermost(system)
            if (term := value(variable.sort)) is not None
        ]

    return find


def merges(system: System) -> list[Instance]:
    """Return the edits that replace a variable by an earlier variable of its sort."""
    found = []
    for number, variable in _outermost(system):
        quantifier = system.clauses[number].formula
        assert isinstance(quantifier, Quantifier)
        before = quantifier.variables[: quantifier.variables.index(variable)]
        partners = [other for other in before if other.sort is variable.sort][:_MAX_PARTNERS]
        found += [Instance(number, variable, other) for other in partners]
    return found


def _outermost(system: System) -> Iterator[tuple[int, Variable]]:
    for number, clause in enumerate(system.clauses):
        if isinstance(clause.formula, Quantifier) and clause.formula.kind == "forall":
            for variable in clause.formula.variables:
                yield number, variable


def instantiated(system: System, edits: Sequence[Instance]) -> System:
    """Return the system after these replacements; one whose term mentions a variable that is gone is skipped."""
    for edit in edits:
        formula = system.clauses[edit.clause].formula
        if isinstance(formula, Quantifier) and {edit.variable, *free_variables(edit.term)} <= set(formula.variables):
            left = [variable for variable in formula.variables if variable is not edit.variable]
            body = substitute(formula.body, {edit.variable: edit.term})
            system = system.with_formula(edit.clause, Quantifier("forall", left, body) if left else body)
    return system


def zero(sort: Sort) -> Term | None:
    """Return the simplest value of a sort: false, 0, an array of such, the smallest tree.

    Return None if the sort is nested too deeply, or uninterpreted.
    """
    return kind_of(sort).zero(sort, ())


def one(sort: Sort) -> Term | None:
    """Return the value after `zero` for Booleans and numbers; None for other sorts."""
    return kind_of(sort).one(sort)
