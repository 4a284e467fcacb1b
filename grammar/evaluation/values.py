"""Values of ground terms: their form, all values of a sort, and the terms that denote them.

A Bool is a `bool`, an Int an `int`, a Real a `Fraction`, a bit-vector an `int` in [0, 2^width), an array an
`ArrayValue`, a data type's value a `Constructed`. Equal values are `==` and hash alike.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Union
from weakref import WeakValueDictionary

from chcfuzz.grammar.sort_kinds import kind_of
from chcfuzz.grammar.sorts import Sort
from chcfuzz.grammar.terms import Term


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


def domain(sort: Sort, limit: int, inside: tuple[Sort, ...] = ()) -> tuple[Ground, ...] | None:
    """Return all values of a sort in a fixed order, or None where there are more than `limit`.

    Values of the data types of `inside` contain them, so their number is not bounded.
    """
    found = kind_of(sort).values(sort, limit, inside)
    return tuple(found) if found and len(found) <= limit else None


def has_sort(value: object, sort: Sort) -> bool:
    """Return whether this is a value of the sort, in the form that `evaluate` gives values."""
    todo: list[tuple[object, Sort]] = [(value, sort)]
    while todo:
        here, of = todo.pop()
        kind = kind_of(of)
        if not kind.has(here, of):
            return False
        todo += kind.parts(here, of)
    return True


def as_term(value: Ground, sort: Sort) -> Term:
    """Return a ground term with this value: a constant, a constructor tree, or stores into a constant array."""
    todo: list[tuple[Ground, Sort, bool]] = [(value, sort, False)]
    done: list[Term] = []
    while todo:
        here, of, opened = todo.pop()
        kind = kind_of(of)
        parts = kind.parts(here, of)
        if parts and not opened:
            todo.append((here, of, True))
            todo.extend((part, part_sort, False) for part, part_sort in reversed(parts))
            continue
        args = done[len(done) - len(parts) :]
        del done[len(done) - len(parts) :]
        done.append(kind.term(here, of, args))
    return done.pop()
