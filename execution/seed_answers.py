"""Known answers of seeds, and the grounds for them.

A status is declared in the seed's text, shown by a witness that was checked, or answered by solvers of two projects.
HornFuzz's oracle (EASE 2023) also compares a solver with its own answer to the seed. This answer is only a hope: it is
compared with later answers of the same solver, and never with those of others (`Mutant.promised_to`). Two other
projects that answer the opposite withdraw it. A checked witness is believed over a declared status.

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
# The `set-info` by which an import names the projects that answer a status; `answer` in earlier versions: one solver.
GROUND_INFO = "chcfuzz-ground"


class Ground(enum.StrEnum):
    """Why an answer is assumed to be correct, the weakest ground first."""

    NONE = "none"  # the solver did not decide it
    ANSWER = "answer"  # a hope: the answer of one project, which is under test
    AGREED = "agreed"  # the answer of two projects or more, and of fewer the opposite
    DECLARED = "declared"
    WITNESS = "witness"  # a model that holds in every clause, or a refutation whose every step was evaluated


@dataclass(frozen=True)
class SeedAnswer:
    """An answer: `status` is "sat", "unsat", or None for the ground NONE.

    `witness` is the text of a model (`define-fun`s) or of a refutation, if there is one. `projects` are those whose
    solvers gave the answer, if the ground is AGREED, or ANSWER with several solvers.
    """

    status: str | None
    ground: Ground
    witness: str = ""
    projects: tuple[str, ...] = ()

    def has_better_ground(self, other: SeedAnswer) -> bool:
        """Return whether the ground of this answer is better than that of another one."""
        return list(Ground).index(self.ground) > list(Ground).index(other.ground)

    @property
    def backing(self) -> str:
        """The witness or the projects that back the status, in words; empty if its text or one project gives it."""
        if self.ground is Ground.WITNESS:
            return "a checked witness" if self.witness else "the agreement of two projects"
        return f"the answers of {' and '.join(self.projects)}" if self.ground is Ground.AGREED else ""


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
                "create table if not exists answered (setting text, seed text, status text, ground text, witness text,"
                " projects text, signature blob, primary key (setting, seed)) without rowid"
            )
            for old in ("seeds", "answers", "signed"):  # of versions whose rows had no signature, or no projects
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
        if before is not None and not answer.has_better_ground(before):
            return before
        self._known[seed] = answer
        if is_stored:
            self._store(seed, answer)
        return answer

    def _store(self, seed: str, answer: SeedAnswer, otherwise: str = "replace") -> None:
        if self._table is not None:
            setting = self._setting if answer.ground in (Ground.ANSWER, Ground.NONE) else code_digest()
            projects = "\n".join(answer.projects)
            row = (key_of(setting), _digest(seed), answer.status, answer.ground.value, answer.witness, projects)
            with suppress(sqlite3.Error):  # a full disk: cached here, solved again by other processes
                values = (*row, signature_of_row(*row))
                self._table.execute(f"insert or {otherwise} into answered values (?, ?, ?, ?, ?, ?, ?)", values)

    def _stored(self, seed: str) -> SeedAnswer | None:
        if self._table is None:
            return None
        try:
            rows = self._table.execute(
                "select * from answered where seed = ? and setting in (?, ?)",
                (_digest(seed), key_of(code_digest()), key_of(self._setting)),
            ).fetchall()
            whole = [row for *row, signature in rows if is_signature_of_row(signature, *row)]
            if len(whole) < len(rows):
                self._table.execute("delete from answered where seed = ?", (_digest(seed),))
                return None
        except sqlite3.Error:
            return None
        answers = [
            SeedAnswer(status, Ground(ground), witness, tuple(projects.splitlines()))
            for _, _, status, ground, witness, projects in whole
        ]
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
    named = dict(system.info).get(GROUND_INFO)
    if named is None:
        return SeedAnswer(system.status, Ground.DECLARED)
    if named == Ground.ANSWER:
        return SeedAnswer(system.status, Ground.ANSWER)
    return SeedAnswer(system.status, Ground.AGREED, projects=tuple(named.strip('"').split()))


def _digest(seed: str) -> str:
    return hashlib.sha256(seed.encode()).hexdigest()
