"""Outcomes that are not computed twice: by another process of a campaign, after a restart, or in the next campaign.

libFuzzer reads its corpus again in every `-fork` child and `-merge`, after every crash and at every start. What an
execution showed is kept in a table beside the findings, under the unit and everything that could change the outcome: a
unit that is known is neither decoded nor solved. It is a memory, nothing else: it may be deleted at any time, and what
cannot be read or written is solved.
"""

from __future__ import annotations

import sqlite3
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from chcfuzz.execution.remembered import pack_trace, unpack_trace
from chcfuzz.solvers.outcome import Status
from chcfuzz.tracing.edges import Edges
from chcfuzz.tracing.trace import Trace

FOLDER, FILE = ".outcomes", "outcomes.sqlite"
_MOST = 100_000  # rows; a row takes some kilobytes
_PATIENCE = 2.0  # seconds for another process that writes


@dataclass(frozen=True)
class Shown:
    """What an execution showed, to show it again without solving.

    `key` is the mutant's (empty where nobody looked), `seed` its seed as we print it, `finding` the kind if it was one.
    """

    key: bytes
    seed: str
    status: Status
    trace: Trace
    cost: int
    finding: str | None = None


class Outcomes:
    """A table of outcomes beside the findings, for one setting: a text that names all that an outcome depends on."""

    def __init__(self, folder: Path, setting: str, edges: Edges) -> None:
        self._setting = setting
        self._edges = edges
        self._table: sqlite3.Connection | None = None
        self._room = 0
        try:
            (folder / FOLDER).mkdir(exist_ok=True)
            self._table = sqlite3.connect(folder / FOLDER / FILE, timeout=_PATIENCE, isolation_level=None)
            self._table.execute("pragma journal_mode=wal")
            self._table.execute("pragma synchronous=off")
            self._table.execute(
                "create table if not exists outcomes (setting text, unit text, key blob, seed blob, status text,"
                " cost integer, finding text, trace blob, edges blob, primary key (setting, unit)) without rowid"
            )
            (rows,) = self._table.execute("select count(*) from outcomes").fetchone()
            self._room = _MOST - rows
        except (OSError, sqlite3.Error):
            self._table = None

    def get(self, unit: str) -> Shown | None:
        """What is known of a unit, by its digest; the counters of the solver's edges are then as they were."""
        if self._table is None:
            return None
        try:
            row = self._table.execute(
                "select key, seed, status, cost, finding, trace, edges from outcomes where setting = ? and unit = ?",
                (self._setting, unit),
            ).fetchone()
        except sqlite3.Error:
            return None
        trace = None if row is None else unpack_trace(row[5])
        if trace is None:
            return None
        key, seed, status, cost, finding, _, edges = row
        self._restore(edges)
        return Shown(key, zlib.decompress(seed).decode(), Status(status), trace, cost, finding)

    def put(self, unit: str, shown: Shown) -> None:
        """Keep an outcome, and the counters of the solver's edges as they are now."""
        if self._table is None or self._room <= 0 or not shown.trace.complete:
            return
        seed = zlib.compress(shown.seed.encode(), 1)
        said = (shown.status.value, shown.cost, shown.finding, pack_trace(shown.trace))
        try:
            row = (self._setting, unit, shown.key, seed, *said, self._saved())
            self._table.execute("insert or ignore into outcomes values (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        except sqlite3.Error:
            return
        self._room -= 1

    def _saved(self) -> bytes:
        reached = np.flatnonzero(self._edges.counters).astype("<u4")
        return zlib.compress(reached.tobytes() + self._edges.counters[reached].tobytes(), 1)

    def _restore(self, saved: bytes) -> None:
        data = zlib.decompress(saved)
        number = len(data) // 5
        self._edges.clear()
        self._edges.counters[np.frombuffer(data, "<u4", number)] = np.frombuffer(data, np.uint8, number, 4 * number)
