"""Algebraic data types: constructors, selectors and testers, which each script declares."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.evaluation.values import UNDETERMINED, ArrayValue, Constructed, domain
from chcfuzz.grammar.sort_kinds import Elements, SortKind, kind_of
from chcfuzz.grammar.sorts import BOOL, Constructor, Datatype, Sort
from chcfuzz.grammar.terms import Apply, Term
from chcfuzz.grammar.theory import Application, Theory


def constructors_of(sort: Sort) -> tuple[Constructor, ...]:
    """Return the constructors of a data type; other sorts do not have any."""
    return sort.datatype.constructors if sort.datatype else ()


class Datatypes(SortKind):
    """Data types; a value is a constructor with its arguments."""

    name = "declare-datatypes"
    is_declared = True
    learned_as = "ADT"

    def weight(self, sort: Sort) -> int:
        """Return more for larger declarations."""
        parts = (each for other in _group(sort) for each in other.constructors)
        return 3 + sum(1 + len(each.selectors) for each in parts)

    def values(self, sort: Sort, limit: int, inside: tuple[Sort, ...] = ()) -> Sequence[Any] | None:
        """Return all values in the order of the constructors."""
        found: list[Constructed] = []
        for constructor in constructors_of(sort) if sort not in inside else ():
            fields = [domain(each.sort, limit, (*inside, sort)) for each in constructor.selectors]
            known = [values for values in fields if values is not None]
            if len(known) < len(fields) or math.prod(map(len, known)) > limit:
                return None
            found += [Constructed(sort, constructor.operator, args) for args in product(*known)]
        return found

    def has(self, value: Any, sort: Sort) -> bool:
        """Determine whether a constructor of the sort makes a value."""
        return (
            isinstance(value, Constructed)
            and value.sort is sort
            and any(
                each.operator == value.constructor and len(each.selectors) == len(value.args)
                for each in constructors_of(sort)
            )
        )

    def default(self, sort: Sort, elements: Elements) -> Any:
        """Return a value made with constructors of values that were made before."""
        made: dict[Sort, Any] = {}
        while sort not in made:
            before = len(made)
            for other in _group(sort):
                for constructor in other.constructors if other.sort not in made else ():
                    sorts = [selector.sort for selector in constructor.selectors]
                    if all(_is_ready(each, made, other) for each in sorts):
                        args = [_of_made(each, made, elements) for each in sorts]
                        made[other.sort] = Constructed(other.sort, constructor.operator, args)
                        break
            assert len(made) > before, "a data type without any finite value"
        return made[sort]

    def parts(self, value: Any, sort: Sort) -> list[tuple[Any, Sort]]:
        """Return the arguments of the constructor."""
        selectors = next(each.selectors for each in constructors_of(sort) if each.operator == value.constructor)
        return [(arg, selector.sort) for arg, selector in zip(value.args, selectors, strict=True)]

    def term(self, value: Any, sort: Sort, parts: Sequence[Term]) -> Term:
        """Return the applied constructor."""
        return Apply(value.constructor, parts, sort)

    def draw(self, sort: Sort, choices: Choices, fuel: int) -> Term:
        """Draw a tree of constructors."""
        constructor = shortest(sort) if fuel <= 0 else choices.pick(constructors_of(sort))
        share = (fuel - 1) // max(1, len(constructor.selectors))
        args = [kind_of(each.sort).draw(each.sort, choices, share) for each in constructor.selectors]
        return Apply(constructor.operator, args, sort)

    def draw_plain(self, sort: Sort, choices: Choices) -> Term:
        """Draw a smallest tree."""
        constructor = shortest(sort)
        args = [kind_of(each.sort).draw_plain(each.sort, choices) for each in constructor.selectors]
        return Apply(constructor.operator, args, sort)

    def productions(self, sort: Sort) -> Iterator[tuple[str, Sort, Application]]:
        """Yield the constructors, each with its tester and selectors."""
        for each in constructors_of(sort):
            yield "constructor", sort, (each.operator, tuple(selector.sort for selector in each.selectors))
            yield "tester", BOOL, (each.tester, (sort,))
            for selector in each.selectors:
                yield "selector", selector.sort, (selector.operator, (sort,))

    def zero(self, sort: Sort, inside: tuple[Sort, ...]) -> Term | None:
        """Return a smallest tree."""
        trees = []
        for each in constructors_of(sort) if sort not in inside else ():
            fields = [kind_of(field.sort).zero(field.sort, (*inside, sort)) for field in each.selectors]
            known = [field for field in fields if field is not None]
            if len(known) == len(fields):
                trees.append(Apply(each.operator, known, sort))
        return min(trees, key=lambda tree: tree.size, default=None)


def _group(sort: Sort) -> tuple[Datatype, ...]:
    return sort.datatype.group if sort.datatype else ()


def _is_ready(sort: Sort, made: dict[Sort, Any], among: Datatype) -> bool:
    if sort.is_array:
        return _is_ready(sort.element, made, among)
    return sort in made or all(sort is not other.sort for other in among.group)


def _of_made(sort: Sort, made: dict[Sort, Any], elements: Elements) -> Any:
    if sort.is_array:
        return ArrayValue(_of_made(sort.element, made, elements), {})
    return made[sort] if sort in made else kind_of(sort).default(sort, elements)


@lru_cache(maxsize=1024)
def shortest(sort: Sort) -> Constructor:
    """Return the constructor of the smallest values: the first one that needs no value of the same data type."""
    done: dict[Sort, Constructor] = {}
    while sort not in done:
        for datatype in _group(sort):
            for constructor in datatype.constructors:
                needed = [_innermost(selector.sort) for selector in constructor.selectors]
                open_ones = [s for s in needed if any(s is other.sort for other in _group(sort))]
                if datatype.sort not in done and all(s in done for s in open_ones):
                    done[datatype.sort] = constructor
    return done[sort]


def _innermost(sort: Sort) -> Sort:
    """Return the sort that a value is built from: of an array, that of its elements."""
    while sort.is_array:
        sort = sort.element
    return sort


def value_of(term: Apply, args: Sequence[Any]) -> Any:
    """Return the value of a constructor, a tester, or a selector; UNDETERMINED for a selector on another value."""
    if any(each.operator == term.operator for each in constructors_of(term.sort)):
        return Constructed(term.sort, term.operator, args)
    for constructor in constructors_of(term.children[0].sort):
        is_made_by = args[0].constructor == constructor.operator
        if constructor.tester == term.operator:
            return bool(is_made_by)
        for number, selector in enumerate(constructor.selectors):
            if is_made_by and selector.operator == term.operator and selector.sort is term.sort:
                return args[0].args[number]
    return UNDETERMINED


THEORY = Theory("data types", kinds=(Datatypes(),))
