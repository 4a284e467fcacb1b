"""Sources of traces, as solvers and campaigns see them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol, runtime_checkable

from chcfuzz.tracing.edges import Edges
from chcfuzz.tracing.trace import EventSequence, Trace

Parameters = Sequence[tuple[str, str]]


class TraceSource(Protocol):
    """The source of a solver's traces. `edges` are the counters of its last execution, or empty."""

    @property
    def name(self) -> str:
        """The key under which outcomes are cached: traces of two sources never compare."""

    @property
    def edges(self) -> Edges:
        """Counters of the last execution, or empty."""

    @property
    def traces_refusals(self) -> bool:
        """Whether undecided executions have traces too, which is so if the output is all there is to see."""

    @property
    def has_features(self) -> bool:
        """Whether the keys of a trace are independent features, as statistics are, and not transitions.

        The hash of all statistics is new nearly every time. A trace of features is new if one of its keys is.
        """


class EventSource(TraceSource, Protocol):
    """A source that a solver in this process writes its events to (`tracing.progress_log`)."""

    def options(self) -> Parameters:
        """Return the parameters that make the solver write its events."""

    def recording(self) -> AbstractContextManager[None]:
        """Forget the last execution, and receive the events of the one in the block."""

    def read(self) -> Trace:
        """Return the trace of the last recorded execution."""


@runtime_checkable
class SequenceSource(EventSource, Protocol):
    """A source that still has the events of the last execution in order."""

    def sequence(self, most: int) -> EventSequence:
        """Return the first `most` events of the last recorded execution."""
