"""Constant arrays as functions with axioms, for readers that do not have them, or only those of values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.terms import (
    Apply,
    Call,
    Function,
    Quantifier,
    Term,
    Value,
    Variable,
    apply,
    free_variables,
    postorder,
)


def without_constant_arrays(problem: Problem, is_read: Callable[[Term], bool] = lambda _: False) -> Problem:
    """Return a problem with the same answer and without constant arrays, except those whose element `is_read`."""
    arrays = _ConstantArrays(problem, is_read)
    assertions = [replace(each, formula=arrays.rewritten(each.formula)) for each in problem.assertions]
    form = problem.form.restated(arrays.rewritten)
    if not arrays.functions:
        return problem
    functions = (*problem.functions, *arrays.functions)
    form = form.behind(len(arrays.axioms))
    return replace(problem, functions=functions, assertions=(*arrays.axioms, *assertions), form=form)


def is_value(term: Term) -> bool:
    """Return whether cvc5 considers a term a value: a constant, or constructors and constant arrays of values."""
    todo = [term]
    while todo:
        here = todo.pop()
        if isinstance(here, Value):
            continue
        constructors = here.sort.datatype.constructors if here.sort.datatype else ()
        is_made = isinstance(here, Apply) and (
            here.operator.startswith("(as const ") or any(here.operator == each.operator for each in constructors)
        )
        if not is_made:
            return False
        todo += here.children
    return True


class _ConstantArrays:
    """Functions that replace constant arrays, and the axioms that define them."""

    def __init__(self, problem: Problem, is_read: Callable[[Term], bool]) -> None:
        self._is_read = is_read
        self._taken = set(problem.names)
        self._replaced: dict[Term, Function] = {}
        self.axioms: list[Assertion] = []

    @property
    def functions(self) -> tuple[Function, ...]:
        """The functions that replace constant arrays, in the order in which they were made."""
        return tuple(self._replaced.values())

    def rewritten(self, formula: Term) -> Term:
        """Return the formula with calls of the new functions."""
        done: dict[Term, Term] = {}
        for here in postorder(formula):
            children = [done[child] for child in here.children]
            new = here.rebuild(children)
            is_constant = isinstance(new, Apply) and new.operator.startswith("(as const ")
            done[here] = self._replacement(new) if is_constant and not self._is_read(children[0]) else new
        return done[formula]

    def _replacement(self, term: Term) -> Term:
        variables = free_variables(term)
        if term not in self._replaced:
            function = Function(self._new_name("constant"), [variable.sort for variable in variables], term.sort)
            self._replaced[term] = function
            index = Variable(self._new_name("index"), term.sort.index)
            equal = apply("=", apply("select", Call(function, variables), index), term.children[0])
            self.axioms.append(Assertion(Quantifier("forall", (*variables, index), equal)))
        return Call(self._replaced[term], variables)

    def _new_name(self, wanted: str) -> str:
        name = fresh_name(wanted, self._taken)
        self._taken.add(name)
        return name
