"""How libFuzzer sees an execution: counters of ours beside those of compiled code.

libFuzzer reads an array of bytes after every execution, a byte an edge, and takes (byte index, class of the count)
as a feature; the classes are 1, 2, 3, 4-7, 8-15, 16-31, 32-127 and more. An input that shows a new feature is kept.

Layout, `SIZE` bytes: answers (16), unique traces (3 tables of 16,384), transitions (16,384). libFuzzer tells 2^21
features apart, eight a counter, so this leaves three quarters of them to native edges.
"""

from __future__ import annotations

import numpy as np
from chcfuzz.tracing.trace import Trace
from numpy.typing import NDArray

_ANSWERS = 16
_TABLE = 1 << 14
_TABLES = 3
_CLASSES = (1, 2, 3, 4, 8, 16, 32, 128)  # one count of each class
SIZE = _ANSWERS + (_TABLES + 1) * _TABLE
_TRANSITIONS = _ANSWERS + _TABLES * _TABLE


class Counters:
    """`counters` (SIZE,) uint8 and `pcs` (SIZE, 2) uintp, to be registered with libFuzzer; they never move."""

    def __init__(self) -> None:
        self.counters: NDArray[np.uint8] = np.zeros(SIZE, dtype=np.uint8)
        self.pcs: NDArray[np.uintp] = np.zeros((SIZE, 2), dtype=np.uintp)
        # libFuzzer wants an address for each counter; ours lie where no code is.
        self.pcs[:, 0] = 1 + np.arange(SIZE)

    def clear(self) -> None:
        """Show nothing: libFuzzer then drops the input."""
        self.counters[:] = 0

    def record(self, trace: Trace, answer: int) -> None:
        """Show an execution: its answer (a small number), its trace, its transitions."""
        self.counters[answer % _ANSWERS] = 1
        self.record_trace(trace)
        # Fibonacci hashing; two transitions in one slot add up no further than to the larger.
        slots = (trace.keys * np.uint32(2654435769)) >> np.uint32(18)
        np.maximum.at(self.counters, _TRANSITIONS + slots, np.minimum(trace.counts, 255).astype(np.uint8))

    def record_trace(self, trace: Trace) -> None:
        """Show which trace an execution has, and nothing else.

        The hash of the trace picks one counter and class in each of three tables, so that a trace never seen before
        shares all three features with others only if all three collide: at 10,000 traces once in 2,000.
        """
        for table in range(_TABLES):
            bits = trace.hash >> (17 * table)
            slot = _ANSWERS + table * _TABLE + (bits & (_TABLE - 1))
            self.counters[slot] = _CLASSES[bits >> 14 & 7]
