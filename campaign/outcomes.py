"""Outcomes that are not computed twice: by another process of a campaign, after a restart, or in the next campaign.

libFuzzer reads its corpus again in every `-fork` child and `-merge`, after every crash and at every start. What an
execution showed is kept in a table beside the findings, under the unit and everything that could change the outcome: a
unit that is known is neither decoded nor solved. It is a memory, nothing else: it may be deleted at any time. What
cannot be read or written is solved, and told once. Each row has a checksum: a row that is damaged is solved again too.
Where there are too many rows, those go that were not used for longest, whatever their setting. There is room for the
whole corpus twice over, or who starts again and reads it in order would find that each unit has just gone.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import numpy as np
from chcfuzz.campaign.console import tell
from chcfuzz.execution.cached_outcome import pack_trace, unpack_trace
from chcfuzz.execution.solving import UsageError
from chcfuzz.solvers.outcome import Status
from chcfuzz.tracing.edges import Edges, Features
from chcfuzz.tracing.trace import Trace
from numpy.typing import NDArray

FOLDER, FILE = ".outcomes", "outcomes.sqlite"
_MOST = 100_000  # rows, where the corpus is not large; a row takes some kilobytes
_FAR = 255  # edges from the one before on
_GO_AT_ONCE = 10  # one in so many, when there is no room
_USED_AT_ONCE = 500  # uses are written down together: workers that read a corpus at once would wait for each other
_NEXT_USE = "(select coalesce(max(used), 0) + 1 from units)"
_PATIENCE = 2.0  # seconds for another process that writes
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
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
    """A table of outcomes beside the findings, for one setting: a text that names all that an outcome depends on.

    `corpus_units` counts the corpus that is read under it; it is asked when the table looks full.
    """

    def __init__(self, folder: Path, setting: str, edges: Edges, corpus_units: Callable[[], int] = lambda: 0) -> None:
        # A part of every key: a short one is soon found.
        self._setting = hashlib.sha256(setting.encode()).hexdigest()[:16]
        self._edges = edges
        self._corpus_units = corpus_units
        self._features = Features(len(edges.counters))
        self._table: sqlite3.Connection | None = None
        self._room = 0  # rows that may be added before others go, if no other process adds any
        self._used: list[tuple[str, str]] = []  # (setting, unit) of rows that were got, their use not written yet
        self._file = folder / FOLDER / FILE
        try:
            (folder / FOLDER).mkdir(exist_ok=True)
            try:
                self._open()
            except sqlite3.DatabaseError as error:
                if error.sqlite_errorcode & 0xFF not in _DAMAGED:
                    raise
                tell(f"chcfuzz: {str(self._file)!r} is damaged, as by a power cut; begun anew, and all is solved once")
                for end in ("", "-wal", "-shm"):
                    Path(f"{self._file}{end}").unlink(missing_ok=True)
                self._open()
        except (OSError, sqlite3.Error) as error:
            self._give_up(error)

    def _open(self) -> None:
        table = self._table = sqlite3.connect(self._file, timeout=_PATIENCE, isolation_level=None)
        table.execute("pragma journal_mode=wal")
        table.execute("pragma synchronous=off")
        table.execute(
            "create table if not exists units (setting text, unit text, key blob, seed blob, status text,"
            " cost integer, finding text, trace blob, edges blob, checksum integer, used integer,"
            " primary key (setting, unit)) without rowid"
        )
        table.execute("create index if not exists units_by_use on units (used)")
        # Of versions whose rows had no checksum, no use, long settings, numbers of edges, a bit for each edge.
        for old in ("outcomes", "checked", "shown", "seen", "known"):
            table.execute(f"drop table if exists {old}")
        (rows,) = table.execute("select count(*) from units").fetchone()
        self._room = _MOST - rows

    def get(self, unit: str, size: int | None = None) -> Shown | None:
        """What is known of a unit, by its digest; the counters of the solver's edges are then as they were.

        With its size, those counters alone that tell libFuzzer something: after other units that were got with theirs.
        """
        if self._table is None:
            return None
        try:
            row = self._table.execute(
                "select key, seed, status, cost, finding, trace, edges, checksum from units"
                " where setting = ? and unit = ?",
                (self._setting, unit),
            ).fetchone()
            if row is None:
                return None
            if _checksum(row[:-1]) != row[-1]:
                tell(f"chcfuzz: what {str(self._file)!r} says of unit {unit} is damaged; solved again")
                self._table.execute("delete from units where setting = ? and unit = ?", (self._setting, unit))
                self._room += 1
                return None
            if self._room < _MOST // 2:  # else nothing goes soon
                self._used.append((self._setting, unit))
                if len(self._used) >= _USED_AT_ONCE:
                    self._write_uses(self._table)
        except sqlite3.Error as error:
            self._give_up(error)
            return None
        key, seed, status, cost, finding, packed, edges, _ = row
        trace = unpack_trace(packed)
        assert trace is not None
        self._restore(edges, size)
        return Shown(key, zlib.decompress(seed).decode(), Status(status), trace, cost, finding)

    def _give_up(self, error: OSError | sqlite3.Error) -> None:
        """Go on without the table; a writer that takes too long is no reason for that."""
        if isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode & 0xFF in _BUSY:
            return
        tell(f"chcfuzz: {str(self._file)!r} cannot be used ({error}); all is solved. It may be deleted")
        self._table = None

    def put(self, unit: str, shown: Shown) -> None:
        """Keep an outcome, and the counters of the solver's edges as they are now."""
        if self._table is None or not shown.trace.complete:
            return
        seed = zlib.compress(shown.seed.encode(), 1)
        said = (shown.status.value, shown.cost, shown.finding, pack_trace(shown.trace))
        row = (shown.key, seed, *said, _packed(self._edges.counters))
        try:
            if self._room <= 0:
                self._make_room(self._table)
            values = (self._setting, unit, *row, _checksum(row))
            places = ", ".join("?" * len(values))
            self._table.execute(f"insert or ignore into units values ({places}, {_NEXT_USE})", values)
        except sqlite3.Error as error:
            self._give_up(error)
            return
        self._room -= 1

    def _write_uses(self, table: sqlite3.Connection) -> None:
        """What a process that ends before has used may go sooner; nothing else depends on it."""
        used, self._used = self._used, []
        try:
            table.execute("begin immediate")
            table.executemany(f"update units set used = {_NEXT_USE} where setting = ? and unit = ?", used)
            table.execute("commit")
        except sqlite3.Error as error:
            self._give_up(error)

    def _make_room(self, table: sqlite3.Connection) -> None:
        self._write_uses(table)
        (rows,) = table.execute("select count(*) from units").fetchone()
        most = max(_MOST, 2 * self._corpus_units())
        too_many = max(0, rows - most + max(1, most // _GO_AT_ONCE))  # another process may have made room
        oldest = "select setting, unit from units order by used limit ?"
        table.execute(f"delete from units where (setting, unit) in ({oldest})", (too_many,))
        self._room = most - rows + too_many

    def _restore(self, packed: bytes, size: int | None) -> None:
        reached, counts = _unpacked(packed)
        if size is not None:
            news = self._features.news(reached, counts, size)
            reached, counts = reached[news], counts[news]
        self._edges.show(reached, counts)


@dataclass(frozen=True)
class Kept:
    """What a row says of a unit, by its digest, beside its trace: `edges` (n,) the solver's edges that it reached, and
    `counts` (n,) how often, at most 255."""

    unit: str
    status: Status
    cost: int
    trace: Trace
    edges: NDArray[np.intp]
    counts: NDArray[np.uint8]


def everything(folder: Path) -> Iterator[Kept]:
    """All that is in the table of a findings folder, whatever the setting, by unit; nothing where there is none.

    Raises `UsageError` for a table that cannot be read.
    """
    file = folder / FOLDER / FILE
    if not file.exists():
        return
    try:
        with contextlib.closing(sqlite3.connect(f"file:{quote(str(file))}?mode=ro", uri=True)) as table:
            if not table.execute("select 1 from sqlite_master where name = 'units'").fetchone():
                return  # of an earlier version, or of a process that ended before it made any
            rows = table.execute("select unit, status, cost, trace, edges from units order by unit").fetchall()
    except sqlite3.Error as error:
        raise UsageError(f"{str(file)!r} cannot be read: {error}") from error
    for unit, status, cost, packed, edges in rows:
        trace = unpack_trace(packed)
        if trace is not None:
            yield Kept(unit, Status(status), cost, trace, *_unpacked(edges))


def _packed(counters: NDArray[np.uint8]) -> bytes:
    """The edges that were reached, and how often: their number, a byte for each from the one before on, a byte for each
    count, and four for each that is far from the one before."""
    reached = np.flatnonzero(counters)
    steps = np.diff(reached, prepend=0)
    near, far = np.minimum(steps, _FAR).astype(np.uint8), steps[steps >= _FAR].astype("<u4")
    parts = (len(reached).to_bytes(4, "little"), near.tobytes(), counters[reached].tobytes(), far.tobytes())
    return zlib.compress(b"".join(parts), 1)


def _unpacked(packed: bytes) -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
    """What was `_packed`: the edges that were reached, and how often."""
    data = zlib.decompress(packed)
    number = int.from_bytes(data[:4], "little")
    steps = np.frombuffer(data, np.uint8, number, 4).astype(np.intp)
    steps[steps == _FAR] = np.frombuffer(data, "<u4", offset=4 + 2 * number)
    return np.cumsum(steps), np.frombuffer(data, np.uint8, number, 4 + number)


def _checksum(row: tuple[object, ...]) -> int:
    found = 0
    for part in row:
        found = zlib.crc32(part if isinstance(part, bytes) else repr(part).encode(), found)
    return found
