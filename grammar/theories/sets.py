"""Finite sets of cvc5 and Z3 over any sort of elements: the operators that cvc5 has without options, and no relations.

A value is a `frozenset` of the values of elements. The universe and complements are not read: cvc5 takes for the
universe of an infinite sort some finite set, which no term names. Z3 has the sorts since 5.0 under other names
(src/ast/finite_set_decl_plugin.cpp), and reads `(Set T)` as an array.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from itertools import combinations
from types import MappingProxyType
from typing import Any

from chcfuzz.grammar.evaluation.values import ArrayValue, Constructed, domain
from chcfuzz.grammar.sorts import BOOL, INT, Sort
from chcfuzz.grammar.terms import Apply, Term, apply, integer
from chcfuzz.grammar.theories.element_sorts import ElementSorts, element_of
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

Items = frozenset[Any]


def ordered(values: Iterable[Any]) -> list[Any]:
    """Return values of one sort in an order of their own, which is the same in each process."""
    return sorted(values, key=_place)


def _place(value: Any) -> tuple[Any, ...]:
    """Return the place of a value among those of its sort; long lists have many parts inside of each other."""
    found: list[Any] = []
    todo = [value]
    while todo:
        here = todo.pop()
        parts = _parts(here)
        if parts is None:
            found.append(here)
        else:
            todo.extend(reversed(parts))
    return tuple(found)


def _parts(value: Any) -> Sequence[Any] | None:
    """Return what a value is made of, in an order of its own; None for a value without parts."""
    if isinstance(value, frozenset):
        return len(value), *ordered(value)
    if isinstance(value, tuple):
        return len(value), *value
    if isinstance(value, ArrayValue):
        entries = sorted(value.entries.items(), key=lambda entry: tuple(map(_place, entry)))
        return len(entries), *(part for entry in entries for part in entry), value.default
    return (value.constructor, *value.args) if isinstance(value, Constructed) else None


class Sets(ElementSorts):
    """Finite sets; only the empty one is a constant."""

    name, plural, empty_name = NAME, "sets", EMPTY
    learned_as = "Array"
    readers = READERS
    names = MappingProxyType({"z3": _IN_Z3})
    made_of = frozenset

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

    def parts(self, value: Any, sort: Sort) -> list[tuple[Any, Sort]]:
        """Return the elements in their order."""
        return [(each, element_of(sort)) for each in ordered(value)]

    def of_elements(self, sort: Sort, elements: Sequence[Term]) -> Term:
        """Return the set of these elements."""
        if not elements:
            return self.empty(sort)
        one = Apply("set.singleton", (elements[-1],))
        return one if len(elements) == 1 else Apply("set.insert", (*elements[:-1], one))


_SETS = Sets()
set_of = _SETS.sort
is_set = _SETS.has_sort
empty = _SETS.empty
of_elements = _SETS.of_elements


# Typing


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
        _row("set.singleton", _SETS.of_one, lambda _, element: frozenset((element,))),
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
    kinds=(_SETS,),
    qualified={EMPTY: empty},
    leniences=tuple(Lenience(ExtensionKind.ALIAS, (other,), _SOURCE, name) for name, other in _NAMES.items()),
    taken=tuple(_NAMES.values()),
    taken_sorts=(NAME, _IN_Z3),
    samples=(set_of(INT),),
)
