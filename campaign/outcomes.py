"""Outcomes that are not computed twice: by another process of a campaign, after a restart, or in the next campaign.

libFuzzer reads its corpus again in every `-fork` child and `-merge`, after every crash and at every start. What an
execution showed is kept in a table beside the findings, under the unit and everything that could change the outcome: a
unit that is known is neither decoded nor solved. It is a memory, nothing else: it may be deleted at any time. What
cannot be read or written is solved, and told once. Each row has a checksum: a row that is damaged is solved again too.
"""

from __future__ import annotations

import sqlite3
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from chcfuzz.campaign.tell import tell
from chcfuzz.execution.remembered import pack_trace, unpack_trace
from chcfuzz.solvers.outcome import Status
from chcfuzz.tracing.edges import Edges
from chcfuzz.tracing.trace import Trace

FOLDER, FILE = ".outcomes", "outcomes.sqlite"
_MOST = 100_000  # rows, a row takes some kilobytes; those of other settings make room for those of this one
_PATIENCE = 2.0  # seconds for another process that writes
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


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
        self._file = folder / FOLDER / FILE
        try:
            (folder / FOLDER).mkdir(exist_ok=True)
            self._table = sqlite3.connect(folder / FOLDER / FILE, timeout=_PATIENCE, isolation_level=None)
            self._table.execute("pragma journal_mode=wal")
            self._table.execute("pragma synchronous=off")
            self._table.execute(
                "create table if not exists checked (setting text, unit text, key blob, seed blob, status text,"
                " cost integer, finding text, trace blob, edges blob, checksum integer, primary key (setting, unit))"
                " without rowid"
            )
            self._table.execute("drop table if exists outcomes")  # of versions whose rows had no checksum
            (rows,) = self._table.execute("select count(*) from checked").fetchone()
            self._room = _MOST - rows
            if self._room <= 0:
                self._room += self._table.execute("delete from checked where setting <> ?", (setting,)).rowcount
        except (OSError, sqlite3.Error) as error:
            self._give_up(error)

    def get(self, unit: str) -> Shown | None:
        """What is known of a unit, by its digest; the counters of the solver's edges are then as they were."""
        if self._table is None:
            return None
        try:
            row = self._table.execute(
                "select key, seed, status, cost, finding, trace, edges, checksum from checked"
                " where setting = ? and unit = ?",
                (self._setting, unit),
            ).fetchone()
            if row is None:
                return None
            if _checksum(row[:-1]) != row[-1]:
                tell(f"chcfuzz: what {str(self._file)!r} says of unit {unit} is damaged; solved again")
                self._table.execute("delete from checked where setting = ? and unit = ?", (self._setting, unit))
                self._room += 1
                return None
        except sqlite3.Error as error:
            self._give_up(error)
            return None
        key, seed, status, cost, finding, packed, edges, _ = row
        trace = unpack_trace(packed)
        assert trace is not None
        self._restore(edges)
        return Shown(key, zlib.decompress(seed).decode(), Status(status), trace, cost, finding)

    def _give_up(self, error: OSError | sqlite3.Error) -> None:
        """Go on without the table; a writer that takes too long is no reason for that."""
        if isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode & 0xFF in _BUSY:
            return
        tell(f"chcfuzz: {str(self._file)!r} cannot be used ({error}); all is solved. It may be deleted")
        self._table = None

    def put(self, unit: str, shown: Shown) -> None:
        """Keep an outcome, and the counters of the solver's edges as they are now."""
        if self._table is None or self._room <= 0 or not shown.trace.complete:
            return
        seed = zlib.compress(shown.seed.encode(), 1)
        said = (shown.status.value, shown.cost, shown.finding, pack_trace(shown.trace))
        row = (shown.key, seed, *said, self._saved())
        try:
            values = (self._setting, unit, *row, _checksum(row))
            self._table.execute("insert or ignore into checked values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
        except sqlite3.Error as error:
            self._give_up(error)
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


def _checksum(row: tuple[object, ...]) -> int:
    return zlib.crc32(repr(row).encode())
