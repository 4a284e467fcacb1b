"""Flags of a fuzz target: ours begin with two dashes, everything else is libFuzzer's."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

from chcfuzz.campaign.run_folder import RunFolder
from chcfuzz.execution import flags
from chcfuzz.execution.flags import count, flag, positive, positive_float
from chcfuzz.execution.solving import BESIDES, LIMITS, SOLVER, Solving, UsageError, chosen
from chcfuzz.mutators.groups import ORDERS
from chcfuzz.mutators.mutation import Kind
from chcfuzz.mutators.policy import POLICIES

FIRST, KEPT, MADE = "first of all", "what is kept and told", "how mutants are made and chosen"
_WHERE = ("--findings", "--run-dir", "--resume")


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

    findings: Path = flag(
        Path("findings"), "where findings go (default: {default})", read=Path, metavar="DIR", group=FIRST
    )
    solving: Solving = Solving()
    status_seconds: float = flag(
        5.0,
        "a status line this often (default: {default})",
        read=positive_float,
        metavar="S",
        handed_on=False,
        group=KEPT,
    )
    workers: int = flag(
        1,
        "so many processes that share one corpus folder and what they learn, for each processor one; what the others "
        "have executed none executes again. One worker makes the same campaign again from the same -seed, several do "
        "not (default: {default})",
        read=positive,
        metavar="N",
        handed_on=False,
        group=FIRST,
    )
    per_bucket: int = flag(5, "findings kept of one cause (default: {default})", read=positive, metavar="N", group=KEPT)
    finish_seconds: float = flag(
        120.0,
        "how long to go on at the end with suspicions that had no turn yet; the rest waits in the findings folder "
        "(default: {default})",
        read=positive_float,
        metavar="S",
        handed_on=False,
        group=KEPT,
    )
    kinds: tuple[Kind, ...] = flag(
        tuple(Kind),
        "what recipes are mutated with (default: {default})",
        read=_kinds,
        write=lambda kinds: ",".join(kind.value for kind in kinds),
        metavar="KIND,KIND",
        group=MADE,
    )
    rows: tuple[str, ...] = flag(
        ("*",),
        "only the rows of `chcfuzz mutations` whose id matches, for example 'wrappers.*,parameter.*' (default: "
        "{default})",
        read=lambda text: tuple(text.split(",")),
        write=",".join,
        metavar="PATTERN,PATTERN",
    )
    limit_factor: int = flag(
        30,
        "a mutant gets N times its seed's cost, if that is less than --rlimit; 0: always --rlimit (default: {default})",
        read=count,
        metavar="N",
        group=MADE,
    )
    policy: str = flag(
        "bandit",
        "how mutations and parameters are chosen (default: {default})",
        choices=tuple(sorted(POLICIES)),
        group=MADE,
    )
    heuristic: str = flag(
        "none",
        "which seed's group is mutated, half the time in libFuzzer's place: none, or an order out of "
        f"{', '.join(ORDERS)}; two joined by + group by the first (default: {{default}})",
        read=_heuristic,
        metavar="ORDER[+ORDER]",
        group=MADE,
    )
    prices: str = flag(
        "count",
        "count: a unit is mutated the less often, the more the solver counted when it was executed; none: as often as "
        "libFuzzer and the heuristic draw it (default: {default})",
        choices=("count", "none"),
        group=MADE,
    )
    state: Path | None = flag(
        None,
        "what is learned about mutations is kept here (default: state.json in the findings folder)",
        read=Path,
        metavar="FILE",
        handed_on=False,
        group=KEPT,
    )
    json: Path | None = flag(
        None,
        "write all numbers of the campaign there when it ends",
        read=Path,
        metavar="FILE",
        handed_on=False,
        group=KEPT,
    )
    experimental: bool = flag(False, "draw parameters too that Spacer's maintainers call unsupported", group=MADE)
    performance: bool = flag(
        False,
        "call it a finding if a mutant with its seed's models costs a hundred times as much; lifts --limit-factor",
        group=MADE,
    )
    run_dir: Path | None = flag(
        None,
        "keep all of the campaign in this new folder: corpus, findings, statistics, traces; inputs are only read",
        read=Path,
        metavar="DIR",
        handed_on=False,
        instead_of="--resume",
        group=FIRST,
    )
    resume: Path | None = flag(
        None,
        "go on with the campaign in a folder that --run-dir made, under the same flags; what is given here comes "
        "behind them, a new --z3-library among it; -runs and -max_total_time begin anew",
        read=Path,
        metavar="DIR",
        handed_on=False,
        group=FIRST,
    )
    features: str = flag(
        "all",
        "what libFuzzer takes for new: all (answers, traces, transitions, edges), traces, edges of a traced build, or "
        "both (traces and edges); for -merge=1 (default: {default})",
        choices=("all", "traces", "edges", "both"),
        group=MADE,
    )
    corpus_megabytes: int = flag(
        1024,
        "of a run folder: the largest units of its corpus go where it is larger (default: {default})",
        read=positive,
        metavar="N",
        handed_on=False,
        group=KEPT,
    )
    corpus_units: int = flag(
        10_000,
        "of a run folder: the oldest units of its corpus go where there are more, since a worker that starts "
        "again reads all, some thousand a second (default: {default})",
        read=positive,
        metavar="N",
        handed_on=False,
        group=KEPT,
    )
    triage: bool = flag(
        False,
        "reduce findings and put them into buckets in the background, at the lowest priority; of a bucket as many stay "
        "as of a cause, and a known one does not stop --stop-on-finding",
        group=FIRST,
    )
    triage_tests: int = flag(
        1000, "tests of a reduction with --triage, at most (default: {default})", read=positive, metavar="N", group=KEPT
    )
    stop_on_finding: bool = flag(False, "make a confirmed finding a libFuzzer crash", group=KEPT)
    libfuzzer: tuple[str, ...] = ()
    inputs: tuple[Path, ...] = ()

    @property
    def state_file(self) -> Path:
        """Where what is learned is kept."""
        return self.state or self.findings / "state.json"

    @property
    def run(self) -> RunFolder | None:
        """The folder that keeps everything of the campaign, if one does."""
        folder = self.resume or self.run_dir
        return None if folder is None else RunFolder(folder)

    @property
    def begun_with(self) -> tuple[str, ...]:
        """A command line that means the same in any folder, but for where the campaign is kept."""
        kept = [word for word in flags.words(self, everything=True) if word.partition("=")[0] not in _WHERE]
        inputs = (str(path.absolute()) for path in self.inputs[1 if self.run else 0 :])
        return (*kept, *flags.words(self.solving, everything=True), *self.libfuzzer, *inputs)

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
    def is_campaign(self) -> bool:
        """Whether there is a corpus, or will be one: not files, a crash to make smaller, or help."""
        return not (self.replays_files or self.minimizes or self.asks_help)

    @property
    def grown(self) -> Path | None:
        """The corpus folder that libFuzzer writes what it keeps of its mutants into, if there is one."""
        return self.inputs[0] if self.inputs and self.is_campaign and not self.merges else None

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
    add_flags(made)
    return made


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Give the parser our own flags, in groups, what most people need first."""
    for title in (FIRST, SOLVER, LIMITS, BESIDES, KEPT, MADE):
        flags.group_of(parser, title)
    flags.add(parser, Options)
    Solving.add_flags(parser)


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


def _kept_in(options: Options, run: RunFolder) -> Options:
    """The options of a campaign that is kept in a run folder."""
    if options.findings != Options.findings:
        raise UsageError(f"--findings={options.findings} are in {str(run.path)!r} with --run-dir; leave it out")
    if options.run_dir and run.is_begun:
        raise UsageError(f"{str(run.path)!r} holds a campaign; go on with --resume={run.path}, or name a new folder")
    if options.merges or options.minimizes or options.replays_files or options.asks_help:
        raise UsageError(f"{str(run.path)!r} is for a campaign; leave out -merge, -minimize_crash, -help and files")
    return replace(options, findings=run.findings, inputs=(run.corpus, *options.inputs))


def parse(arguments: Sequence[str]) -> Options:
    """Split a command line; raises `UsageError` for inputs that do not exist or a flag nobody knows."""
    resumed = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    resumed.add_argument("--resume", type=Path)
    folder, more = resumed.parse_known_args(arguments)
    if folder.resume is None or "--help" in more:
        return _parsed(arguments)
    _, words = RunFolder(folder.resume).begun_with()
    return _parsed([f"--resume={folder.resume}", *chosen(words, more)])


def _parsed(arguments: Sequence[str]) -> Options:
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
    if options.run is not None:
        options = _kept_in(options, options.run)
    if options.workers > 1 and options.starts_processes:
        raise UsageError(f"--workers={options.workers} are processes of ours; leave out -fork, -jobs and -merge")
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
