"""A trace: the sequence of a solver's steps, reduced to what feedback needs.

An event is a number whose bits are what the source knows of a step (`progress_log`). The *hash* names the sequence of
events. *Transitions* are two events that follow each other, with how often they do; they are taken over coarser steps
than the hash, because a rare one should mean that the solver behaved in a new way, not that it did the usual one level
deeper.
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
    """`hash`: 64 bits, the same in every process and on every machine. `length`: number of events.

    `keys` (n,) uint32, ascending: a transition is `before << 16 | after`; `counts` (n,) uint32: how often each came.
    `complete` is False if the source cut the sequence short, and the other fields then speak of what was kept; or if a
    clock of the solver's own had a say in it, so that it need not come again.
    """

    hash: int
    length: int
    keys: NDArray[np.uint32]
    counts: NDArray[np.uint32]
    complete: bool = True


@dataclass(frozen=True, eq=False)
class EventSequence:
    """The events of one run in order: `numbers` (n,) uint32, equal for equal events of two runs of one source.

    `words` says what each number is, for people, with what only this run knows (names of predicates); `kinds` what is
    the same in runs of other systems too. `start`: how many events came before the first that is kept.
    """

    numbers: NDArray[np.uint32]
    words: Mapping[int, str]
    kinds: Mapping[int, str]
    start: int = 0


NO_EVENTS = EventSequence(np.zeros(0, np.uint32), {}, {})


def make_trace(events: NDArray[np.uint32], steps: NDArray[np.uint16], complete: bool = True) -> Trace:
    """The trace of a sequence: `events` (n,) name it, `steps` (n,) are its coarser view for transitions."""
    digest = hashlib.blake2b(events.astype("<u4").tobytes(), digest_size=8).digest()
    after = steps.astype(np.uint32)
    before = np.empty_like(after)
    if len(after):
        before[0] = START
        before[1:] = after[:-1]
    keys, counts = np.unique((before << np.uint32(16)) | after, return_counts=True)
    return Trace(int.from_bytes(digest, "little"), len(events), keys, counts.astype(np.uint32), complete)


NOTHING = make_trace(np.zeros(0, np.uint32), np.zeros(0, np.uint16))
