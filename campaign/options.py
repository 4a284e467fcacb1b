"""Flags of a fuzz target: chcfuzz's begin with two dashes, all others are libFuzzer's."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

from chcfuzz.campaign import corpus_folder
from chcfuzz.campaign.runs.logs import Logs
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.campaign.session.marks import FIRST_EVENTS
from chcfuzz.execution import flags
from chcfuzz.execution.flags import count, flag, positive, positive_float
from chcfuzz.execution.solving import BESIDES, LIMITS, SOLVER, Solving, UsageError, chosen
from chcfuzz.grammar.drawing_limits import DEFAULT_QUANTIFIED
from chcfuzz.mutators.groups import ORDERS
from chcfuzz.mutators.mutation import Kind
from chcfuzz.mutators.policy import POLICIES
from chcfuzz.mutators.portfolio import DEFAULT_SHARES, Strategy

FIRST, KEPT, MADE = "main options", "output and storage", "how mutants are made and chosen"
_TICK, _INTERVAL = 1.0, 5.0  # seconds
_SHORT = {
    "-q": "--quiet",
    "-v": "--verbose",
    "-h": "--help",
}  # libFuzzer's flags have one dash, and -verbosity begins with -v
_NOT_RESUMED = ("--findings", "--run-dir", "--resume", "--verbose", "--quiet", "--on-bucket")


def _heuristic(text: str) -> str:
    if text != "none" and not set(text.split("+")) <= set(ORDERS):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not none, one of {', '.join(ORDERS)}, or two of them joined by +"
        )
    return text


def _shares(text: str) -> tuple[tuple[Strategy, int], ...]:
    found: dict[Strategy, int] = {}
    for part in text.split(","):
        name, _, share = part.partition("=")
        if name not in tuple(Strategy) or not (share or "1").isdecimal():
            raise argparse.ArgumentTypeError(f"{part!r} is not STRATEGY=SHARE with one of {', '.join(Strategy)}")
        found[Strategy(name)] = int(share or "1")
    if not any(found.values()):
        raise argparse.ArgumentTypeError(f"{text!r} gives no strategy a share")
    return tuple(found.items())


def _kinds(text: str) -> tuple[Kind, ...]:
    try:
        return tuple(Kind(word) for word in text.split(","))
    except ValueError as error:
        known = ", ".join(kind.value for kind in Kind)
        raise argparse.ArgumentTypeError(f"{text!r} names an unknown kind; the kinds are {known}") from error


@dataclass(frozen=True)
class Options:
    """The options of a campaign. `libfuzzer` holds libFuzzer's flags, `inputs` the files and folders.

    With `spares_own_seeds`, the first input was added, because the others belong to the project.
    """

    findings: Path = flag(
        Path("findings"), "folder for findings (default: {default})", read=Path, metavar="DIR", group=FIRST
    )
    solving: Solving = Solving()
    status_seconds: float | None = flag(
        None,
        "seconds between two status lines (default: 30, and 1 on a terminal)",
        read=positive_float,
        metavar="S",
        handed_on=False,
        group=KEPT,
    )
    workers: int = flag(
        1,
        "number of processes that share a corpus folder, outcomes and statistics of mutations; use one per processor. "
        "A campaign with one worker can be repeated with the same -seed, others cannot (default: {default})",
        read=positive,
        metavar="N",
        handed_on=False,
        group=FIRST,
    )
    per_bucket: int = flag(
        5, "findings kept for one deduplication signature (default: {default})", read=positive, metavar="N", group=KEPT
    )
    finish_seconds: float = flag(
        120.0,
        "seconds for confirming new kinds of suspicions at the end; the rest stays in the findings folder "
        "(default: {default})",
        read=positive_float,
        metavar="S",
        handed_on=False,
        group=KEPT,
    )
    kinds: tuple[Kind, ...] = flag(
        tuple(Kind),
        "kinds of mutations (default: {default})",
        read=_kinds,
        write=lambda kinds: ",".join(kind.value for kind in kinds),
        metavar="KIND,KIND",
        group=MADE,
    )
    rows: tuple[str, ...] = flag(
        ("*",),
        "only the rows of `chcfuzz mutations` with a matching id, for example 'wrappers.*,parameter.*' (default: "
        "{default})",
        read=lambda text: tuple(text.split(",")),
        write=",".join,
        metavar="PATTERN,PATTERN",
        group=MADE,
    )
    limit_factor: int = flag(
        30,
        "limit a mutant to N times its seed's cost, at most --rlimit; 0: always --rlimit (default: {default})",
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
    model: str = flag(
        "none",
        "draw with a model of formulas, too: builtin, or a file of `chcfuzz learn` (default: {default})",
        metavar="NAME",
        group=MADE,
    )
    quantified: int = flag(
        DEFAULT_QUANTIFIED,
        "quantifiers bind at most N variables of an assertion in a drawn problem; with a model, 0 draws none (default: "
        "{default})",
        read=count,
        metavar="N",
        group=MADE,
    )
    learn: bool = flag(
        False,
        "learn from units that open features, and draw with what was learned, in addition to --model; kept in "
        "learned.model next to the state file",
        group=MADE,
    )
    portfolio: tuple[tuple[Strategy, int], ...] = flag(
        tuple(DEFAULT_SHARES.items()),
        "strategies that make mutants, with their shares: neighbourhood (a parameter or one to three equivalent steps "
        "from a seed), swarm (half of the families at a time), novelty (all rows, by the policy) (default: {default})",
        read=_shares,
        write=lambda shares: ",".join(f"{strategy}={share}" for strategy, share in shares),
        metavar="STRATEGY=SHARE,...",
        group=MADE,
    )
    adapt: bool = flag(
        False,
        "adapt the shares of --portfolio to what the mutants of each strategy show: contradictions, findings, unknown "
        "answers, high costs",
        group=MADE,
    )
    stop_at_first: str | None = flag(
        None,
        "end the campaign at the first answer that contradicts the expected one, or at the first finding",
        choices=FIRST_EVENTS,
        handed_on=False,
        group=KEPT,
    )
    heuristic: str = flag(
        "none",
        "draw half of the units to mutate from groups of seeds in this order, not from libFuzzer's corpus: none, "
        f"{', '.join(ORDERS)}, or two of them joined by + (default: {{default}})",
        read=_heuristic,
        metavar="ORDER[+ORDER]",
        group=MADE,
    )
    prices: str = flag(
        "count",
        "power schedule; count: mutate a unit less often if its execution took more solver resources; none: as "
        "often as libFuzzer and the heuristic draw it (default: {default})",
        choices=("count", "none"),
        group=MADE,
    )
    state: Path | None = flag(
        None,
        "file for statistics of mutations (default: state.json in the findings folder)",
        read=Path,
        metavar="FILE",
        handed_on=False,
        group=KEPT,
    )
    json: Path | None = flag(
        None,
        "write all numbers of the campaign to this file when it ends",
        read=Path,
        metavar="FILE",
        handed_on=False,
        group=KEPT,
    )
    metrics: Path | None = flag(
        None,
        "keep the numbers of the campaign in this file, for Prometheus' textfile collector, or as lines of CSV if the "
        "name ends with .csv",
        read=Path,
        metavar="FILE",
        handed_on=False,
        group=KEPT,
    )
    on_bucket: str | None = flag(
        None,
        "run this command for each new bucket (with --triage) or signature, with the folder of the finding as its last "
        "word; --resume needs it again",
        metavar="CMD",
        handed_on=False,
        group=KEPT,
    )
    experimental: bool = flag(False, "also draw parameters that Spacer's maintainers call unsupported", group=MADE)
    scope: str = flag(
        "wanted",
        "work of the solver under changed parameters; wanted: at most four tenths, and at most an eighth under several "
        "or unsupported ones, as maintainers want; all: no limit, as with --experimental (default: {default})",
        choices=("wanted", "all"),
        group=MADE,
    )
    performance: bool = flag(
        False,
        "report a mutant with the models of its seed that costs a hundred times as much; implies --limit-factor=0",
        group=MADE,
    )
    run_dir: Path | None = flag(
        None,
        "store the whole campaign in this new folder: corpus, findings, statistics, traces; inputs are only read",
        read=Path,
        metavar="DIR",
        handed_on=False,
        instead_of="--resume",
        group=FIRST,
    )
    resume: Path | None = flag(
        None,
        "continue the campaign in a folder that --run-dir has created, with the same flags; flags given here override "
        "them, for example a new --z3-library; -runs and -max_total_time count from zero",
        read=Path,
        metavar="DIR",
        handed_on=False,
        group=FIRST,
    )
    features: str = flag(
        "all",
        "features for libFuzzer: all (answers, traces, transitions, edges), traces, edges of a traced build, both "
        "(traces and edges), or answers, which is almost no feedback; for -merge=1 and for comparisons "
        "(default: {default})",
        choices=("all", "traces", "edges", "both", "answers"),
        group=MADE,
    )
    corpus_megabytes: int = flag(
        1024,
        "limit of the corpus in a run folder; the largest units are deleted above it (default: {default})",
        read=positive,
        metavar="N",
        handed_on=False,
        group=KEPT,
    )
    corpus_units: int = flag(
        10_000,
        "limit of the corpus in a run folder; the oldest units are deleted above it. A restarted worker reads all "
        "units, some thousand a second (default: {default})",
        read=positive,
        metavar="N",
        handed_on=False,
        group=KEPT,
    )
    triage: bool = flag(
        False,
        "reduce and bucket findings in the background, at the lowest priority; --per-bucket findings of a bucket are "
        "kept, and --stop-on-finding ignores findings of a known bucket",
        group=FIRST,
    )
    triage_tests: int = flag(
        1000,
        "limit of tests for a reduction with --triage (default: {default})",
        read=positive,
        metavar="N",
        group=KEPT,
    )
    stop_on_finding: bool = flag(
        False,
        "report a confirmed finding as a libFuzzer crash and stop, unless it looks like a known issue",
        group=KEPT,
    )
    verbose: bool = flag(
        False,
        "also print libFuzzer's lines, which otherwise go to the log files",
        handed_on=False,
        instead_of="--quiet",
        group=FIRST,
    )
    quiet: bool = flag(False, "print only findings, errors and the summary", handed_on=False, group=FIRST)
    stop_on_known: bool = flag(False, "with --stop-on-finding, stop at known issues, too", group=KEPT)
    libfuzzer: tuple[str, ...] = ()
    inputs: tuple[Path, ...] = ()
    spares_own_seeds: bool = False

    @property
    def logs(self) -> Logs:
        """The log files: in the run folder, or else in the findings folder."""
        return Logs((self.findings if self.run is None else self.run.path) / "logs")

    @property
    def hides_libfuzzer(self) -> bool:
        """Whether libFuzzer's lines go to log files: not where other programs or the user expect them."""
        return self.replaces_workers and not (self.starts_processes or self.verbose)

    @property
    def tick(self) -> float:
        """Seconds between two checks of the workers."""
        return min(_TICK, self.status_seconds or _TICK)

    @property
    def interval(self) -> float:
        """Seconds between two checks of folders, and between two lines of statistics, at least."""
        return min(_INTERVAL, self.status_seconds or _INTERVAL)

    @property
    def state_file(self) -> Path:
        """The file with the policy's state."""
        return self.state or self.findings / "state.json"

    @property
    def learned_file(self) -> Path:
        """The file with the counts of formulas that the campaign has learned."""
        return self.state_file.with_name("learned.model")

    @property
    def run(self) -> RunFolder | None:
        """The run folder of the campaign, if it has one."""
        folder = self.resume or self.run_dir
        return None if folder is None else RunFolder(folder)

    @property
    def begun_with(self) -> tuple[str, ...]:
        """The command line with absolute paths, without flags for one session only."""
        kept = [word for word in flags.words(self, everything=True) if word.partition("=")[0] not in _NOT_RESUMED]
        inputs = (str(path.absolute()) for path in self.inputs[1 if self.run else 0 :])
        return (*kept, *flags.words(self.solving, everything=True), *self.libfuzzer, *inputs)

    @property
    def arguments(self) -> tuple[str, ...]:
        """The command line with each flag in one word, as libFuzzer requires for passing it to its jobs."""
        return (*self.ours, *self.libfuzzer, *map(str, self.inputs))

    @property
    def ours(self) -> tuple[str, ...]:
        """The flags of chcfuzz that a worker needs."""
        return (*flags.words(self), *self.solving.arguments)

    def flag(self, name: str) -> str | None:
        """Return the last value of libFuzzer's flag `-name=value`."""
        values = [flag.partition("=")[2] for flag in self.libfuzzer if flag.partition("=")[0] == f"-{name}"]
        return values[-1] if values else None

    def limit(self, name: str) -> int | None:
        """Return the limit of libFuzzer's flag `-name=number`, or None if it means "unlimited".

        Raises `UsageError` for a value that is not a whole number.
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
        """Whether libFuzzer only lists its flags."""
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
        """Whether this is one of libFuzzer's modes that minimize a crash."""
        return any(self.flag(name) not in (None, "0") for name in ("minimize_crash", "minimize_crash_internal_step"))

    @property
    def is_campaign(self) -> bool:
        """Whether this fuzzes or merges a corpus, rather than running files, minimizing a crash or printing help."""
        return not (self.replays_files or self.minimizes or self.asks_help)

    @property
    def grown(self) -> Path | None:
        """The corpus folder to which libFuzzer writes new units, if there is one."""
        return self.inputs[0] if self.inputs and self.is_campaign and not self.merges else None

    @property
    def starts_processes(self) -> bool:
        """Whether libFuzzer will run `argv[0]` again."""
        return self.forks or self.has_jobs or self.merges or self.minimizes

    @property
    def forks(self) -> bool:
        """Whether libFuzzer starts one job after another (`-fork`)."""
        return self.flag("fork") not in (None, "0")

    @property
    def has_jobs(self) -> bool:
        """Whether libFuzzer starts a fixed number of jobs (`-jobs`)."""
        return self.flag("jobs") not in (None, "0")

    @property
    def replaces_workers(self) -> bool:
        """Whether a new worker can continue the work of a dead one: not in a merge, nor with `-jobs`."""
        return self.is_campaign and not (self.merges or self.has_jobs or self.stop_on_finding)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see --help")


def parser(program: str | None = None, examples: Sequence[str] = ()) -> argparse.ArgumentParser:
    """Return the parser of chcfuzz's own flags; its help text mentions libFuzzer's, and has the `examples`."""
    made = _Parser(
        prog=program,
        usage="%(prog)s [--flags] [-libfuzzer_flags] [CORPUS_FOLDER ... | FILE ...]",
        description="Fuzz a CHC solver, Z3's Spacer or a command, with mutated systems of constrained Horn clauses.",
        epilog="A campaign writes new units to the first corpus folder. libFuzzer's flags have one dash and an equals "
        "sign, for example -runs=1000 -max_total_time=60 -seed=1 -fork=2 -jobs=2 -merge=1 -minimize_crash=1 "
        "-artifact_prefix=DIR/; -help=1 lists them. Files instead of folders are run once each. Exit codes: 0 success, "
        "2 bad use or a full disk, 3 internal errors (in findings/ours), 77 a finding with --stop-on-finding."
        + "".join(f" Example: `{example}`." for example in examples),
        add_help=False,
        allow_abbrev=False,
    )
    made.add_argument("--help", action="help", help="show this text and exit")
    add_flags(made)
    return made


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add chcfuzz's own flags to a parser, in groups, the most common ones first."""
    for title in (FIRST, SOLVER, LIMITS, BESIDES, KEPT, MADE):
        flags.group_of(parser, title)
    flags.add(parser, Options)
    Solving.add_flags(parser)


def _check_inputs(inputs: Sequence[str]) -> None:
    """Raise `UsageError` for an input that does not exist.

    The first of several folders may be new, and so may one whose name ends with a slash: new units are written there. A
    single name without a slash is probably misspelt, or a unit that was deleted.
    """
    for number, name in enumerate(inputs):
        if Path(name).exists() or (number == 0 and (name.endswith("/") or len(inputs) > 1)):
            continue
        advice = "; end the name of a new corpus folder with a slash" if number == 0 else ""
        raise UsageError(f"no such file or folder: {name!r}; create it, or name another corpus{advice}")


def check_libfuzzer_flags(flags: Sequence[str], known: Collection[str]) -> None:
    """Raise `UsageError` for a flag of libFuzzer that is not `known`, without its dash; libFuzzer would only warn."""
    for word in flags:
        name, _, value = word[1:].partition("=")
        if name not in known:
            near = difflib.get_close_matches(name, sorted(known), n=1)
            advice = f"did you mean -{near[0]}={value}?" if near else "-help=1 lists its flags"
            raise UsageError(f"libFuzzer does not know the flag {word!r}; {advice}")


def _kept_in(options: Options, run: RunFolder) -> Options:
    """Return the options of a campaign that is stored in a run folder."""
    if options.findings != Options.findings:
        raise UsageError(f"--findings={options.findings}: with --run-dir, findings are in {str(run.path)!r}")
    if options.run_dir and run.is_begun:
        raise UsageError(f"{str(run.path)!r} holds a campaign; use --resume={run.path}, or a new folder")
    if options.merges or options.minimizes or options.replays_files or options.asks_help:
        raise UsageError(f"{str(run.path)!r} is for a campaign; leave out -merge, -minimize_crash, -help and files")
    return replace(options, findings=run.findings, inputs=(run.corpus, *options.inputs))


def parse(arguments: Sequence[str]) -> Options:
    """Return the options of a command line. Raises `UsageError` for missing inputs and unknown flags.

    A bare `--`, with which OSS-Fuzz's runner begins, is left out, as libFuzzer does.
    """
    arguments = [_SHORT.get(word, word) for word in arguments if word != "--"]
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
        raise UsageError(f"unknown flag {unknown[0]!r}; --help lists chcfuzz's flags, -help=1 libFuzzer's")
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
        raise UsageError(f"--workers={options.workers} cannot be combined with -fork, -jobs and -merge")
    valueless = next((word for word in options.libfuzzer if "=" not in word), None)
    if valueless is not None:
        raise UsageError(f"libFuzzer's {valueless!r} needs an equals sign and a value, as in {valueless}=1")
    _check_inputs([word for word in rest if not word.startswith("-")])
    if options.run is None and options.grown is not None and corpus_folder.is_own(options.grown):
        options = replace(options, inputs=(corpus_folder.grown(), *options.inputs), spares_own_seeds=True)
    if options.starts_processes:
        for word in rest:
            if any(character.isspace() for character in word):
                raise UsageError(
                    f"libFuzzer's -fork, -jobs, -merge and -minimize_crash cannot pass {word!r} on: "
                    "rename it without spaces, or start from inside that folder"
                )
    return options
