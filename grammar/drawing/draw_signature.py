"""Sorts, data types and functions of drawn SMT problems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.sorts import (
    BOOL,
    INT,
    REAL,
    Constructor,
    Datatype,
    Selector,
    Sort,
    array,
    bitvec,
    datatypes,
    uninterpreted,
)
from chcfuzz.grammar.terms import Function
from chcfuzz.grammar.theories.float_kinds import MODE, floating
from chcfuzz.grammar.theories.sequences import is_sequence, sequence
from chcfuzz.grammar.theories.sets import set_of
from chcfuzz.grammar.theories.strings import STRING

_FORMATS = (*[(8, 24)] * 7, (11, 53))  # without an expert option, cvc5 reads no other ones
_WIDTHS = (1, 2, 3, 4, 5, 7, 8, 8, 12, 16, 32, 64)
_MOST_SORTS = 6  # of a problem: operators are looked up for all their combinations
_CONSTANTS = (0, 1, 1, 2, 2, 2, 3)  # of a sort
_FUNCTIONS = (0, 0, 1, 1, 1, 2, 2, 3)
_RARELY = 16  # one problem of this number may have constant arrays; one with sequences, functions over them
_ARITIES = (1, 1, 1, 1, 1, 2, 2, 2, 3, 4)

Group = tuple[Datatype, ...]


@dataclass(frozen=True)
class DrawingSignature:
    """Sorts and functions of terms to draw. Each uninterpreted sort and each sort of arrays has a constant."""

    sorts: tuple[Sort, ...]
    datatypes: tuple[Group, ...]
    functions: tuple[Function, ...]
    constant_arrays: bool = False  # cvc5 reads them only on request
    functions_over_sequences: bool = False  # only Z3 has them


@dataclass(frozen=True)
class Profile:
    """A mixture of theories: basic sorts, and whether arrays, data types and uninterpreted sorts are added."""

    basic: tuple[Callable[[Choices], Sort], ...]
    arrays: bool = False
    datatypes: bool = False
    uninterpreted: bool = False


def _int(_choices: Choices) -> Sort:
    return INT


def _real(_choices: Choices) -> Sort:
    return REAL


def _bool(_choices: Choices) -> Sort:
    return BOOL


def _vector(choices: Choices) -> Sort:
    return bitvec(choices.pick(_WIDTHS))


def _float(choices: Choices) -> Sort:
    return floating(*choices.pick(_FORMATS))


def _mode(_choices: Choices) -> Sort:
    return MODE


def _string(_choices: Choices) -> Sort:
    return STRING


def _sequence(choices: Choices) -> Sort:
    return sequence(choices.pick((INT, INT, BOOL, REAL, STRING, bitvec(8))))


def _set(choices: Choices) -> Sort:
    return set_of(choices.pick((INT, INT, INT, BOOL, REAL, STRING, bitvec(8))))


PROFILES = (
    Profile((_vector, _vector)),
    Profile((_vector,)),
    Profile((_vector, _bool), arrays=True),
    Profile((_vector, _bool), uninterpreted=True),
    Profile((_int,)),
    Profile((_int, _bool)),
    Profile((_real,)),
    Profile((_int, _real)),
    Profile((_int, _bool), arrays=True),
    Profile((_real,), arrays=True),
    Profile((_int,), datatypes=True),
    Profile((_bool, _real), datatypes=True),
    Profile((_vector,), datatypes=True),
    Profile((_bool,), uninterpreted=True),
    Profile((_int,), uninterpreted=True),
    Profile((_int, _vector), arrays=True, datatypes=True),
    Profile((_int, _real, _vector), arrays=True),
    Profile((_int, _bool), arrays=True, datatypes=True, uninterpreted=True),
    Profile((_float,)),
    Profile((_float, _mode)),
    Profile((_float, _vector)),
    Profile((_float, _bool), arrays=True),
    Profile((_float, _float), datatypes=True),
    Profile((_string,)),
    Profile((_string, _int)),
    Profile((_string, _bool), datatypes=True),
    Profile((_string, _int), arrays=True),
    Profile((_sequence, _int)),
    Profile((_sequence, _bool)),
    Profile((_int,), arrays=True),
    Profile((_vector, _bool), arrays=True, uninterpreted=True),
    Profile((_set, _int)),
)


def draw_signature(choices: Choices) -> DrawingSignature:
    """Draw a mixture of theories, and constants and functions over its sorts."""
    profile = choices.pick(PROFILES)
    sorts = [make(choices) for make in profile.basic]
    groups: list[Group] = []
    if profile.uninterpreted:
        sorts += [uninterpreted(name) for name in ("U", "V")[: choices.integer(1, 2)]]
    if profile.arrays:
        sorts.append(_array(sorts, choices, sorts))
    if profile.datatypes:
        groups.append(_group(choices, sorts))
        sorts += [datatype.sort for datatype in groups[0]]
    if profile.arrays and choices.index(4):
        arrays = [sort for sort in sorts if sort.is_array]
        sorts.append(_array(sorts, choices, arrays if choices.index(3) else sorts))
    sorts = list(dict.fromkeys(sorts))[:_MOST_SORTS]
    functions = _functions(sorts, choices)
    has_constant_arrays = choices.index(_RARELY) == 0
    has_functions = any(map(is_sequence, sorts)) and choices.index(_RARELY) == 0
    return DrawingSignature(tuple(sorts), tuple(groups), functions, has_constant_arrays, has_functions)


def _array(sorts: Sequence[Sort], choices: Choices, elements: Sequence[Sort]) -> Sort:
    """Draw a sort of arrays with one of these elements; cvc5 and Bitwuzla do not take arrays as indices.

    Z3 5.4.1 does not return if rounding modes are indices, or arguments of functions.
    """
    indices = [sort for sort in sorts if not sort.is_array and sort is not MODE]
    return array(choices.pick(indices), choices.pick(elements))


def _functions(sorts: Sequence[Sort], choices: Choices) -> tuple[Function, ...]:
    """Draw constants, at least one for each sort that needs it, and functions and predicates."""
    functions: list[Function] = []
    arguments = (BOOL, *(sort for sort in sorts if sort is not MODE))
    for sort in sorts:
        number = max(choices.pick(_CONSTANTS), int(_needs_constant(sort)))
        functions += [Function(f"c{len(functions) + more}", (), sort) for more in range(number)]
    for number in range(choices.pick(_FUNCTIONS)):
        parameters = [choices.pick(arguments) for _ in range(choices.pick(_ARITIES))]
        functions.append(Function(f"f{number}", parameters, choices.pick((BOOL, *sorts))))
    return tuple(functions)


def _needs_constant(sort: Sort) -> bool:
    """Return whether terms of the sort need a declared constant."""
    return (
        sort.is_uninterpreted
        or sort.is_array
        or any(_needs_constant(part) for part in sort.parameters if isinstance(part, Sort))
    )


# Data types ----------------------------------------------------------------------------------------


def _group(choices: Choices, sorts: Sequence[Sort]) -> Group:
    """Draw a data type, or two that use each other, with fields of these sorts."""
    return choices.pick((_enumeration, _record, _option, _list, _tree, _mutual))(choices.pick(sorts), choices)


def _one(name: str, define: Callable[[Sort], tuple[Constructor, ...]]) -> Group:
    return datatypes([name], lambda sorts: [define(sorts[0])])


def _enumeration(_field: Sort, choices: Choices) -> Group:
    names = ("red", "green", "blue")[: choices.integer(2, 3)]
    return _one("Color", lambda _: tuple(map(Constructor, names)))


def _record(field: Sort, _choices: Choices) -> Group:
    selectors = (Selector("first", field), Selector("second", BOOL))
    return _one("Pair", lambda _: (Constructor("pair", selectors),))


def _option(field: Sort, _choices: Choices) -> Group:
    return _one("Option", lambda _: (Constructor("none"), Constructor("some", (Selector("value", field),))))


def _list(field: Sort, _choices: Choices) -> Group:
    def define(own: Sort) -> tuple[Constructor, ...]:
        return Constructor("nil"), Constructor("cons", (Selector("head", field), Selector("tail", own)))

    return _one("Chain", define)  # `List` is a sort of Z3, which `Z3_eval_smtlib2_string` does not let a script declare


def _tree(field: Sort, choices: Choices) -> Group:
    """Draw trees with values at the leaves, or in every node."""
    inside = choices.boolean()

    def define(own: Sort) -> tuple[Constructor, ...]:
        leaf = Constructor("leaf", () if inside else (Selector("datum", field),))
        below = (Selector("left", own), Selector("right", own))
        return leaf, Constructor("node", (Selector("datum", field), *below) if inside else below)

    return _one("Tree", define)


def _mutual(field: Sort, _choices: Choices) -> Group:
    def define(sorts: Sequence[Sort]) -> list[tuple[Constructor, ...]]:
        forest, tree = sorts
        grow = Constructor("grow", (Selector("stem", tree), Selector("rest", forest)))
        return [
            (Constructor("bare"), grow),
            (Constructor("plant", (Selector("seed", field), Selector("crown", forest))),),
        ]

    return datatypes(["Forest", "Plant"], define)
