"""New functions in SMT problems, and functions replaced by terms everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.reading.leniences import as_read, rebuilt
from chcfuzz.grammar.sorts import Sort
from chcfuzz.grammar.substitution import fresh_name, with_other_names
from chcfuzz.grammar.terms import Call, Function, Term, postorder
from chcfuzz.mutators.rewriting.symbols import taken_names

P = TypeVar("P", bound=Problem)
Make = Callable[[Sequence[Term]], Term]  # from the arguments of a function to a term


def new_function(problem: Problem, name: str, parameters: Sequence[Sort], result: Sort) -> Function:
    """Return a function whose name is unused: the given one or the first of `name!1`, `name!2`, ..."""
    return Function(fresh_name(name, taken_names(problem)), parameters, result)


def with_functions(problem: P, *functions: Function) -> P:
    """Return the problem with these functions declared after its own."""
    return replace(problem, functions=(*problem.functions, *functions))


def with_calls_replaced(problem: Problem, made: Mapping[Function, Make], functions: Iterable[Function]) -> Problem:
    """Return a problem with these functions, in which what `made` makes of their arguments replaces calls.

    Bound variables with the names of its functions get others.
    """
    functions = tuple(functions)
    unwanted = {function.name for function in functions} - {function.name for function in problem.functions}
    taken = taken_names(problem) if unwanted else set()
    assertions = [
        replace(each, formula=_replaced(with_other_names(each.formula, unwanted, taken), made))
        for each in problem.assertions
    ]

    def written(term: Term) -> Term:
        return _replaced(with_other_names(term, unwanted, taken), made)

    form = problem.form.restated(written)
    return replace(problem, functions=functions, assertions=tuple(assertions), form=form)


def _replaced(formula: Term, made: Mapping[Function, Make]) -> Term:
    done: dict[Term, Term] = {}
    for term in postorder(formula):
        children = [done[child] for child in term.children]
        if isinstance(term, Call) and term.function in made:
            done[term] = made[term.function](children)
        else:
            done[term] = rebuilt(term, children) if children else term
    return done[formula]


def inserted(problem: Problem, formula: Term, choices: Choices) -> Problem:
    """Return the problem with one more assertion, at a drawn position."""
    place = choices.index(len(problem.assertions) + 1)
    added = Assertion(as_read(formula))
    return problem.with_assertions((*problem.assertions[:place], added, *problem.assertions[place:]))
