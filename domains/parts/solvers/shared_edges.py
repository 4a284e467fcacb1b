"""The edges of a traced build in the child process, in memory that its parent reads.

Both processes have loaded the same library, so counters have the same order in both. The counters of a question to the
child become those of the parent's library, which libFuzzer reads (`tracing.edges`). They are missing if the process
dies, and for `z3 -in`, a process of its own.
"""

from __future__ import annotations

import mmap
import os

import numpy as np
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.tracing.edges import Edges


class EdgesError(ChcfuzzError):
    """A library that is not the one of the parent."""


class ReceivedEdges:
    """The parent's end: memory of the size of `edges`, which are those of its own library."""

    def __init__(self, edges: Edges) -> None:
        """Allocate the memory, unless the library counts no edges."""
        self._edges = edges
        self.path = ""  # that the child opens; empty without edges
        if len(edges.counters):
            file = os.memfd_create("chcfuzz-part-edges")  # never closed: each new child opens it through this process
            os.ftruncate(file, len(edges.counters))
            self.path = f"/proc/{os.getpid()}/fd/{file}"
            self._counts = np.frombuffer(mmap.mmap(file, 0), np.uint8)

    def clear(self) -> None:
        """Forget the last question."""
        if self.path:
            self._counts[:] = 0

    def show(self) -> None:
        """Set the counters of this process's library to those of the last question."""
        if self.path:
            self._edges.restore(self._counts)


class SentEdges:
    """The child's end."""

    def __init__(self, path: str, edges: Edges) -> None:
        """Open the parent's memory; without a path, nothing is sent. Raises `EdgesError`."""
        self._edges = edges
        self._counts = None
        if path:
            with open(path, "r+b") as file:
                self._counts = np.frombuffer(mmap.mmap(file.fileno(), 0), np.uint8)
            if len(self._counts) != len(edges.counters):
                raise EdgesError(
                    f"the library of --z3-library was replaced: it had {len(self._counts)} edges and has"
                    f" {len(edges.counters)} now; start the campaign again"
                )

    def clear(self) -> None:
        """Set the count of every edge to zero."""
        if self._counts is not None:
            self._edges.clear()

    def send(self) -> None:
        """Let the parent see the counts since `clear`."""
        if self._counts is not None:
            self._counts[:] = self._edges.counters
