"""Units that no worker of a campaign executes again: they killed a worker, or made Z3 lose memory."""

from __future__ import annotations

import os
from pathlib import Path

from chcfuzz.mutators.recipe import digest


class Denylist:
    """A folder with one empty file for each denied unit, and one for each unit whose solver ignored its limits."""

    def __init__(self, folder: Path) -> None:
        self._denied = folder / "denied"
        self._denied_path = str(self._denied)
        self._stuck = folder / "stuck"
        self._denied.mkdir(exist_ok=True)
        self._stuck.mkdir(exist_ok=True)
        self._cached: tuple[int, frozenset[str]] | None = None  # digests, and the folder's time stamp with them

    def add(self, data: bytes) -> None:
        """Deny a unit."""
        (self._denied / digest(data)).touch()

    def digests(self) -> frozenset[str]:
        """Return the digests of all denied units, as of now."""
        changed = os.stat(self._denied_path).st_mtime_ns  # half as long as `Path.stat`, before each execution
        if self._cached is None or self._cached[0] != changed:
            self._cached = changed, frozenset(entry.name for entry in self._denied.iterdir())
        return self._cached[1]

    def mark_stuck(self, data: bytes) -> None:
        """Note that the solver ignores its limits on a unit; the worker exits afterwards."""
        (self._stuck / digest(data)).touch()

    def was_stuck(self, data: bytes) -> bool:
        """Return whether a worker exited because the solver ignored its limits on this unit."""
        return (self._stuck / digest(data)).exists()
