"""Sorts whose values are made of elements of one other sort, as sequences and sets are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import LimitError, SortError
from chcfuzz.grammar.evaluation.values import UNDETERMINED
from chcfuzz.grammar.sort_kinds import Elements, SortKind, is_first_class, kind_of
from chcfuzz.grammar.sorts import INT, Sort, compound, holds_elements, with_inner_sorts
from chcfuzz.grammar.terms import Term, Value
from chcfuzz.grammar.theory import Indices, Place, Sorts, TypingRule

MOST_ELEMENTS = 1000  # of a value
_MOST_DRAWN = 2  # elements of a literal
_MOST_SAMPLES = 3


def element_of(sort: Sort) -> Sort:
    """Return the sort of the elements."""
    (element,) = sort.parameters
    assert isinstance(element, Sort)
    return element


class ElementSorts(SortKind):
    """Such sorts, in which only the empty value is a constant.

    `plural` names the sorts in error messages, `empty_name` the constant, and `made_of` makes a value of its
    elements.
    """

    parameters = 1
    literal_words = ("0",)
    plural: str
    empty_name: str
    made_of: Callable[[Iterable[Any]], Any]

    def has_sort(self, sort: Sort) -> bool:
        """Determine whether a sort is one of these."""
        return sort.name == self.name and bool(sort.parameters)

    def sort(self, element: Sort) -> Sort:
        """Return the sort over an element; raises `LimitError` for elements whose equality is not known."""
        if any(inner.is_array and holds_elements(inner.index) for inner in with_inner_sorts([element])):
            raise LimitError(f"{self.plural} of arrays over uninterpreted sorts")
        return compound(self.name, element)

    def empty(self, sort: Sort) -> Value:
        """Return the empty value as a term; raises `SortError` for other sorts."""
        if not self.has_sort(sort):
            raise SortError(f"{self.empty_name} is a {self.plural.removesuffix('s')}, not of sort {sort}")
        return Value(self.made_of(()), sort)

    def of_elements(self, sort: Sort, elements: Sequence[Term]) -> Term:
        """Return the value with these elements as a term."""
        raise NotImplementedError

    def related(self, sort: Sort) -> tuple[Sort, ...]:
        """Return the sort of the elements, and Int for numbers of elements and positions."""
        return element_of(sort), INT

    def weight(self, sort: Sort) -> int:
        """Return more than the elements weigh."""
        element = element_of(sort)
        return 4 + kind_of(element).weight(element)

    def text(self, _value: Any, sort: Sort) -> str:
        """Return the empty value."""
        return f"(as {self.empty_name} {sort})"

    def normal(self, value: Any, _sort: Sort) -> Any:
        """Refuse values with too many elements."""
        return UNDETERMINED if len(value) > MOST_ELEMENTS else value

    def default(self, _sort: Sort, _elements: Elements) -> Any:
        """Return the empty value."""
        return self.made_of(())

    def samples(self, sort: Sort, _constants: Sequence[Any]) -> Sequence[Any]:
        """Return the empty value and some with one element."""
        element = element_of(sort)
        kind = kind_of(element)
        found = kind.samples(element, ()) or kind.values(element, _MOST_SAMPLES) or ()
        return [self.made_of(()), *(self.made_of((each,)) for each in found[:_MOST_SAMPLES])]

    def term(self, _value: Any, sort: Sort, parts: Sequence[Term]) -> Term:
        """Return the value with these elements."""
        return self.of_elements(sort, parts)

    def draw(self, sort: Sort, choices: Choices, fuel: int) -> Term:
        """Draw a value with a few elements."""
        element = element_of(sort)
        number = choices.index(1 + min(max(fuel, 0), _MOST_DRAWN))
        return self.of_elements(sort, [kind_of(element).draw(element, choices, fuel // 2) for _ in range(number)])

    def draw_plain(self, sort: Sort, _choices: Choices) -> Term:
        """Return the empty value: the others are applications."""
        return self.empty(sort)

    def number(self, _number: int | Fraction, sort: Sort) -> Value:
        """Return the empty value for every number: no other value is a constant."""
        return self.empty(sort)

    def as_number(self, _value: Any, _sort: Sort) -> int | Fraction:
        """Return 0, which `number` turns back into the only constant."""
        return 0

    def zero(self, sort: Sort, _inside: tuple[Sort, ...]) -> Term:
        """Return the empty value."""
        return self.empty(sort)

    @property
    def of_one(self) -> TypingRule:
        """The rule of the operator that makes a value of one element."""

        def rule(indices: Indices, sorts: Sorts) -> Sort | None:
            fits = len(sorts) == 1 and not indices and is_first_class(sorts[0])
            return self.sort(sorts[0]) if fits else None

        def places(sorts: Sorts) -> list[Place]:
            elements = dict.fromkeys(element_of(sort) for sort in sorts if self.has_sort(sort))
            return [((), (element,)) for element in elements if element in sorts]

        return TypingRule(rule, places)
