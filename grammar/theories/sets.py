"""Finite sets of cvc5 and Z3 over any sort of elements: the operators that cvc5 has without options, and no relations.

A value is a `frozenset` of the values of elements. The universe and complements are not read: cvc5 takes for the
universe of an infinite sort some finite set, which no term names. Z3 has the sorts since 5.0 under other names
(src/ast/finite_set_decl_plugin.cpp), and reads `(Set T)` as an array.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import reduce
from itertools import combinations
from types import MappingProxyType
from typing import Any

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import LimitError, SortError
from chcfuzz.grammar.evaluation.values import UNDETERMINED, ArrayValue, Constructed, domain
from chcfuzz.grammar.sort_kinds import Elements, SortKind, is_first_class, kind_of
from chcfuzz.grammar.sorts import BOOL, INT, Sort, compound, holds_elements, with_inner_sorts
from chcfuzz.grammar.terms import Apply, Term, Value, apply, integer
from chcfuzz.grammar.theories.sequences import is_sequence
from chcfuzz.grammar.theories.strings import STRING
from chcfuzz.grammar.theory import ExtensionKind, Indices, Lenience, Operator, Place, Sorts, Theory, TypingRule

NAME, EMPTY = "Set", "set.empty"
READERS = frozenset(("smtlib", "z3", "cvc5"))
_IN_Z3 = "FiniteSet"
_SOURCE = "src/ast/finite_set_decl_plugin.cpp"
_Z3 = frozenset(("z3",))
_NAMES = {  # of operators in Z3
    "set.inter": "set.intersect", "set.minus": "set.difference", "set.member": "set.in", "set.card": "set.size",
}  # fmt: skip
MOST_ELEMENTS = 1000  # of a value
_MOST_DRAWN = 2  # elements of a literal
_MOST_SAMPLES = 3

Items = frozenset[Any]


def set_of(element: Sort) -> Sort:
    """Return the sort of sets of an element; raises `LimitError` for elements whose equality is not known."""
    if any(inner.is_array and holds_elements(inner.index) for inner in with_inner_sorts([element])):
        raise LimitError("sets of arrays over uninterpreted sorts")
    return compound(NAME, element)


def is_set(sort: Sort) -> bool:
    """Determine whether this is a sort of sets."""
    return sort.name == NAME and bool(sort.parameters)


def element_of(sort: Sort) -> Sort:
    """Return the sort of the elements."""
    (element,) = sort.parameters
    assert isinstance(element, Sort)
    return element


def empty(sort: Sort) -> Value:
    """Return `(as set.empty (Set T))`; raises `SortError` for other sorts."""
    if not is_set(sort):
        raise SortError(f"{EMPTY} is a set, not of sort {sort}")
    return Value(frozenset(), sort)


def of_elements(sort: Sort, elements: Sequence[Term]) -> Term:
    """Return the set of these elements."""
    if not elements:
        return empty(sort)
    one = Apply("set.singleton", (elements[-1],))
    return one if len(elements) == 1 else Apply("set.insert", (*elements[:-1], one))


def ordered(values: Iterable[Any]) -> list[Any]:
    """Return values of one sort in an order of their own, which is the same in each process."""
    return sorted(values, key=_place)


def _place(value: Any) -> tuple[Any, ...]:
    """Return the place of a value among those of its sort."""
    if isinstance(value, frozenset):
        return (len(value), *map(_place, ordered(value)))
    if isinstance(value, tuple):
        return (len(value), *map(_place, value))
    if isinstance(value, ArrayValue):
        entries = sorted((_place(index), _place(element)) for index, element in value.entries.items())
        return (len(entries), *(part for entry in entries for part in entry), _place(value.default))
    if isinstance(value, Constructed):
        return (value.constructor, *map(_place, value.args))
    return (value,)


class Sets(SortKind):
    """Finite sets; only the empty one is a constant."""

    name = NAME
    parameters = 1
    learned_as = "Array"
    literal_words = ("0",)
    readers = READERS
    names = MappingProxyType({"z3": _IN_Z3})

    def sort(self, element: Sort) -> Sort:
        """Return the sort of these sets."""
        return set_of(element)

    def related(self, sort: Sort) -> tuple[Sort, ...]:
        """Return the sort of the elements, and Int for their number."""
        return element_of(sort), INT

    def weight(self, sort: Sort) -> int:
        """Return more than the elements weigh."""
        element = element_of(sort)
        return 4 + kind_of(element).weight(element)

    def text(self, _value: Any, sort: Sort) -> str:
        """Return the empty set."""
        return f"(as {EMPTY} {sort})"

    def values(self, sort: Sort, limit: int, inside: tuple[Sort, ...] = ()) -> Sequence[Any] | None:
        """Return the sets of the elements, if there are few, the small ones first."""
        elements = domain(element_of(sort), limit.bit_length(), inside)
        if elements is None or 1 << len(elements) > limit:
            return None
        sizes = range(len(elements) + 1)
        return [frozenset(chosen) for size in sizes for chosen in combinations(elements, size)]

    def has(self, value: Any, _sort: Sort) -> bool:
        """Determine whether a value is a `frozenset`, as sets are."""
        return isinstance(value, frozenset)

    def normal(self, value: Any, _sort: Sort) -> Any:
        """Refuse sets that are too large."""
        return UNDETERMINED if len(value) > MOST_ELEMENTS else value

    def default(self, _sort: Sort, _elements: Elements) -> Any:
        """Return the empty set."""
        return frozenset()

    def samples(self, sort: Sort, _constants: Sequence[Any]) -> Sequence[Any]:
        """Return the empty set and some of one element."""
        element = element_of(sort)
        kind = kind_of(element)
        found = kind.samples(element, ()) or kind.values(element, _MOST_SAMPLES) or ()
        return [frozenset(), *(frozenset((each,)) for each in found[:_MOST_SAMPLES])]

    def parts(self, value: Any, sort: Sort) -> list[tuple[Any, Sort]]:
        """Return the elements in their order."""
        return [(each, element_of(sort)) for each in ordered(value)]

    def term(self, _value: Any, sort: Sort, parts: Sequence[Term]) -> Term:
        """Return the set of these elements."""
        return of_elements(sort, parts)

    def draw(self, sort: Sort, choices: Choices, fuel: int) -> Term:
        """Draw a set of a few values."""
        element = element_of(sort)
        size = choices.index(1 + min(max(fuel, 0), _MOST_DRAWN))
        return of_elements(sort, [kind_of(element).draw(element, choices, fuel // 2) for _ in range(size)])

    def draw_plain(self, sort: Sort, _choices: Choices) -> Term:
        """Return the empty set: the others are applications."""
        return empty(sort)

    def number(self, _number: int | Fraction, sort: Sort) -> Value:
        """Return the empty set for every number: no other set is a constant."""
        return empty(sort)

    def as_number(self, _value: Any, _sort: Sort) -> int | Fraction:
        """Return 0, which `number` turns back into the only constant."""
        return 0

    def zero(self, sort: Sort, _inside: tuple[Sort, ...]) -> Term:
        """Return the empty set."""
        return empty(sort)


# Typing


def _singleton(indices: Indices, sorts: Sorts) -> Sort | None:
    fits = len(sorts) == 1 and not indices and is_first_class(sorts[0])
    return set_of(sorts[0]) if fits else None


def _elements(sorts: Sorts) -> list[Place]:
    elements = dict.fromkeys(element_of(sort) for sort in sorts if is_set(sort))
    return [((), (element,)) for element in elements if element in sorts]


def _rule(takes: str, gives: Sort | None, *drawn: str, on: Callable[[Sort], bool] = lambda _: True) -> TypingRule:
    """Return the rule of a pattern in letters: S a set, which the last argument is, and E one of its elements.

    The result has the sort `gives`, or that of the set. `drawn` are the arguments to draw, over elements with `on`.
    """
    pattern = re.compile(takes)

    def rule(indices: Indices, sorts: Sorts) -> Sort | None:
        if indices or not sorts or not is_set(sorts[-1]):
            return None
        own = {sorts[-1]: "S", element_of(sorts[-1]): "E"}
        fits = pattern.fullmatch("".join(own.get(sort, "-") for sort in sorts))
        return (gives or sorts[-1]) if fits else None

    def places(sorts: Sorts) -> list[Place]:
        found: list[Place] = []
        for sort in sorts:
            if is_set(sort) and on(element_of(sort)):
                own = {"S": sort, "E": element_of(sort)}
                found += [((), tuple(own[letter] for letter in letters)) for letters in drawn]
        return [(indices, chosen) for indices, chosen in found if all(each in sorts for each in chosen)]

    return TypingRule(rule, places)


def _has_many_values(sort: Sort) -> bool:
    """Return whether cvc5 counts the elements of sets without an option: those of infinite sorts."""
    return (
        sort.is_numeric or sort is STRING or is_sequence(sort) or (is_set(sort) and _has_many_values(element_of(sort)))
    )


def _row(name: str, rule: TypingRule, value: Callable[..., Any], **more: Any) -> Operator:
    names = {"z3": _NAMES[name]} if name in _NAMES else {}
    return Operator(name, rule, value, names=names, is_for_smt=True, **more)


def _pairwise(name: str, value: Callable[..., Any], **more: Any) -> Operator:
    """Return an operator on sets that Z3 reads with two of them."""
    return _row(name, _rule("SS+", None, "SS"), value, binary=_Z3, **more)


def _inserted(*terms: Term) -> Term:
    *elements, items = terms
    return reduce(lambda made, each: apply("set.union", apply("set.singleton", each), made), elements, items)


THEORY = Theory(
    "sets",
    operators=(
        _row("set.singleton", TypingRule(_singleton, _elements), lambda _, element: frozenset((element,))),
        _row(
            "set.insert",
            _rule("E+S", None, "ES", "EES"),
            lambda _, *args: args[-1].union(args[:-1]),
            written_out=_inserted,
            lacking=_Z3,
        ),
        _pairwise("set.union", lambda _, *args: frozenset().union(*args), least_reduced=1),
        _pairwise("set.inter", lambda _, first, *args: first.intersection(*args), least_reduced=1),
        _pairwise("set.minus", lambda _, first, *args: first.difference(*args)),
        _row("set.member", _rule("ES", BOOL, "ES"), lambda _, element, items: element in items),
        _row("set.subset", _rule("SS", BOOL, "SS"), lambda _, part, items: part <= items),
        _row("set.card", _rule("S", INT, "S", on=_has_many_values), lambda _, items: len(items)),
        _row(
            "set.is_empty",
            _rule("S", BOOL, "S"),
            lambda _, items: not items,
            written_out=lambda items: apply("=", items, empty(items.sort)),
            lacking=_Z3,
        ),
        _row(
            "set.is_singleton",
            _rule("S", BOOL, "S"),
            lambda _, items: len(items) == 1,
            written_out=lambda items: apply("=", Apply(_NAMES["set.card"], (items,), INT), integer(1)),
            lacking=_Z3,
        ),
    ),
    kinds=(Sets(),),
    qualified={EMPTY: empty},
    leniences=tuple(Lenience(ExtensionKind.ALIAS, (other,), _SOURCE, name) for name, other in _NAMES.items()),
    taken_sorts=(NAME, _IN_Z3),
    samples=(set_of(INT),),
)
