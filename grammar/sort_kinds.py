"""Kinds of sorts: Int, the bit-vectors, the arrays. A theory defines, for each of its kinds, sorts and their values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import SortError
from chcfuzz.grammar.sorts import Sort, basic
from chcfuzz.grammar.terms import Term, Value
from chcfuzz.grammar.theory import Application, derived, kinds

Elements = Callable[[Sort], Sequence[Any]]  # of an uninterpreted sort


class SortKind:
    """A kind of sorts with the values of each; `sort` is one of them in every method.

    A value is any hashable object; `Value` holds it in terms. The defaults fit a kind whose values are few, are all
    listed by `values`, and are printed by `text`. `Numbers` of `theories.integers` is a base
    class for numbers, and `ElementSorts` of `theories.element_sorts` one for values that are made of elements.
    """

    name: str  # of the sorts, or the command that declares them
    indices = 0  # of the sort's name: 1 for `(_ BitVec 8)`
    parameters = 0  # sorts behind the sort's name: 2 for `(Array Int Int)`
    has_literals = True
    is_first_class = True  # variables, elements and fields may have the sort
    least_weight = 3  # Bool 0, Int 1, Real 2
    learned_as = "U"
    literal_words: tuple[str, ...] = ()  # that learned models draw, of `vocabulary.LITERALS`; `number` makes the terms
    is_declared = False  # by a script, under any name
    readers: frozenset[str] | None = None  # of `printing.dialects`, if not all of them have the sorts
    names: Mapping[str, str] = MappingProxyType({})  # of the sorts, by readers that know them under another name

    # Sorts

    def sort(self, *arguments: Any) -> Sort:
        """Return the sort with these indices or parameters; raises `SortError` and `LimitError`."""
        return basic(self.name, *arguments)

    def related(self, sort: Sort) -> Iterable[Sort]:
        """Return the sorts that terms of the sort are made with."""
        return sort.parts

    def weight(self, _sort: Sort) -> int:
        """Return the size of the sort for reduction, which prefers small ones."""
        return self.least_weight

    def word(self, _sort: Sort) -> str:
        """Return the class of the sort in learned models, one of `vocabulary.SORTS`."""
        return self.learned_as

    # Values

    def text(self, value: Any, sort: Sort) -> str:
        """Return a value as SMT-LIB."""
        raise NotImplementedError

    def values(self, _sort: Sort, _limit: int, _inside: tuple[Sort, ...] = ()) -> Sequence[Any] | None:
        """Return all values of the sort in a fixed order, or None if there are more than `limit`.

        A value of a data type of `inside` contains them.
        """
        return None

    def has(self, value: Any, sort: Sort) -> bool:
        """Determine whether an object is a value of the sort, parts aside."""
        values = self.values(sort, 1 << 16) or ()
        return any(type(value) is type(each) and value == each for each in values)

    def normal(self, value: Any, _sort: Sort) -> Any:
        """Return the value of an application from the result of its operator."""
        return value

    def default(self, sort: Sort, elements: Elements) -> Any:
        """Return some value; `elements` has those of uninterpreted sorts, at least one of each."""
        return (self.values(sort, 1 << 16) or elements(sort))[0]

    def samples(self, _sort: Sort, _constants: Sequence[Any]) -> Sequence[Any]:
        """Return values that are likely to settle a quantifier in whose body these constants of the sort occur."""
        return ()

    def parts(self, _value: Any, _sort: Sort) -> list[tuple[Any, Sort]]:
        """Return the parts of a value that is not a constant, with their sorts."""
        return []

    def term(self, value: Any, sort: Sort, _parts: Sequence[Term]) -> Term:
        """Return the term of a value, from the terms of its parts."""
        return Value(value, sort)

    # Drawing: the order of candidates is part of the meaning of stored choices

    def draw(self, sort: Sort, choices: Choices, _fuel: int) -> Term:
        """Draw a value as a term with at most about `fuel` operators."""
        values = self.values(sort, 1 << 16)
        assert values, "a kind without values draws otherwise"
        return Value(choices.pick(values), sort)

    def draw_plain(self, sort: Sort, choices: Choices) -> Term:
        """Draw a term that cvc5 accepts as the element of a constant array."""
        return self.draw(sort, choices, 0)

    def near(self, _value: Value) -> Sequence[Value]:
        """Return constants to draw where a constant occurs: itself and its neighbours."""
        return ()

    def number(self, number: int | Fraction, sort: Sort) -> Value:
        """Return the constant that is most like a number."""
        raise NotImplementedError

    def as_number(self, value: Any, _sort: Sort) -> int | Fraction:
        """Return the number that is most like a constant."""
        return value  # type: ignore[no-any-return]

    def productions(self, _sort: Sort) -> Iterable[tuple[str, Sort, Application]]:
        """Return the operators that the sort itself brings: a name, the sort that is made, and the application."""
        return ()

    # Reduction

    def zero(self, sort: Sort, _inside: tuple[Sort, ...]) -> Term | None:
        """Return the simplest value as a term; None below a sort of `inside` that needs values of itself."""
        values = self.values(sort, 1 << 16)
        return Value(values[0], sort) if values else None

    def one(self, _sort: Sort) -> Term | None:
        """Return the value after `zero`, if the values have an order."""
        return None

    def simpler(self, _value: Value) -> Sequence[Value]:
        """Return simpler constants than this one, the simplest first."""
        return ()

    def others(self, _value: Value) -> Sequence[Value]:
        """Return other constants, to find out whether this one matters."""
        return ()


def kind_of(sort: Sort) -> SortKind:
    """Return the kind of a sort."""
    table = kinds()
    if sort.datatype is not None:
        return table["declare-datatypes"]  # type: ignore[no-any-return]
    return table.get(sort.name) or table["declare-sort"]  # type: ignore[no-any-return]


@derived
def built_in_kinds() -> Mapping[str, SortKind]:
    """Return the kinds of sorts that need no declaration, by name."""
    return {name: kind for name, kind in kinds().items() if not kind.is_declared}


@derived
def plain_sorts() -> Mapping[str, Sort]:
    """Return the sorts of the theories that are plain words, by name."""
    return {name: kind.sort() for name, kind in built_in_kinds().items() if not kind.indices and not kind.parameters}


def sort_named(name: str, indices: Sequence[int] = (), parameters: Sequence[Sort] = ()) -> Sort | None:
    """Return the sort of a theory with these indices or parameters, None if it does not exist; raises `SortError`."""
    kind = kind_named(name)
    if kind is None or (kind.indices, kind.parameters) != (len(indices), len(parameters)):
        return None
    check_parts(parameters)
    return kind.sort(*indices, *parameters)


def is_first_class(sort: Sort) -> bool:
    """Return whether variables, elements and fields may have the sort, and cases be distinguished in terms of it."""
    return kind_of(sort).is_first_class


def check_parts(sorts: Iterable[Sort]) -> None:
    """Raise `SortError` if one of the sorts cannot be inside of another one."""
    for sort in sorts:
        if not is_first_class(sort):
            raise SortError(f"{sort} cannot be inside of another sort")


@derived
def kinds_of_some_readers() -> Mapping[str, frozenset[str]]:
    """Return the readers of kinds of sorts that others do not have."""
    return {name: kind.readers for name, kind in built_in_kinds().items() if kind.readers is not None}


def kind_named(name: str) -> SortKind | None:
    """Return the kind of sorts that SMT-LIB or some reader knows by a name, None without one."""
    return built_in_kinds().get(name) or _renamed_kinds().get(name)


@derived
def _renamed_kinds() -> Mapping[str, SortKind]:
    """Return the kinds of sorts by the names that some readers have for them."""
    return {other: kind for kind in built_in_kinds().values() for other in kind.names.values()}


@lru_cache(maxsize=1024)
def has_literals(sort: Sort) -> bool:
    """Return whether values of the sort can be drawn; uninterpreted sorts do not have literals."""
    seen: set[Sort] = set()
    todo = [sort]
    while todo:
        here = todo.pop()
        if here in seen:
            continue
        seen.add(here)
        if not kind_of(here).has_literals:
            return False
        todo += [here.element] if here is sort and here.is_array else here.parts
    return True
