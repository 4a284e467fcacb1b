"""Flags of a fuzz target: ours begin with two dashes, everything else is libFuzzer's."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from chcfuzz.execution.solving import Solving, UsageError, count, positive, positive_float
from chcfuzz.mutators.groups import ORDERS
from chcfuzz.mutators.mutation import Kind
from chcfuzz.mutators.policy import POLICIES


@dataclass(frozen=True)
class Options:
    """What a campaign was asked to do. `libfuzzer` holds libFuzzer's flags, `inputs` the files and folders."""

    findings: Path
    solving: Solving
    status_seconds: float
    per_bucket: int
    finish_seconds: float
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
        type=positive_float,
        default=5.0,
        metavar="S",
        help="a status line this often (default: %(default)s)",
    )
    flag(
        "--per-bucket",
        type=positive,
        default=5,
        metavar="N",
        help="findings kept of one cause (default: %(default)s)",
    )
    flag(
        "--finish-seconds",
        type=positive_float,
        default=120.0,
        metavar="S",
        help="how long to go on at the end with suspicions that had no turn yet; the rest waits in the findings folder "
        "(default: %(default)s)",
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
        type=count,
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
        finish_seconds=ours.finish_seconds,
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
