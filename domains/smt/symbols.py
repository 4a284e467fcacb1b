"""Passes over the declarations of an SMT problem."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count

from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.sorts import Sort, with_declared_sorts
from chcfuzz.grammar.terms import (
    Binder,
    Call,
    Function,
    Quantifier,
    Term,
    free_variables,
    subterms,
)
from chcfuzz.triage.shrink.arguments import mapped
from chcfuzz.triage.shrink.sites import Edit, sites
from chcfuzz.triage.shrink.variables import zero

_MOST_PARTNERS = 4  # constants that are tried for merging with each constant


def used(problem: Problem) -> frozenset[Function]:
    """Return the functions that occur in an assertion."""
    return frozenset(term.function for term in subterms(*problem.formulas) if isinstance(term, Call))


def unused_functions(problem: Problem) -> list[Function]:
    """Return the functions that do not occur."""
    here = used(problem)
    return [function for function in problem.functions if function not in here]


def without_functions(problem: Problem, gone: Sequence[Function]) -> Problem:
    """Return the problem without these declarations."""
    return replace(problem, functions=tuple(each for each in problem.functions if each not in gone))


def sorts_in_use(problem: Problem) -> set[Sort]:
    """Return the sorts of functions, terms and bound variables, with their parts."""
    todo = [sort for function in problem.functions for sort in (*function.parameters, function.result)]
    for term in subterms(*problem.formulas):
        todo.append(term.sort)
        todo += [variable.sort for variable in term.variables] if isinstance(term, Binder) else []
    return with_declared_sorts(todo)


def unused_sorts(problem: Problem) -> list[int]:
    """Return the numbers of the uninterpreted sorts and, after them, of the groups of data types without a use."""
    here = sorts_in_use(problem)
    sorts = [number for number, sort in enumerate(problem.sorts) if sort not in here]
    groups = enumerate(problem.datatypes, start=len(problem.sorts))
    return sorts + [number for number, group in groups if not any(datatype.sort in here for datatype in group)]


def without_sorts(problem: Problem, gone: Sequence[int]) -> Problem:
    """Return the problem without these sorts and groups of data types."""
    sorts = tuple(sort for number, sort in enumerate(problem.sorts) if number not in gone)
    groups = enumerate(problem.datatypes, start=len(problem.sorts))
    return replace(problem, sorts=sorts, datatypes=tuple(group for number, group in groups if number not in gone))


@dataclass(frozen=True)
class Replacement:
    """A term, or a function of the same arguments, for all applications of a function."""

    function: Function
    new: Term | Function


def values(problem: Problem) -> list[Replacement]:
    """Return the edits that replace all applications of a function by a value."""
    found = ((function, zero(function.result)) for function in problem.functions)
    return [Replacement(function, value) for function, value in found if value is not None]


def constants(problem: Problem) -> list[Replacement]:
    """Return the edits that replace all applications of a function by a free constant."""
    names = {function.name for function in problem.functions}
    return [
        Replacement(function, Function(_fresh(function.name, names), (), function.result))
        for function in problem.functions
        if function.parameters
    ]


def merges(problem: Problem) -> list[Replacement]:
    """Return the edits that replace a function by an earlier one of the same sorts."""
    found = []
    for number, function in enumerate(problem.functions):
        same = [
            other
            for other in problem.functions[:number]
            if (other.parameters, other.result) == (function.parameters, function.result)
        ]
        found += [Replacement(function, other) for other in same[:_MOST_PARTNERS]]
    return found


def replaced(problem: Problem, edits: Sequence[Replacement]) -> Problem:
    """Return the problem after these replacements, the first one for each function."""
    new: dict[Function, Term | Function] = {}
    for edit in edits:
        new.setdefault(edit.function, edit.new)

    def build(term: Term, children: Sequence[Term]) -> Term:
        if not isinstance(term, Call) or term.function not in new:
            return term.rebuild(children)
        other = new[term.function]
        return Call(other, children[: len(other.parameters)]) if isinstance(other, Function) else other

    fresh = [other for other in new.values() if isinstance(other, Function) and other not in problem.functions]
    functions = [function for function in problem.functions if function not in new]
    return _over(replace(problem, functions=(*functions, *fresh)), build)


def arguments(problem: Problem) -> list[tuple[Function, int]]:
    """Return every argument of every function, by its position."""
    return [(function, place) for function in problem.functions for place in range(len(function.parameters))]


def without_arguments(problem: Problem, gone: Sequence[tuple[Function, int]]) -> Problem:
    """Return the problem whose functions do not have these arguments."""
    left = {
        function: [place for place in range(len(function.parameters)) if (function, place) not in gone]
        for function in problem.functions
    }
    new = {
        function: Function(function.name, [function.parameters[place] for place in places], function.result)
        for function, places in left.items()
    }

    def build(term: Term, children: Sequence[Term]) -> Term:
        if not isinstance(term, Call):
            return term.rebuild(children)
        return Call(new[term.function], [children[place] for place in left[term.function]])

    return _over(replace(problem, functions=tuple(new.values())), build)


def _over(problem: Problem, build: Callable[[Term, Sequence[Term]], Term]) -> Problem:
    changed = [replace(each, formula=mapped(each.formula, build)) for each in problem.assertions]
    return problem.with_assertions(changed)


def _fresh(name: str, taken: set[str]) -> str:
    return next(found for number in count() if (found := f"{name}{number or ''}_") not in taken)


def unused_variables(problem: Problem) -> list[Edit]:
    """Return the edits that remove a variable of a quantifier that its body does not use, if others remain."""
    found = []
    for site in sites(problem):
        if isinstance(site.term, Quantifier) and len(site.term.variables) > 1:
            free = free_variables(site.term.body)
            for variable in site.term.variables:
                if variable not in free:
                    left = [other for other in site.term.variables if other is not variable]
                    found.append(site.put(Quantifier(site.term.kind, left, site.term.body)))
    return found
