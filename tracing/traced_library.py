"""Events and edges of a traced build of Z3 (`build_z3_traced.sh`, tracing/native/chcfuzz_events.h).

A trace site of Z3 appends its number to a ring buffer in the library's memory; its body, which would print, never runs.
The library keeps hash, length and transition counts of the whole sequence, including events that the buffer no longer
contains. Sites are named by function, file and ordinal, so hashes do not change if an edit of Z3 only moves lines.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.tracing.edges import NO_EDGES, Edges
from chcfuzz.tracing.trace import EventSequence, Trace
from numpy.typing import NDArray

# Spacer's steps, and the transformations of rules before them. Not every release has all of these.
DEFAULT_TAGS = ("spacer", "spacer_progress", "spacer_sat", "global", "dl", "dl_rule_transf", "horn")
_MASK, _GOLDEN = (1 << 64) - 1, 0x9E3779B97F4A7C15  # of `_hash`


class TracedLibraryError(ChcfuzzError):
    """A libz3.so that does not record events as this version of chcfuzz reads them, or that lacks a tag."""


@dataclass(frozen=True)
class Site:
    """A trace site: a place where Z3 reports a step. `ordinal` counts the sites of one function."""

    number: int
    function: str
    file: str
    line: int
    ordinal: int
    tag: str

    @property
    def label(self) -> str:
        """Place of the site in Z3's sources."""
        return f"{Path(self.file).name}:{self.line} {self.function}"


class _Site(ctypes.Structure):
    """Layout of the C structure `chcfuzz_site`."""

    _fields_ = (
        ("function", ctypes.c_char_p),
        ("file", ctypes.c_char_p),
        ("tag", ctypes.c_char_p),
        ("line", ctypes.c_uint32),
        ("ordinal", ctypes.c_uint32),
        ("number", ctypes.c_uint32),
        ("enabled", ctypes.c_uint32),
        ("identity", ctypes.c_uint64),
    )


class _Trace(ctypes.Structure):
    """Layout of the C structure `chcfuzz_trace`."""

    _fields_ = (
        ("total", ctypes.c_uint64),
        ("hash", ctypes.c_uint64),
        ("previous", ctypes.c_uint64),
        ("capacity", ctypes.c_uint32),
        ("slots", ctypes.c_uint32),
        ("touched_count", ctypes.c_uint32),
        ("events", ctypes.POINTER(ctypes.c_uint32)),
        ("transitions", ctypes.POINTER(ctypes.c_uint32)),
        ("touched", ctypes.POINTER(ctypes.c_uint32)),
    )


class _Edges(ctypes.Structure):
    """Layout of the C structure `chcfuzz_edges`."""

    _fields_ = (
        ("counters_start", ctypes.c_void_p),
        ("counters_stop", ctypes.c_void_p),
        ("table_start", ctypes.c_void_p),
        ("table_stop", ctypes.c_void_p),
    )


class TracedLibrary:
    """The event source of a traced build. A process has one recorder, so one object of this class is enough."""

    def __init__(self, library: Path, tags: Sequence[str] = DEFAULT_TAGS) -> None:
        """Open `library`, the libz3.so that the process uses.

        Raises `TracedLibraryError`, also for an unknown tag, unless `tags` is exactly `DEFAULT_TAGS`.
        """
        self.name = f"traced:{'+'.join(tags)}"
        self._library = _loaded(library)
        self._table: tuple[Site, ...] = ()
        self._trace = self._library.chcfuzz_get_trace().contents
        found = self._trace
        self._buffer = np.ctypeslib.as_array(found.events, (found.capacity,))
        self._transitions = np.ctypeslib.as_array(found.transitions, (found.slots,))
        self._touched = np.ctypeslib.as_array(found.touched, (found.slots,))
        self._library.chcfuzz_enable(None, 0)
        for tag in tags:
            if not self._library.chcfuzz_enable(tag.encode(), 1) and tuple(tags) != DEFAULT_TAGS:
                known = ", ".join(sorted({site.tag for site in self.sites() if "/muz/" in site.file}))
                raise TracedLibraryError(f"no trace site of {str(library)!r} has the tag {tag!r}; it has {known}")
        self.edges = _edges(self._library)
        self.traces_refusals = False
        self.has_features = False

    def options(self) -> tuple[tuple[str, str], ...]:
        """Return no parameters: a traced build always writes its events."""
        return ()

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Clear the last execution's events. Edge counters stay: libFuzzer clears them."""
        self._library.chcfuzz_reset()
        yield

    def read(self) -> Trace:
        """Return the trace of the last recorded execution; its keys are slots of the library's table of transitions."""
        found = self._trace
        keys = np.sort(self._touched[: min(found.touched_count, found.slots)])
        return Trace(found.hash, found.total, keys, self._transitions[keys], found.total <= found.capacity)

    def events(self) -> NDArray[np.uint32]:
        """Return the numbers of the sites in the last recording, in order; only the latest ones if the buffer is full.

        The result is a view that is valid until the next `recording`, or a copy if the buffer has wrapped around.
        """
        total, capacity = self._trace.total, self._trace.capacity
        if total <= capacity:
            return self._buffer[:total]
        return np.roll(self._buffer, -(total % capacity))

    def sequence(self, most: int) -> EventSequence:
        """Return the first `most` events that the buffer holds of the execution since `recording` began.

        The label of an event is its place in Z3, `spacer_context.cpp:2170 expand_pob`, and so is its kind.
        """
        events = self.events()
        numbers = events[:most].copy()
        table = self._table = self._table or self.sites()
        labels = {int(number): table[number].label for number in np.unique(numbers)}
        return EventSequence(numbers, labels, labels, self._trace.total - len(events))

    def hashes_without_one(self, function: str) -> tuple[int, ...]:
        """Return the hashes that the last recording has without one of its events in a function of Z3.

        Returns nothing if the buffer has wrapped around.
        """
        if self._trace.total > self._trace.capacity:
            return ()
        table = self._library.chcfuzz_get_sites(ctypes.byref(ctypes.c_uint32()))
        events = self.events().tolist()
        sites = {number: table[number] for number in set(events)}
        identities = [sites[number].identity for number in events]
        left_out = [at for at, number in enumerate(events) if sites[number].function == function.encode()]
        return tuple(_hash([*identities[:at], *identities[at + 1 :]]) for at in left_out)

    def sites(self) -> tuple[Site, ...]:
        """Return the table of sites; a site's number is its index."""
        count = ctypes.c_uint32()
        table = self._library.chcfuzz_get_sites(ctypes.byref(count))
        rows = (table[i] for i in range(count.value))
        return tuple(
            Site(row.number, row.function.decode(), row.file.decode(), row.line, row.ordinal, row.tag.decode())
            for row in rows
        )


def edges_of(library: Path | None) -> Edges:
    """Return the edges of a traced build that the process uses, without recording its events; none without a build."""
    return NO_EDGES if library is None else _edges(_loaded(library))


def _edges(library: Any) -> Edges:
    found = library.chcfuzz_get_edges()
    size = (found.counters_stop or 0) - (found.counters_start or 0)
    if not size:
        return NO_EDGES
    counters = np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(found.counters_start))
    pcs = np.ctypeslib.as_array((ctypes.c_size_t * (2 * size)).from_address(found.table_start))
    return Edges(counters, pcs.reshape(size, 2))


def _hash(identities: Sequence[int]) -> int:
    """Return the hash of a sequence of sites, as `native/chcfuzz_events.cpp` computes it."""
    found = 0
    for identity in identities:
        found = ((found << 5 & _MASK | found >> 59) ^ identity) * _GOLDEN & _MASK
    return found


def _loaded(path: Path) -> Any:
    try:
        library = ctypes.CDLL(str(path))
        library.chcfuzz_get_trace.restype = ctypes.POINTER(_Trace)
        library.chcfuzz_get_sites.restype = ctypes.POINTER(_Site)
        library.chcfuzz_get_edges.restype = _Edges
    except (OSError, AttributeError) as error:
        raise TracedLibraryError(
            f"{str(path)!r} is not a traced Z3 ({error}); build one with ./build_z3_traced.sh and name its folder"
        ) from error
    return library
