"""Counted events whose names are not known in advance.

Each worker has a mapped table of its own, so that nothing is lost or counted twice, and the supervisor adds the tables
up. A name is a tuple of words. The table holds its hash, and one file of the session lists the names, a line each::

    ["outcome", "LIA", "rules", "sat"]      executions by theory, family of the last step, status
    ["cost", "sat", "14"]                   executions by status and number of bits of their cost
    ["solver", "cvc5", "unsat"]             executions by status, for each of several solvers under test
    ["solver", "eld", "disagrees"]          second opinions of another solver
    ["refusal", "cvc5", "unknown symbol"]   problems that a solver does not read, by the class of its message
    ["step", "<build>", "level 1 begins", "propagate"]    traces in which one event directly follows another
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter as Tally
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from chcfuzz.campaign.session.counters import worker_file
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.session.shared import mapped
from chcfuzz.oracles.verdict import VerdictKind

Name = tuple[str, ...]
Totals = Tally[Name]
OUTCOME, COST, STEP = "outcome", "cost", "step"
SOLVER, REFUSAL = "solver", "refusal"
OPINIONS = AGREES, DISAGREES, UNDECIDED = "agrees", "disagrees", "undecided"

_SLOTS = 1 << 15
_PROBES = 64
_TABLE, _NAMES = "tallies", "tallies.names"


class Tallies:
    """The table of this worker."""

    def __init__(self, session: Session) -> None:
        self._names = session.folder / _NAMES
        table = mapped(worker_file(session.folder, os.getpid(), _TABLE), np.int64, 2 * _SLOTS).reshape(2, _SLOTS)
        self._keys, self._counts = table
        self._slots: dict[Name, int | None] = {}
        self._written = {_key(name) for name in _names_in(self._names)}

    def count(self, name: Name, amount: int = 1) -> None:
        """Add to a number; the supervisor sees it at once. Names that do not fit into the table are not counted."""
        if name not in self._slots:
            self._slots[name] = self._slot(name)
        slot = self._slots[name]
        if slot is not None:
            self._counts[slot] += amount

    def _slot(self, name: Name) -> int | None:
        key = _key(name)
        for probe in range(_PROBES):
            slot = (key + probe) % _SLOTS
            stored = int(self._keys[slot])
            if stored in (0, key):
                self._write(name, key)
                self._keys[slot] = key
                return slot
        return None

    def _write(self, name: Name, key: int) -> None:
        """Write the name of a key, in one write so that the writes of other processes are not interleaved."""
        if key not in self._written:
            self._written.add(key)
            with open(self._names, "ab", buffering=0) as file:
                file.write((json.dumps(name) + "\n").encode())


def opinion_of(kind: VerdictKind) -> str:
    """Return the word for the verdict of a comparison with another solver."""
    return {VerdictKind.PASS: AGREES, VerdictKind.UNDECIDED: UNDECIDED}.get(kind, DISAGREES)


def totals(session: Session) -> Totals:
    """Return the sums over all workers, dead or alive."""
    names = {_key(name): name for name in _names_in(session.folder / _NAMES)}
    found: Totals = Tally()
    for path in session.folder.glob(f"worker-*.{_TABLE}"):
        table = np.fromfile(path, dtype=np.int64)
        if len(table) != 2 * _SLOTS:
            continue  # the file is still being created
        keys, counts = table.reshape(2, _SLOTS)
        for slot in np.flatnonzero(keys).tolist():
            name = names.get(int(keys[slot]))
            if name is not None:
                found[name] += int(counts[slot])
    return found


def added(parts: Iterable[Totals]) -> Totals:
    """Return the sums of several totals, which do not depend on their order."""
    found: Totals = Tally()
    for part in parts:
        found.update(part)
    return found


def rows(tallies: Totals) -> list[list[object]]:
    """Return the totals as JSON can hold them, in the order of the names."""
    return [[list(name), tallies[name]] for name in sorted(tallies)]


def of_rows(written: Sequence[Sequence[object]]) -> Totals:
    """Return the totals that `rows` wrote. Raises `TypeError` or `ValueError` for anything else."""
    found: Totals = Tally()
    for name, number in written:
        if not (isinstance(name, list) and all(isinstance(word, str) for word in name) and isinstance(number, int)):
            raise ValueError(f"{name!r} and {number!r} are not a name and its number")
        found[tuple(name)] += number
    return found


def _key(name: Name) -> int:
    """Return 63 bits that are not all zero: zero marks a free slot."""
    digest = hashlib.blake2b(json.dumps(name).encode(), digest_size=8).digest()
    return (int.from_bytes(digest, "little") >> 1) or 1


def _names_in(path: Path) -> list[Name]:
    try:
        lines = path.read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return []
    return [name for line in lines if (name := _name(line)) is not None]


def _name(line: bytes) -> Name | None:
    """Return the name on a line; None if a full disk has torn the line before, so that both are one."""
    try:
        return tuple(json.loads(line))
    except ValueError:
        return None
