"""Options of a campaign: chcfuzz's flags, one field each, beside those of libFuzzer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from chcfuzz.campaign.flag_values import read_command, read_heuristic, read_kinds, read_shares
from chcfuzz.campaign.libfuzzer_modes import LibFuzzer
from chcfuzz.campaign.presets import PRESETS
from chcfuzz.campaign.runs.logs import Logs
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.campaign.session.marks import FIRST_EVENTS
from chcfuzz.execution import flags
from chcfuzz.execution.flags import MOST_RESOURCES, count, duration, flag, path, positive, positive_float
from chcfuzz.execution.solving import BESIDES, DEFAULT_RLIMIT, Solving
from chcfuzz.grammar.drawing.drawing_limits import DEFAULT_QUANTIFIED
from chcfuzz.mutators.mutation import Kind
from chcfuzz.mutators.policy import POLICIES
from chcfuzz.mutators.portfolio import DEFAULT_SHARES, Strategy
from chcfuzz.mutators.seed_groups import ORDERS

FIRST, KEPT, MADE = "flags of most campaigns", "output and storage", "how mutants are made and chosen"
OFF, SAMPLE, ALL = "off", "sample", "all"  # executions whose solver steps are judged
ANSWERS, COARSE, STEPS, TRANSITIONS = "answers", "coarse", "steps", "transitions"  # features for libFuzzer
RARE = "rare"  # power schedule
HARD_SEEDS = 40  # times the default resource limit
_TICK, _INTERVAL = 1.0, 5.0  # seconds
_NOT_RESUMED = ("--findings", "--run-dir", "--resume", "--verbose", "--quiet", "--on-bucket")


@dataclass(frozen=True)
class Options(LibFuzzer):
    """The options of a campaign.

    With `spares_own_seeds`, the first input was added, because the others belong to the project.
    """

    findings: Path = flag(
        Path("findings"), "folder for findings (default: {default})", read=path, metavar="DIR", group=KEPT
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
    preset: str | None = flag(
        None,
        "flags that make a campaign choose mutants as another fuzzer does; flags beside it override them (default: "
        "chcfuzz's own way)",
        choices=tuple(PRESETS),
        handed_on=False,
        group=MADE,
    )
    kinds: tuple[Kind, ...] = flag(
        tuple(Kind),
        "kinds of mutations (default: {default})",
        read=read_kinds,
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
    hard_seeds: int | None = flag(
        None,
        "let a seed that --rlimit ends cost up to N times as much, in trials as the work allows, and its mutants twice "
        f"their seed; 1: nothing exceeds --rlimit (default: {HARD_SEEDS}, but 1 if --rlimit is given another value)",
        read=positive,
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
    size: int | None = flag(
        None,
        "an assertion of a drawn problem has at most about N operators (default: 14, and 32 with a model)",
        read=positive,
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
        "strategies that make mutants, with their shares: neighbourhood (a parameter or one to three light steps "
        "from a seed), swarm (half of the families at a time), novelty (all rows, by the policy), chain (one more row, "
        "by the policy) (default: {default}; chain with --policy=hornfuzz and a --heuristic)",
        read=read_shares,
        write=lambda shares: ",".join(f"{strategy}={share}" for strategy, share in shares),
        metavar="STRATEGY=SHARE,...",
        group=MADE,
    )
    stop_at_first: str | None = flag(
        None,
        "end the campaign at the first answer that contradicts the expected one, at the first wrong step of the solver "
        "(--judge-solver-steps), or at the first finding",
        choices=FIRST_EVENTS,
        handed_on=False,
        group=KEPT,
    )
    stop_after_quiet: float | None = flag(
        None,
        "end the campaign when less than one new trace is expected in this time, such as 10m, and no finding had a new "
        "signature for as long",
        read=duration,
        write=lambda seconds: f"{seconds:.0f}",
        metavar="TIME",
        handed_on=False,
        group=KEPT,
    )
    heuristic: str = flag(
        "none",
        "draw half of the units to mutate from groups of seeds in this order, not from libFuzzer's corpus, and all of "
        f"them with --policy=hornfuzz: none, {', '.join(ORDERS)}, or two of them joined by + (default: {{default}})",
        read=read_heuristic,
        metavar="ORDER[+ORDER]",
        group=MADE,
    )
    prices: str = flag(
        RARE,
        "power schedule; count: mutate a unit less often if its execution took more solver resources; rare: also more "
        "often if its trace has a rare transition; none: as often as libFuzzer and the heuristic draw it (default: "
        "{default}; none with --policy=hornfuzz and a --heuristic)",
        choices=(RARE, "count", "none"),
        group=MADE,
    )
    state: Path | None = flag(
        None,
        "file for statistics of mutations (default: state.json in the findings folder)",
        read=path,
        metavar="FILE",
        handed_on=False,
        group=KEPT,
    )
    json: Path | None = flag(
        None,
        "write all numbers of the campaign to this file when it ends",
        read=path,
        metavar="FILE",
        handed_on=False,
        group=KEPT,
    )
    metrics: Path | None = flag(
        None,
        "keep the numbers of the campaign in this file, for Prometheus' textfile collector, or as lines of CSV if the "
        "name ends with .csv",
        read=path,
        metavar="FILE",
        handed_on=False,
        group=KEPT,
    )
    on_bucket: str | None = flag(
        None,
        "run this command for each new bucket (with --triage) or signature, with the folder of the finding as its last "
        "word; --resume needs it again",
        read=read_command,
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
    self_check: bool = flag(
        False,
        "read the text of every mutant back, and not of one in 200; a text that the grammar refuses, or reads as "
        "another problem, is an internal error",
        group=MADE,
    )
    run_dir: Path | None = flag(
        None,
        "store the whole campaign in this new folder: corpus, findings, statistics, traces; inputs are only read",
        read=path,
        metavar="DIR",
        handed_on=False,
        instead_of="--resume",
        group=FIRST,
    )
    resume: Path | None = flag(
        None,
        "continue the campaign in a folder that --run-dir has created, with the same flags; flags given here override "
        "them, for example a new --z3-library; -runs and -max_total_time count from zero",
        read=path,
        metavar="DIR",
        handed_on=False,
        group=FIRST,
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
    features: str | None = flag(
        None,
        "features for libFuzzer: coarse (answers and transitions), steps (these, and suspicious steps of those that "
        "--judge-solver-steps judges), transitions (answers, transitions and traces), all (these, and the edges of a "
        "traced build), traces, edges, both (traces and edges), or answers, with which a new trace keeps no unit, "
        "makes none worth mutating and credits no row; for -merge=1 and comparisons (default: coarse; transitions for "
        "-merge=1, which keeps each trace; all for a command, whose output is its only trace)",
        choices=(COARSE, TRANSITIONS, STEPS, "all", "traces", "edges", "both", ANSWERS),
        group=MADE,
    )
    judge_solver_steps: str | None = flag(
        None,
        "judge the steps of Spacer: off, sample (within 10 % of the solver's work, and not in the first 40 million "
        "resource units), or all (in each execution, which is then several times as slow) (default: sample; off for "
        "-merge=1 and for single files)",
        choices=(OFF, SAMPLE, ALL),
        group=BESIDES,
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
        group=KEPT,
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
        group=KEPT,
    )
    quiet: bool = flag(False, "print only findings, errors and the summary", handed_on=False, group=KEPT)
    stop_on_known: bool = flag(False, "with --stop-on-finding, stop at known issues, too", group=KEPT)
    spares_own_seeds: bool = False

    @property
    def most_rlimit(self) -> int:
        """The resource limit of a seed that needs more than `--rlimit`, which is fixed if it is given."""
        usual = self.solving.rlimit
        times = self.hard_seeds or (HARD_SEEDS if usual == DEFAULT_RLIMIT else 1)
        return min(times * usual, MOST_RESOURCES) if self.solving.counts_resources else usual

    @property
    def judged_steps(self) -> str:
        """The executions whose solver steps are judged: `OFF`, `SAMPLE` or `ALL`."""
        return self.judge_solver_steps or (SAMPLE if self.is_campaign and not self.is_of_a_merge else OFF)

    @property
    def advice_on_hard_seeds(self) -> str:
        """A message if `--hard-seeds` allows more than the solver can count; empty otherwise."""
        usual, times = self.solving.rlimit, self.hard_seeds or 1
        if not self.solving.counts_resources or times * usual <= MOST_RESOURCES:
            return ""
        most = MOST_RESOURCES // usual
        return (
            f"--hard-seeds={times}: {times:,} times --rlimit={usual} is more than the {MOST_RESOURCES:,} resource "
            f"units that Z3 counts, so a seed may cost that many; values above {most:,} do not differ"
        )

    @property
    def mutates_groups_only(self) -> bool:
        """Whether each mutant is of the group of seeds whose turn it is: HornFuzz's policy with an order of groups."""
        return self.policy == "hornfuzz" and self.heuristic != "none"

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

    @property
    def replaces_workers(self) -> bool:
        """Whether a new worker can continue the work of a dead one: not in a merge, nor with `-jobs`."""
        return self.is_one_campaign and not self.stop_on_finding
