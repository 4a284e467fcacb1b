"""Sorts: Bool, Int, Real, bit-vectors, arrays, algebraic data types, and uninterpreted sorts.

A sort is one object for as long as somebody uses it: `is` compares. A data type's sort knows its
definition, so two systems may each have a `List` of their own, and share one where they define it alike.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakValueDictionary

from chcfuzz.grammar.errors import LimitError, SortError
from chcfuzz.grammar.symbols import quoted

MAX_WIDTH = 1 << 16  # bits; a typing error in a width must not take the memory
MAX_SIZE = 300  # of a sort: it is written out wherever a variable of it is bound, and walked through by recursion

FUNCTION = "->"

_BASIC: set[str] = set()  # names of basic sorts of theories
_SORTS: WeakValueDictionary[Hashable, Sort] = WeakValueDictionary()
_GROUPS: WeakValueDictionary[Hashable, Sort] = WeakValueDictionary()  # by definition, the first sort of each group


@dataclass(frozen=True, eq=False)
class Sort:
    """A sort; make it with the functions below. `parameters` holds sorts, or indices such as the width of a bit-vector.

    `size` is the number of its parts, written out.
    """

    name: str
    parameters: tuple[Sort | int, ...] = ()
    datatype: Datatype | None = None
    size: int = 1

    def __str__(self) -> str:
        return self._text

    @cached_property
    def _text(self) -> str:
        name = quoted(self.name)
        if not self.parameters:
            return name
        parameters = " ".join(map(str, self.parameters))
        return f"(_ {name} {parameters})" if isinstance(self.parameters[0], int) else f"({name} {parameters})"

    @property
    def is_bitvector(self) -> bool:
        """Whether this is a sort of bit-vectors."""
        return self.name == "BitVec" and bool(self.parameters)

    @property
    def width(self) -> int:
        """The width of a bit-vector in bits."""
        width = self.parameters[0]
        assert isinstance(width, int)
        return width

    @property
    def is_array(self) -> bool:
        """Whether this is a sort of arrays."""
        return self.name == "Array" and bool(self.parameters)

    @property
    def index(self) -> Sort:
        """The sort of an array's indices."""
        index = self.parameters[0]
        assert isinstance(index, Sort)
        return index

    @property
    def element(self) -> Sort:
        """The sort of an array's elements."""
        element = self.parameters[1]
        assert isinstance(element, Sort)
        return element

    @property
    def parts(self) -> list[Sort]:
        """The sorts of an array's indices and elements, or of the fields of a data type."""
        fields = (
            selector.sort
            for each in (self.datatype.constructors if self.datatype else ())
            for selector in each.selectors
        )
        return [*(parameter for parameter in self.parameters if isinstance(parameter, Sort)), *fields]

    @property
    def is_numeric(self) -> bool:
        """Whether this is Int or Real."""
        return self is INT or self is REAL

    @property
    def is_uninterpreted(self) -> bool:
        """Whether this is an uninterpreted sort."""
        return self.datatype is None and not self.parameters and self.name not in _BASIC


@dataclass(frozen=True)
class Selector:
    """A field of a constructor."""

    name: str
    sort: Sort

    @property
    def operator(self) -> str:
        """The selector as an operator of terms."""
        return quoted(self.name)


@dataclass(frozen=True)
class Constructor:
    """A constructor of a data type with its fields."""

    name: str
    selectors: tuple[Selector, ...] = ()

    @property
    def operator(self) -> str:
        """The constructor as an operator of terms."""
        return quoted(self.name)

    @property
    def tester(self) -> str:
        """The operator that tests whether this constructor built a value."""
        return f"(_ is {quoted(self.name)})"


class Datatype:
    """An algebraic data type without parameters; `group` are the data types declared with it, including itself.

    Equal groups are one object; make them with `datatypes` or an `OpenGroup`.
    """

    __slots__ = ("constructors", "group", "sort")
    sort: Sort
    constructors: tuple[Constructor, ...]
    group: tuple[Datatype, ...]

    def __init__(self, sort: Sort, constructors: tuple[Constructor, ...]) -> None:
        self.sort = sort
        self.constructors = constructors

    @property
    def name(self) -> str:
        """The name of the sort."""
        return self.sort.name

    @property
    def is_enumeration(self) -> bool:
        """Whether its values are its constructors."""
        return not any(constructor.selectors for constructor in self.constructors)


def _sort(name: str, *parameters: Sort | int) -> Sort:
    key = (name, parameters)
    found = _SORTS.get(key)
    if found is None:
        size = 1 + sum(parameter.size for parameter in parameters if isinstance(parameter, Sort))
        if size > MAX_SIZE:
            raise LimitError(f"a sort of {size} parts, written out; {MAX_SIZE} are enough")
        found = _SORTS[key] = Sort(name, parameters, size=size)
    return found


def basic(name: str, *indices: int) -> Sort:
    """Return the sort of a theory that has a name, and indices such as widths, and no other sorts in it."""
    _BASIC.add(name)
    return _sort(name, *indices)


BOOL, INT, REAL = basic("Bool"), basic("Int"), basic("Real")


def bitvec(width: int) -> Sort:
    """Return the sort of bit-vectors of `width` bits; raises `SortError` for 0 and `LimitError` above 65536."""
    if not 1 <= width <= MAX_WIDTH:
        error = SortError if width < 1 else LimitError
        raise error(f"a bit-vector has 1 to {MAX_WIDTH} bits, not {width}")
    return basic("BitVec", width)


def array(index: Sort, element: Sort) -> Sort:
    """Return the sort of total functions from `index` to `element`; raises `LimitError` above `MAX_SIZE`."""
    return compound("Array", index, element)


def compound(name: str, *parts: Sort) -> Sort:
    """Return the sort of a theory that is made of other sorts; raises `LimitError` if it is larger than `MAX_SIZE`."""
    return _sort(name, *parts)


def function(domain: Sequence[Sort], result: Sort) -> Sort:
    """Return the sort of the functions that `lambda` writes, which only arguments of operators have."""
    return compound(FUNCTION, *domain, result)


def is_function(sort: Sort) -> bool:
    """Return whether it is the sort of a `lambda`."""
    return sort.name == FUNCTION


def with_inner_sorts(sorts: Iterable[Sort]) -> frozenset[Sort]:
    """Return sorts with those inside of them: of array indices and elements, and of the fields of data types."""
    todo = list(sorts)
    seen: set[Sort] = set()
    while todo:
        sort = todo.pop()
        if sort not in seen:
            seen.add(sort)
            todo += sort.parts
    return frozenset(seen)


def holds_elements(sort: Sort) -> bool:
    """Return whether values of the sort contain elements of an uninterpreted sort, which no term names."""
    return any(inner.is_uninterpreted for inner in with_inner_sorts([sort]))


def with_declared_sorts(sorts: Iterable[Sort]) -> set[Sort]:
    """Return sorts with those in their declarations: inner sorts, and the fields of data types declared together."""
    todo, found = list(sorts), set[Sort]()
    while todo:
        sort = todo.pop()
        if sort not in found:
            found.add(sort)
            todo += sort.parts
            for datatype in sort.datatype.group if sort.datatype else ():
                todo += datatype.sort.parts
    return found


def uninterpreted(name: str) -> Sort:
    """Return the uninterpreted sort with this name, which must not be the name of a built-in sort."""
    return _sort(name)


class OpenGroup:
    """Data types while they are being declared together: they get their sorts first and their constructors later."""

    def __init__(self) -> None:
        self._defined: dict[Sort, tuple[Constructor, ...]] = {}

    def new(self, name: str) -> Sort:
        """Return the sort of another data type; until the group is closed, only its constructors may use the sort."""
        sort = Sort(name)
        self._defined[sort] = ()
        return sort

    def define(self, sort: Sort, constructors: Iterable[Constructor]) -> None:
        """Give a data type of the group its constructors."""
        self._defined[sort] = tuple(constructors)

    def close(self) -> tuple[Datatype, ...]:
        """Return the group; an equal group that is in use is returned instead."""
        group = tuple(Datatype(sort, constructors) for sort, constructors in self._defined.items())
        own = {sort: number for number, sort in enumerate(self._defined)}
        key = tuple((datatype.name, *(_spelled(c, own) for c in datatype.constructors)) for datatype in group)
        known = _GROUPS.get(key)
        if known is not None and known.datatype is not None:
            return known.datatype.group
        for datatype in group:
            datatype.group = group
            object.__setattr__(datatype.sort, "datatype", datatype)
        _GROUPS[key] = group[0].sort
        return group


def datatypes(
    names: Sequence[str], define: Callable[[Sequence[Sort]], Iterable[tuple[Constructor, ...]]]
) -> tuple[Datatype, ...]:
    """Return a group of data types that are declared together.

    `define` is given their sorts and returns the constructors of each, whose fields may be of those sorts.
    """
    group = OpenGroup()
    sorts = [group.new(name) for name in names]
    for sort, constructors in zip(sorts, define(sorts), strict=True):
        group.define(sort, constructors)
    return group.close()


def has_finite_value(datatype: Datatype) -> bool:
    """Return whether some value of the data type is a finite tree; SMT-LIB requires that."""
    open_sorts = {other.sort for other in datatype.group}
    before = len(open_sorts) + 1
    while len(open_sorts) < before:
        before = len(open_sorts)
        open_sorts -= {
            other.sort
            for other in datatype.group
            if any(all(_core(s.sort) not in open_sorts for s in c.selectors) for c in other.constructors)
        }
    return datatype.sort not in open_sorts


def with_other_parts(sort: Sort, moved: Callable[[Sort], Sort]) -> Sort:
    """Return the sort with its parameters moved: that of an array, of its indices and elements; or the sort itself."""
    if not sort.parameters or isinstance(sort.parameters[0], int):
        return sort
    return _sort(sort.name, *(moved(each) for each in sort.parameters if isinstance(each, Sort)))


def _core(sort: Sort) -> Sort:
    """Return the sort of the elements of nested arrays and sequences."""
    last = sort.parameters[-1] if sort.parameters else None
    return _core(last) if isinstance(last, Sort) else sort


def _spelled(constructor: Constructor, own: dict[Sort, int]) -> Hashable:
    """Return the constructor with the sorts of its own group as numbers."""
    return constructor.name, tuple((s.name, _outside(s.sort, own)) for s in constructor.selectors)


def _outside(sort: Sort, own: dict[Sort, int]) -> Hashable:
    if sort in own:
        return own[sort]
    parameters = [each for each in sort.parameters if isinstance(each, Sort)]
    return (sort.name, *(_outside(each, own) for each in parameters)) if parameters else sort
