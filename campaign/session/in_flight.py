"""The unit that a worker executes right now, written down before it runs so that a death is blamed on the right unit.

A solver crash kills the worker. `InFlightUnit` survives in a mapped file. A worker also runs other units than
libFuzzer's: it solves a seed for its cost, repeats an earlier execution, and queries Spacer during a mutation.
`CrashGuard` notes these units too, and refuses to run a unit that has killed a worker of this campaign.
"""

from __future__ import annotations

import mmap
import os
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from chcfuzz.campaign.session.counters import worker_file
from chcfuzz.campaign.session.shared import allocate
from chcfuzz.mutators.recipe import Unit, encode
from chcfuzz.solvers.process import state_of

MAX_UNIT = 1 << 20
_SUFFIX = "input"
T = TypeVar("T")


class InFlightUnit:
    """Note of the unit that a worker executes, readable after the worker's death.

    The file holds an int64 and then the unit. The number is 0 while no unit runs, else the length of the unit plus one.
    It is negative while a mutation of the unit runs, which may query Spacer.
    """

    _NUMBER = struct.Struct("<q")

    def __init__(self, path: Path) -> None:
        allocate(path, self._NUMBER.size + MAX_UNIT)
        with open(path, "r+b") as file:
            self._map = mmap.mmap(file.fileno(), 0)
        self._current: tuple[bytes, bool] | None = None
        self.clear()

    @property
    def current(self) -> bytes | None:
        """The unit that a death of this worker would be blamed on."""
        return None if self._current is None else _blamed(*self._current)

    def begin(self, data: bytes, mutating: bool = False) -> None:
        """Note that `data` (its first `MAX_UNIT` bytes) is executed, or mutated."""
        self._current = (data, mutating)
        kept = data[:MAX_UNIT]
        number = 1 + len(kept)
        self._NUMBER.pack_into(self._map, 0, 0)
        self._map[self._NUMBER.size : self._NUMBER.size + len(kept)] = kept
        self._NUMBER.pack_into(self._map, 0, -number if mutating else number)

    def clear(self) -> None:
        """Note that no unit runs."""
        self._current = None
        self._NUMBER.pack_into(self._map, 0, 0)

    @contextmanager
    def replaced_by(self, data: bytes, mutating: bool = False) -> Iterator[None]:
        """Blame a death inside the `with` on `data`; restore the earlier note afterwards."""
        before = self._current
        self.begin(data, mutating)
        try:
            yield
        finally:
            self._restore(before)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Blame a death inside the `with` on no unit; restore the earlier note afterwards."""
        before = self._current
        self.clear()
        try:
            yield
        finally:
            self._restore(before)

    def _restore(self, before: tuple[bytes, bool] | None) -> None:
        if before is None:
            self.clear()
        else:
            self.begin(*before)

    @classmethod
    def left_by_dead_worker(cls, path: Path) -> bytes | None:
        """Return the unit that a worker was executing when it died, or None if it lives or died between two units."""
        if _alive(_pid(path)):  # checked before the file is read: a living worker may finish its unit in between
            return None
        content = path.read_bytes()
        if len(content) < cls._NUMBER.size:
            return None  # the worker died while the file was created
        (number,) = cls._NUMBER.unpack_from(content)
        unit = content[cls._NUMBER.size :][: abs(number) - 1]
        return _blamed(unit, number < 0) if number else None


class InFlightUnits:
    """The notes of all workers of a session."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def of_this_worker(self) -> InFlightUnit:
        """Create the note of this process."""
        return InFlightUnit(worker_file(self._folder, os.getpid(), _SUFFIX))

    def workers(self) -> list[int]:
        """Return the process ids of all workers, dead or alive, in order, except those whose unit was taken."""
        return sorted(map(_pid, self._files(None)))

    def take_from_dead(self, worker: int | None = None) -> list[bytes]:
        """Return the units that killed a worker since the last call, or the one that killed this `worker`."""
        units = []
        for path in self._files(worker):
            unit = InFlightUnit.left_by_dead_worker(path)
            if unit is not None:
                path.unlink()
                units.append(unit)
        return units

    def forget(self, worker: int | None = None) -> None:
        """Drop the notes of this worker, or of all: they are being ended, and their units are not to blame."""
        for path in self._files(worker):
            path.unlink(missing_ok=True)

    def _files(self, worker: int | None) -> list[Path]:
        return sorted(self._folder.glob(f"worker-{worker or '*'}.{_SUFFIX}"))


def unit_of_mutation(unit: bytes) -> bytes:
    """Return the unit that a mutation executes when it queries a solver: the same system under fixed parameters."""
    recipe = Unit(unit).recipe
    return encode(replace(recipe, parameters=recipe.roots.query_parameters))


def _blamed(unit: bytes, mutating: bool) -> bytes:
    return unit_of_mutation(unit) if mutating else unit


def _pid(path: Path) -> int:
    return int(path.stem.rpartition("-")[2])


def _alive(pid: int) -> bool:
    return state_of(pid) not in ("", "Z", "X")  # a zombie is dead, though its parent has not waited for it yet


class CrashGuard:
    """Runs work on a unit unless that unit has killed a worker; `denied` returns the digests of such units."""

    def __init__(self, in_flight: InFlightUnit, denied: Callable[[], frozenset[str]]) -> None:
        self._in_flight = in_flight
        self._denied = denied

    def denies(self, unit: Unit) -> bool:
        """Return whether this unit has killed a worker."""
        denied = self._denied()
        return bool(denied) and unit.digest in denied

    def run(self, unit: Unit, work: Callable[[], T], otherwise: T) -> T:
        """Return the result of `work`, blaming `unit` if it kills this process; return `otherwise` if it is denied.

        `work` applies the limits of an execution itself.
        """
        if self.denies(unit):
            return otherwise
        with self._in_flight.replaced_by(unit.data):
            return work()

    def mutate(self, unit: Unit, work: Callable[[], T], otherwise: T) -> T:
        """Return the result of `work`, which mutates the unit and may query Spacer about its system; see `run`."""
        if self._denied() and self.denies(Unit(unit_of_mutation(unit.data))):
            return otherwise
        with self._in_flight.replaced_by(unit.data, mutating=True):
            return work()
