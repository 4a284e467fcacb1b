"""Constant arrays as functions with axioms, for readers that do not have them, or only those of values."""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import replace

from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.sorts import INT, REAL, Sort
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
    conjunction,
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


def weakened(formula: Term, names: Set[str] = frozenset()) -> Term:
    """Return a formula whose constant arrays have values as elements; it is satisfiable if the given one is.

    cvc5 reads it, and proves nothing about arrays with an axiom for all indices. So an array of `t` is a new constant
    that is `t` at the indices of the formula, and at another one if there are infinitely many; new constants
    avoid `names`. A formula with quantifiers stays as it is.
    """
    terms = list(postorder(formula))
    if any(isinstance(term, Quantifier) for term in terms):
        return formula
    taken = {*names, *(variable.name for variable in free_variables(formula))}
    done: dict[Term, Term] = {}
    arrays: dict[Term, Variable] = {}
    for here in terms:
        new = here.rebuild([done[child] for child in here.children])
        if isinstance(new, Apply) and new.operator.startswith("(as const ") and not is_value(new):
            if new not in arrays:
                arrays[new] = _new_variable("constant", new.sort, taken)
            new = arrays[new]
        done[here] = new
    found = dict.fromkeys(done[index] for term in terms for index in _indices(term))
    added: list[Term] = []
    for term, array in arrays.items():
        indices = [index for index in found if index.sort == array.sort.index]
        if array.sort.index in (INT, REAL):
            other = _new_variable("index", array.sort.index, taken)
            added += [apply("distinct", other, index) for index in indices]
            indices.append(other)
        added += [apply("=", apply("select", array, index), term.children[0]) for index in indices]
    return conjunction(done[formula], *added)


def _indices(term: Term) -> tuple[Term, ...]:
    is_access = isinstance(term, Apply) and term.operator in ("select", "store")
    return tuple(term.children[1:2]) if is_access else ()


def _new_variable(wanted: str, sort: Sort, taken: set[str]) -> Variable:
    name = fresh_name(wanted, taken)
    taken.add(name)
    return Variable(name, sort)


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
