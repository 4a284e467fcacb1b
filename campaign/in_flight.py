"""What a worker executes right now: written down before it runs, so that a death is blamed on what was executed then.

Solvers take processes along. `InWork` is the note that survives, and `Door` the only way in which a worker runs
anything besides its unit: the cost of a seed, an earlier execution once more, a verdict looked into, mutations that
ask Spacer. What has killed a worker of this campaign is not run again, whoever asks for it.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from chcfuzz.campaign.shared import allocate
from chcfuzz.mutators.recipe import decode, digest, encode
from chcfuzz.solvers.process import state_of
from chcfuzz.solvers.z3_parameters import with_transforms_off

MAX_UNIT = 1 << 20
T = TypeVar("T")


class InWork:
    """The unit a worker executes right now, readable after the worker's death.

    The file: an int64, then the unit. The number is 0 for none, else one more than the unit's length; it is negative
    where only questions are asked about the unit.
    """

    _NUMBER = struct.Struct("<q")

    def __init__(self, path: Path) -> None:
        allocate(path, self._NUMBER.size + MAX_UNIT)
        with open(path, "r+b") as file:
            self._map = mmap.mmap(file.fileno(), 0)
        self._current: tuple[bytes, bool] | None = None
        self.done()

    @property
    def current(self) -> bytes | None:
        """The unit in work, as its death would be blamed on it."""
        return None if self._current is None else _blamed(*self._current)

    def begin(self, data: bytes, asked: bool = False) -> None:
        """Say that `data` is in work (its first `MAX_UNIT` bytes are kept), or asked about as `asked_about` says."""
        self._current = (data, asked)
        kept = data[:MAX_UNIT]
        number = 1 + len(kept)
        self._NUMBER.pack_into(self._map, 0, 0)
        self._map[self._NUMBER.size : self._NUMBER.size + len(kept)] = kept
        self._NUMBER.pack_into(self._map, 0, -number if asked else number)

    def done(self) -> None:
        """Say that no unit is in work."""
        self._current = None
        self._NUMBER.pack_into(self._map, 0, 0)

    @contextmanager
    def instead(self, data: bytes, asked: bool = False) -> Iterator[None]:
        """Inside, `data` is in work: a death is its own. Afterwards it is what was in work before."""
        before = self._current
        self.begin(data, asked)
        try:
            yield
        finally:
            if before is None:
                self.done()
            else:
                self.begin(*before)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Inside, no unit is in work: what happens is no unit's doing."""
        before = self._current
        self.done()
        try:
            yield
        finally:
            if before is not None:
                self.begin(*before)

    @classmethod
    def left_by_dead_worker(cls, path: Path) -> bytes | None:
        """What a worker was executing when it died; None if it lives, or died between two units."""
        pid = int(path.stem.rpartition("-")[2])
        if _alive(pid):  # asked first: what is read of a worker that lives may be over when it leaves in peace
            return None
        content = path.read_bytes()
        if len(content) < cls._NUMBER.size:
            return None  # it died while the file was made
        (number,) = cls._NUMBER.unpack_from(content)
        unit = content[cls._NUMBER.size :][: abs(number) - 1]
        return _blamed(unit, number < 0) if number else None


def asked_about(unit: bytes) -> bytes:
    """What mutations execute that ask Spacer about a unit's system: the unit, the transforms off."""
    return encode(replace(decode(unit), parameters=with_transforms_off()))


def _blamed(unit: bytes, asked: bool) -> bytes:
    return asked_about(unit) if asked else unit


def _alive(pid: int) -> bool:
    return state_of(pid) not in ("", "Z", "X")  # gone, or only waited for


class Door:
    """Runs something besides the unit of a worker, if it has killed none: `poisoned` gives digests of what has."""

    def __init__(self, in_work: InWork, poisoned: Callable[[], frozenset[str]]) -> None:
        self._in_work = in_work
        self._poisoned = poisoned

    def is_shut_for(self, unit: bytes) -> bool:
        """Whether this unit has killed a worker."""
        poisoned = self._poisoned()
        return bool(poisoned) and digest(unit) in poisoned

    def run(self, unit: bytes, work: Callable[[], T], otherwise: T) -> T:
        """What `work` gives, `unit` being blamed if it kills this process; `otherwise` where it has killed another.

        `work` keeps to limits of its own, those of an execution.
        """
        if self.is_shut_for(unit):
            return otherwise
        with self._in_work.instead(unit):
            return work()

    def ask(self, unit: bytes, work: Callable[[], T], otherwise: T) -> T:
        """As `run`, where `work` changes a unit and may ask Spacer about its system."""
        if self._poisoned() and self.is_shut_for(asked_about(unit)):
            return otherwise
        with self._in_work.instead(unit, asked=True):
            return work()
