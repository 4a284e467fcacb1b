"""Passes over the sorts and the names of an SMT problem."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from chcfuzz.domains.smt.symbols import sorts_in_use
from chcfuzz.grammar.errors import ChcfuzzError, SortError
from chcfuzz.grammar.evaluation.ieee import converted
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.sorts import BOOL, INT, REAL, Sort, bitvec, uninterpreted, with_other_parts
from chcfuzz.grammar.terms import (
    Apply,
    Binder,
    Call,
    Function,
    Term,
    Value,
    Variable,
    subterms,
)
from chcfuzz.grammar.theories.float_kinds import floating, format_of, is_float
from chcfuzz.grammar.theory import joined, split_operator
from chcfuzz.triage.shrink.arguments import mapped
from chcfuzz.triage.shrink.names import nth_name, numbered

_FORMATS = ((2, 2), (2, 3), (3, 5), (5, 11), (8, 24), (11, 53))  # solvers read the larger ones without an option
_CONSTANTS, _FUNCTIONS, _SORTS, _BOUND = "abcde", "fghij", "STUVW", "xyzuv"


@dataclass(frozen=True)
class Narrowed:
    """Another sort for all terms of a sort."""

    old: Sort
    new: Sort


def simpler_sorts(problem: Problem) -> list[Narrowed]:
    """Return simpler sorts for all bit-vectors of a width, all floats of a format, uninterpreted sorts, and Real."""
    found = []
    for sort in sorted(sorts_in_use(problem), key=str):
        if sort.is_bitvector:
            widths = (1, 2, 3, 4, sort.width // 2, sort.width - 1)
            found += [Narrowed(sort, bitvec(width)) for width in dict.fromkeys(widths) if 0 < width < sort.width]
        elif is_float(sort):
            smaller = (each for each in _FORMATS if sum(each) < format_of(sort).width)
            found += [Narrowed(sort, floating(*each)) for each in smaller]
        elif sort.is_uninterpreted:
            found += [Narrowed(sort, BOOL), Narrowed(sort, INT)]
        elif sort is REAL:
            found.append(Narrowed(sort, INT))
    return found


def with_sorts(problem: Problem, edits: Sequence[Narrowed]) -> Problem | None:
    """Return the problem over other sorts; None if an operator does not take them, or if it has data types."""
    new: dict[Sort, Sort] = {}
    for edit in edits:
        new.setdefault(edit.old, edit.new)
    if problem.datatypes:
        return None
    left = tuple(sort for sort in problem.sorts if sort not in new)
    try:
        return replace(_rebuilt(problem, new, {}), sorts=left)
    except ChcfuzzError:
        return None


def _rebuilt(problem: Problem, sorts: Mapping[Sort, Sort], names: Mapping[str, str]) -> Problem:
    """Return the problem with other sorts and other names of functions; raises `SortError` if they do not fit."""

    def moved(sort: Sort) -> Sort:
        return sorts[sort] if sort in sorts else with_other_parts(sort, moved)

    functions = {
        each: Function(names.get(each.name, each.name), [moved(sort) for sort in each.parameters], moved(each.result))
        for each in problem.functions
    }

    def build(term: Term, children: Sequence[Term]) -> Term:
        match term:
            case Variable():
                return Variable(term.name, moved(term.sort))
            case Value():
                return _value(term, moved(term.sort))
            case Call():
                return Call(functions[term.function], children)
            case Binder():
                return term.over([Variable(v.name, moved(v.sort)) for v in term.variables], children[0])
            case Apply() if term.operator.startswith("(as const "):
                sort = moved(term.sort)
                return Apply(f"(as const {sort})", children, sort)
            case Apply() if is_float(term.sort) and moved(term.sort) is not term.sort:
                return _in_format(term, children, moved(term.sort))
        return term.rebuild(children)

    return over_formulas(replace(problem, functions=tuple(functions.values())), build)


def over_formulas(problem: Problem, build: Callable[[Term, Sequence[Term]], Term]) -> Problem:
    """Return the problem with its formulas rebuilt bottom-up (`arguments.mapped`)."""
    changed = [replace(each, formula=mapped(each.formula, build)) for each in problem.assertions]
    return problem.with_assertions(changed)


def _in_format(term: Apply, children: Sequence[Term], sort: Sort) -> Term:
    """Return an application that makes floats of another format: conversions name the format."""
    name, indices = split_operator(term.operator)
    return Apply(joined(name, format_of(sort)) if indices else term.operator, children)


def _value(term: Value, sort: Sort) -> Value:
    if sort is term.sort:
        return term
    if is_float(sort) and is_float(term.sort):
        formats = format_of(term.sort), format_of(sort)
        return Value(converted(*formats, "RNE", int(term.value)), sort)
    if sort.is_bitvector:
        return Value(int(term.value) % (1 << sort.width), sort)
    if sort is INT:
        return Value(int(term.value), INT)
    raise SortError(f"no value of {sort} for {term.value}")


# Names


def foreign_names(problem: Problem) -> int:
    """Return the number of functions, sorts and formulas with a name that `named` would change."""
    wanted = _names(problem)
    functions = sum(function.name != wanted[function.name] for function in problem.functions)
    sorts = sum(sort.name != name for sort, name in zip(problem.sorts, _sort_names(problem), strict=True))
    return functions + sorts + sum(map(_is_misnamed, problem.formulas))


def misnamed(problem: Problem) -> list[int]:
    """Return one edit if some name does not follow from its position."""
    return [0] if foreign_names(problem) else []


def named(problem: Problem, _edits: Sequence[int]) -> Problem:
    """Return the problem with names by position.

    Constants are a, b, c, functions f, g, h, uninterpreted sorts S, T, and bound variables x, y, z.
    """
    sorts = dict(zip(problem.sorts, map(uninterpreted, _sort_names(problem)), strict=True))
    changed = replace(_rebuilt(problem, sorts, _names(problem)), sorts=tuple(sorts.values()))
    return changed.with_assertions(
        [replace(each, formula=numbered(each.formula, _BOUND)) for each in changed.assertions]
    )


def with_function_names(problem: Problem, names: Sequence[str]) -> Problem:
    """Return the problem with its functions named so, in their order."""
    return _rebuilt(problem, {}, {each.name: name for each, name in zip(problem.functions, names, strict=True)})


def _sort_names(problem: Problem) -> list[str]:
    if problem.datatypes:  # whose fields may have these sorts
        return [sort.name for sort in problem.sorts]
    return [nth_name(_SORTS, number) for number in range(len(problem.sorts))]


def _names(problem: Problem) -> Mapping[str, str]:
    constants, functions = count(), count()
    return {
        each.name: nth_name(_FUNCTIONS, next(functions)) if each.parameters else nth_name(_CONSTANTS, next(constants))
        for each in problem.functions
    }


def _is_misnamed(formula: Term) -> bool:
    return any(isinstance(term, Binder) for term in subterms(formula)) and numbered(formula, _BOUND) is not formula
