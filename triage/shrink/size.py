"""The size of a system, which reduction decreases."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from chcfuzz.grammar.form import ONCE
from chcfuzz.grammar.logics import has_own_logic
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.sort_kinds import kind_of
from chcfuzz.grammar.sorts import Sort
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Binder, Quantifier, Term, Value, kept, postorder
from chcfuzz.grammar.theories.integers import distance

_BINDER = 2
_MOST_STORED = (1 << 53) - 1


class Size(NamedTuple):
    """The size of a system, compared lexicographically.

    Every component is a natural number, so the order is well-founded and every reduction terminates. Components that
    make a report easier to read come first: fewer clauses are better, even if they are larger.
    """

    clauses: int
    predicates: int
    arity: int  # of all predicates together
    nodes: (
        int  # of terms as trees, 1 for a constant, 2 for other nodes and bound variables; patterns; parts of data types
    )
    sorts: int  # of parameters, bound variables, constants and fields: 0 for Bool, 1 for Int, more for others
    constants: int  # sum of the distances of constants from 0
    notes: int  # names of clauses, set-info and set-option commands, definitions, more than one check
    names: int  # names that are not the ones that the passes in `names` give

    def stored(self) -> dict[str, int]:
        """Return the components by name, as a file has them: JSON readers need not know larger numbers."""
        return {name: min(number, _MOST_STORED) for name, number in self._asdict().items()}


class _Formula(NamedTuple):
    nodes: int
    sorts: int
    constants: int


def size(system: System, foreign_names: int) -> Size:
    """Return the size of a system with `foreign_names` names that are not canonical."""
    formulas = [_formula(clause.formula) for clause in system.clauses]
    datatypes = [datatype for group in system.datatypes for datatype in group]
    constructors = [constructor for datatype in datatypes for constructor in datatype.constructors]
    fields = [selector.sort for constructor in constructors for selector in constructor.selectors]
    parameters = [sort for predicate in system.predicates for sort in predicate.parameters]
    return Size(
        clauses=len(formulas),
        predicates=len(system.predicates),
        arity=len(parameters),
        nodes=sum(formula.nodes for formula in formulas) + len(datatypes) + len(constructors) + len(fields),
        sorts=sum(formula.sorts for formula in formulas) + _weight((*parameters, *fields)),
        constants=sum(formula.constants for formula in formulas),
        notes=sum(clause.name is not None for clause in system.clauses) + len(system.info) + len(system.options),
        names=foreign_names,
    )


def size_of_problem(problem: Problem, foreign_names: int) -> Size:
    """Return the size of an SMT problem: its assertions, functions and sorts, as `Size` names them."""
    formulas = [_formula(formula) for formula in problem.formulas]
    datatypes = [datatype for group in problem.datatypes for datatype in group]
    constructors = [constructor for datatype in datatypes for constructor in datatype.constructors]
    fields = [selector.sort for constructor in constructors for selector in constructor.selectors]
    parameters = [sort for function in problem.functions for sort in function.parameters]
    results = [function.result for function in problem.functions]
    names = sum(each.name is not None for each in problem.assertions)
    form = len(problem.form.definitions) + (problem.form.checks.kind != ONCE) + problem.form.has_match
    form += len(problem.form.options) + has_own_logic(problem) + len(problem.form.checks.events)
    form += len(problem.form.queries) + problem.form.has_let
    return Size(
        clauses=len(formulas),
        predicates=len(problem.functions) + len(problem.sorts),
        arity=len(parameters),
        nodes=sum(formula.nodes for formula in formulas) + len(datatypes) + len(constructors) + len(fields),
        sorts=sum(formula.sorts for formula in formulas) + _weight((*parameters, *results, *fields)),
        constants=sum(formula.constants for formula in formulas),
        notes=names + len(problem.info) + len(problem.options) + form,
        names=foreign_names,
    )


def _weight(sorts: Iterable[Sort]) -> int:
    return sum(kind_of(sort).weight(sort) for sort in sorts)


def _formula(formula: Term) -> _Formula:
    return kept(formula, "shrink.size", lambda: _measured(formula))


def _measured(formula: Term) -> _Formula:
    done: dict[Term, _Formula] = {}
    for here in postorder(formula):
        own = [_node(here), *(done[child] for child in here.children)]
        done[here] = _Formula(*map(sum, zip(*own, strict=True)))
    return done[formula]


def _node(term: Term) -> _Formula:
    """Return the size of a node without its children."""
    if isinstance(term, Value):
        return _Formula(1, _weight((term.sort,)), distance(term.value))
    if isinstance(term, Binder):
        sorts = _weight(variable.sort for variable in term.variables)
        patterns = term.patterns if isinstance(term, Quantifier) else ()
        return _Formula(2 + _BINDER * len(term.variables) + len(patterns), sorts, 0)
    return _Formula(2, 0, 0)
