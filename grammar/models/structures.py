"""Structures: interpretations of the functions and uninterpreted sorts of a problem, and the values of terms in them.

Evaluation is three-valued and bounded. It decides a quantifier by its values if they are few, and else only by a
value that settles it. A strict evaluation interprets only what the structure defines. A complete one also fixes what
SMT-LIB and the structure leave open (division by zero, selectors on other constructors, functions without a
definition, the universes of sorts), so its `true` shows that the problem is satisfiable, and its `false` shows nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial, reduce
from itertools import islice, product
from typing import Any

from chcfuzz.grammar.evaluation.evaluate import LENIENT, applied_value
from chcfuzz.grammar.evaluation.samples import default_value, samples
from chcfuzz.grammar.evaluation.values import (
    UNDETERMINED,
    ArrayValue,
    Constructed,
    Ground,
    array_value,
    as_term,
    domain,
)
from chcfuzz.grammar.models.function_arrays import FunctionArray, compared_with, where_nothing_equals
from chcfuzz.grammar.models.universes import Result, compared, is_fragile
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading.declarations import Definition
from chcfuzz.grammar.sorts import Sort
from chcfuzz.grammar.terms import (
    Apply,
    Call,
    Function,
    Lambda,
    Quantifier,
    Term,
    Value,
    Variable,
    free_variables,
)
from chcfuzz.grammar.theory import Operator, operators, split_operator

MOST_STEPS = 20_000  # nodes that one evaluation computes, some hundredths of a second
_SHARE, _LEAST_STEPS = 3, 500  # a term may take a third of the steps left, and at least 500
_STEPS_OF_QUANTIFIER = 10  # that its evaluation counts for, beside those of its body
_MOST_VALUES = 256  # of a quantifier's variables together
_MOST_DEPTH = 60  # of functions that use each other, and of quantifiers: evaluation of these is recursive

READ_BY_INDEX = ("select", "store", "seq.map")  # the second argument, or its elements, are indices of an array

Assignment = Mapping[Variable, Ground]


@dataclass(frozen=True)
class Structure:
    """An interpretation of functions; `arrays` are functions that stand for an array with the given elements.

    `elements` are the known elements of uninterpreted sorts; they are all of them where the sort is in `closed`.
    """

    functions: Mapping[Function, Definition]
    arrays: Mapping[Function, Definition] = field(default_factory=dict)
    elements: Mapping[Sort, tuple[Function, ...]] = field(default_factory=dict)
    closed: frozenset[Sort] = frozenset()
    unreadable: tuple[str, ...] = ()  # names of functions whose definition is not understood

    def element(self, function: Function) -> Constructed | None:
        """Return the element of an uninterpreted sort that a function names, if it does."""
        named = function in self.elements.get(function.result, ())
        return Constructed(function.result, function.name) if named else None


class _ExhaustedError(Exception):
    """An evaluation that would take more steps than it may."""


class Evaluation:
    """Values of terms in a structure; closed terms are evaluated once."""

    def __init__(self, structure: Structure, is_complete: bool = False, most_steps: int = MOST_STEPS) -> None:
        self._structure = structure
        self._is_complete = is_complete
        self._left = self._steps_left = most_steps
        self._depth = 0
        self._closed: dict[Term, Result] = {}
        self._calls: dict[tuple[Function, tuple[Result, ...]], Result] = {}
        self._active: set[Function] = set()  # arrays being evaluated
        self._ranges: dict[tuple[Sort, Quantifier], tuple[Sequence[Ground], bool]] = {}

    def value(self, term: Term, assignment: Assignment | None = None) -> Result:
        """Return the value of a term; UNDETERMINED also if that takes too many steps.

        Each term may use only a share of the remaining steps, so that an expensive one does not use up all of them.
        """
        before = self._left
        self._steps_left = given = max(_LEAST_STEPS, before // _SHARE)
        try:
            return self._value(term, assignment or {})
        except _ExhaustedError:
            return UNDETERMINED
        finally:
            self._left = before - (given - self._steps_left)

    def _value(self, term: Term, assignment: Assignment) -> Result:
        closed, done = self._closed, dict[Term, Result]()
        stack = [term]
        while stack:
            here = stack[-1]
            if here in done or here in closed:
                stack.pop()
                continue
            if isinstance(here, Quantifier):
                result: Result = self._deeper(lambda: self._quantified(here, assignment))  # noqa: B023 - called now
            elif isinstance(here, Lambda):
                result = self._function(here, assignment)
            else:
                is_case = isinstance(here, Apply) and here.operator == "ite"
                needed = self._needed(here, done) if is_case else here.children
                waiting = [child for child in needed if child not in done and child not in closed]
                if waiting:
                    stack += waiting
                    continue
                args = [done[child] if child in done else closed.get(child, UNDETERMINED) for child in here.children]
                result = self._node(here, args, assignment)
            stack.pop()
            self._steps_left -= _STEPS_OF_QUANTIFIER if isinstance(here, Quantifier) else 1
            if self._steps_left < 0:
                raise _ExhaustedError
            if free_variables(here):
                done[here] = result
            else:
                closed[here] = result
        return done[term] if term in done else closed[term]

    def _needed(self, here: Term, done: Mapping[Term, Result]) -> Sequence[Term]:
        """Return the children of `ite` to evaluate: first the condition, then one case, so that recursion ends."""
        condition, *cases = here.children
        known = done.get(condition, self._closed.get(condition))
        if known is None:
            return (condition,)
        return cases if known is UNDETERMINED else (cases[0] if known is True else cases[1],)

    def _node(self, here: Term, args: list[Result], assignment: Assignment) -> Result:
        if isinstance(here, Value):
            return here.value
        if isinstance(here, Variable):
            return assignment.get(here, UNDETERMINED)
        if isinstance(here, Call):
            return self._call(here.function, tuple(args))
        if not isinstance(here, Apply):
            return UNDETERMINED
        if here.operator in ("=", "distinct"):
            args = [UNDETERMINED if isinstance(arg, FunctionArray) else arg for arg in args]
            if is_fragile(here.children[0].sort):
                return compared(here.operator, args, here.children[0].sort)
        if here.operator in LENIENT:
            return LENIENT[here.operator](args)  # type: ignore[no-any-return]
        if UNDETERMINED in args or (here.operator in READ_BY_INDEX and is_fragile(here.children[1].sort)):
            return UNDETERMINED
        if any(isinstance(arg, FunctionArray) for arg in args):
            return self._of_lambda(here, args)
        found = applied_value(here, args)
        return self._completed(here, args) if found is UNDETERMINED and self._is_complete else found

    def _of_lambda(self, here: Apply, args: Sequence[Any]) -> Result:
        """Return the value of `select`, `store` or `seq.map` with such an array; other terms over these are open."""
        array, *rest = args
        if here.operator not in READ_BY_INDEX or any(isinstance(arg, FunctionArray) for arg in rest):
            return UNDETERMINED
        if here.operator == "store":
            return FunctionArray(array.definition, {**array.entries, rest[0]: rest[1]})  # type: ignore[return-value]
        if here.operator == "select":
            return self._element(array, rest[0])
        return applied_value(here, [partial(self._element, array), *rest])

    def _element(self, array: FunctionArray, index: Ground) -> Result:
        if index in array.entries:
            return array.entries[index]
        (variable,) = array.definition.parameters
        return self._deeper(lambda: self._value(array.definition.body, {variable: index}))

    def _completed(self, here: Apply, args: Sequence[Any]) -> Result:
        """Return the value of an application that SMT-LIB leaves open: the same for the same arguments."""
        operator = operators().get(here.operator)
        if operator is not None and operator.by_zero is not None:
            return reduce(lambda a, b: self._divided(operator, here, a, b), args)  # type: ignore[no-any-return]
        row = operators().get(split_operator(here.operator)[0])
        if row is not None and row.defined:
            given = [as_term(arg, child.sort) for arg, child in zip(args, here.children, strict=True)]
            return (
                self._default(here.sort) if self._value(row.defined(here.rebuild(given)), {}) is False else UNDETERMINED
            )
        taken = here.children[0].sort.datatype
        if taken and any(s.operator == here.operator for c in taken.constructors for s in c.selectors):
            return self._default(here.sort)
        return UNDETERMINED

    def _divided(self, operator: Operator, here: Apply, a: Result, b: Result) -> Result:
        """Return a quotient or remainder; Z3 prints the function that gives those by zero, which else are fixed."""
        assert operator.value is not None
        assert operator.by_zero is not None
        if a is UNDETERMINED or b != 0:
            return UNDETERMINED if a is UNDETERMINED else operator.value(here, a, b)
        by_zero = Function(f"{operator.name}0", (here.sort, here.sort), here.sort)
        if by_zero in self._structure.functions:
            return self._call(by_zero, (a, b))
        return operator.by_zero(a)  # type: ignore[no-any-return]

    def _default(self, sort: Sort) -> Result:
        return default_value(sort, self._elements)

    def _elements(self, sort: Sort) -> tuple[Constructed, ...]:
        """Return the known elements of an uninterpreted sort, at least one."""
        known = tuple(Constructed(sort, each.name) for each in self._structure.elements.get(sort, ()))
        return known or (Constructed(sort, "@"),)

    # Functions

    def _call(self, function: Function, args: tuple[Result, ...]) -> Result:
        element = self._structure.element(function)
        if element is not None:
            return element
        key = function, args
        if key not in self._calls:
            self._calls[key] = self._deeper(lambda: self._called(function, args))
        return self._calls[key]

    def _called(self, function: Function, args: tuple[Result, ...]) -> Result:
        array = self._structure.arrays.get(function)
        if array is not None:
            return UNDETERMINED if function in self._active else self._array(function, array)
        definition = self._structure.functions.get(function)
        if definition is None:
            is_missing = self._is_complete and function.name not in self._structure.unreadable
            return self._default(function.result) if is_missing else UNDETERMINED
        if any(map(is_fragile, function.parameters)):
            return UNDETERMINED
        pairs = zip(definition.parameters, args, strict=True)
        return self._value(definition.body, {variable: arg for variable, arg in pairs if arg is not UNDETERMINED})

    def _array(self, function: Function, definition: Definition) -> Result:
        """Return the array of a function of one parameter: its table, if it can be made."""
        self._active.add(function)
        definition = self._inlined(definition)
        (variable,) = definition.parameters
        try:
            table = self._table(variable, definition.body)
        finally:
            self._active.discard(function)
        return FunctionArray(definition, {}) if table is None else table  # type: ignore[return-value]

    def _table(self, variable: Variable, body: Term) -> ArrayValue | None:
        """Return the array of a body; None if its index has many values and is not only compared with closed terms."""
        values = domain(variable.sort, _MOST_VALUES)
        closed = compared_with(variable, body)
        if values is not None:
            indices: Sequence[Result] = values
            default = self._value(body, {variable: values[0]})
        elif closed is not None:
            indices = [self._value(term, {}) for term in closed]
            default = self._value(where_nothing_equals(variable, body), {})
        else:
            return None
        entries = {}
        for index in indices:
            entries[index] = UNDETERMINED if index is UNDETERMINED else self._value(body, {variable: index})
        parts = [default, *entries.values()]
        if any(part is UNDETERMINED or isinstance(part, FunctionArray) for part in parts):
            return None
        return array_value(variable.sort, default, entries)  # type: ignore[arg-type]

    def _inlined(self, definition: Definition) -> Definition:
        """Return the definition of the function that a definition only applies to its parameter, or itself."""
        for _ in range(_MOST_DEPTH):
            body = definition.body
            used = self._structure.functions.get(body.function) if isinstance(body, Call) else None
            if used is None or body.children != definition.parameters:
                break
            definition = used
        return definition

    def _deeper(self, compute: Any) -> Result:
        if self._depth >= _MOST_DEPTH:
            return UNDETERMINED
        self._depth += 1
        try:
            return compute()  # type: ignore[no-any-return]
        finally:
            self._depth -= 1

    # Quantifiers and functions

    def _function(self, term: Lambda, assignment: Assignment) -> Any:
        """Return the function of a `lambda` with the values of the variables around it."""

        def called(*args: Ground) -> Result:
            bound = dict(zip(term.variables, args, strict=True))
            return self._deeper(lambda: self._value(term.body, {**assignment, **bound}))

        return called

    def _quantified(self, term: Quantifier, assignment: Assignment) -> Result:
        outside = {variable: value for variable, value in assignment.items() if variable not in term.variables}
        always = self._value(term.body, outside)
        if isinstance(always, bool):
            return always
        used = [variable for variable in term.variables if variable in free_variables(term.body)]
        found = [self._values(variable.sort, term) for variable in used]
        is_all = all(complete for _, complete in found)
        combinations = math.prod(len(values) for values, _ in found)
        wanted = term.kind == "exists"
        result: Result = not wanted if is_all and combinations <= _MOST_VALUES else UNDETERMINED
        for values in islice(product(*(values for values, _ in found)), _MOST_VALUES):
            here = self._value(term.body, outside | dict(zip(used, values, strict=True)))
            if here is wanted:
                return wanted
            if here is UNDETERMINED:
                result = UNDETERMINED
        return result

    def _values(self, sort: Sort, term: Quantifier) -> tuple[Sequence[Ground], bool]:
        """Return values of a sort, and whether they are all of its values."""
        key = sort, term
        if key not in self._ranges:
            self._ranges[key] = self._range(sort, term)
        return self._ranges[key]

    def _range(self, sort: Sort, term: Quantifier) -> tuple[Sequence[Ground], bool]:
        if sort.is_uninterpreted:
            return self._elements(sort), self._is_complete or sort in self._structure.closed
        known = domain(sort, _MOST_VALUES)
        if known is not None:
            return known, True
        constants = (each for each in self._structure.functions if not each.parameters and each.result is sort)
        own = [self._call(each, ()) for each in islice(constants, 8)]
        return [*samples(sort, term), *(value for value in own if value is not UNDETERMINED)], False


def judge(
    problem: Problem, structure: Structure, most_steps: int = MOST_STEPS, is_complete: bool = True
) -> tuple[bool | None, ...]:
    """Return whether each assertion holds in a structure; None where the structure or the limits leave it open.

    If `is_complete`, `True` is also the value of an assertion that holds once everything that is left open is fixed,
    for all of them in the same way. `False` does not depend on that.
    """
    strict = Evaluation(structure, most_steps=most_steps)
    complete = Evaluation(structure, is_complete=True, most_steps=most_steps)
    judged: list[bool | None] = []
    for formula in problem.formulas:
        value = strict.value(formula)
        if value is UNDETERMINED:
            judged.append(True if is_complete and complete.value(formula) is True else None)
        else:
            judged.append(value is True)
    return tuple(judged)


def holds(problem: Problem, structure: Structure, most_steps: int = MOST_STEPS) -> bool | None:
    """Return whether a structure is a model of a problem; None if that is open. See `judge`."""
    judged = judge(problem, structure, most_steps)
    return False if False in judged else None if None in judged else True
