"""Bytes to decisions: the only door through which chance enters a mutation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Choices:
    """A reader of decisions from a buffer. Total: any buffer gives an answer to any question.

    The same bytes and questions give the same answers. When the bytes run out every answer is the first
    choice (0, False, the low end): an empty buffer is a valid one, and a truncated one differs only behind
    the cut. A question with one answer consumes nothing, so that a small change of the input stays a small
    change of the output.
    """

    __slots__ = ("_data", "_position")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._position = 0

    def index(self, n: int) -> int:
        """A number in [0, n); 0 where n is at most 1. Takes as many bytes as n - 1 has."""
        if n <= 1:
            return 0
        length = ((n - 1).bit_length() + 7) // 8
        piece = self._data[self._position : self._position + length]
        self._position += length
        return int.from_bytes(piece, "little") % n

    def boolean(self) -> bool:
        """True or False."""
        return self.index(2) == 1

    def integer(self, low: int, high: int) -> int:
        """A number in [low, high]."""
        return low + self.index(high - low + 1)

    def pick(self, options: Sequence[T]) -> T:
        """One of `options`, which must not be empty."""
        return options[self.index(len(options))]

    def permutation(self, n: int) -> tuple[int, ...]:
        """An order of the numbers 0 to n - 1; the given order when the bytes have run out."""
        rest = list(range(n))
        return tuple(rest.pop(self.index(len(rest))) for _ in range(n))
