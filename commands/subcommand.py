"""The interface of a subcommand: a module with these names."""

from __future__ import annotations

import argparse
import enum
from typing import Protocol


class Uses(enum.Enum):
    """The Z3 that the process of a command loads."""

    NONE = enum.auto()
    GIVEN = enum.auto()  # the one that the flags select; `given.solving` holds them
    INSTALLED = enum.auto()  # for our own proofs; the solver under test runs in other processes


class Subcommand(Protocol):
    """A module in this folder.

    A positional argument called `input` is a unit or a finding, which is read into `given.unit`.
    """

    NAME: str
    HELP: str
    USES: Uses
    EXAMPLES: tuple[str, ...]  # command lines, the plainest first

    @staticmethod
    def add_flags(parser: argparse.ArgumentParser) -> None:
        """Add the flags of the command."""

    @staticmethod
    def check(given: argparse.Namespace) -> None:
        """Raise a `ChcfuzzError` for arguments and inputs that cannot be used; of commands with `Uses.GIVEN`.

        It runs before Z3 is fetched and loaded. Other commands begin `run` with these checks.
        """

    @staticmethod
    def run(given: argparse.Namespace) -> int:
        """Run the command, and return its exit code: 0, or 1 to signal a bad result.

        Raises `ChcfuzzError` for invalid arguments.
        """
