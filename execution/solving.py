"""Flags for the solver and its limits, which a campaign, a confirmation and a replay share."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from chcfuzz.execution import flags
from chcfuzz.execution.flags import count, flag, listed, listed_or_none, path, positive, positive_float, resource_limit
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.mutators import roots
from chcfuzz.mutators.roots import DEFAULT_DOMAIN
from chcfuzz.solvers.command import DEFAULT_MEMORY_MEGABYTES, Command, packed, unpacked
from chcfuzz.solvers.dialect import Dialect
from chcfuzz.solvers.dialects import DIALECTS
from chcfuzz.solvers.solver_names import ISOLATED
from chcfuzz.solvers.z3_build import is_traced
from chcfuzz.solvers.z3_program import LIBRARY
from chcfuzz.solvers.z3_release import Release, activate, chosen
from chcfuzz.tracing.traced_library import DEFAULT_TAGS

DEFAULT_RLIMIT = 1_000_000
DEFAULT_SECOND_OPINION = 50
DEFAULT_REQUESTS = 200
LIBRARY_VARIABLE = "CHCFUZZ_Z3_LIBRARY"
PROGRAM, BOTH = "program", "both"  # and `LIBRARY`: front ends of Z3
SOLVER, LIMITS, BESIDES = "the solver under test", "limits", "other solvers"  # groups of flags


class UsageError(ChcfuzzError):
    """A flag or a folder that cannot be used; the message names it and the next action."""


@dataclass(frozen=True)
class Solving:
    """The solver under test and its limits, for a campaign, a confirmation and a replay.

    `z3` is a released version, `z3_library` the folder of a build, `solver` a class as `module:class`. With
    `command`, that solver is under test, and Z3 checks its models. `cross` are commands and `cross_z3` released
    versions of Z3 that solve the same systems for comparison. Commands are written as for a shell.
    """

    z3: str | None = flag(
        None,
        "test this released z3-solver (4.8.12.0 or newer) instead of the installed one; --z3-library: your own build",
        metavar="VERSION",
        instead_of="--z3-library",
        group=SOLVER,
    )
    z3_library: Path | None = flag(
        None,
        f"folder of your own build of Z3; one by build_z3_traced.sh shows more (default: ${LIBRARY_VARIABLE})",
        read=path,
        metavar="DIR",
        variable=LIBRARY_VARIABLE,
        group=SOLVER,
    )
    z3_program: Path | None = flag(
        None,
        "the z3 program of your own build, beside its library (default: that of the release, or of --z3-library)",
        read=path,
        metavar="FILE",
        group=SOLVER,
    )
    front_end: str = flag(
        BOTH,
        "how CHC systems and SMT problems reach Z3: through its library, its program, or both: the library, and the "
        "program for one mutant in 100 and for each wrong answer (default: {default})",
        choices=(LIBRARY, PROGRAM, BOTH),
        group=SOLVER,
    )
    trace_tags: tuple[str, ...] = flag(
        DEFAULT_TAGS,
        "trace sites of a traced build that are events (default: {default})",
        read=listed,
        write=",".join,
        metavar="TAG,TAG",
        group=SOLVER,
    )
    rlimit: int = flag(
        DEFAULT_RLIMIT,
        "Z3's resource limit for an execution (default: {default})",
        read=resource_limit,
        metavar="N",
        group=LIMITS,
    )
    wall_seconds: float = flag(
        5.0,
        "time limit, for executions that the resource limit does not end; for Spacer, of processor time "
        "(default: {default})",
        read=positive_float,
        metavar="S",
        group=LIMITS,
    )
    solver: str | None = flag(
        None,
        "a subclass of chcfuzz.domains.chc.solvers.spacer.Spacer to test instead; its module is imported from "
        "PYTHONPATH, from the "
        "current folder only if PYTHONPATH contains `.`; `replay` of an SMT problem: the solver of --solvers to test",
        metavar="MODULE:CLASS",
        group=SOLVER,
    )
    second_opinion: int = flag(
        DEFAULT_SECOND_OPINION,
        "get a second opinion on one answer in N: a refutation of unsat, cvc5's check of a model; 0: never "
        "(default: {default})",
        read=count,
        metavar="N",
        group=BESIDES,
    )
    domain: str | None = flag(
        None,
        f"the kind of problems: {', '.join(roots.DOMAINS)}, or an object as module:object (default: {DEFAULT_DOMAIN})",
        metavar="NAME",
        group=SOLVER,
    )
    command: str | None = flag(
        None,
        'the solver under test, a command such as "eld -ssol"; {} is replaced by the file, which otherwise comes last '
        "(for fuzz_targets/chc_command.py)",
        read=unpacked,
        write=packed,
        metavar="CMD",
        group=SOLVER,
    )
    dialect: str | None = flag(
        None,
        "solver whose options the command takes (default: by the name of the program)",
        choices=tuple(sorted(DIALECTS)),
        group=SOLVER,
    )
    memory_megabytes: int = flag(
        DEFAULT_MEMORY_MEGABYTES,
        "memory limit of a command or a child process in MB (default: {default})",
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
        group=LIMITS,
    )
    solvers: tuple[str, ...] | None = flag(
        None,
        "solvers that all get each problem; of SMT, z3, cvc5 and bitwuzla (default: these), and z3-program; of "
        "interpolation, spacer, bitwuzla, instances, cvc5, smtinterpol and princess (default: spacer,bitwuzla); "
        "z3:sat.euf=true is z3 with a setting",
        read=listed_or_none,
        write=",".join,
        metavar="NAME,NAME",
        group=SOLVER,
    )
    part: tuple[str, ...] = flag(
        (),
        "ask this part of a solver only, for fuzz_targets/parts.py; may be repeated (default: all)",
        metavar="NAME",
        repeated=True,
        group=SOLVER,
    )
    isolate: tuple[str, ...] = flag(
        ISOLATED,
        "SMT solvers that run in child processes, so that a failed assertion ends no worker; empty: none "
        "(default: {default})",
        read=listed_or_none,
        write=",".join,
        metavar="NAME,NAME",
        group=SOLVER,
    )
    cross: tuple[str, ...] = flag(
        (),
        "another solver, a command: of CHC, it also solves the systems of second opinions and contradictions; of SMT, "
        "all problems; may be repeated; auto: Golem and Eldarica, if they are on PATH",
        read=unpacked,
        write=packed,
        metavar="CMD",
        repeated=True,
        group=BESIDES,
    )
    cross_z3: tuple[str, ...] = flag(
        (),
        "another released z3-solver that also solves these systems; may be repeated",
        metavar="VERSION",
        repeated=True,
        group=BESIDES,
    )

    @staticmethod
    def add_flags(parser: argparse.ArgumentParser, groups: Mapping[str, str] | None = None) -> None:
        """Let a parser accept the flags of the solver and its limits; `groups` puts some under other headings."""
        flags.add(parser, Solving, groups)

    @classmethod
    def of(cls, given: argparse.Namespace) -> Solving:
        """Return the configuration of a parsed command line; `--z3` overrides a library from the environment."""
        solving = cls(**flags.values(given, cls))
        if solving.domain == DEFAULT_DOMAIN:  # the default domain is not recorded
            solving = replace(solving, domain=None)
        return (
            replace(solving, z3_library=None) if solving.z3 else solving
        )  # `z3_library` may come from the environment

    @classmethod
    def parsed(cls, words: Sequence[str]) -> Solving:
        """Parse these flags in a command line, and ignore its other words."""
        parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
        cls.add_flags(parser)
        return cls.of(parser.parse_known_args(list(words))[0])

    @property
    def arguments(self) -> tuple[str, ...]:
        """These flags, each as one word."""
        return flags.words(self)

    def solver_command(self) -> Command | None:
        """Return the command under test; None for Spacer. Raises `CommandError` if it cannot be started."""
        if self.command is None:
            return None
        command = Command.of(self.command, self.wall_seconds, self.memory_megabytes, self.dialect, self.requests)
        return command.with_edges()

    @property
    def command_dialect(self) -> Dialect | None:
        """Dialect of the command under test; None for Spacer."""
        command = self.solver_command()
        return None if command is None else command.dialect

    def program(self) -> Path | None:
        """Return the z3 program beside the library under test; None if it is missing.

        Raises `UsageError` for a file of `--z3-program` that does not run, and `ReleaseError`.
        """
        if self.z3_program is None:
            release = chosen(self.z3, self.z3_library)
            return None if release is None else release.executable
        if not (self.z3_program.is_file() and os.access(self.z3_program, os.X_OK)):
            raise UsageError(f"--z3-program {str(self.z3_program)!r} is not a program; name the z3 of a build")
        return self.z3_program.absolute()

    @property
    def counts_resources(self) -> bool:
        """Whether resource limits end executions, so that the wall clock only protects; a command has only a clock."""
        return self.uses_z3

    @property
    def uses_z3(self) -> bool:
        """Whether the Z3 in this process is under test, and not a command."""
        return self.command is None

    @property
    def named_objects(self) -> tuple[str, ...]:
        """The solver class and the domain, as far as the flags name them as `module:object`."""
        return tuple(name for name in (self.solver, self.domain) if name and ":" in name)

    def solver_key(self, z3: str) -> str:
        """Return the key of the solver without digits: a command without its folder, or a class and its Z3 release."""
        if self.command is not None:
            program, *words = shlex.split(self.command)
            return shlex.join([Path(program).name, *words])
        return f"{self.solver or 'Spacer'} {z3}"

    @property
    def uses_release(self) -> bool:
        """Whether a released Z3 in this process is under test; released versions do not count edges."""
        return self.uses_z3 and self.z3_library is None

    @property
    def counts_edges(self) -> bool:
        """Whether the solver under test may have edges for libFuzzer: a traced build, or a command that counts them."""
        command = self.solver_command()
        if command is not None:
            return len(command.events.edges.counters) > 0
        return self.z3_library is not None and is_traced(self.z3_library)

    def activate(self) -> Release:
        """Make these the domain and the Z3 of the process; raises `DomainError` and `ReleaseError`."""
        roots.activate(roots.load(self.domain).roots)
        return activate(self.z3, self.z3_library)
