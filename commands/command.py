"""What a sub-command is: a module with these names."""

from __future__ import annotations

import argparse
import enum
from typing import Protocol


class Uses(enum.Enum):
    """The Z3 that the process of a command has."""

    NONE = enum.auto()
    GIVEN = enum.auto()  # the one that the flags name; `given.solving` holds them
    INSTALLED = enum.auto()  # proofs of ours; the solver under test runs in other processes


class Command(Protocol):
    """A module of this room. A positional argument called `input` is a unit or a finding, read into `given.unit`."""

    NAME: str
    HELP: str
    USES: Uses
    EXAMPLES: tuple[str, ...]  # command lines, the plainest first

    @staticmethod
    def add_flags(parser: argparse.ArgumentParser) -> None:
        """The command's own flags."""

    @staticmethod
    def run(given: argparse.Namespace) -> int:
        """Do it; the exit code: 0, or 1 where there is something bad to tell. Raises `ChcfuzzError` for bad use."""
