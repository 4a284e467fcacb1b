"""Constant arrays as functions with axioms, for readers that do not have them, or only those of values."""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import replace

from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.sorts import BOOL, INT, REAL, Sort
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.terms import (
    FALSE,
    TRUE,
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
    subterms,
)

WORDS_ON_WEAKENED = (
    "; A new constant replaces ((as const S) t) where t is not a value: it is t at some indices. cvc5 reads this."
)
_ACCESSES = ("select", "store")
_MOST_EQUATIONS = 10_000  # a text of a solver may have thousands of arrays and of indices


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
    that is `t` at the indices of the formula, and at one more for each sort, which is another one if there are
    infinitely many; at both Booleans. New constants avoid `names`. A formula with quantifiers, or that needs more than
    10,000 new equations, stays as it is.
    """
    if any(isinstance(term, Quantifier) for term in subterms(formula)):
        return formula
    taken = {*names, *(variable.name for variable in free_variables(formula))}
    arrays: dict[Term, Variable] = {}

    def array_for(term: Term) -> Variable:
        if term not in arrays:
            arrays[term] = Variable(_taken_name("constant", taken), term.sort)
        return arrays[term]

    rewritten = _with_arrays_replaced(formula, is_value, array_for)
    if not arrays:
        return formula
    accesses = (term for term in subterms(rewritten, *arrays) if isinstance(term, Apply) and term.operator in _ACCESSES)
    found = list(dict.fromkeys(term.children[1] for term in accesses))
    if len(arrays) * len(found) > _MOST_EQUATIONS:
        return formula
    indices: dict[Sort, list[Term]] = {}
    added: list[Term] = []
    for sort in dict.fromkeys(array.sort.index for array in arrays.values()):
        known = [index for index in found if index.sort == sort]
        more = (TRUE, FALSE) if sort is BOOL else (Variable(_taken_name("index", taken), sort),)
        if sort in (INT, REAL):
            added += [apply("distinct", *more, index) for index in known]
        indices[sort] = list(dict.fromkeys((*known, *more)))
    for term, array in arrays.items():
        element = term.children[0]
        added += [apply("=", apply("select", array, index), element) for index in indices[array.sort.index]]
    return conjunction(rewritten, *added)


def is_value(term: Term) -> bool:
    """Return whether cvc5 considers a term a value: a constant, or constructors and constant arrays of values."""
    return all(isinstance(here, Value) or _is_made(here) for here in subterms(term))


def _is_made(term: Term) -> bool:
    constructors = term.sort.datatype.constructors if term.sort.datatype else ()
    return _is_constant_array(term) or (
        isinstance(term, Apply) and any(term.operator == each.operator for each in constructors)
    )


def _is_constant_array(term: Term) -> bool:
    return isinstance(term, Apply) and term.operator.startswith("(as const ")


def _with_arrays_replaced(formula: Term, is_read: Callable[[Term], bool], replacement: Callable[[Term], Term]) -> Term:
    """Return the formula with replacements of constant arrays, inner ones first, except those whose element is read."""
    done: dict[Term, Term] = {}
    for here in postorder(formula):
        new = here.rebuild([done[child] for child in here.children])
        is_replaced = _is_constant_array(new) and not is_read(new.children[0])
        done[here] = replacement(new) if is_replaced else new
    return done[formula]


def _taken_name(wanted: str, taken: set[str]) -> str:
    name = fresh_name(wanted, taken)
    taken.add(name)
    return name


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
        return _with_arrays_replaced(formula, self._is_read, self._replacement)

    def _replacement(self, term: Term) -> Term:
        variables = free_variables(term)
        if term not in self._replaced:
            function = Function(
                _taken_name("constant", self._taken), [variable.sort for variable in variables], term.sort
            )
            self._replaced[term] = function
            index = Variable(_taken_name("index", self._taken), term.sort.index)
            equal = apply("=", apply("select", Call(function, variables), index), term.children[0])
            self.axioms.append(Assertion(Quantifier("forall", (*variables, index), equal)))
        return Call(self._replaced[term], variables)
