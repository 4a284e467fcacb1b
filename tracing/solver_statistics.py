"""Traces of solvers that report statistics instead of steps: features without an order.

Each statistic with the power of two of its value is one class, and each inference that a solver names is one class.
Clocks, memory and resource counts are left out, because they do not repeat.

libFuzzer counts each class as a feature of its own (`TraceSource.has_features`). The hash of all classes is different
for nearly every problem, and only serves to compare executions.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain

import numpy as np
from chcfuzz.tracing.edges import NO_EDGES, Edges
from chcfuzz.tracing.trace import Trace
from numpy.typing import NDArray

Value = int | float | str | Mapping[str, int]
_ONES = np.ones(1 << 12, np.uint32)
_ONES.setflags(write=False)
_LEFT_OUT = re.compile(r"time|memory|alloc|rlimit|resource(?!::steps)|clock|date", re.IGNORECASE)


class StatisticsSource:
    """The source of traces of features; `edges` are those of a traced build among the solvers, if it counts them."""

    traces_refusals = False
    has_features = True

    def __init__(self, name: str, edges: Edges = NO_EDGES) -> None:
        """Describe the solvers by a name, under which outcomes are cached."""
        self.name = name
        self.edges = edges


def classes(statistics: Mapping[str, Value]) -> Iterator[str]:
    """Yield the classes of an execution's statistics; skip statistics that are zero."""
    for name, value in statistics.items():
        if _is_left_out(name):
            continue
        if isinstance(value, Mapping):
            yield from (f"{name}:{key} {_class(count)}" for key, count in value.items() if count)
        elif not isinstance(value, str) and value:
            yield f"{name} {_class(value)}"


@lru_cache(maxsize=4096)
def _is_left_out(name: str) -> bool:
    return _LEFT_OUT.search(name) is not None


def _class(value: float) -> str:
    """Return the power of two of a number; fractions and signs keep their own classes."""
    size = int(abs(value)).bit_length()
    return f"-{size}" if value < 0 else str(size)


def trace_of_features(features: Iterable[str]) -> Trace:
    """Return the trace of a set of classes, whose order does not matter."""
    return trace_of_keys([zlib.crc32(feature.encode()) for feature in features])


def trace_of_keys(keys: Iterable[int]) -> Trace:
    """Return the trace of features by their keys, numbers of 32 bits."""
    found = np.array(sorted(set(keys)), np.uint32)  # faster than np.unique for some hundred keys
    digest = hashlib.blake2b(found.astype("<u4").tobytes(), digest_size=8).digest()
    return Trace(int.from_bytes(digest, "little"), len(found), found, _ones(len(found)))


def _ones(number: int) -> NDArray[np.uint32]:
    """Return the number of occurrences of each feature; traces share the memory, since thousands of them are cached."""
    return _ONES[:number] if number <= len(_ONES) else np.ones(number, np.uint32)


def merged(traces: Mapping[str, Trace]) -> Trace:
    """Return the features of several solvers by name: equal features of two solvers differ in the result.

    The result is complete if all traces are.
    """
    parts = ((trace.keys ^ np.uint32(zlib.crc32(name.encode()))).tolist() for name, trace in traces.items())
    whole = trace_of_keys(chain.from_iterable(parts))
    complete = all(trace.complete for trace in traces.values())
    return whole if complete else Trace(whole.hash, whole.length, whole.keys, whole.counts, complete=False)
