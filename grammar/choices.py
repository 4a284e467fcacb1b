"""Bytes to decisions: the only door through which chance enters a mutation."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
_LEAST_STREAM = 64  # bytes that a stream is drawn by at first; then twice as many each time


class Choices:
    """A reader of decisions from bytes. Total: any bytes give an answer to any question.

    The same bytes, key and calls give the same results. After the bytes comes an endless stream that depends
    on the key alone (SHAKE-128 of it). Without a key every further answer is the first choice (0, False, the low end):
    an empty buffer is a valid one. A changed byte changes the decision it is read for and leaves the stream; a stream
    keyed by all bytes would make another mutation of every change. A question with one answer consumes nothing, so
    that a small change of the input stays a small change of the output.
    """

    __slots__ = ("_data", "_given", "_key", "_position")

    def __init__(self, data: bytes, key: bytes = b"") -> None:
        self._data = data
        self._given = len(data)
        self._key = key
        self._position = 0

    @property
    def ends(self) -> bool:
        """Whether the bytes run out one day, and every answer from then on is the first choice."""
        return not self._key

    def index(self, n: int) -> int:
        """Return a number in [0, n), and 0 if n is at most 1; read as many bytes as n - 1 has.

        Over all bytes no number is drawn more than twice as often as another.
        """
        if n <= 1:
            return 0
        length = ((n - 1).bit_length() + 7) // 8
        until = self._position + length
        if until > len(self._data) and self._key:
            self._stretch(until - self._given)
        piece = self._data[self._position : until]
        self._position = until
        return int.from_bytes(piece, "little") % n

    def boolean(self) -> bool:
        """Return True or False."""
        return self.index(2) == 1

    def integer(self, low: int, high: int) -> int:
        """Return a number in [low, high]."""
        return low + self.index(high - low + 1)

    def pick(self, options: Sequence[T]) -> T:
        """Return one of `options`, which must not be empty."""
        return options[self.index(len(options))]

    def permutation(self, n: int) -> tuple[int, ...]:
        """Return a permutation of 0 to n - 1; the identity if the bytes have run out."""
        rest = list(range(n))
        return tuple(rest.pop(self.index(len(rest))) for _ in range(n))

    def text(self) -> str:
        """Return the rest of the bytes as UTF-8; later choices come from the stream."""
        left = self._data[self._position : self._given]
        self._position = max(self._position, self._given)
        return left.decode("utf-8", "replace")

    def _stretch(self, least: int) -> None:
        """Draw at least this number of bytes of the stream; a longer SHAKE digest begins with the shorter one."""
        stream = hashlib.shake_128(self._key).digest(max(_LEAST_STREAM, 2 * least))
        self._data = self._data[: self._given] + stream
