"""Counts that the workers of a campaign learn together (`--learn`), and the file that keeps them.

Each worker writes its own counts to the session's folder, whole: small ones after each unit, since children of `-fork`
are short-lived, larger ones after several. When it starts, and after a fixed number of its executions, it renews its
model with the counts of all workers, dead ones included. One worker alone learns the same in each repetition. The file
is a model of `chcfuzz learn` in which each unit counts sixteen times.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from chcfuzz.campaign.session.counters import Counter, worker_file
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.session.shared import mapped
from chcfuzz.execution.files import write_whole
from chcfuzz.execution.solving import UsageError
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.learning import active, model_file
from chcfuzz.learning.counts import Counts
from chcfuzz.learning.model_file import TrainingRecord
from chcfuzz.learning.online import ONE, Learned, added, nodes_of, together, weight
from chcfuzz.tracing.feature_rarity import SLOTS, FeatureRarity
from numpy.typing import NDArray

MERGED_EVERY = 100  # executions of a worker
_ENTRIES = 10_000  # of a worker's counts, for each of which one more unit waits until they are written
_TABLE = "learned"
_KEPT = 0  # in the place of a process id: counts of earlier campaigns
_HEAD = 8  # bytes of a worker's file before its counts: the executions of the campaign


class OnlineCounts:
    """The counts of this worker; the model of the process is renewed with those of all workers."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._base = active.counts()
        self._path = worker_file(session.folder, os.getpid(), _TABLE)
        self._rarity = FeatureRarity(mapped(session.folder / "features.seen", np.int64, SLOTS))
        self._own = _read(self._path) if self._path.exists() else Learned(Counts.none(), 0)
        self._waiting: list[tuple[tuple[int, ...], int]] = []
        self._runs = 0
        self._renew()

    def executed(self, features: NDArray[np.uint32], problem: BaseProblem | None) -> None:
        """Count an execution by its features; `problem` is learned, if the unit was made here and opened features."""
        self._rarity.executed(features)
        if problem is not None:
            nodes = nodes_of(problem)
            if nodes:
                self._waiting.append((nodes, weight(self._rarity.times(features))))
        self._runs += 1
        if len(self._waiting) > len(self._own.counts.numbers) // _ENTRIES:
            self._own = self._own.at(_executions(self._session)).plus(self._waiting)
            self._waiting = []
            _write(self._path, self._own)
        if self._runs % MERGED_EVERY == 0:
            self._renew()

    def _renew(self) -> None:
        active.replace(added(self._base, _of_all(self._session)))


def begin(path: Path, session: Session) -> None:
    """Let the workers of a session start from the counts that an earlier campaign has kept; raises `ModelError`."""
    if path.exists():
        _write(worker_file(session.folder, _KEPT, _TABLE), Learned(model_file.read(path).counts, 0))


def keep(path: Path, session: Session) -> None:
    """Write the counts of all workers to the file; raises `UsageError`."""
    counts = _of_all(session).counts
    try:
        write_whole(path, model_file.encode(counts, TrainingRecord(nodes=counts.nodes // ONE)), durable=True)
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}; make room") from error


def _executions(session: Session) -> int:
    return int(session.counters.totals()[Counter.EXECUTIONS])


def _of_all(session: Session) -> Learned:
    executions = _executions(session)
    return together(_files(session, executions), executions)


def _files(session: Session, executions: int) -> Iterator[Learned]:
    """Yield the counts of all workers; the file of a worker whose counts have all been halved to zero is removed."""
    for path in sorted(session.folder.glob(f"worker-*.{_TABLE}")):
        try:
            learned = _read(path)
        except FileNotFoundError:  # another worker has removed it
            continue
        if len(learned.at(executions).counts.numbers):
            yield learned
        else:
            path.unlink(missing_ok=True)


def _read(path: Path) -> Learned:
    """Return the counts in a worker's file, which is written whole."""
    content = path.read_bytes()
    stored = model_file.decode(content[_HEAD:], str(path))
    return Learned(stored.counts, int.from_bytes(content[:_HEAD], "little"))


def _write(path: Path, learned: Learned) -> None:
    content = learned.executions.to_bytes(_HEAD, "little") + model_file.encode(learned.counts, TrainingRecord())
    try:
        write_whole(path, content)
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}; make room, or set TMPDIR") from error
