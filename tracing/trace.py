"""A trace: the sequence of a solver's steps, reduced to the properties that feedback needs.

An event is a number that encodes a step (`progress_log`). The *hash* identifies the sequence of events. A *transition*
is a pair of successive events with its number of occurrences. Transitions use coarser steps than the hash, because a
rare transition should mean that the solver behaved in a new way, not that it did the usual one level deeper.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

START = 0xFFFF  # the step before the first one


@dataclass(frozen=True, eq=False)
class Trace:
    """A trace: its `hash` of 64 bits, equal in all processes and on all machines, and its number of events, `length`.

    `keys` (n,) uint32, ascending: a transition is `before << 16 | after`; `counts` (n,) uint32: its number of
    occurrences. `complete` is False if the source cut the sequence, so that the other fields describe a part of it,
    or if a clock of the solver influenced it, so that it need not occur again.
    """

    hash: int
    length: int
    keys: NDArray[np.uint32]
    counts: NDArray[np.uint32]
    complete: bool = True


@dataclass(frozen=True, eq=False)
class EventSequence:
    """The events of one run in order: `numbers` (n,) uint32, equal for equal events of two runs of one source.

    `labels` describes each number, including names that only this run has (of predicates); `kinds` is independent
    of the system. `start` is the number of events before the first one that is kept.
    """

    numbers: NDArray[np.uint32]
    labels: Mapping[int, str]
    kinds: Mapping[int, str]
    start: int = 0


NO_EVENTS = EventSequence(np.zeros(0, np.uint32), {}, {})


def make_trace(events: NDArray[np.uint32], steps: NDArray[np.uint16], complete: bool = True) -> Trace:
    """Return the trace of a sequence of `events` (n,), with `steps` (n,), their coarser view, for transitions."""
    digest = hashlib.blake2b(events.astype("<u4").tobytes(), digest_size=8).digest()
    after = steps.astype(np.uint32)
    before = np.empty_like(after)
    if len(after):
        before[0] = START
        before[1:] = after[:-1]
    keys, counts = np.unique((before << np.uint32(16)) | after, return_counts=True)
    return Trace(int.from_bytes(digest, "little"), len(events), keys, counts.astype(np.uint32), complete)


NOTHING = make_trace(np.zeros(0, np.uint32), np.zeros(0, np.uint16))
