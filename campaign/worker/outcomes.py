"""Outcomes shared by the processes of a campaign, and by later campaigns with the same findings folder.

libFuzzer reads its corpus again in every `-fork` child and `-merge`, after every crash and at every start. A table in
the findings folder stores the outcomes, by unit and by everything else that could change an outcome. A unit with a
stored outcome is neither decoded nor solved. The table is a cache and may be deleted at any time. If it cannot be read
or written, units are solved, and one message is printed. Each row is signed (`execution.signed_tables`); a unit whose
row is damaged, or from somebody else, is solved again. If the table is full, the rows that were not used for longest
are deleted, whatever their configuration. The table holds twice the corpus: a smaller LRU table would thrash, since a
restarted worker reads the corpus in order and would miss every unit.
"""

from __future__ import annotations

import contextlib
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
from chcfuzz.campaign.worker.expectation import NOTHING, Expectation
from chcfuzz.campaign.worker.packed_edges import pack, unpack
from chcfuzz.execution.cached_outcome import pack_trace, unpack_trace
from chcfuzz.execution.console import print_error
from chcfuzz.execution.files import LinkError
from chcfuzz.execution.own_secret import is_signature_of_row, signature_of_row
from chcfuzz.execution.signed_tables import FOLDER, PATIENCE, is_busy, is_foreign, key_of, opened, path_of
from chcfuzz.execution.solving import UsageError
from chcfuzz.solvers.outcome import Status
from chcfuzz.tracing.edges import Edges, Features
from chcfuzz.tracing.trace import Trace
from numpy.typing import NDArray

FILE, TABLE = "outcomes.sqlite", "stepped"
_MOST = 100_000  # rows, unless the corpus is larger; a row takes some kilobytes
_PART_DELETED = 10  # one row in ten is deleted if the table is full
_USES_WRITTEN = 500  # uses are written in one transaction: workers that read a corpus would block each other
_NEXT_USE = f"(select coalesce(max(used), 0) + 1 from {TABLE})"
_CONTENT = (
    "key, seed, status, cost, finding, expected, steps, trace, edges, ending"  # columns that the signature covers
)
_ENDED_SOONER = (  # the outcome of a unit that a smaller limit ended
    f"delete from {TABLE} where setting = ? and unit = ? and status = 'limit' and finding is null and cost < ?"
)
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


@dataclass(frozen=True)
class CachedOutcome:
    """The outcome of an execution, sufficient to show it to libFuzzer again without solving.

    `key` is the mutant's, or empty if the unit was not decoded. `seed` is the printed seed. If the execution may be a
    finding, `finding` is its kind and `suspicion` the name of the suspicion that waits. `expectation` is the promised
    answer, and the reason for it. `steps` is the version of the claims by which the solver's steps were judged, the
    price of judging them, and the numbers of suspicious ones; empty if they were not judged.
    """

    key: bytes
    seed: str
    status: Status
    trace: Trace
    cost: int
    finding: str | None = None
    suspicion: str = ""
    expectation: Expectation = NOTHING
    steps: str = ""

    @property
    def stored_finding(self) -> str | None:
        """The finding and its suspicion in the column `finding`."""
        return self.finding and f"{self.finding} {self.suspicion}"


class OutcomeTable:
    """The table of outcomes under one configuration key, which names everything that an outcome depends on.

    `corpus_units` returns the size of the corpus; it is called if the table looks full. A hang depends on the load of
    the machine, too, so it is known in the same `session` only.
    """

    def __init__(
        self,
        folder: Path,
        setting: str,
        edges: Edges,
        corpus_units: Callable[[], int] = lambda: 0,
        session: str = "",
    ) -> None:
        # Parts of every row's key; a short one is compared quickly.
        self._setting, self._of_session = key_of(setting), key_of(setting, session)
        self._edges = edges
        self._corpus_units = corpus_units
        self.features = Features(len(edges.counters))  # that libFuzzer knows
        self._table: sqlite3.Connection | None = None
        self._room = 0  # rows that can be added before others are deleted, if no other process adds any
        self._used: list[tuple[str, str]] = []  # (setting, unit) of rows whose use is not written yet
        self._folder, self._file = folder, folder / FOLDER / FILE
        try:
            try:
                self._open()
            except sqlite3.DatabaseError as error:
                if error.sqlite_errorcode & 0xFF not in _DAMAGED:
                    raise
                print_error(f"chcfuzz: {str(self._file)!r} is damaged, as by a power cut; a new one is created")
                for end in ("", "-wal", "-shm"):
                    Path(f"{self._file}{end}").unlink(missing_ok=True)
                self._open()
        except (OSError, sqlite3.Error, LinkError) as error:
            self._give_up(error)

    def _open(self) -> None:
        table = opened(self._folder, FILE, PATIENCE)
        try:
            self._room = _MOST - _create(table)
        except sqlite3.Error:
            table.close()
            raise
        self._table = table

    def get(self, unit: str, size: int | None = None) -> CachedOutcome | None:
        """Return the outcome of a unit by its digest, and restore the counters of the solver's edges.

        With the size of the unit, restore only the counters that are news to libFuzzer after the units read before.
        """
        row = self._row(unit)
        if row is None:
            return None
        key, seed, status, cost, finding, expected, steps, packed, edges, _ = row
        trace = unpack_trace(packed)
        assert trace is not None
        self._restore(unit, edges, size)
        text, (kind, suspicion) = zlib.decompress(seed).decode(), _finding(finding)
        expectation = Expectation.read(expected)
        return CachedOutcome(key, text, Status(status), trace, cost, kind, suspicion, expectation, steps)

    def end_of(self, unit: str) -> str | None:
        """Return the text that was stored of the problem at the end of a unit's chain, if there is one."""
        row = self._row(unit)
        return zlib.decompress(row[-1]).decode() if row is not None and row[-1] else None

    def _row(self, unit: str) -> tuple[Any, ...] | None:
        """Return the columns `_CONTENT` of a unit's row, and note its use."""
        if self._table is None:
            return None
        try:
            row = self._table.execute(
                f"select {_CONTENT}, signature, setting from {TABLE} where setting in (?, ?) and unit = ?"
                " order by status = 'hang'",
                (self._setting, self._of_session, unit),
            ).fetchone()
            if row is None:
                return None
            *content, signature, setting = row
            if not is_signature_of_row(signature, setting, unit, *content):
                print_error(f"chcfuzz: unit {unit} is damaged in {str(self._file)!r}; it is solved again")
                self._table.execute(f"delete from {TABLE} where setting = ? and unit = ?", (setting, unit))
                self._room += 1
                return None
            if self._room < _MOST // 2:  # else no row is deleted soon
                self._used.append((setting, unit))
                if len(self._used) >= _USES_WRITTEN:
                    self._write_uses(self._table)
        except sqlite3.Error as error:
            self._give_up(error)
            return None
        return tuple(content)

    def _give_up(self, error: OSError | sqlite3.Error | LinkError) -> None:
        """Continue without the table, unless another process was writing to it for too long."""
        if self._table is not None and is_busy(error):
            return
        print_error(
            f"chcfuzz: {str(self._file)!r} cannot be used ({error}); every unit is solved. The file may be deleted"
        )
        self._table = None

    def put(self, unit: str, outcome: CachedOutcome, end: str | None = None) -> None:
        """Store an outcome with the current counters of the solver's edges, and the text at the end of the chain."""
        if self._table is None or not outcome.trace.complete:
            return
        seed = zlib.compress(outcome.seed.encode(), 1)
        verdict = (outcome.stored_finding, outcome.expectation.written, outcome.steps)
        content = (outcome.status.value, outcome.cost, *verdict, pack_trace(outcome.trace))
        ending = b"" if end is None else zlib.compress(end.encode(), 1)
        row = (outcome.key, seed, *content, pack(self._edges.counters), ending)
        try:
            if self._room <= 0:
                self._make_room(self._table)
            setting = self._of_session if outcome.status is Status.HANG else self._setting
            values = (setting, unit, *row, signature_of_row(setting, unit, *row))
            places = ", ".join("?" * len(values))
            self._table.execute(_ENDED_SOONER, (setting, unit, outcome.cost))
            self._table.execute(f"insert or ignore into {TABLE} values ({places}, {_NEXT_USE})", values)
        except sqlite3.Error as error:
            self._give_up(error)
            return
        self._room -= 1

    def judge(self, unit: str, outcome: CachedOutcome) -> None:
        """Replace the stored verdict of a unit, the expectation on which it depends, and the note on its steps."""
        if self._table is None:
            return
        place = (self._setting, unit)
        try:
            row = self._table.execute(
                f"select {_CONTENT}, signature from {TABLE} where setting = ? and unit = ?", place
            ).fetchone()
            if row is not None and is_signature_of_row(row[-1], *place, *row[:-1]):
                verdict = (outcome.stored_finding, outcome.expectation.written, outcome.steps)
                signature = signature_of_row(*place, *row[:4], *verdict, *row[7:-1])
                values = (*verdict, signature, *place)
                columns = "finding = ?, expected = ?, steps = ?, signature = ?"
                self._table.execute(f"update {TABLE} set {columns} where setting = ? and unit = ?", values)
        except sqlite3.Error as error:
            self._give_up(error)

    def _write_uses(self, table: sqlite3.Connection) -> None:
        """Write the uses of rows, which decide which rows are deleted first, and nothing else."""
        used, self._used = self._used, []
        try:
            table.execute("begin immediate")
            table.executemany(f"update {TABLE} set used = {_NEXT_USE} where setting = ? and unit = ?", used)
            table.execute("commit")
        except sqlite3.Error as error:
            self._give_up(error)

    def _make_room(self, table: sqlite3.Connection) -> None:
        self._write_uses(table)
        (rows,) = table.execute(f"select count(*) from {TABLE}").fetchone()
        most = max(_MOST, 2 * self._corpus_units())
        too_many = max(0, rows - most + max(1, most // _PART_DELETED))  # another process may have deleted rows
        oldest = f"select setting, unit from {TABLE} order by used limit ?"
        table.execute(f"delete from {TABLE} where (setting, unit) in ({oldest})", (too_many,))
        self._room = most - rows + too_many

    def _restore(self, unit: str, packed: bytes, size: int | None) -> None:
        if not len(self._edges.counters):
            return
        reached, counts = unpack(packed)
        if size is not None:
            shown = self.features.news(reached, counts, size, unit)
            reached, counts = reached[shown], counts[shown]
        self._edges.show(reached, counts)


def _create(table: sqlite3.Connection) -> int:
    """Create the table in a file that lacks it, drop those of older versions, and return the number of rows."""
    table.execute(
        f"create table if not exists {TABLE} (setting text, unit text, key blob, seed blob, status text,"
        " cost integer, finding text, expected text, steps text, trace blob, edges blob, ending blob,"
        " signature blob, used integer,"
        " primary key (setting, unit)) without rowid"
    )
    table.execute(f"create index if not exists {TABLE}_by_use on {TABLE} (used)")
    # Their rows lack a signature, use, expectation, end or note on steps, or have long settings or other edges.
    for old in ("outcomes", "checked", "outcome", "seen", "known", "units", "judged", "executed", "signed"):
        table.execute(f"drop table if exists {old}")
    (rows,) = table.execute(f"select count(*) from {TABLE}").fetchone()
    return int(rows)


def _finding(stored: str | None) -> tuple[str | None, str]:
    """Return the kind of a finding and the name of its suspicion from the column `finding`."""
    kind, _, suspicion = (stored or "").partition(" ")
    return kind or None, suspicion


def forget_lost(folder: Path, lost: Callable[[set[str]], set[str]]) -> int:
    """Delete the outcomes of suspicious units whose results are lost, so that they are executed again.

    `lost` returns the suspicions, among those with the given names, that neither wait nor have a result. Returns the
    number of deleted rows. A table that cannot be read is left alone: the workers report it or create a new one.
    """
    file = path_of(folder, FILE)
    if not file.exists():
        return 0
    try:
        with contextlib.closing(sqlite3.connect(file, timeout=PATIENCE, isolation_level=None)) as table:
            rows = table.execute(f"select setting, unit, finding from {TABLE} where finding is not null").fetchall()
            names = {(setting, unit): _finding(finding)[1] for setting, unit, finding in rows}
            gone = lost(set(names.values()))
            deleted = [key for key, name in names.items() if name in gone]
            table.executemany(f"delete from {TABLE} where setting = ? and unit = ?", deleted)
    except sqlite3.Error:
        return 0
    return len(deleted)


def describe_foreign(folder: Path) -> str:
    """Return a message if a findings folder has outcomes of another user or machine only, else an empty text."""
    if not is_foreign(folder, FILE, TABLE):
        return ""
    return (
        f"the outcomes in {str(folder / FOLDER)!r} were signed by another user or machine, so they are computed again; "
        "docs/clusters.md explains how to move a folder"
    )


@dataclass(frozen=True)
class StoredOutcome:
    """A row of the table: the digest of a unit and its outcome.

    `edges` (n,) are the solver's edges that the unit reached, `counts` (n,) how often, at most 255.
    """

    unit: str
    status: Status
    cost: int
    trace: Trace
    edges: NDArray[np.intp]
    counts: NDArray[np.uint8]


def everything(folder: Path) -> Iterator[StoredOutcome]:
    """Yield the rows of a findings folder's table that this user has signed, by units, for every configuration.

    Raises `UsageError` for a table that cannot be read.
    """
    file = path_of(folder, FILE)
    if not file.exists():
        return
    try:
        with contextlib.closing(sqlite3.connect(f"file:{quote(str(file))}?mode=ro", uri=True)) as table:
            if not table.execute("select 1 from sqlite_master where name = ?", (TABLE,)).fetchone():
                return  # written by an older version, or by a process that ended before it created the table
            rows = table.execute(f"select setting, unit, {_CONTENT}, signature from {TABLE} order by unit").fetchall()
    except sqlite3.Error as error:
        raise UsageError(f"{str(file)!r} cannot be read: {error}") from error
    for *row, signature in rows:
        if is_signature_of_row(signature, *row):
            _, unit, _, _, status, cost, _, _, _, packed, edges, _ = row
            trace = unpack_trace(packed)
            assert trace is not None
            yield StoredOutcome(unit, Status(status), cost, trace, *unpack(edges))
