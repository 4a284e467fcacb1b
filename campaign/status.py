"""What a campaign tells while it runs and at its end."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from chcfuzz.campaign.session import Counter
from chcfuzz.execution.seed_answers import Ground
from chcfuzz.triage.findings.confirmation_queue import ALIKE, FAILED, OTHERS, STATUSES
from numpy.typing import NDArray

SUMMARY_PREFIX = "chcfuzz-summary: "


@dataclass(frozen=True)
class Progress:
    """The numbers of a campaign at one moment. `counts` is indexed by `Counter`; `findings` maps kind to number.

    `waiting` suspicions have had no turn yet; `desk` counts what else became of them (`triage.desk`), `vanished`
    by kind those that did not come again, `seeds` those that were used by the ground of their answers.
    """

    seconds: float
    counts: NDArray[np.int64]
    unique_traces: int
    transitions: int
    crashes: int
    findings: Mapping[str, int]
    replaced: int = 0
    waiting: int = 0
    desk: Mapping[str, int] = field(default_factory=dict)
    vanished: Mapping[str, int] = field(default_factory=dict)
    seeds: Mapping[Ground, int] = field(default_factory=dict)

    def __getitem__(self, counter: Counter) -> int:
        return int(self.counts[counter])

    @property
    def solved(self) -> int:
        """Executions that were: what was known already is not solved, nor what is refused, here or by the solver."""
        return self[Counter.EXECUTIONS] - sum(
            self[counter] for counter in (Counter.REPEATED, Counter.REFUSED, Counter.UNSUPPORTED)
        )

    @property
    def solved_per_second(self) -> float:
        return self.solved / self.seconds if self.seconds else 0.0

    @property
    def solver_share(self) -> float:
        return self.share(Counter.SOLVER_TIME)

    def share(self, time: Counter) -> float:
        """The part of the workers' time that went into `time`, 0 to 1."""
        wall = self[Counter.WALL_TIME]
        return min(1.0, self[time] / wall) if wall else 0.0

    @property
    def undecided(self) -> int:
        return self[Counter.UNKNOWN] + self[Counter.LIMIT] + self[Counter.ERROR]

    @property
    def stability(self) -> float | None:
        """The share of executions run again whose trace was the same; None while none was run again."""
        rechecked = self[Counter.RECHECKED]
        return self[Counter.STABLE] / rechecked if rechecked else None

    def line(self) -> str:
        """One line for the terminal."""
        minutes, seconds = divmod(int(self.seconds), 60)
        found = _kinds(self.findings) or "none"
        return (
            f"chcfuzz {minutes:d}:{seconds:02d} | {self[Counter.EXECUTIONS]} executions, "
            f"{self.solved} solved, {self.solved_per_second:.1f}/s, solver {self.solver_share:.0%} | "
            f"sat {self[Counter.SAT]} unsat {self[Counter.UNSAT]} unknown {self[Counter.UNKNOWN]} "
            f"limit {self[Counter.LIMIT]} error {self[Counter.ERROR]} hang {self[Counter.HANG]}"
            + (f" unsupported {self[Counter.UNSUPPORTED]}" if self[Counter.UNSUPPORTED] else "")
            + " | "
            f"{self.unique_traces} traces, {self.transitions} transitions, "
            f"stability {words_on_stability(self.stability)} | "
            f"findings: {found}"
            + (f", {self.waiting} to be looked into" if self.waiting else "")
            + (f" | errors of ours: {self[Counter.OWN_ERRORS]}" if self[Counter.OWN_ERRORS] else "")
        )

    def report(self, findings_folder: str) -> str:
        """The summary for people, several lines."""
        shares = ", ".join(
            f"{name} {self.share(time):.1%}"
            for name, time in (
                ("mutate", Counter.MUTATE_TIME),
                ("decode", Counter.DECODE_TIME),
                ("apply", Counter.APPLY_TIME),
                ("print", Counter.PRINT_TIME),
                ("oracles", Counter.CHECK_TIME),
                ("trace", Counter.TRACE_TIME),
                ("confirm", Counter.CONFIRM_TIME),
            )
        )
        rows = [
            (
                "executions",
                f"{self[Counter.EXECUTIONS]} in {self.seconds:.1f} s; "
                f"{self.solved} solved, {self.solved_per_second:.1f} a second",
            ),
            ("time", f"solver {self.solver_share:.1%}, {shares}"),
            (
                "answers",
                f"sat {self[Counter.SAT]}, unsat {self[Counter.UNSAT]}, unknown {self[Counter.UNKNOWN]}, "
                f"resource limit {self[Counter.LIMIT]}, error {self[Counter.ERROR]}, hang {self[Counter.HANG]}",
            ),
            (
                "not solved",
                f"{self[Counter.REPEATED]} mutants known already, {self[Counter.IDLE]} steps that changed nothing, "
                f"{self[Counter.REFUSED]} units refused, {self[Counter.UNSUPPORTED]} systems unsupported",
            ),
            (
                "traces",
                f"{self.unique_traces} unique, {self.transitions} transitions, {self[Counter.CUT_TRACES]} cut short",
            ),
            (
                "stability",
                f"{words_on_stability(self.stability)} of {self[Counter.RECHECKED]} executions run again"
                if self[Counter.RECHECKED]
                else words_on_stability(None),
            ),
            (
                "models",
                f"{self[Counter.MODELS]} checked, {self[Counter.MODELS_UNDECIDED]} of them undecided",
            ),
            (
                "proofs",
                f"{self[Counter.PROOFS]} checked, {self[Counter.PROOFS_UNDECIDED]} of them undecided",
            ),
            (
                "others",
                f"{self[Counter.SECOND_OPINIONS]} second opinions, {self[Counter.SECOND_UNDECIDED]} of them undecided",
            ),
            (
                "findings",
                f"{_kinds(self.findings) or 'none'}"
                + (f", in {findings_folder}" if self.findings else "")
                + f", of {self[Counter.SUSPICIONS]} suspicions; {', '.join(self._other_ends())}",
            ),
            ("seeds", words_on_seeds(self.seeds)),
        ]
        if self[Counter.OWN_ERRORS]:
            rows.append(("errors", f"{self[Counter.OWN_ERRORS]} of ours, in {findings_folder}/ours"))
        return "\n".join(["chcfuzz: the campaign in numbers", *(f"  {name:<12}{text}" for name, text in rows)])

    @property
    def alike(self) -> int:
        """Suspicions that are more of what was found, or waits."""
        return self.desk.get(ALIKE, 0) + self[Counter.ALIKE]

    def _other_ends(self) -> list[str]:
        """What else became of suspicions, in words."""
        ends = [f"{self.alike} more like them"]
        if self.vanished:
            ends.append(f"{sum(self.vanished.values())} did not come again ({_kinds(self.vanished)})")
        for name, words in (
            (OTHERS, "the fault of a solver that was asked besides"),
            (STATUSES, "the fault of a seed's declared status"),
            (FAILED, "could not be looked into"),
        ):
            ends += [f"{self.desk[name]} {words}"] if self.desk.get(name) else []
        return [*ends, f"{self.waiting} wait"]

    def machine_line(self) -> str:
        """The last line of a campaign: the prefix and a JSON object."""
        return SUMMARY_PREFIX + json.dumps(self.summary())

    def numbers(self) -> dict[str, Any]:
        """Everything counted: the summary, every counter by its name, times in seconds."""
        every: dict[str, float] = {counter.name.lower(): 0 for counter in Counter}
        return {**self.summary(), "counters": {**every, **self.counters()}}

    def counters(self) -> dict[str, float]:
        """Every counter that is not zero, by its name; times in seconds."""
        return {
            counter.name.lower(): round(self[counter] / 1e9, 3) if counter.name.endswith("_TIME") else self[counter]
            for counter in Counter
            if self[counter]
        }

    def summary(self) -> dict[str, Any]:
        """What the machine's line says."""
        return {
            "executions": self[Counter.EXECUTIONS],
            "seconds": round(self.seconds, 3),
            "solved": self.solved,
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
            "crashes": self.crashes,
            "replaced": self.replaced,
            "own_errors": self[Counter.OWN_ERRORS],
            "unique_traces": self.unique_traces,
            "transitions": self.transitions,
            "stability": None if self.stability is None else _floored(self.stability),
            "findings": dict(self.findings),
            "suspicions": {
                "seen": self[Counter.SUSPICIONS],
                "alike": self.alike,
                "waiting": self.waiting,
                "vanished": dict(self.vanished),
                **{name: self.desk.get(name, 0) for name in (OTHERS, STATUSES, FAILED)},
            },
            "seeds": {ground.value: number for ground, number in self.seeds.items()},
        }


def words_on_seeds(seeds: Mapping[Ground, int]) -> str:
    """On what ground the answers of seeds stand, for people."""
    total = sum(seeds.values())
    shown = {
        Ground.DECLARED: "declared by the file",
        Ground.WITNESS: "shown by a checked witness",
        Ground.ANSWER: "only what the solver itself answers",
        Ground.NONE: "none",
    }
    told = ", ".join(f"{seeds[ground]} {words}" for ground, words in shown.items() if seeds.get(ground))
    return f"{total} seeds with a status: {told}" if total else "no seed so far"


def _kinds(findings: Mapping[str, int]) -> str:
    return ", ".join(f"{kind} {number}" for kind, number in findings.items())


def words_on_stability(share: float | None) -> str:
    """A percentage that says 100 % only when it is."""
    if share is None:
        return "not measured"
    return "100 %" if share == 1 else f"{100 * _floored(share):.2f} %"


def _floored(share: float) -> float:
    """To four places; 1 only if it is."""
    return math.floor(share * 10_000) / 10_000
