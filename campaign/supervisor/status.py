"""Numbers of a campaign at one moment, as its status line and as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from chcfuzz.campaign.runs.estimate import HOUR, ObservedCounts, Outlook
from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.session.marks import FirstEvent
from chcfuzz.campaign.supervisor.news import describe_news
from chcfuzz.campaign.supervisor.solver_counts import SolverCounts
from chcfuzz.execution.seed_answers import Ground
from chcfuzz.grammar.printable import counted
from chcfuzz.triage.findings.examiner import ALIKE, FAILED, OTHERS, STATUSES
from numpy.typing import NDArray

SUMMARY_PREFIX = "chcfuzz-summary: "
_WORTH_MENTIONING = 0.5  # seconds


@dataclass(frozen=True)
class Progress:
    """The numbers of a campaign at one moment. `counts` is indexed by `Counter`, `findings` maps kinds to numbers.

    `waiting` is the number of suspicions that are not confirmed yet, `counted` the number of those that will not be,
    because enough similar ones waited.
    `waiting_kinds` ends a sentence on the waiting ones. `queue` counts the results of confirmation that are not
    findings, `vanished`
    counts by kind the suspicions that did not reproduce, and `seeds` counts the seeds by the ground of their answers.
    `first` maps each of `marks.FIRST_EVENTS` to its first time. `seconds` is time of fuzzing, `finishing_seconds` the
    time of confirmation and triage after it. `before` is the number of findings that earlier campaigns left in the
    findings folder. `sightings` are the numbers of traces that were seen once and twice, among those with a new feature
    if `has_features`; `signatures` names the signature of each finding. `full_switches` are switches with the kind of
    findings that each of them explains so often that it is drawn rarely. `trace_age` and `bucket_age` are the seconds
    since the last new trace, and since the last finding with a new signature. `solvers` are the counts of each of
    several solvers. `reading` is set while the corpus is read: the numbers of units that were read, and of all.
    `without_mutants` is the reason if a campaign executes none. `reserve_budget` is the share of the answers that
    nothing else decides for which solvers in reserve may be queried, in words. `at_limit` is the number of seeds that
    are not decided, because the resource limit ended them.
    """

    seconds: float
    counts: NDArray[np.int64]
    unique_traces: int
    transitions: int
    crashes: int
    findings: Mapping[str, int]
    replaced: int = 0
    waiting: int = 0
    waiting_kinds: str = ""
    counted: int = 0
    queue: Mapping[str, int] = field(default_factory=dict)
    vanished: Mapping[str, int] = field(default_factory=dict)
    seeds: Mapping[Ground, int] = field(default_factory=dict)
    first: Mapping[str, FirstEvent | None] = field(default_factory=dict)
    finishing_seconds: float = 0.0
    before: int = 0
    trace_age: float | None = None
    bucket_age: float | None = None
    sightings: tuple[int, int] = (0, 0)
    has_features: bool = False
    signatures: Sequence[str] = ()
    full_switches: Sequence[tuple[str, str]] = ()
    solvers: Sequence[SolverCounts] = ()
    reading: tuple[int, int] | None = None
    without_mutants: str = ""
    reserve_budget: str = ""
    at_limit: int = 0

    def __getitem__(self, counter: Counter) -> int:
        """Return the sum of a counter over all workers."""
        return int(self.counts[counter])

    @property
    def keys(self) -> str:
        """The number of transitions, or of features of solvers whose traces are sets of features."""
        return counted(self.transitions, "feature" if self.has_features else "transition")

    @property
    def solved(self) -> int:
        """Number of executions that ran the solver: without cached, rejected, unsupported and failed ones."""
        others = (Counter.REPEATED, Counter.REFUSED, Counter.UNSUPPORTED, Counter.FAILED)
        return self[Counter.EXECUTIONS] - sum(map(self.__getitem__, others))

    @property
    def solved_per_second(self) -> float:
        """Executions that ran the solver, per second."""
        return self.solved / self.seconds if self.seconds else 0.0

    @property
    def solver_share(self) -> float:
        """The share of the workers' time that the solver took, 0 to 1."""
        return self.share(Counter.SOLVER_TIME)

    def share(self, time: Counter) -> float:
        """Return the share of the workers' time that `time` took, 0 to 1."""
        wall = self[Counter.WALL_TIME]
        return min(1.0, self[time] / wall) if wall else 0.0

    @property
    def undecided(self) -> int:
        """Number of executions without an answer."""
        return self[Counter.UNKNOWN] + self[Counter.LIMIT] + self[Counter.ERROR]

    @property
    def stability(self) -> float | None:
        """The share of rechecked executions with the same trace, or None before the first recheck."""
        rechecked = self[Counter.RECHECKED]
        return self[Counter.STABLE] / rechecked if rechecked else None

    @property
    def scope_shares(self) -> tuple[float, float]:
        """The shares of the solver's time under default parameters, and under those that maintainers accept."""
        solver, default = self[Counter.SOLVER_TIME], self[Counter.DEFAULT_TIME]
        return (default / solver, (default + self[Counter.SWITCH_TIME]) / solver) if solver else (0.0, 0.0)

    @property
    def outlook(self) -> Outlook:
        """The estimate of what another hour brings."""
        mutants = self[Counter.OBSERVED]
        traces, signatures = ObservedCounts(mutants, *self.sightings), ObservedCounts.of(mutants, self.signatures)
        return Outlook(self.seconds, traces, signatures, self.has_features)

    def line(self) -> str:
        """Return the status line."""
        minutes, seconds = divmod(int(self.seconds + self.finishing_seconds), 60)
        found = self.found
        return (
            f"chcfuzz {minutes:d}:{seconds:02d} | {self.read}{counted(self[Counter.EXECUTIONS], 'execution')}, "
            f"{self.solved} solved, {self.solved_per_second:.1f}/s, solver {self.solver_share:.0%} | "
            f"sat {self[Counter.SAT]} unsat {self[Counter.UNSAT]} unknown {self[Counter.UNKNOWN]} "
            f"limit {self[Counter.LIMIT]} error {self[Counter.ERROR]} hang {self[Counter.HANG]}"
            + (f" result {self[Counter.RESULT]}" if self[Counter.RESULT] else "")
            + (f" unsupported {self[Counter.UNSUPPORTED]}" if self[Counter.UNSUPPORTED] else "")
            + " | "
            f"{counted(self.unique_traces, 'trace')}{describe_news(self.trace_age)}, {self.keys}, "
            f"stability {describe_stability(self.stability)} | "
            f"findings: {found}{describe_news(self.bucket_age)}"
            + (f", {self.waiting} to confirm" if self.waiting else "")
            + (" | fuzzing has ended" if self.has_finished else "")
            + (f" | internal errors: {self[Counter.OWN_ERRORS]}" if self[Counter.OWN_ERRORS] else "")
        )

    @property
    def read(self) -> str:
        """The progress of reading the corpus, as the first part of a status line; empty if it is read."""
        return "" if self.reading is None else "reading seeds {}/{} | ".format(*self.reading)

    @property
    def mutants(self) -> str:
        """Number of mutants that the solver ran on, or the reason if it ran on seeds alone."""
        if self[Counter.MUTANTS]:
            return f"{self[Counter.MUTANTS]} solved"
        if self.reading is not None and not self.without_mutants:
            return f"none, because the campaign ended after {self.reading[0]} of the {counted(self.reading[1], 'seed')}"
        return f"none, because {self.without_mutants}" if self.without_mutants else "none"

    @property
    def found(self) -> str:
        """The findings by kind, and the number of those from earlier campaigns."""
        earlier = f"{self.before} of earlier campaigns" if self.before else ""
        found = describe_kinds(self.findings) or ("none new" if earlier else "none")
        return f"{found}, {earlier}" if earlier else found

    @property
    def has_finished(self) -> bool:
        """Whether confirmation and triage took time after fuzzing."""
        return self.finishing_seconds >= _WORTH_MENTIONING

    @property
    def buckets(self) -> int:
        """Number of different signatures of findings."""
        return len(set(self.signatures))

    @property
    def alike(self) -> int:
        """Number of suspicions that duplicate a finding or another suspicion."""
        return self.queue.get(ALIKE, 0) + self.counted

    def machine_line(self) -> str:
        """Return the last line of a campaign: the prefix and a JSON object."""
        return SUMMARY_PREFIX + json.dumps(self.summary())

    def numbers(self) -> dict[str, Any]:
        """Return the summary and every counter by its name; times are in seconds."""
        every: dict[str, float] = {counter.name.lower(): 0 for counter in Counter}
        return {**self.summary(), "counters": {**every, **self.counters()}}

    def counters(self) -> dict[str, float]:
        """Return every counter that is not zero, by its name; times are in seconds."""
        return {
            counter.name.lower(): round(self[counter] / 1e9, 3) if counter.name.endswith("_TIME") else self[counter]
            for counter in Counter
            if self[counter]
        }

    def summary(self) -> dict[str, Any]:
        """Return the content of the machine-readable line."""
        return {
            "executions": self[Counter.EXECUTIONS],
            "seconds": round(self.seconds, 3),
            "finishing_seconds": round(self.finishing_seconds, 3),
            "solved": self.solved,
            "mutants": self[Counter.MUTANTS],
            "solved_per_second": round(self.solved_per_second, 3),
            "solver_share": round(self.solver_share, 4),
            "sat": self[Counter.SAT],
            "unsat": self[Counter.UNSAT],
            "undecided": self.undecided,
            "contradicting": {
                "seen": self[Counter.CONTRADICTING],
                "suspected": self[Counter.CONTRADICTING_SUSPECTED],
            },
            "hangs": self[Counter.HANG],
            "unsupported": self[Counter.UNSUPPORTED],
            "models": {"checked": self[Counter.MODELS], "undecided": self[Counter.MODELS_UNDECIDED]},
            "proofs": {"checked": self[Counter.PROOFS], "undecided": self[Counter.PROOFS_UNDECIDED]},
            "reserves": {
                "answers": self[Counter.RESERVE_ANSWERS],
                "queried": self[Counter.RESERVE_QUERIED],
                "decided": self[Counter.RESERVE_DECIDED],
                "seconds": round(self[Counter.RESERVE_TIME] / 1e9, 3),
            },
            "solver_steps": {
                "judged": self[Counter.STEPS_JUDGED],
                "undecided": self[Counter.STEPS_UNDECIDED],
                "unstable": self[Counter.STEPS_UNSTABLE],
            },
            "crashes": self.crashes,
            "replaced": self.replaced,
            "own_errors": self[Counter.OWN_ERRORS],
            "unique_traces": self.unique_traces,
            "transitions": self.transitions,
            "stability": None if self.stability is None else _floored(self.stability),
            "findings": dict(self.findings),
            "findings_before": self.before,
            "suspicions": {
                "seen": self[Counter.SUSPICIONS],
                "alike": self.alike,
                "counted": self.counted,
                "waiting": self.waiting,
                "vanished": dict(self.vanished),
                **{name: self.queue.get(name, 0) for name in (OTHERS, STATUSES, FAILED)},
            },
            "seeds": {ground.value: number for ground, number in self.seeds.items()},
            "solver_work": self[Counter.SOLVER_WORK],
            "solver_seconds": round(self[Counter.SOLVER_TIME] / 1e9, 3),
            "first": {event: asdict(first) if first else None for event, first in self.first.items()},
            "estimate": self.outlook.summary(),
            **({"solvers": {each.name: dict(each.statuses) for each in self.solvers}} if self.solvers else {}),
            "scope": {
                **dict(zip(("default", "accepted"), (round(share, 4) for share in self.scope_shares), strict=True)),
                "rare": [list(each) for each in self.full_switches],
            },
        }


def describe_kinds(findings: Mapping[str, int]) -> str:
    """Return kinds with their numbers."""
    return ", ".join(f"{kind} {number}" for kind, number in findings.items())


def is_quiet(progress: Progress, seconds: float) -> bool:
    """Return whether a campaign has run for this time and expects less than one new trace in as much time.

    The corpus must have been read, and no finding may have had a new signature for as long.
    """
    news = progress.bucket_age
    if progress.seconds < seconds or progress.reading is not None or (news is not None and news < seconds):
        return False
    outlook = progress.outlook
    mutants = outlook.executions_an_hour * seconds / HOUR
    return outlook.traces.executions > 0 and outlook.traces.more(mutants) < 1


def describe_stability(share: float | None) -> str:
    """Return a percentage, which is 100 % only if the share is exactly 1."""
    if share is None:
        return "not measured"
    return "100 %" if share == 1 else f"{100 * _floored(share):.2f} %"


def _floored(share: float) -> float:
    """Return the share rounded down to four places."""
    return math.floor(share * 10_000) / 10_000
