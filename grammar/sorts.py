"""Sorts: Bool, Int, Real, bit-vectors, arrays, and algebraic data types by name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from chcfuzz.grammar.symbols import quoted


@dataclass(frozen=True, eq=False)
class Sort:
    """A sort; equal sorts are one object (make them with the functions below).

    `parameters` holds sorts, or the width of a bit-vector.
    """

    name: str
    parameters: tuple[Sort | int, ...] = ()

    def __str__(self) -> str:
        return self._text

    @property
    def is_bitvector(self) -> bool:
        return self.name == "BitVec" and isinstance(self.parameters[0], int)

    @property
    def width(self) -> int:
        """The width of a bit-vector in bits."""
        width = self.parameters[0]
        assert isinstance(width, int)
        return width

    @property
    def is_array(self) -> bool:
        return self.name == "Array"

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
    def is_numeric(self) -> bool:
        return self is INT or self is REAL

    @property
    def is_datatype(self) -> bool:
        return self.name not in ("Bool", "Int", "Real", "BitVec", "Array")

    @property
    def _text(self) -> str:
        if self.is_bitvector:
            return f"(_ BitVec {self.width})"
        name = quoted(self.name)
        return f"({name} {' '.join(map(str, self.parameters))})" if self.parameters else name


@cache
def sort(name: str, *parameters: Sort | int) -> Sort:
    """The one sort of this name and these parameters."""
    return Sort(name, parameters)


BOOL, INT, REAL = sort("Bool"), sort("Int"), sort("Real")


def bitvec(width: int) -> Sort:
    """Bit-vectors of `width` bits."""
    return sort("BitVec", width)


def array(index: Sort, element: Sort) -> Sort:
    """Arrays, total functions from `index` to `element`."""
    return sort("Array", index, element)
