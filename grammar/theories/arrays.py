"""Arrays: total functions, with `select`, `store` and constant arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.evaluation.values import ArrayValue, array_value, domain
from chcfuzz.grammar.sort_kinds import Elements, SortKind, has_literals, kind_of
from chcfuzz.grammar.sorts import Sort, array
from chcfuzz.grammar.terms import Apply, Term
from chcfuzz.grammar.theory import Application, Indices, Operator, Place, Sorts, Theory, TypingRule

CONSTANT = "as const"  # the operator `(as const (Array I E))` in tables


def is_constant(operator: str) -> bool:
    """Determine whether an operator makes constant arrays."""
    return operator.startswith(f"({CONSTANT} ")


class Arrays(SortKind):
    """Arrays of any indices and elements."""

    name = "Array"
    learned_as = "Array"
    parameters = 2

    def sort(self, index: Sort, element: Sort) -> Sort:
        """Return the sort of these arrays."""
        return array(index, element)

    def related(self, sort: Sort) -> Iterable[Sort]:
        """Return the sorts of elements and indices."""
        return sort.element, sort.index

    def weight(self, sort: Sort) -> int:
        """Return more than both sorts weigh."""
        return 3 + sum(kind_of(each).weight(each) for each in (sort.index, sort.element))

    def values(self, sort: Sort, limit: int, inside: tuple[Sort, ...] = ()) -> Sequence[Any] | None:
        """Return all arrays in the order of their elements."""
        elements = domain(sort.element, limit, inside)
        if elements is not None and len(elements) == 1:  # the constant array is the only one, whatever the indices are
            return (ArrayValue(elements[0], {}),)
        indices = domain(sort.index, limit, inside)
        if elements is None or indices is None or len(elements) ** len(indices) > limit:
            return None
        found = product(elements, repeat=len(indices))
        return [array_value(sort.index, elements[0], dict(zip(indices, each, strict=True))) for each in found]

    def has(self, value: Any, sort: Sort) -> bool:
        """Determine whether a value is an array in normal form."""
        return isinstance(value, ArrayValue) and value == array_value(sort.index, value.default, value.entries)

    def default(self, sort: Sort, elements: Elements) -> Any:
        """Return a constant array."""
        return ArrayValue(kind_of(sort.element).default(sort.element, elements), {})

    def parts(self, value: Any, sort: Sort) -> list[tuple[Any, Sort]]:
        """Return the default, and index and element of each entry."""
        pairs = value.entries.items()
        entries = [(x, s) for i, e in pairs for x, s in ((i, sort.index), (e, sort.element))]
        return [(value.default, sort.element), *entries]

    def term(self, _value: Any, sort: Sort, parts: Sequence[Term]) -> Term:
        """Return stores into a constant array."""
        term = constant_array(sort, parts[0])
        for index, element in zip(parts[1::2], parts[2::2], strict=True):
            term = Apply("store", (term, index, element))
        return term

    def draw(self, sort: Sort, choices: Choices, fuel: int) -> Term:
        """Draw a constant array with a few entries."""
        term = self.draw_plain(sort, choices)
        while fuel > 2 and has_literals(sort.index) and choices.boolean():
            fuel //= 2
            index, element = (kind_of(each).draw(each, choices, fuel) for each in (sort.index, sort.element))
            term = Apply("store", (term, index, element))
        return term

    def draw_plain(self, sort: Sort, choices: Choices) -> Term:
        """Draw a constant array of a value for cvc5, which excludes (- 1), (/ 1.0 3.0) and arrays with entries."""
        return constant_array(sort, kind_of(sort.element).draw_plain(sort.element, choices))

    def productions(self, sort: Sort) -> Iterable[tuple[str, Sort, Application]]:
        """Return the constant array of an element."""
        return [(CONSTANT, sort, (f"({CONSTANT} {sort})", (sort.element,)))] if has_literals(sort) else []

    def zero(self, sort: Sort, inside: tuple[Sort, ...]) -> Term | None:
        """Return the constant array of the simplest element."""
        element = kind_of(sort.element).zero(sort.element, inside)
        return None if element is None else constant_array(sort, element)


def constant_array(sort: Sort, element: Term) -> Term:
    """Return the array of a sort that has an element at each index."""
    return Apply(f"({CONSTANT} {sort})", (element,), sort)


def _select(indices: Indices, sorts: Sorts) -> Sort | None:
    fits = not indices and len(sorts) == 2 and sorts[0].is_array and sorts[1] is sorts[0].index
    return sorts[0].element if fits else None


def _places_of_select(sorts: Sorts) -> list[Place]:
    return [((), (sort, sort.index)) for sort in sorts if sort.is_array and sort.index in sorts]


def _places_of_store(sorts: Sorts) -> list[Place]:
    return [((), (*domain, domain[0].element)) for _, domain in _places_of_select(sorts) if domain[0].element in sorts]


def _store(indices: Indices, sorts: Sorts) -> Sort | None:
    fits = not indices and len(sorts) == 3 and sorts[0].is_array
    return sorts[0] if fits and sorts[1] is sorts[0].index and sorts[2] is sorts[0].element else None


def _stored(term: Apply, array: Any, index: Any, element: Any) -> ArrayValue:
    return array_value(term.sort.index, array.default, {**array.entries, index: element})


THEORY = Theory(
    "arrays",
    operators=(
        Operator("select", TypingRule(_select, _places_of_select), lambda _, array, index: array[index]),
        Operator("store", TypingRule(_store, _places_of_store), _stored),
    ),
    kinds=(Arrays(),),
    alt_ergo={
        "select": lambda _, _i, args: f"{args[0]}[{args[1]}]",
        "store": lambda _, _i, args: f"{args[0]}[{args[1]} <- {args[2]}]",
    },
)
