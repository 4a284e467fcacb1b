"""Flags of a fuzz target: ours begin with two dashes, everything else is libFuzzer's."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

from chcfuzz.execution import flags
from chcfuzz.execution.flags import count, flag, positive, positive_float
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.mutators.groups import ORDERS
from chcfuzz.mutators.mutation import Kind
from chcfuzz.mutators.policy import POLICIES


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


@dataclass(frozen=True)
class Options:
    """What a campaign was asked to do. `libfuzzer` holds libFuzzer's flags, `inputs` the files and folders."""

    findings: Path = flag(Path("findings"), "where findings go (default: {default})", read=Path, metavar="DIR")
    solving: Solving = Solving()
    status_seconds: float = flag(
        5.0, "a status line this often (default: {default})", read=positive_float, metavar="S", handed_on=False
    )
    per_bucket: int = flag(5, "findings kept of one cause (default: {default})", read=positive, metavar="N")
    finish_seconds: float = flag(
        120.0,
        "how long to go on at the end with suspicions that had no turn yet; the rest waits in the findings folder "
        "(default: {default})",
        read=positive_float,
        metavar="S",
        handed_on=False,
    )
    kinds: tuple[Kind, ...] = flag(
        tuple(Kind),
        "what recipes are mutated with (default: {default})",
        read=_kinds,
        write=lambda kinds: ",".join(kind.value for kind in kinds),
        metavar="KIND,KIND",
    )
    limit_factor: int = flag(
        30,
        "a mutant gets N times its seed's cost, if that is less than --rlimit; 0: always --rlimit (default: {default})",
        read=count,
        metavar="N",
    )
    policy: str = flag(
        "bandit", "how mutations and parameters are chosen (default: {default})", choices=tuple(sorted(POLICIES))
    )
    heuristic: str = flag(
        "none",
        "which seed's group is mutated, half the time in libFuzzer's place: none, or an order out of "
        f"{', '.join(ORDERS)}; two joined by + group by the first (default: {{default}})",
        read=_heuristic,
        metavar="ORDER[+ORDER]",
    )
    prices: str = flag(
        "count",
        "count: a unit is mutated the less often, the more the solver counted when it was executed; none: as often as "
        "libFuzzer and the heuristic draw it (default: {default})",
        choices=("count", "none"),
    )
    state: Path | None = flag(
        None,
        "what is learned about mutations is kept here (default: state.json in the findings folder)",
        read=Path,
        metavar="FILE",
        handed_on=False,
    )
    json: Path | None = flag(
        None,
        "write all numbers of the campaign there when it ends",
        read=Path,
        metavar="FILE",
        handed_on=False,
    )
    experimental: bool = flag(False, "draw parameters too that Spacer's maintainers call unsupported")
    performance: bool = flag(
        False,
        "call it a finding if a mutant with its seed's models costs a hundred times as much; lifts --limit-factor",
    )
    stop_on_finding: bool = flag(False, "make a confirmed finding a libFuzzer crash")
    libfuzzer: tuple[str, ...] = ()
    inputs: tuple[Path, ...] = ()

    @property
    def state_file(self) -> Path:
        """Where what is learned is kept."""
        return self.state or self.findings / "state.json"

    @property
    def arguments(self) -> tuple[str, ...]:
        """The same command line with each of our flags in one word, as libFuzzer needs them to pass them on."""
        return (*self.ours, *self.libfuzzer, *map(str, self.inputs))

    @property
    def ours(self) -> tuple[str, ...]:
        """Our flags alone, those that a worker needs."""
        return (*flags.words(self), *self.solving.arguments)

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
        "-artifact_prefix=DIR/; -help=1 lists them. Files instead of folders are run once each. Exit codes: 0 done, 2 "
        "bad use or a full disk, 3 done beside errors of our own (findings/ours), 77 a finding with --stop-on-finding.",
        add_help=False,
        allow_abbrev=False,
    )
    made.add_argument("--help", action="help", help="show this text and leave")
    flags.add(made, Options)
    Solving.add_flags(made)
    return made


def _see_inputs(inputs: Sequence[str]) -> None:
    """See that all inputs are there. The first of several folders need not be, nor one that ends with a slash: what is
    learned goes there. Alone and without a slash it is rather misspelt, or a unit that is gone."""
    for number, name in enumerate(inputs):
        if Path(name).exists() or (number == 0 and (name.endswith("/") or len(inputs) > 1)):
            continue
        advice = "; a slash behind the name of a new corpus folder makes it" if number == 0 else ""
        raise UsageError(f"no such file or folder: {name!r}; create it, or name another corpus{advice}")


def see_libfuzzers(flags: Sequence[str], known: Collection[str]) -> None:
    """See that libFuzzer knows its flags, `known` without their dash; it would only warn. Raises `UsageError`."""
    for word in flags:
        name, _, value = word[1:].partition("=")
        if name not in known:
            near = difflib.get_close_matches(name, sorted(known), n=1)
            advice = f"did you mean -{near[0]}={value}?" if near else "-help=1 lists its flags"
            raise UsageError(f"libFuzzer has no flag {word!r}; {advice}")


def parse(arguments: Sequence[str]) -> Options:
    """Split a command line; raises `UsageError` for inputs that do not exist or a flag nobody knows."""
    ours, rest = parser().parse_known_args(arguments)
    unknown = [word for word in rest if word.startswith("--")]
    if unknown:
        raise UsageError(f"unknown flag {unknown[0]!r}; --help lists ours, -help=1 libFuzzer's")
    options = Options(
        **flags.values(ours, Options),
        solving=Solving.of(ours),
        libfuzzer=tuple(word for word in rest if word.startswith("-")),
        inputs=tuple(Path(word) for word in rest if not word.startswith("-")),
    )
    if options.performance:
        options = replace(options, limit_factor=0)
    valueless = next((word for word in options.libfuzzer if "=" not in word), None)
    if valueless is not None:
        raise UsageError(f"libFuzzer's {valueless!r} needs an equals sign and a value, as in {valueless}=1")
    _see_inputs([word for word in rest if not word.startswith("-")])
    if options.starts_processes:
        for word in rest:
            if any(character.isspace() for character in word):
                raise UsageError(
                    f"libFuzzer's -fork, -jobs, -merge and -minimize_crash cannot hand on {word!r}: "
                    "rename it without spaces, or start from inside that folder"
                )
    return options
