"""The messages between `chcfuzz locate` and the processes that run a finding's neighbours."""

from __future__ import annotations

import enum
from typing import Any

import msgspec
import numpy as np
from chcfuzz.tracing.trace import EventSequence
from chcfuzz.triage.reduce.messages import Judgement
from numpy.typing import NDArray


class Side(enum.Enum):
    """Outcome of a run. NEITHER: undecided, wrong in another way, or without evidence that it is right."""

    FAILING = "failing"
    PASSING = "passing"
    NEITHER = "neither"


class ParameterRow(msgspec.Struct, frozen=True):
    """A parameter of the solver; `values` does not contain the default."""

    name: str
    default: str
    values: tuple[str, ...]


class LocateReady(msgspec.Struct, frozen=True):
    """First message of a process: the solver's parameters, and the promise of each mutation by its id."""

    parameters: tuple[ParameterRow, ...] = ()
    promises: dict[str, str] = {}


class RunQuery(msgspec.Struct, frozen=True, tag="run"):
    """Request to run a unit, and to judge whether it shows the finding if `judge` is set.

    `is_known`: its system has the finding's right answer.
    """

    unit: bytes
    is_known: bool
    judge: bool


class PlacesQuery(msgspec.Struct, frozen=True, tag="places"):
    """Request for the source places of edges of a traced build."""

    places: tuple[int, ...]


class LogQuery(msgspec.Struct, frozen=True, tag="log"):
    """Request to run a unit and to return Spacer's progress log."""

    unit: bytes


Query = RunQuery | PlacesQuery | LogQuery


class PackedEvents(msgspec.Struct, frozen=True):
    """An event sequence that JSON can represent; `numbers` are 32-bit numbers, packed."""

    numbers: bytes
    words: dict[int, str]
    kinds: dict[int, str]
    start: int


class PackedRun(msgspec.Struct, frozen=True):
    """Outcome, description, events and edges of a run."""

    side: Side
    description: str
    events: PackedEvents
    edges: bytes


class LocateReply(msgspec.Struct, frozen=True, omit_defaults=True):
    """Reply to a query.

    For `RunQuery`: the text of the mutant, the judgement if it was requested, and the run. For `PlacesQuery`: the
    places. For `LogQuery`: the log. If the solver kills the process, `death` describes how, and the rest is missing.
    """

    system: str = ""
    judgement: Judgement | None = None
    run: PackedRun | None = None
    places: tuple[str | None, ...] = ()
    log: bytes = b""
    death: str | None = None


def pack(sequence: EventSequence) -> PackedEvents:
    """Return an event sequence in the form that JSON can represent."""
    return PackedEvents(pack_numbers(sequence.numbers), dict(sequence.labels), dict(sequence.kinds), sequence.start)


def unpack(packed: PackedEvents) -> EventSequence:
    """Return the event sequence that was packed."""
    return EventSequence(unpack_numbers(packed.numbers), packed.words, packed.kinds, packed.start)


def pack_numbers(numbers: NDArray[Any]) -> bytes:
    """Return an array of 32-bit numbers as bytes."""
    return numbers.astype("<u4").tobytes()


def unpack_numbers(packed: bytes) -> NDArray[np.uint32]:
    """Return the numbers that were packed."""
    return np.frombuffer(packed, "<u4").astype(np.uint32)
