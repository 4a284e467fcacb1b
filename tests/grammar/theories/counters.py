"""A toy theory outside of the project: saturating counters, which count up to a bound and stay there."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from chcfuzz.grammar.errors import SortError
from chcfuzz.grammar.sorts import BOOL, INT, Sort, basic
from chcfuzz.grammar.terms import Apply, Term, Value
from chcfuzz.grammar.theories.integers import Numbers
from chcfuzz.grammar.theory import (
    ExtensionKind,
    Indices,
    Lenience,
    Operator,
    Theory,
    WrittenOut,
    joined,
    of_one_sort,
    register,
)

NAME = "Counter"


def counter(most: int) -> Sort:
    """Return the sort of counters up to a bound."""
    if most < 1:
        raise SortError(f"a counter counts to 1 at least, not to {most}")
    return basic(NAME, most)


def bound(sort: Sort) -> int:
    """Return the largest value of a sort."""
    (most,) = sort.parameters
    assert isinstance(most, int)
    return most


class Counters(Numbers):
    """The sorts `(_ Counter 7)`, with the values `(_ count0 7)` to `(_ count7 7)`."""

    name = NAME
    indices = 1
    learned_as = "Int"
    readers = frozenset(("smtlib",))  # no solver has them

    def sort(self, most: int) -> Sort:
        """Return the counters up to a bound."""
        return counter(most)

    def weight(self, sort: Sort) -> int:
        """Return more for larger bounds."""
        return 3 + bound(sort)

    def text(self, value: Any, sort: Sort) -> str:
        """Return a value as an indexed name."""
        return joined(f"count{value}", (bound(sort),))

    def values(self, sort: Sort, _limit: int, _inside: tuple[Sort, ...] = ()) -> Sequence[Any] | None:
        """Return all numbers up to the bound."""
        return range(bound(sort) + 1)

    def has(self, value: Any, sort: Sort) -> bool:
        """Determine whether a number is not above the bound."""
        return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= bound(sort)

    def normal(self, value: Any, sort: Sort) -> Any:
        """Saturate."""
        return min(max(value, 0), bound(sort))

    def number(self, number: int | Fraction, sort: Sort) -> Value:
        """Return the nearest value."""
        return Value(self.normal(int(number), sort), sort)


def is_counter(sort: Sort) -> bool:
    """Determine whether a sort has counters."""
    return sort.name == NAME and bool(sort.parameters)


def literal(name: str, indices: Indices) -> Term | None:
    """Return the value of `(_ count3 7)`."""
    number = name.removeprefix("count")
    if number == name or not number.isdecimal() or len(indices) != 1:
        return None
    sort = counter(*indices)
    if int(number) > bound(sort):
        raise SortError(f"{name} is above the bound {bound(sort)}")
    return Value(int(number), sort)


def _twice(_: Indices, args: list[Term]) -> Term:
    return Apply("count.add", (*args, *args))


OPERATORS = (
    Operator("count.add", of_one_sort(is_counter, None, 2), lambda _, *args: sum(args), least_reduced=1),
    Operator("count.down", of_one_sort(is_counter, None, 1, 1), lambda _, a: a - 1),
    Operator("count.<=", of_one_sort(is_counter, BOOL, 2, 2), lambda _, a, b: a <= b),
    Operator("count.number", of_one_sort(is_counter, INT, 1, 1), lambda _, a: a),
)
THEORY = Theory(
    "saturating counters",
    operators=OPERATORS,
    kinds=(Counters(),),
    literal=literal,
    leniences=(Lenience(ExtensionKind.ALIAS, ("count.plus",), "a dialect of counters", "count.add"),),
    readings={"count.twice": WrittenOut(_twice)},
    taken=("counter",),
    samples=(counter(3),),
)
register(THEORY)
