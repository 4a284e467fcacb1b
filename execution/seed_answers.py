"""Known answers of seeds, and the grounds for them.

HornFuzz's oracle needs no declared status (EASE 2023): a seed's own answer is one side of the comparison. It
is declared in the seed's text, shown by a witness that was checked, or only what the solver under test answered. A
checked witness is believed over a declared status.

A table beside the findings stores the answers, so that each seed is solved once, and its text parsed once for a
declared status. The table is a cache: it may be deleted at any time, and answers that cannot be read or written are
computed again. A row holds for the chcfuzz that wrote it, and the solver's own answer also for the same solver
(`execution.identity`). Each row is signed (`execution.signed_tables`): a damaged row would make every correct answer
look wrong, and a row of somebody else could hide a wrong answer.
"""

from __future__ import annotations

import enum
import hashlib
import os
import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from chcfuzz.execution.files import LinkError
from chcfuzz.execution.identity import code_digest
from chcfuzz.execution.own_secret import is_signature_of_row, signature_of_row
from chcfuzz.execution.signed_tables import FOLDER, key_of, opened
from chcfuzz.mutators.seeds import read_seed

FILE = "seeds.sqlite"
GROUND_INFO = "chcfuzz-ground"  # the `set-info` by which an import marks a status as the answer of a solver


class Ground(enum.StrEnum):
    """Why an answer is assumed to be correct, the weakest ground first."""

    NONE = "none"  # the solver did not decide it
    ANSWER = "answer"  # the answer of the solver under test
    DECLARED = "declared"
    WITNESS = "witness"  # a model that holds in every clause, or a refutation whose every step was evaluated


@dataclass(frozen=True)
class SeedAnswer:
    """An answer: `status` is "sat", "unsat", or None for the ground NONE.

    `witness` is the text of a model (`define-fun`s) or of a refutation, if there is one.
    """

    status: str | None
    ground: Ground
    witness: str = ""


class SeedAnswers:
    """Answers of seeds by their text; without a folder, they are cached in this object only."""

    def __init__(self, folder: Path | None = None, setting: str = "") -> None:
        """Open a cache; `setting` is the configuration key on which the solver's own answers depend."""
        self._setting = setting
        self._known: dict[str, SeedAnswer] = {}
        self._earlier: dict[str, SeedAnswer] = {}  # what was known before another process wrote to the table
        self._version = 0  # of the table; it changes when another process writes
        self._log: tuple[int, int] | None = None  # size and time of the log of the table
        self._folder = folder
        self._log_file = "" if folder is None else str(folder / FOLDER / f"{FILE}-wal")

    @cached_property
    def _table(self) -> sqlite3.Connection | None:
        """The table, opened at first use; None without a folder that can be written."""
        if self._folder is None:
            return None
        try:
            table = opened(self._folder, FILE)
            table.execute(
                "create table if not exists signed (setting text, seed text, status text, ground text, witness text,"
                " signature blob, primary key (setting, seed)) without rowid"
            )
            for old in ("seeds", "answers"):  # of versions whose rows were not signed
                table.execute(f"drop table if exists {old}")
        except (OSError, sqlite3.Error, LinkError):
            return None
        return table

    def of(self, seed: str) -> SeedAnswer | None:
        """Return the known answer of the seed with this text; None if it must be solved."""
        self._notice_others()
        found = self._known.get(seed) or _better(self._stored(seed), self._earlier.get(seed))
        if found is None:
            found = declared(seed)
            if found is not None:
                self._store(seed, found, "ignore")  # another process may have stored a witness
        if found is not None:
            self._known[seed] = found
        return found

    def _notice_others(self) -> None:
        """Read all answers again if another process has written to the table: a declared status may have fallen.

        The log of the table shows in two microseconds that it has not; to query the table for this takes 20.
        """
        if self._table is None:
            return
        log = _state(self._log_file)
        if log == self._log:
            return
        self._log = log
        with suppress(sqlite3.Error):
            (version,) = self._table.execute("pragma data_version").fetchone()
            if version != self._version:
                self._version = version
                self._earlier |= self._known
                self._known.clear()

    def note(self, seed: str, answer: SeedAnswer, is_stored: bool = True) -> SeedAnswer:
        """Record an answer, unless the known one has a better ground; return the known answer.

        An answer that is not stored is known to this object only.
        """
        before = self.of(seed)
        if before is not None and list(Ground).index(before.ground) >= list(Ground).index(answer.ground):
            return before
        self._known[seed] = answer
        if is_stored:
            self._store(seed, answer)
        return answer

    def _store(self, seed: str, answer: SeedAnswer, otherwise: str = "replace") -> None:
        if self._table is not None:
            setting = self._setting if answer.ground in (Ground.ANSWER, Ground.NONE) else code_digest()
            row = (key_of(setting), _digest(seed), answer.status, answer.ground.value, answer.witness)
            with suppress(sqlite3.Error):  # a full disk: cached here, solved again by other processes
                values = (*row, signature_of_row(*row))
                self._table.execute(f"insert or {otherwise} into signed values (?, ?, ?, ?, ?, ?)", values)

    def _stored(self, seed: str) -> SeedAnswer | None:
        if self._table is None:
            return None
        try:
            rows = self._table.execute(
                "select * from signed where seed = ? and setting in (?, ?)",
                (_digest(seed), key_of(code_digest()), key_of(self._setting)),
            ).fetchall()
            whole = [row for *row, signature in rows if is_signature_of_row(signature, *row)]
            if len(whole) < len(rows):
                self._table.execute("delete from signed where seed = ?", (_digest(seed),))
                return None
        except sqlite3.Error:
            return None
        answers = [SeedAnswer(status, Ground(ground), witness) for _, _, status, ground, witness in whole]
        return _better(*answers)


def _state(file: str) -> tuple[int, int] | None:
    """Return the size and the time of a file, None if it does not exist."""
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def _better(*answers: SeedAnswer | None) -> SeedAnswer | None:
    """Return the answer with the best ground, the first of several; None if none is given."""
    given = [answer for answer in answers if answer is not None]
    return max(given, key=lambda answer: list(Ground).index(answer.ground), default=None)


def declared(seed: str) -> SeedAnswer | None:
    """Return the answer that the text of a seed declares; None if it declares none.

    A text may weaken its ground, but never claim a witness: only the process that checks a witness knows that it holds.
    """
    system = read_seed(seed)
    if system is None or system.status is None:
        return None
    is_answer = dict(system.info).get(GROUND_INFO) == Ground.ANSWER
    return SeedAnswer(system.status, Ground.ANSWER if is_answer else Ground.DECLARED)


def _digest(seed: str) -> str:
    return hashlib.sha256(seed.encode()).hexdigest()
