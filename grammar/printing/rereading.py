"""SMT problems over other sorts: Ints read as Reals, and arrays as functions with two axioms.

Both were done with the problems on which CSIsat with quantifiers was measured. The new problem has another meaning, so
its status is not known: a contradiction that needs whole numbers, or equal elements for equal arrays, is gone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from chcfuzz.grammar.errors import ChcfuzzError, SortError
from chcfuzz.grammar.problem import Problem, sorts_in
from chcfuzz.grammar.sorts import INT, REAL, Sort, uninterpreted, with_inner_sorts, with_other_parts
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.terms import (
    Apply,
    Binder,
    Call,
    Function,
    Quantifier,
    Term,
    Value,
    Variable,
    apply,
    implication,
    is_operator,
    negation,
    postorder,
    real,
)

Build = Callable[[Term, Sequence[Term]], Term | None]  # None: the same operator


def as_reals(problem: Problem) -> Problem | None:
    """Return the problem with Real in place of Int; None if an operator is only for Int, or if it has data types."""

    def moved(sort: Sort) -> Sort:
        return REAL if sort is INT else with_other_parts(sort, moved)

    def build(term: Term, children: Sequence[Term]) -> Term | None:
        if isinstance(term, Value) and term.sort is INT:
            return real(int(term.value))
        return children[0] if is_operator(term, "to_real") else None

    try:
        return None if problem.datatypes else _over(problem, moved, build)
    except ChcfuzzError:
        return None


def as_functions(problem: Problem) -> tuple[Problem, tuple[Term, ...]]:
    """Return the problem with functions in place of `select` and `store`, and the two axioms for each sort of arrays.

    A problem with constant arrays or data types is returned as it is, without axioms.
    """
    arrays = sorted((sort for sort in with_inner_sorts(_sorts(problem)) if sort.is_array), key=str)
    if not arrays or problem.datatypes:
        return problem, ()
    taken = set(problem.names)
    sorts: dict[Sort, Sort] = {}
    for number, sort in enumerate(arrays):
        sorts[sort] = uninterpreted(fresh_name(f"Memory{number}", taken))
    made = {
        sort: (
            Function(fresh_name(f"read{n}", taken), [sorts[sort], _in(sorts, sort.index)], _in(sorts, sort.element)),
            Function(
                fresh_name(f"write{n}", taken),
                [sorts[sort], _in(sorts, sort.index), _in(sorts, sort.element)],
                sorts[sort],
            ),
        )
        for n, sort in enumerate(arrays)
    }

    def build(term: Term, children: Sequence[Term]) -> Term | None:
        if is_operator(term, "select"):
            return Call(made[term.children[0].sort][0], children)
        if is_operator(term, "store"):
            return Call(made[term.sort][1], children)
        if isinstance(term, Apply) and term.operator.startswith("(as const "):
            raise SortError("a constant array is not a function")
        return None

    try:
        changed = _over(problem, lambda sort: _in(sorts, sort), build)
    except ChcfuzzError:
        return problem, ()
    functions = (*changed.functions, *(function for pair in made.values() for function in pair))
    changed = replace(changed, sorts=(*changed.sorts, *sorts.values()), functions=functions)
    return changed, tuple(axiom for pair in made.values() for axiom in _axioms(*pair, taken))


def _in(sorts: Mapping[Sort, Sort], sort: Sort) -> Sort:
    return sorts[sort] if sort in sorts else with_other_parts(sort, lambda part: _in(sorts, part))


def _axioms(read: Function, write: Function, taken: set[str]) -> tuple[Term, Term]:
    """Return the axioms of McCarthy: what a written index and any other one contain."""
    memory, index, value = read.parameters[0], read.parameters[1], read.result
    sorts = {"m": memory, "i": index, "j": index, "v": value}
    m, i, j, v = (Variable(fresh_name(name, taken), sort) for name, sort in sorts.items())
    written = Call(write, [m, i, v])
    same = apply("=", Call(read, [written, i]), v)
    other = implication(negation(apply("=", i, j)), apply("=", Call(read, [written, j]), Call(read, [m, j])))
    return Quantifier("forall", (m, i, v), same), Quantifier("forall", (m, i, j, v), other)


def _sorts(problem: Problem) -> set[Sort]:
    found = {sort for formula in problem.formulas for sort in sorts_in(formula)}
    return found | {sort for each in problem.functions for sort in (*each.parameters, each.result)}


def _over(problem: Problem, moved: Callable[[Sort], Sort], build: Build) -> Problem:
    """Return the problem over other sorts, with terms that `build` makes; raises `ChcfuzzError` if they do not fit."""
    functions = {
        each: Function(each.name, [moved(sort) for sort in each.parameters], moved(each.result))
        for each in problem.functions
    }

    def rebuilt(term: Term, children: Sequence[Term]) -> Term:
        made = build(term, children)
        if made is not None:
            return made
        match term:
            case Variable():
                return Variable(term.name, moved(term.sort))
            case Call():
                return Call(functions[term.function], children)
            case Binder():
                return term.over([Variable(v.name, moved(v.sort)) for v in term.variables], children[0])
        return term.rebuild(children)

    changed = [replace(each, formula=_mapped(each.formula, rebuilt)) for each in problem.assertions]
    return replace(problem, functions=tuple(functions.values())).with_assertions(changed)


def _mapped(formula: Term, build: Callable[[Term, Sequence[Term]], Term]) -> Term:
    done: dict[Term, Term] = {}
    for here in postorder(formula):
        done[here] = build(here, [done[child] for child in here.children])
    return done[formula]
