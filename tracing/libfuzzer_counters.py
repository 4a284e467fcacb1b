"""Counters by which libFuzzer sees an execution, in addition to those of compiled code.

libFuzzer reads an array of bytes after every execution, one byte per edge, and takes (byte index, class of the count)
as a feature; the classes are 1, 2, 3, 4-7, 8-15, 16-31, 32-127 and more. It keeps an input that shows a new feature.

Layout, `SIZE` bytes: answers (16), unique traces (3 tables of 16,384), transitions (16,384). libFuzzer distinguishes
2^21 features, eight per counter, so three quarters of them remain for native edges. Independent features
(`TraceSource.has_features`) have all four tables.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from chcfuzz.tracing.trace import Trace
from numpy.typing import NDArray

_ANSWERS = 16
_STEPS = 8  # of these, the last are for suspicious solver steps
_TABLE = 1 << 14
_TABLES = 3
_CLASSES = (1, 2, 3, 4, 8, 16, 32, 128)  # one count of each class
_CLASS_COUNTS = np.array(_CLASSES, dtype=np.uint8)
SIZE = _ANSWERS + (_TABLES + 1) * _TABLE
_TRANSITIONS = _ANSWERS + _TABLES * _TABLE


class Counters:
    """The arrays to register with libFuzzer: `counters` (SIZE,) uint8 and `pcs` (SIZE, 2) uintp; they never move."""

    def __init__(self) -> None:
        """Allocate the arrays."""
        self.counters: NDArray[np.uint8] = np.zeros(SIZE, dtype=np.uint8)
        self.pcs: NDArray[np.uintp] = np.zeros((SIZE, 2), dtype=np.uintp)
        # libFuzzer requires an address for each counter; these are addresses without code.
        self.pcs[:, 0] = 1 + np.arange(SIZE)

    def clear(self) -> None:
        """Clear all counters, so that libFuzzer drops the input."""
        self.counters[:] = 0

    def record_answer(self, answer: int) -> None:
        """Set the counter of an execution's answer (a small number) alone."""
        self.counters[answer % _ANSWERS] = 1

    def record_steps(self, suspicious: Sequence[int]) -> None:
        """Set a counter for each kind of suspicious solver step to the number of these steps."""
        assert len(suspicious) <= _ANSWERS - _STEPS
        for place, number in enumerate(suspicious):
            self.counters[_STEPS + place] = min(number, 255)

    def record(self, trace: Trace, answer: int) -> None:
        """Set the counters of an execution: its answer (a small number), its trace, its transitions."""
        self.record_trace(trace)
        self.record_transitions(trace, answer)

    def record_transitions(self, trace: Trace, answer: int) -> None:
        """Set the counters of an execution: its answer, and its transitions."""
        self.record_answer(answer)
        # Fibonacci hashing; of two transitions in one slot the larger count remains.
        slots = (trace.keys * np.uint32(2654435769)) >> np.uint32(18)
        np.maximum.at(self.counters, _TRANSITIONS + slots, np.minimum(trace.counts, 255).astype(np.uint8))

    def record_features(self, trace: Trace, answer: int) -> None:
        """Set the counters of an execution: its answer, and a counter and class of its own for each key of its trace.

        There are 2^19 pairs of a counter and a class, so that some thousand features rarely share one.
        """
        self.record_answer(answer)
        hashed = trace.keys * np.uint32(2654435769)  # Fibonacci hashing
        slots = _ANSWERS + (hashed >> np.uint32(16)).astype(np.intp)
        np.maximum.at(self.counters, slots, _CLASS_COUNTS[hashed >> np.uint32(13) & np.uint32(7)])

    def record_trace(self, trace: Trace) -> None:
        """Set the counters of the execution's trace alone.

        The hash of the trace picks one counter and class in each of three tables. A new trace shares all three
        features with earlier ones only if all three collide: once in 2,000 at 10,000 traces.
        """
        for table in range(_TABLES):
            bits = trace.hash >> (17 * table)
            slot = _ANSWERS + table * _TABLE + (bits & (_TABLE - 1))
            self.counters[slot] = _CLASSES[bits >> 14 & 7]
