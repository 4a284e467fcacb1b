"""Short notes between the processes of a campaign, each a file of the session's folder."""

from __future__ import annotations

import json
import mmap
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from chcfuzz.campaign.session.counters import Counter, CounterTables
from chcfuzz.campaign.session.shared import allocate
from chcfuzz.execution.files import write_whole

# An answer that contradicts the expected one; a wrong step of the solver; a confirmed finding.
FIRST_EVENTS = (CONTRADICTION, WRONG_STEP, FINDING) = ("contradiction", "wrong-step", "finding")

_MOST_REASON = 4096  # bytes


class SharedFlag:
    """A fact that the supervisor announces to its workers, or a worker to the supervisor."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._name = str(path)

    def set(self) -> None:
        """Announce the fact to the other processes of the campaign."""
        self._path.touch()

    def clear(self) -> None:
        """Announce that the fact does not hold any more."""
        self._path.unlink(missing_ok=True)

    @property
    def is_set(self) -> bool:
        """Whether some process has announced the fact."""
        return self._path.exists()

    @property
    def since(self) -> int | None:
        """When the fact was announced, in nanoseconds; None if it does not hold."""
        try:
            return os.stat(self._name).st_mtime_ns  # half as long as `Path.stat`, before each execution
        except FileNotFoundError:
            return None


class BeginTime:
    """When the fuzzing of a session began, on the monotonic clock, which all processes of a machine share."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def set(self, at: float) -> None:
        """Announce the time to the workers."""
        write_whole(self._path, repr(at).encode())

    @property
    def seconds(self) -> float:
        """Seconds since then; 0 in a session whose supervisor has not announced it."""
        try:
            return time.monotonic() - float(self._path.read_text())
        except FileNotFoundError:
            return 0.0


class ExitReason:
    """Why the first worker that cannot continue exits; libFuzzer discards the output of its jobs."""

    def __init__(self, path: Path) -> None:
        allocate(path, _MOST_REASON)
        with open(path, "r+b") as file:
            self._map = mmap.mmap(file.fileno(), 0)  # written even if the disk is full or no file can be opened

    def write(self, reason: str) -> None:
        """Write the reason, unless another worker has written one."""
        if not self._map[0]:
            content = reason.encode()[:_MOST_REASON]
            self._map[: len(content)] = content

    def read(self) -> str:
        """Return the reason, or an empty text."""
        return self._map[:].rstrip(b"\0").decode("utf-8", "replace")


class FindingMarks:
    """Findings of this campaign: one empty file for each, named `<kind>:<folder name>`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(exist_ok=True)

    def mark(self, kind: str, folder_name: str) -> None:
        """Count a finding; marking it twice counts once."""
        (self._folder / f"{kind}:{folder_name}").touch()

    def named(self) -> list[tuple[str, str]]:
        """Return the kind and the folder name of each finding so far, in order."""
        names = sorted(entry.name for entry in self._folder.iterdir())
        return [(kind, name) for kind, _, name in (entry.partition(":") for entry in names)]

    def kinds(self) -> list[str]:
        """Return the kind of each finding so far."""
        return [kind for kind, _ in self.named()]


class FullSwitchMarks:
    """Switches that explain enough findings of a kind: one empty file for each, named `<switch>:<kind>`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(exist_ok=True)

    def mark(self, name: str, kind: str) -> None:
        """Note a switch and a kind of findings; noting them twice counts once."""
        (self._folder / f"{name}:{kind}").touch()

    def named(self) -> list[tuple[str, str]]:
        """Return the switches and kinds so far, in order."""
        names = sorted(entry.name for entry in self._folder.iterdir())
        return [(name, kind) for name, _, kind in (entry.rpartition(":") for entry in names)]


@dataclass(frozen=True)
class FirstEvent:
    """When something happened for the first time: executions, the solver's resource count, seconds until then."""

    executions: int
    solver_work: int
    solver_seconds: float
    seconds: float


class FirstEvents:
    """The first time that something happened in a campaign: a JSON file for each event."""

    def __init__(self, folder: Path, counters: CounterTables) -> None:
        self._folder = folder
        self._counters = counters
        self._known: set[str] = set()  # marked by this process, or seen by it
        folder.mkdir(exist_ok=True)

    def mark(self, event: str) -> None:
        """Record an event of `FIRST_EVENTS` now, unless it has happened before."""
        if event in self._known:
            return
        self._known.add(event)
        if self.has(event):  # another process has marked it
            return
        totals = self._counters.totals()
        solver_seconds = round(float(totals[Counter.SOLVER_TIME]) / 1e9, 3)
        seconds = round(float(totals[Counter.WALL_TIME]) / 1e9, 3)
        work = int(totals[Counter.SOLVER_WORK])
        first = FirstEvent(int(totals[Counter.EXECUTIONS]), work, solver_seconds, seconds)
        write_whole(self._folder / event, json.dumps(asdict(first)).encode())  # the campaign may end at once

    def has(self, event: str) -> bool:
        """Return whether an event has happened."""
        return (self._folder / event).exists()

    def by_event(self) -> dict[str, FirstEvent | None]:
        """Return every event of `FIRST_EVENTS`; None if it has not happened."""
        return {event: self._read(event) for event in FIRST_EVENTS}

    def _read(self, event: str) -> FirstEvent | None:
        try:
            return FirstEvent(**json.loads((self._folder / event).read_text()))
        except FileNotFoundError:
            return None


class InternalErrorMarks:
    """Internal errors that were kept: one empty file for each, named `<place in the code>-<unit>`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(exist_ok=True)

    def is_new(self, place: str, unit: str, most: int) -> bool:
        """Mark an error of a unit; return whether it is new and one of the first `most` from this place."""
        mark = self._folder / f"{place}-{unit}"
        if mark.exists() or len(list(self._folder.glob(f"{place}-*"))) >= most:
            return False
        mark.touch()
        return True
