"""The trace of a command-line solver: classes of its output lines, one event for each. Nothing else is visible.

The classes come from `solvers.command_trace`, so that a time or a name in the output does not make a new trace.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
from chcfuzz.tracing.edges import NO_EDGES, Edges
from chcfuzz.tracing.trace import Trace, make_trace

_STEP_BITS = 15  # so that no step is `trace.START`


class OutputEvents:
    """The source of a command's traces, by the solver's `name`; `edges` are those of its last run, if it has any."""

    def __init__(self, name: str, edges: Edges = NO_EDGES) -> None:
        """Describe a command by its name and edges."""
        self.name = name
        self.edges = edges
        self.traces_refusals = True
        self.has_features = False


def trace_of_classes(classes: Sequence[str], complete: bool = True) -> Trace:
    """Return the trace of a sequence of classes: equal classes are equal events, in every process."""
    events = np.array([zlib.crc32(name.encode()) for name in classes], dtype=np.uint32)
    return make_trace(events, (events >> np.uint32(32 - _STEP_BITS)).astype(np.uint16), complete)
