"""Which solver, under which limits: the flags that a campaign, a confirmation and a replay share."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from chcfuzz.execution import flags
from chcfuzz.execution.flags import count, flag, listed, positive, positive_float
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.mutators import roots
from chcfuzz.mutators.roots import DEFAULT_DOMAIN
from chcfuzz.solvers.command import DEFAULT_MEMORY_MEGABYTES, Command, packed, unpacked
from chcfuzz.solvers.dialects import DIALECTS, Dialect
from chcfuzz.solvers.z3_release import Release, activate
from chcfuzz.tracing.traced_library import DEFAULT_TAGS

DEFAULT_RLIMIT = 1_000_000
DEFAULT_SECOND_OPINION = 50
DEFAULT_REQUESTS = 200
LIBRARY_VARIABLE = "CHCFUZZ_Z3_LIBRARY"
SOLVER, LIMITS, BESIDES = "the solver under test", "limits", "who is asked besides"  # groups of flags

# Exit codes of a fuzz target. libFuzzer's own: 70 a timeout, 71 out of memory, 72 SIGINT or SIGTERM, 77 a crash. Ours:
# 2 for bad use and for disks and folders that cannot be used, 3 for a campaign that went on beside errors of ours, 73
# for a worker in which Z3 has lost too much memory.
EXIT_USAGE, EXIT_OURS = 2, 3
EXIT_STUCK, EXIT_OOM, EXIT_INTERRUPTED, EXIT_LARGE, EXIT_CRASH = 70, 71, 72, 73, 77
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

    z3: str | None = flag(
        None,
        "this released z3-solver (4.8.12.0 to today), not the installed one",
        metavar="VERSION",
        instead_of="--z3-library",
        group=SOLVER,
    )
    z3_library: Path | None = flag(
        None,
        f"a folder that build_z3_traced.sh made (default: ${LIBRARY_VARIABLE})",
        read=Path,
        metavar="DIR",
        variable=LIBRARY_VARIABLE,
        group=SOLVER,
    )
    trace_tags: tuple[str, ...] = flag(
        DEFAULT_TAGS,
        "of a traced build: which of Z3's trace sites are events (default: {default})",
        read=listed,
        write=",".join,
        metavar="TAG,TAG",
        group=SOLVER,
    )
    rlimit: int = flag(
        DEFAULT_RLIMIT,
        "Z3's resource limit for an execution (default: {default})",
        read=positive,
        metavar="N",
        group=LIMITS,
    )
    wall_seconds: float = flag(
        5.0, "wall clock behind the resource limit (default: {default})", read=positive_float, metavar="S", group=LIMITS
    )
    solver: str | None = flag(
        None,
        "a class derived from chcfuzz.solvers.spacer.Spacer, in its place; its module is looked for where PYTHONPATH "
        "says, in the current folder only if that says `.`",
        metavar="MODULE:CLASS",
        group=SOLVER,
    )
    second_opinion: int = flag(
        DEFAULT_SECOND_OPINION,
        "ask others about one answer in N: for a refutation of unsat, cvc5 about a model; 0: never "
        "(default: {default})",
        read=count,
        metavar="N",
        group=BESIDES,
    )
    domain: str | None = flag(
        None,
        "the kind of problems: chc, or an object as module:object (default: chc)",
        metavar="NAME",
        group=SOLVER,
    )
    command: str | None = flag(
        None,
        'the solver under test, a command on SMT-LIB such as "eld -ssol"; {} stands for the file, else it comes last '
        "(for fuzz_targets/chc_command.py)",
        read=unpacked,
        write=packed,
        metavar="CMD",
        group=SOLVER,
    )
    dialect: str | None = flag(
        None,
        "whose options the command takes (default: by its program's name)",
        choices=tuple(sorted(DIALECTS)),
        group=SOLVER,
    )
    memory_megabytes: int = flag(
        DEFAULT_MEMORY_MEGABYTES,
        "what a command may hold in memory (default: {default})",
        read=positive,
        metavar="N",
        group=LIMITS,
    )
    requests: int = flag(
        DEFAULT_REQUESTS,
        "a command that can stay alive (Eldarica's server, Z3) solves N systems before it is started again; "
        "0: a process for each (default: {default})",
        read=count,
        metavar="N",
    )
    cross: tuple[str, ...] = flag(
        (),
        "another CHC solver, a command on SMT-LIB, that is asked besides, about one answer in so many and at each "
        "contradiction; may be given again; auto: every one that is here",
        read=unpacked,
        write=packed,
        metavar="CMD",
        repeated=True,
        group=BESIDES,
    )
    cross_z3: tuple[str, ...] = flag(
        (),
        "another released z3-solver that is asked besides; may be given again",
        metavar="VERSION",
        repeated=True,
        group=BESIDES,
    )

    @staticmethod
    def add_flags(parser: argparse.ArgumentParser) -> None:
        """The flags of all these."""
        flags.add(parser, Solving)

    @classmethod
    def of(cls, given: argparse.Namespace) -> Solving:
        """What these flags were given."""
        solving = cls(**flags.values(given, cls))
        if solving.domain == DEFAULT_DOMAIN:  # recorded flags name the domain only if it is another one
            solving = replace(solving, domain=None)
        return replace(solving, z3_library=None) if solving.z3 else solving  # the environment may name a library

    @classmethod
    def parsed(cls, words: Sequence[str]) -> Solving:
        """What a command line says of these; its other words are left alone."""
        parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
        cls.add_flags(parser)
        return cls.of(parser.parse_known_args(list(words))[0])

    @property
    def arguments(self) -> tuple[str, ...]:
        """The flags again, each in one word."""
        return flags.words(self)

    def solver_command(self) -> Command | None:
        """The command under test; None where Spacer is. Raises `CommandError` for one that cannot be started."""
        if self.command is None:
            return None
        command = Command.of(self.command, self.wall_seconds, self.memory_megabytes, self.dialect, self.requests)
        return command.with_edges()

    @property
    def command_dialect(self) -> Dialect | None:
        """The dialect of the command under test; None where Spacer is."""
        command = self.solver_command()
        return None if command is None else command.dialect

    @property
    def counts_resources(self) -> bool:
        """Whether resource limits end executions, so that the wall clock only protects; a command has only a clock."""
        return self.uses_z3

    @property
    def uses_z3(self) -> bool:
        """Whether the Z3 in this process is under test, and not a command."""
        return self.command is None

    @property
    def uses_release(self) -> bool:
        """Whether a released Z3 in this process is under test, which has no edges."""
        return self.uses_z3 and self.z3_library is None

    @property
    def counts_edges(self) -> bool:
        """Whether the solver under test may have edges for libFuzzer: a traced build, or a command that counts them."""
        command = self.solver_command()
        return self.z3_library is not None if command is None else len(command.events.edges.counters) > 0

    def activate(self) -> Release:
        """Make these the domain and the Z3 of the process; raises `DomainError` and `ReleaseError`."""
        roots.activate(roots.load(self.domain).roots)
        return activate(self.z3, self.z3_library)


def chosen(recorded: Sequence[str], words: Sequence[str]) -> list[str]:
    """Recorded flags and then words; of those that name a Z3 only the words', if they do."""
    named = any(word.startswith("--z3") for word in words)
    return [*(flag for flag in recorded if not (named and flag.startswith("--z3"))), *words]
