"""What a command's output tells of its run: words, one an event. A black box has no other trace.

The words are classes (`solvers.command` makes them), so that a time or a name in the output is no new trace.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
from chcfuzz.tracing.edges import NO_EDGES, Edges
from chcfuzz.tracing.trace import Trace, make_trace

_STEP_BITS = 15  # so that no step is `trace.START`


class OutputEvents:
    """The source of a command's traces: `name` tells whose they are. `edges` are those of its last run, if any."""

    def __init__(self, name: str, edges: Edges = NO_EDGES) -> None:
        self.name = name
        self.edges = edges
        self.traces_refusals = True


def trace_of_words(words: Sequence[str], complete: bool = True) -> Trace:
    """The trace of a sequence of words: equal words are equal events, in every process."""
    events = np.array([zlib.crc32(word.encode()) for word in words], dtype=np.uint32)
    return make_trace(events, (events >> np.uint32(32 - _STEP_BITS)).astype(np.uint16), complete)
