"""Counts of edges as compressed bytes, for the table of outcomes."""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray

_FAR = 255  # edges between a reached edge and the next one


def pack(counters: NDArray[np.uint8]) -> bytes:
    """Pack the edges that were reached and their counts.

    The content is the number of edges, a byte for the distance to the edge before, a byte for each count, and four
    bytes for each distance of at least `_FAR`.
    """
    reached = np.flatnonzero(counters)
    steps = np.diff(reached, prepend=0)
    near, far = np.minimum(steps, _FAR).astype(np.uint8), steps[steps >= _FAR].astype("<u4")
    parts = (len(reached).to_bytes(4, "little"), near.tobytes(), counters[reached].tobytes(), far.tobytes())
    return zlib.compress(b"".join(parts), 1)


def unpack(packed: bytes) -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
    """Return the edges and the counts that `pack` packed."""
    data = zlib.decompress(packed)
    number = int.from_bytes(data[:4], "little")
    steps = np.frombuffer(data, np.uint8, number, 4).astype(np.intp)
    steps[steps == _FAR] = np.frombuffer(data, "<u4", offset=4 + 2 * number)
    return np.cumsum(steps), np.frombuffer(data, np.uint8, number, 4 + number)
