"""Flags of a fuzz target: ours begin with two dashes, everything else is libFuzzer's."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from chcfuzz.grammar.errors import ChcfuzzError

DEFAULT_RLIMIT = 1_000_000

# Exit codes of a fuzz target. libFuzzer's own: 70 a timeout, 71 out of memory, 77 a crash; ours for bad use.
EXIT_USAGE, EXIT_STUCK, EXIT_OOM, EXIT_CRASH = 2, 70, 71, 77


class UsageError(ChcfuzzError):
    """A flag or a folder that cannot be used; the text names it and says what to do."""


@dataclass(frozen=True)
class Options:
    """What a campaign was asked to do. `libfuzzer` holds libFuzzer's flags, `inputs` the files and folders."""

    findings: Path
    z3: str | None
    rlimit: int
    wall_seconds: float
    status_seconds: float
    per_bucket: int
    stop_on_finding: bool
    experimental: bool
    solver: str | None
    libfuzzer: tuple[str, ...]
    inputs: tuple[Path, ...]

    @property
    def arguments(self) -> tuple[str, ...]:
        """The same command line with each of our flags in one word, as libFuzzer needs them to pass them on."""
        ours = [f"--findings={self.findings}", f"--rlimit={self.rlimit}", f"--wall-seconds={self.wall_seconds}"]
        ours += [f"--per-bucket={self.per_bucket}"]
        ours += [f"--z3={self.z3}"] if self.z3 else []
        ours += [f"--solver={self.solver}"] if self.solver else []
        ours += ["--experimental"] if self.experimental else []
        ours += ["--stop-on-finding"] if self.stop_on_finding else []
        return (*ours, *self.libfuzzer, *map(str, self.inputs))

    def flag(self, name: str) -> str | None:
        """The last value that libFuzzer's `-name=value` was given."""
        values = [flag.partition("=")[2] for flag in self.libfuzzer if flag.partition("=")[0] == f"-{name}"]
        return values[-1] if values else None

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
        description="Fuzz Z3's Spacer with mutated systems of constrained Horn clauses.",
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
    flag(
        "--z3",
        metavar="VERSION",
        help="test this released z3-solver (4.8.12.0 to today) instead of the installed one",
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
        default=20.0,
        metavar="S",
        help="wall clock behind the resource limit (default: %(default)s)",
    )
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
    flag("--experimental", action="store_true", help="draw parameters too that Spacer's maintainers call unsupported")
    flag("--solver", metavar="MODULE:CLASS", help="a class derived from chcfuzz.solvers.spacer.Spacer, in its place")
    flag("--stop-on-finding", action="store_true", help="make a confirmed finding a libFuzzer crash")
    return made


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
        z3=ours.z3,
        rlimit=ours.rlimit,
        wall_seconds=ours.wall_seconds,
        status_seconds=ours.status_seconds,
        per_bucket=ours.per_bucket,
        stop_on_finding=ours.stop_on_finding,
        experimental=ours.experimental,
        solver=ours.solver,
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
