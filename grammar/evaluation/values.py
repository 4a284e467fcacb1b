"""Values of ground terms: their form, all values of a sort, and the terms that denote them.

A Bool is a `bool`, an Int an `int`, a Real a `Fraction`, a bit-vector an `int` in [0, 2^width), an array an
`ArrayValue`, a data type's value a `Constructed`. Equal values are `==` and hash alike.
"""

from __future__ import annotations

import enum
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, ClassVar, Union
from weakref import WeakValueDictionary

from chcfuzz.grammar.sorts import BOOL, INT, REAL, Sort
from chcfuzz.grammar.terms import Apply, Term, Value


class Undetermined(enum.Enum):
    """The result for a term without a known value."""

    UNDETERMINED = "undetermined"


UNDETERMINED = Undetermined.UNDETERMINED
Ground = Union[bool, int, Fraction, "ArrayValue", "Constructed"]


@dataclass(frozen=True)
class ArrayValue:
    """A total function: `entries` where it differs from `default`. Made by `array_value`, hence unique."""

    default: Ground
    entries: Mapping[Ground, Ground]

    def __hash__(self) -> int:
        return hash((self.default, frozenset(self.entries.items())))

    def __getitem__(self, index: Ground) -> Ground:
        return self.entries.get(index, self.default)


class Constructed:
    """A value of a data type: the constructor as an operator, and its arguments.

    Equal ones are one object, so that long lists compare and hash at once.
    """

    __slots__ = ("__weakref__", "args", "constructor", "sort")
    sort: Sort
    constructor: str
    args: tuple[Ground, ...]
    _table: ClassVar[WeakValueDictionary[tuple[Any, ...], Constructed]] = WeakValueDictionary()

    def __new__(cls, sort: Sort, constructor: str, args: Sequence[Ground] = ()) -> Constructed:
        """Return the value; its hash is computed once."""
        key = (sort, constructor, tuple(args), tuple(map(type, args)))  # True and 1 are equal
        value = cls._table.get(key)
        if value is None:
            value = super().__new__(cls)
            value.sort, value.constructor, value.args, _ = key
            cls._table[key] = value
        return value


def array_value(index: Sort, default: Ground, entries: Mapping[Ground, Ground]) -> ArrayValue:
    """Return the array with these entries in normal form: equal arrays are equal values.

    Entries equal to the default are left out. Where the indices are few enough for the entries to outnumber
    the rest, the most frequent value is the default (the first in the order of `domain` among several).
    """
    indices = domain(index, 2 * len(entries))
    if indices is not None:
        entries = {i: entries.get(i, default) for i in indices}
        default, _ = Counter(entries.values()).most_common(1)[0]
    return ArrayValue(default, {i: element for i, element in entries.items() if element != default})


def domain(sort: Sort, limit: int) -> tuple[Ground, ...] | None:
    """All values of a sort in a fixed order, or None where there are more than `limit`."""
    return _domain(sort, limit, ())


def _domain(sort: Sort, limit: int, inside: tuple[Sort, ...]) -> tuple[Ground, ...] | None:
    found: list[Ground] = []
    if sort is BOOL:
        found = [False, True]
    elif sort.is_bitvector and sort.width < limit.bit_length():
        found = list(range(1 << sort.width))
    elif sort.is_array:
        elements = _domain(sort.element, limit, inside)
        if elements is not None and len(elements) == 1:  # the constant array is the only one, whatever the indices are
            return (ArrayValue(elements[0], {}),)
        indices = _domain(sort.index, limit, inside)
        if elements is None or indices is None or len(elements) ** len(indices) > limit:
            return None
        for values in product(elements, repeat=len(indices)):
            found.append(array_value(sort.index, elements[0], dict(zip(indices, values, strict=True))))
    elif sort.datatype is not None and sort not in inside:
        for constructor in sort.datatype.constructors:
            fields = [_domain(s.sort, limit, (*inside, sort)) for s in constructor.selectors]
            known = [values for values in fields if values is not None]
            if len(known) < len(fields) or math.prod(map(len, known)) > limit:
                return None
            found += [Constructed(sort, constructor.operator, args) for args in product(*known)]
    return tuple(found) if 0 < len(found) <= limit else None


def has_sort(value: object, sort: Sort) -> bool:
    """Whether this is a value of the sort, in the form that `evaluate` gives values."""
    todo: list[tuple[object, Sort]] = [(value, sort)]
    while todo:
        here, of = todo.pop()
        if isinstance(here, Constructed):
            made = of.datatype.constructors if of.datatype and here.sort is of else ()
            fits = any(c.operator == here.constructor and len(c.selectors) == len(here.args) for c in made)
        elif isinstance(here, ArrayValue):
            fits = of.is_array and here == array_value(of.index, here.default, here.entries)
        else:
            fits = _is_constant(here, of)
        if not fits:
            return False
        if isinstance(here, Constructed | ArrayValue):
            todo += _parts(here, of)
    return True


def _is_constant(value: object, sort: Sort) -> bool:
    if sort is BOOL or isinstance(value, bool):
        return sort is BOOL and isinstance(value, bool)
    if sort is REAL:
        return isinstance(value, Fraction)
    return isinstance(value, int) and (sort is INT or (sort.is_bitvector and 0 <= value < 1 << sort.width))


def as_term(value: Ground, sort: Sort) -> Term:
    """Return a ground term with this value: a constant, a constructor tree, or stores into a constant array."""
    todo: list[tuple[Ground, Sort, bool]] = [(value, sort, False)]
    done: list[Term] = []
    while todo:
        here, of, opened = todo.pop()
        if not isinstance(here, Constructed | ArrayValue):
            done.append(Value(here, of))
            continue
        parts = _parts(here, of)
        if not opened:
            todo.append((here, of, True))
            todo.extend((part, part_sort, False) for part, part_sort in reversed(parts))
            continue
        args = done[len(done) - len(parts) :]
        del done[len(done) - len(parts) :]
        if isinstance(here, Constructed):
            done.append(Apply(here.constructor, args, of))
        else:
            term: Term = Apply(f"(as const {of})", args[:1], of)
            for index, element in zip(args[1::2], args[2::2], strict=True):
                term = Apply("store", (term, index, element))
            done.append(term)
    return done.pop()


def _parts(value: Constructed | ArrayValue, sort: Sort) -> list[tuple[Ground, Sort]]:
    """Return the parts of a value with their sorts: arguments, or the default and the entries."""
    if isinstance(value, ArrayValue):
        pairs = value.entries.items()
        return [
            (value.default, sort.element),
            *((x, s) for i, e in pairs for x, s in ((i, sort.index), (e, sort.element))),
        ]
    assert sort.datatype is not None
    selectors = next(c.selectors for c in sort.datatype.constructors if c.operator == value.constructor)
    return [(arg, selector.sort) for arg, selector in zip(value.args, selectors, strict=True)]
