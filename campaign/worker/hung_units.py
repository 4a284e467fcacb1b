"""Units on which the wall clock ended the solver: kept in the findings folder, because libFuzzer drops them.

A solver that counts resources should end at its resource limit, far before the wall clock, so such a unit is worth
a person's time. It is not a finding: whether the clock is reached depends on the load of the machine, too.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from chcfuzz.execution.files import write_whole
from chcfuzz.mutators.recipe import Unit

HANGS = "hangs"  # in the findings folder
MOST = 100  # units in it


class HungUnits:
    """The folder `hangs/` of a findings folder, one file for each unit; at most `MOST` units."""

    def __init__(self, findings: Path) -> None:
        self._folder = findings / HANGS

    def keep(self, unit: Unit) -> None:
        """Write a unit, unless there are enough. If the disk is full, the unit is lost, as libFuzzer's are."""
        if not unit.data:  # the built-in seed
            return
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            if number_of(self._folder.parent) < MOST:
                write_whole(self._folder / unit.digest, unit.data)


def number_of(findings: Path) -> int:
    """Return the number of hung units in a findings folder."""
    folder = findings / HANGS
    return sum(1 for path in folder.iterdir() if not path.name.startswith(".")) if folder.is_dir() else 0
