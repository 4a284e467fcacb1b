"""Evaluation of terms by the definitions of SMT-LIB, without any solver; oracles rely on it.

Terms that SMT-LIB leaves to the model (division by zero, a selector on another constructor), variables without a value
and numbers that are `too_large` are `UNDETERMINED`; a connective has a value if its other arguments decide it, as in
Kleene's logic.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

from chcfuzz.grammar.evaluation.values import UNDETERMINED, ArrayValue, Ground, Undetermined, domain
from chcfuzz.grammar.sort_kinds import kind_of
from chcfuzz.grammar.terms import Apply, Atom, Lambda, Predicate, Quantifier, Term, Value, Variable, postorder
from chcfuzz.grammar.theories import datatypes
from chcfuzz.grammar.theories.arrays import is_constant
from chcfuzz.grammar.theory import lenient, operators, split_operator

LENIENT = lenient()  # operators that may have a value although an argument is undetermined
QUANTIFIER_LIMIT = 4096  # assignments tried for one quantifier

Atoms = Callable[[Predicate, tuple[Ground, ...]], "bool | Undetermined"]


def evaluate(term: Term, assignment: Mapping[Variable, Ground], atoms: Atoms | None = None) -> Ground | Undetermined:
    """Evaluate a term under values for its variables and an interpretation of its predicates.

    Quantifiers are decided where the body does not depend on what they bind, or where that has few values.
    """
    done: dict[Term, Ground | Undetermined] = {}
    for here in postorder(term, enter_quantifiers=False):
        if isinstance(here, Value):
            done[here] = here.value
        elif isinstance(here, Variable):
            done[here] = assignment.get(here, UNDETERMINED)
        elif isinstance(here, Quantifier):
            done[here] = _quantified(here, assignment, atoms)
        elif isinstance(here, Lambda):
            done[here] = _function(here, assignment, atoms)
        else:
            args = [done[child] for child in here.children]
            if isinstance(here, Apply) and here.operator in LENIENT:
                done[here] = LENIENT[here.operator](args)
            elif UNDETERMINED in args or (isinstance(here, Atom) and atoms is None):
                done[here] = UNDETERMINED
            elif isinstance(here, Apply):
                done[here] = applied_value(here, args)
            elif isinstance(here, Atom) and atoms is not None:
                done[here] = atoms(here.predicate, tuple(args))  # type: ignore[arg-type]
            else:  # an uninterpreted function
                done[here] = UNDETERMINED
    return done[term]


def _quantified(term: Quantifier, assignment: Mapping[Variable, Ground], atoms: Atoms | None) -> bool | Undetermined:
    outside = {variable: value for variable, value in assignment.items() if variable not in term.variables}
    always = evaluate(term.body, outside, atoms)
    if isinstance(always, bool):
        return always
    domains = [domain(variable.sort, QUANTIFIER_LIMIT) for variable in term.variables]
    known = [values for values in domains if values is not None]
    if len(known) < len(domains) or math.prod(map(len, known)) > QUANTIFIER_LIMIT:
        return UNDETERMINED
    wanted = term.kind == "exists"
    result: bool | Undetermined = not wanted
    for values in product(*known):
        found = evaluate(term.body, outside | dict(zip(term.variables, values, strict=True)), atoms)
        if found is wanted:
            return wanted
        if found is UNDETERMINED:
            result = UNDETERMINED
    return result


def _function(term: Lambda, assignment: Mapping[Variable, Ground], atoms: Atoms | None) -> Any:
    """Return the function of a `lambda`; after some calls, fewer for one with others inside, its values are open."""
    left = round(QUANTIFIER_LIMIT ** (1 / term.depth))

    def called(*args: Ground) -> Ground | Undetermined:
        nonlocal left
        left -= 1
        if left < 0:
            return UNDETERMINED
        return evaluate(term.body, {**assignment, **dict(zip(term.variables, args, strict=True))}, atoms)

    return called


def applied_value(term: Apply, args: Sequence[Any]) -> Ground | Undetermined:
    """Return the value of an application for these values of its arguments."""
    value = operation(term)(term, *args)
    return value if value is UNDETERMINED else kind_of(term.sort).normal(value, term.sort)


def operation(term: Apply) -> Callable[..., Any]:
    """Return the function from an application and the values of its arguments to its value, before normalization."""
    name, _ = split_operator(term.operator)
    operator = operators().get(name)
    if operator is not None and operator.value is not None:
        return operator.value
    return _constant_array if is_constant(name) else _of_datatype


def _constant_array(_term: Apply, element: Any) -> ArrayValue:
    return ArrayValue(element, {})


def _of_datatype(term: Apply, *args: Any) -> Any:
    return datatypes.value_of(term, args)
