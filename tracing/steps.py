"""Pairs of successive steps in the latest traces, as text for the dashboard; feedback does not need them.

A trace (`trace.Trace`) contains no text, and the next execution discards the events of the source. So the pairs are
collected when a trace is read, and only for traces that are new.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from chcfuzz.tracing.edges import Edges
from chcfuzz.tracing.source import Parameters, SequenceSource, TraceSource
from chcfuzz.tracing.trace import EventSequence, Trace

Pairs = tuple[tuple[str, str], ...]  # a step and its successor; in order, without duplicates

BEGIN = "begin"
_MOST_EVENTS = 20_000  # of an execution; later events rarely contain a new pair
MOST_LATEST = 8  # executions whose pairs have not been taken yet
_MOST_KNOWN = 1 << 18  # traces


class WithSteps:
    """A source of events that also keeps the pairs of steps of its latest new traces."""

    def __init__(self, source: SequenceSource) -> None:
        self._source = source
        self.name = source.name
        self.edges: Edges = source.edges
        self.traces_refusals = source.traces_refusals
        self.has_features = source.has_features
        self._known: set[int] = set()
        self._latest: dict[int, Pairs] = {}

    def options(self) -> Parameters:
        """Return the parameters that make the solver write its events."""
        return self._source.options()

    def recording(self) -> AbstractContextManager[None]:
        """Receive the events of the execution in the block."""
        return self._source.recording()

    def sequence(self, most: int) -> EventSequence:
        """Return the first `most` events of the last recorded execution."""
        return self._source.sequence(most)

    def read(self) -> Trace:
        """Return the trace of the last recorded execution, and keep the pairs of its steps if it is new."""
        trace = self._source.read()
        if trace.hash not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known.add(trace.hash)
            self._latest[trace.hash] = pairs_of(self._source.sequence(_MOST_EVENTS))
            if len(self._latest) > MOST_LATEST:
                self._latest.pop(next(iter(self._latest)))
        return trace

    def take(self, trace: Trace) -> Pairs:
        """Return the pairs of one of the latest traces, once; empty for a trace from a cached outcome."""
        return self._latest.pop(trace.hash, ())


def with_steps(source: TraceSource) -> TraceSource:
    """Return the source, which also keeps the steps of its latest new traces if it has events in order."""
    return WithSteps(source) if isinstance(source, SequenceSource) else source


def pairs_of(sequence: EventSequence) -> Pairs:
    """Return the pairs of successive kinds of steps; the first step follows `BEGIN`."""
    before = BEGIN
    found: dict[tuple[str, str], None] = {}
    for number in sequence.numbers.tolist():
        after = sequence.kinds[number]
        found[before, after] = None
        before = after
    return tuple(found)
