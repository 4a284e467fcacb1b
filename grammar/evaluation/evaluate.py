"""Evaluation of terms by the definitions of SMT-LIB, without any solver; oracles rely on it.

Terms that SMT-LIB leaves to the model (division by zero, a selector on another constructor), variables without a value
and numbers that are `too_large` are `UNDETERMINED`; a connective has a value if its other arguments decide it, as in
Kleene's logic.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import combinations, pairwise, product
from typing import Any

from chcfuzz.grammar.evaluation.values import (
    UNDETERMINED,
    ArrayValue,
    Constructed,
    Ground,
    Undetermined,
    array_value,
    domain,
)
from chcfuzz.grammar.terms import Apply, Atom, Predicate, Quantifier, Term, Value, Variable, postorder, too_large
from chcfuzz.grammar.theory import split_operator

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


# Operators that may have a value although an argument is undetermined.


def _and(args: Sequence[Any]) -> bool | Undetermined:
    return False if False in args else UNDETERMINED if UNDETERMINED in args else True


def _or(args: Sequence[Any]) -> bool | Undetermined:
    return True if True in args else UNDETERMINED if UNDETERMINED in args else False


def _not(args: Sequence[Any]) -> bool | Undetermined:
    return UNDETERMINED if args[0] is UNDETERMINED else not args[0]


def _equal(args: Sequence[Any]) -> bool | Undetermined:
    known = [arg for arg in args if arg is not UNDETERMINED]
    if any(a != b for a, b in pairwise(known)):
        return False
    return UNDETERMINED if UNDETERMINED in args else True


def _distinct(args: Sequence[Any]) -> bool | Undetermined:
    known = [arg for arg in args if arg is not UNDETERMINED]
    if any(a == b for a, b in combinations(known, 2)):
        return False
    return UNDETERMINED if UNDETERMINED in args else True


def _ite(args: Sequence[Any]) -> Any:
    condition, then, otherwise = args
    if condition is UNDETERMINED:
        return then if then == otherwise else UNDETERMINED
    return then if condition else otherwise


LENIENT: dict[str, Callable[[Sequence[Any]], Any]] = {
    "and": _and,
    "or": _or,
    "not": _not,
    "=>": lambda args: _or([*(_not([arg]) for arg in args[:-1]), args[-1]]),
    "=": _equal,
    "distinct": _distinct,
    "ite": _ite,
}


# The others.


def applied_value(term: Apply, args: Sequence[Any]) -> Ground | Undetermined:
    """Return the value of an application for these values of its arguments."""
    name, indices = split_operator(term.operator)
    sorts = [child.sort for child in term.children]
    value: Any
    if name in _OPERATIONS:
        value = _OPERATIONS[name](*args)
    elif name in _VECTORS:
        value = _VECTORS[name](sorts[0].width, *indices, *args)
    elif name == "concat":
        value = 0
        for arg, sort in zip(args, sorts, strict=True):
            value = value << sort.width | arg
    elif name == "store":
        array, index, element = args
        value = array_value(sorts[0].index, array.default, {**array.entries, index: element})
    elif name.startswith("(as const "):
        value = ArrayValue(args[0], {})
    else:
        value = _of_datatype(term, args)
    if value is not UNDETERMINED:
        if term.sort.is_bitvector:
            value %= 1 << term.sort.width
        elif term.sort.is_numeric and too_large(value, term.sort):
            value = UNDETERMINED
    return value  # type: ignore[no-any-return]


def _of_datatype(term: Apply, args: Sequence[Any]) -> Ground | Undetermined:
    made = term.sort.datatype
    for constructor in made.constructors if made else ():
        if constructor.operator == term.operator:
            return Constructed(term.sort, term.operator, args)
    taken = term.children[0].sort.datatype
    for constructor in taken.constructors if taken else ():
        is_made_by = args[0].constructor == constructor.operator
        if constructor.tester == term.operator:
            return bool(is_made_by)
        for number, selector in enumerate(constructor.selectors):
            if is_made_by and selector.operator == term.operator and selector.sort is term.sort:
                value: Ground = args[0].args[number]
                return value
    return UNDETERMINED


def _divide(a: int, b: int) -> int | Undetermined:
    """SMT-LIB's `div`: the remainder is never negative."""
    return UNDETERMINED if b == 0 else a // b if b > 0 else -(a // -b)


def _modulo(a: int, b: int) -> int | Undetermined:
    return UNDETERMINED if b == 0 else a % abs(b)


def _left(operation: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """Return the operation on any number of arguments, associating to the left."""

    def chained(*args: Any) -> Any:
        return reduce(lambda a, b: UNDETERMINED if a is UNDETERMINED else operation(a, b), args)

    return chained


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "xor": lambda *args: sum(args) % 2 == 1,
    "+": lambda *args: sum(args),
    "*": lambda *args: math.prod(args),
    "-": lambda first, *others: first - sum(others) if others else -first,
    "<": lambda *args: all(a < b for a, b in pairwise(args)),
    "<=": lambda *args: all(a <= b for a, b in pairwise(args)),
    ">": lambda *args: all(a > b for a, b in pairwise(args)),
    ">=": lambda *args: all(a >= b for a, b in pairwise(args)),
    "div": _left(_divide),
    "mod": _modulo,
    "/": _left(lambda a, b: UNDETERMINED if b == 0 else a / b),
    "abs": abs,
    "to_real": Fraction,
    "to_int": math.floor,
    "is_int": lambda a: a.denominator == 1,
    "select": lambda array, index: array[index],
    "bv2nat": int,
    "int2bv": int,
}


def _signed(width: int, a: int) -> int:
    return a - (1 << width) if a >> (width - 1) else a


def _overflows(width: int, a: int) -> bool:
    """Return whether a signed number needs more bits."""
    return not -(1 << (width - 1)) <= a < 1 << (width - 1)


def _signed_divide(width: int, a: int, b: int) -> int:
    """SMT-LIB's bvsdiv, by bvudiv on absolute values; division by zero gives 1 or -1."""
    a, b = _signed(width, a), _signed(width, b)
    if b == 0:
        return 1 if a < 0 else -1
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _signed_remainder(width: int, a: int, b: int) -> int:
    """SMT-LIB's bvsrem: the sign of the first argument."""
    a, b = _signed(width, a), _signed(width, b)
    return a if b == 0 else a % abs(b) if a >= 0 else -(-a % abs(b))


def _signed_modulo(width: int, a: int, b: int) -> int:
    """SMT-LIB's bvsmod: the sign of the second argument."""
    a, b = _signed(width, a), _signed(width, b)
    return a if b == 0 else a % b


def _rotated(width: int, by: int, a: int) -> int:
    by %= width
    return a << by | a >> (width - by)


# Called with the width, the indices and the arguments; taken modulo the width of the result.
_VECTORS: dict[str, Callable[..., Any]] = {
    "bvnot": lambda _, a: ~a,
    "bvneg": lambda _, a: -a,
    "bvand": lambda _, *args: reduce(lambda a, b: a & b, args),
    "bvor": lambda _, *args: reduce(lambda a, b: a | b, args),
    "bvxor": lambda _, *args: reduce(lambda a, b: a ^ b, args),
    "bvadd": lambda _, *args: sum(args),
    "bvmul": lambda _, *args: math.prod(args),
    "bvnand": lambda _, a, b: ~(a & b),
    "bvnor": lambda _, a, b: ~(a | b),
    "bvxnor": lambda _, a, b: ~(a ^ b),
    "bvsub": lambda _, a, b: a - b,
    "bvudiv": lambda _, a, b: a // b if b else -1,
    "bvurem": lambda _, a, b: a % b if b else a,
    "bvsdiv": _signed_divide,
    "bvsrem": _signed_remainder,
    "bvsmod": _signed_modulo,
    "bvshl": lambda width, a, b: a << min(b, width),
    "bvlshr": lambda width, a, b: a >> min(b, width),
    "bvashr": lambda width, a, b: _signed(width, a) >> min(b, width),
    "bvult": lambda _, a, b: a < b,
    "bvule": lambda _, a, b: a <= b,
    "bvugt": lambda _, a, b: a > b,
    "bvuge": lambda _, a, b: a >= b,
    "bvslt": lambda width, a, b: _signed(width, a) < _signed(width, b),
    "bvsle": lambda width, a, b: _signed(width, a) <= _signed(width, b),
    "bvsgt": lambda width, a, b: _signed(width, a) > _signed(width, b),
    "bvsge": lambda width, a, b: _signed(width, a) >= _signed(width, b),
    "bvcomp": lambda _, a, b: int(a == b),
    "bvredand": lambda width, a: int(a == (1 << width) - 1),
    "bvredor": lambda _, a: int(a != 0),
    "bvnego": lambda width, a: a == 1 << (width - 1),
    "bvuaddo": lambda width, a, b: a + b >= 1 << width,
    "bvsaddo": lambda width, a, b: _overflows(width, _signed(width, a) + _signed(width, b)),
    "bvusubo": lambda _, a, b: a < b,
    "bvssubo": lambda width, a, b: _overflows(width, _signed(width, a) - _signed(width, b)),
    "bvumulo": lambda width, a, b: a * b >= 1 << width,
    "bvsmulo": lambda width, a, b: _overflows(width, _signed(width, a) * _signed(width, b)),
    "bvsdivo": lambda width, a, b: a == 1 << (width - 1) and b == (1 << width) - 1,
    "sbv_to_int": _signed,
    "extract": lambda _, _high, low, a: a >> low,
    "zero_extend": lambda _, _by, a: a,
    "sign_extend": lambda width, _by, a: _signed(width, a),
    "rotate_left": _rotated,
    "rotate_right": lambda width, by, a: _rotated(width, -by, a),
    "repeat": lambda width, times, a: sum(a << width * i for i in range(times)),
}
