"""Flags of a fuzz target: ours begin with two dashes, everything else is libFuzzer's."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.mutators.groups import ORDERS
from chcfuzz.mutators.mutation import Kind
from chcfuzz.mutators.policy import POLICIES
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
            type=_positive,
            default=DEFAULT_RLIMIT,
            metavar="N",
            help="Z3's resource limit for an execution (default: %(default)s)",
        )
        flag(
            "--wall-seconds",
            type=_positive_float,
            default=5.0,
            metavar="S",
            help="wall clock behind the resource limit (default: %(default)s)",
        )
        flag(
            "--solver", metavar="MODULE:CLASS", help="a class derived from chcfuzz.solvers.spacer.Spacer, in its place"
        )
        flag(
            "--second-opinion",
            type=_count,
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
            type=_positive,
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


@dataclass(frozen=True)
class Options:
    """What a campaign was asked to do. `libfuzzer` holds libFuzzer's flags, `inputs` the files and folders."""

    findings: Path
    solving: Solving
    status_seconds: float
    per_bucket: int
    stop_on_finding: bool
    experimental: bool
    performance: bool
    limit_factor: int
    kinds: tuple[Kind, ...]
    policy: str
    heuristic: str
    prices: str
    state: Path
    json: Path | None
    libfuzzer: tuple[str, ...]
    inputs: tuple[Path, ...]

    @property
    def arguments(self) -> tuple[str, ...]:
        """The same command line with each of our flags in one word, as libFuzzer needs them to pass them on."""
        ours = [f"--findings={self.findings}", f"--per-bucket={self.per_bucket}", *self.solving.arguments]
        ours += [f"--kinds={','.join(kind.value for kind in self.kinds)}"]
        ours += [f"--limit-factor={self.limit_factor}", f"--policy={self.policy}", f"--heuristic={self.heuristic}"]
        ours += [f"--prices={self.prices}"]
        ours += ["--experimental"] if self.experimental else []
        ours += ["--performance"] if self.performance else []
        ours += ["--stop-on-finding"] if self.stop_on_finding else []
        return (*ours, *self.libfuzzer, *map(str, self.inputs))

    def flag(self, name: str) -> str | None:
        """The last value that libFuzzer's `-name=value` was given."""
        values = [flag.partition("=")[2] for flag in self.libfuzzer if flag.partition("=")[0] == f"-{name}"]
        return values[-1] if values else None

    def limit(self, name: str) -> int | None:
        """What libFuzzer's `-name=number` limits something to; None where it limits nothing.

        Raises `UsageError` for what is no whole number.
        """
        value = self.flag(name)
        try:
            number = -1 if value is None else int(value)
        except ValueError as error:
            raise UsageError(f"-{name}={value} is not a whole number") from error
        nothing = -1 if name == "runs" else 0
        return None if number <= nothing else number

    @property
    def asks_help(self) -> bool:
        """Whether libFuzzer shall only list its flags."""
        return self.flag("help") not in (None, "0")

    @property
    def replays_files(self) -> bool:
        """Whether libFuzzer only runs the given files, without fuzzing (all inputs are files)."""
        return bool(self.inputs) and all(path.is_file() for path in self.inputs)

    @property
    def merges(self) -> bool:
        """Whether this is `-merge=1` or `-set_cover_merge=1`."""
        return any(self.flag(name) not in (None, "0") for name in ("merge", "set_cover_merge"))

    @property
    def minimizes(self) -> bool:
        """Whether this is one of libFuzzer's modes that make a crash smaller."""
        return any(self.flag(name) not in (None, "0") for name in ("minimize_crash", "minimize_crash_internal_step"))

    @property
    def starts_processes(self) -> bool:
        """Whether libFuzzer will run `argv[0]` again."""
        return any(self.flag(name) not in (None, "0") for name in ("fork", "jobs")) or (self.merges or self.minimizes)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; --help tells more")


def parser() -> argparse.ArgumentParser:
    """The parser of our own flags; its help tells of libFuzzer's too."""
    made = _Parser(
        usage="%(prog)s [--flags] [-libfuzzer_flags] [CORPUS_FOLDER ... | FILE ...]",
        description="Fuzz a CHC solver, Z3's Spacer or a command, with mutated systems of constrained Horn clauses.",
        epilog="A campaign writes what it keeps into the first corpus folder. libFuzzer's flags have one dash and an "
        "equals sign, for example -runs=1000 -max_total_time=60 -seed=1 -fork=2 -jobs=2 -merge=1 -minimize_crash=1 "
        "-artifact_prefix=DIR/; -help=1 lists them. Files instead of folders are run once each.",
        add_help=False,
        allow_abbrev=False,
    )
    flag = made.add_argument
    flag("--help", action="help", help="show this text and leave")
    flag(
        "--findings",
        type=Path,
        default=Path("findings"),
        metavar="DIR",
        help="where findings go (default: %(default)s)",
    )
    Solving.add_flags(made)
    flag(
        "--status-seconds",
        type=_positive_float,
        default=5.0,
        metavar="S",
        help="a status line this often (default: %(default)s)",
    )
    flag(
        "--per-bucket",
        type=_positive,
        default=5,
        metavar="N",
        help="findings kept with the same kind and the same parameters (default: %(default)s)",
    )
    flag(
        "--kinds",
        type=_kinds,
        default=tuple(Kind),
        metavar="KIND,KIND",
        help=f"what recipes are mutated with (default: {','.join(kind.value for kind in Kind)})",
    )
    flag(
        "--limit-factor",
        type=_count,
        default=30,
        metavar="N",
        help="a mutant gets N times its seed's cost, if that is less than --rlimit; 0: always --rlimit "
        "(default: %(default)s)",
    )
    flag(
        "--policy",
        choices=sorted(POLICIES),
        default="bandit",
        help="how mutations and parameters are chosen (default: %(default)s)",
    )
    flag(
        "--heuristic",
        type=_heuristic,
        default="none",
        metavar="ORDER[+ORDER]",
        help="which seed's group is mutated, half the time in libFuzzer's place: none, or an order out of "
        f"{', '.join(ORDERS)}; two joined by + group by the first (default: %(default)s)",
    )
    flag(
        "--prices",
        choices=("count", "none"),
        default="count",
        help="count: a unit is mutated the less often, the more the solver counted when it was executed; none: as "
        "often as libFuzzer and the heuristic draw it (default: %(default)s)",
    )
    flag(
        "--state",
        type=Path,
        metavar="FILE",
        help="what is learned about mutations is kept here (default: state.json in the findings folder)",
    )
    flag("--json", type=Path, metavar="FILE", help="write all numbers of the campaign there when it ends")
    flag("--experimental", action="store_true", help="draw parameters too that Spacer's maintainers call unsupported")
    flag(
        "--performance",
        action="store_true",
        help="call it a finding if a mutant with its seed's models costs a hundred times as much; lifts --limit-factor",
    )
    flag("--stop-on-finding", action="store_true", help="make a confirmed finding a libFuzzer crash")
    return made


def _heuristic(text: str) -> str:
    if text != "none" and not set(text.split("+")) <= set(ORDERS):
        raise argparse.ArgumentTypeError(f"{text!r} is none of none, {', '.join(ORDERS)}, or two of them joined by +")
    return text


def _kinds(text: str) -> tuple[Kind, ...]:
    try:
        return tuple(Kind(word) for word in text.split(","))
    except ValueError as error:
        known = ", ".join(kind.value for kind in Kind)
        raise argparse.ArgumentTypeError(f"{text!r} names a kind that is none of {known}") from error


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive whole number")
    return int(text)


def _positive_float(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not value > 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number")
    return value


def parse(arguments: Sequence[str]) -> Options:
    """Split a command line; raises `UsageError` for inputs that do not exist or a flag nobody knows."""
    ours, rest = parser().parse_known_args(arguments)
    unknown = [word for word in rest if word.startswith("--")]
    if unknown:
        raise UsageError(f"unknown flag {unknown[0]!r}; --help lists ours, -help=1 libFuzzer's")
    options = Options(
        findings=ours.findings,
        solving=Solving.of(ours),
        status_seconds=ours.status_seconds,
        per_bucket=ours.per_bucket,
        stop_on_finding=ours.stop_on_finding,
        experimental=ours.experimental,
        performance=ours.performance,
        limit_factor=0 if ours.performance else ours.limit_factor,
        kinds=ours.kinds,
        policy=ours.policy,
        heuristic=ours.heuristic,
        prices=ours.prices,
        state=ours.state or ours.findings / "state.json",
        json=ours.json,
        libfuzzer=tuple(word for word in rest if word.startswith("-")),
        inputs=tuple(Path(word) for word in rest if not word.startswith("-")),
    )
    for path in options.inputs:
        if not path.exists():
            raise UsageError(f"no such file or folder: {str(path)!r}; create it, or name another corpus")
    if options.starts_processes:
        for word in rest:
            if any(character.isspace() for character in word):
                raise UsageError(
                    f"libFuzzer's -fork, -jobs, -merge and -minimize_crash cannot hand on {word!r}: "
                    "rename it without spaces, or start from inside that folder"
                )
    return options
