"""Which solver, under which limits: the flags that a campaign, a confirmation and a replay share."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.solvers.command import DEFAULT_MEMORY_MEGABYTES, Command, packed, unpacked
from chcfuzz.solvers.dialects import DIALECTS, Dialect
from chcfuzz.solvers.z3_release import Release, activate
from chcfuzz.tracing.traced_library import DEFAULT_TAGS

DEFAULT_RLIMIT = 1_000_000
DEFAULT_SECOND_OPINION = 50
LIBRARY_VARIABLE = "CHCFUZZ_Z3_LIBRARY"

# Exit codes of a fuzz target. libFuzzer's own: 70 a timeout, 71 out of memory, 77 a crash; ours for bad use.
EXIT_USAGE, EXIT_STUCK, EXIT_OOM, EXIT_CRASH = 2, 70, 71, 77
Z3_EXITS = range(101, 115)  # of Z3 itself, where a debug build does not throw (util/error_codes.h)


class UsageError(ChcfuzzError):
    """A flag or a folder that cannot be used; the text names it and says what to do."""


@dataclass(frozen=True)
class Solving:
    """Which Z3 solves, and within which limits: the same for a campaign, a confirmation and a replay.

    `z3` names a released version, `z3_library` the folder of a traced build, `solver` a class as `module:class`.
    With a `command` that solver is under test, and Z3 checks what it says. `cross` are commands, `cross_z3` released
    versions of Z3 that are asked besides. Commands are as for a shell.
    """

    z3: str | None = None
    z3_library: Path | None = None
    trace_tags: tuple[str, ...] = DEFAULT_TAGS
    rlimit: int = DEFAULT_RLIMIT
    wall_seconds: float = 5.0
    solver: str | None = None
    second_opinion: int = DEFAULT_SECOND_OPINION
    command: str | None = None
    dialect: str | None = None
    memory_megabytes: int = DEFAULT_MEMORY_MEGABYTES
    cross: tuple[str, ...] = ()
    cross_z3: tuple[str, ...] = ()

    @staticmethod
    def add_flags(parser: argparse.ArgumentParser) -> None:
        """The flags of all these."""
        library = os.environ.get(LIBRARY_VARIABLE)
        flag = parser.add_argument
        which = parser.add_mutually_exclusive_group()
        which.add_argument(
            "--z3", metavar="VERSION", help="this released z3-solver (4.8.12.0 to today), not the installed one"
        )
        which.add_argument(
            "--z3-library",
            type=Path,
            default=Path(library) if library else None,
            metavar="DIR",
            help=f"a folder that build_z3_traced.sh made (default: ${LIBRARY_VARIABLE})",
        )
        flag(
            "--trace-tags",
            type=lambda text: tuple(text.split(",")),
            default=DEFAULT_TAGS,
            metavar="TAG,TAG",
            help=f"of a traced build: which of Z3's trace sites are events (default: {','.join(DEFAULT_TAGS)})",
        )
        flag(
            "--rlimit",
            type=positive,
            default=DEFAULT_RLIMIT,
            metavar="N",
            help="Z3's resource limit for an execution (default: %(default)s)",
        )
        flag(
            "--wall-seconds",
            type=positive_float,
            default=5.0,
            metavar="S",
            help="wall clock behind the resource limit (default: %(default)s)",
        )
        flag(
            "--solver", metavar="MODULE:CLASS", help="a class derived from chcfuzz.solvers.spacer.Spacer, in its place"
        )
        flag(
            "--second-opinion",
            type=count,
            default=DEFAULT_SECOND_OPINION,
            metavar="N",
            help="ask others about one answer in N: for a refutation of unsat, cvc5 about a model; 0: never "
            "(default: %(default)s)",
        )
        flag(
            "--command",
            type=unpacked,
            metavar="CMD",
            help='the solver under test, a command on SMT-LIB such as "eld -ssol"; {} stands for the file, else it '
            "comes last (for fuzz_targets/chc_command.py)",
        )
        flag(
            "--dialect",
            choices=sorted(DIALECTS),
            help="whose options the command takes (default: by its program's name)",
        )
        flag(
            "--memory-megabytes",
            type=positive,
            default=DEFAULT_MEMORY_MEGABYTES,
            metavar="N",
            help="what a command may hold in memory (default: %(default)s)",
        )
        flag(
            "--cross",
            type=unpacked,
            action="append",
            default=[],
            metavar="CMD",
            help="another CHC solver, a command on SMT-LIB, that is asked besides; may be given again",
        )
        flag(
            "--cross-z3",
            action="append",
            default=[],
            metavar="VERSION",
            help="another released z3-solver that is asked besides; may be given again",
        )

    @classmethod
    def of(cls, given: argparse.Namespace) -> Solving:
        """What these flags were given."""
        library = None if given.z3 else given.z3_library
        return cls(
            given.z3,
            library,
            given.trace_tags,
            given.rlimit,
            given.wall_seconds,
            given.solver,
            given.second_opinion,
            given.command,
            given.dialect,
            given.memory_megabytes,
            tuple(given.cross),
            tuple(given.cross_z3),
        )

    @classmethod
    def parsed(cls, words: Sequence[str]) -> Solving:
        """What a command line says of these; its other words are left alone."""
        parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
        cls.add_flags(parser)
        return cls.of(parser.parse_known_args(list(words))[0])

    @property
    def arguments(self) -> tuple[str, ...]:
        """The flags again, each in one word."""
        words = [f"--rlimit={self.rlimit}", f"--wall-seconds={self.wall_seconds}"]
        words += [f"--trace-tags={','.join(self.trace_tags)}"]
        words += [f"--z3={self.z3}"] if self.z3 else []
        words += [f"--z3-library={self.z3_library}"] if self.z3_library else []
        words += [f"--solver={self.solver}"] if self.solver else []
        words += [f"--second-opinion={self.second_opinion}", f"--memory-megabytes={self.memory_megabytes}"]
        words += [f"--command={packed(self.command)}"] if self.command else []
        words += [f"--dialect={self.dialect}"] if self.dialect else []
        words += [f"--cross={packed(command)}" for command in self.cross]
        words += [f"--cross-z3={version}" for version in self.cross_z3]
        return tuple(words)

    def solver_command(self) -> Command | None:
        """The command under test; None where Spacer is. Raises `CommandError` for one that cannot be started."""
        if self.command is None:
            return None
        return Command.of(self.command, self.wall_seconds, self.memory_megabytes, self.dialect)

    @property
    def command_dialect(self) -> Dialect | None:
        """The dialect of the command under test; None where Spacer is."""
        command = self.solver_command()
        return None if command is None else command.dialect

    def activate(self) -> Release:
        """Make this the Z3 of the process; raises `ReleaseError`."""
        return activate(self.z3, self.z3_library)


def count(text: str) -> int:
    """A whole number, as a flag's value; raises `ArgumentTypeError`."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def positive(text: str) -> int:
    """A whole number above zero, as a flag's value; raises `ArgumentTypeError`."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive whole number")
    return int(text)


def positive_float(text: str) -> float:
    """A number above zero, as a flag's value; raises `ArgumentTypeError`."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not value > 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number")
    return value
