"""Judgements on the steps of a solver in one run, as commands print them.

A *solver step* is a lemma, proof obligation or fact of the solver. A *step* alone is a mutation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import msgspec
from chcfuzz.mutators.chain import Mutant
from chcfuzz.oracles.verdict import Verdict
from chcfuzz.solvers.outcome import Status
from chcfuzz.tracing.trace import Trace

WRONG = "wrong"
STANDARD_ERROR = "stderr"  # the name of steps that a command prints there, among other lines

HARD = "hard to prove"  # doubts about right lemmas
BARELY = "it holds barely: with the others at its level, it leaves its predicate at most two facts"
LOWERED = "learned again later at a lower level"

UNDECIDED = "not decided"  # reasons of open steps
GUESS = "a guess of the solver, which claims nothing"


class RepeatableRun(Protocol):
    """The parts of an outcome that a repetition of the run must have, too."""

    @property
    def status(self) -> Status:
        """The answer of the run."""

    @property
    def trace(self) -> Trace:
        """The trace of the run; a repetition with another one proves nothing."""

    @property
    def cost(self) -> int:
        """The cost in resource units."""


@dataclass(frozen=True)
class JudgedSteps:
    """The verdict on the steps of a repeated run, the price of judging them in resource units, and its stability.

    The price depends only on the numbers of steps. A repetition with another trace is not stable, and undecided.
    `suspicious` are the numbers of steps that are not wrong, but suspicious in the ways of `SUSPICIOUS`.
    """

    verdict: Verdict
    price: int
    is_stable: bool
    suspicious: tuple[int, ...] = ()


class StepJudges(Protocol):
    """The oracle of solver steps; `version` is that of its claims."""

    version: str

    def check(
        self, mutant: Mutant, first: RepeatableRun, with_facts: bool = True, with_doubts: bool = False
    ) -> JudgedSteps:
        """Repeat a run, and judge its steps; `with_facts`, also those that a run of its own finds.

        Only `with_doubts` are lemmas searched that hold barely, which takes a tenth of the judging or more.
        """


class SolverStepReport(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A step of the solver, counted from 1 in its output, and the judgement on it.

    `judgement` is "right", "wrong", "unproved" or "open"; a wrong step has a witness. That of a lemma are the `facts`
    of a derivation, in order; the lemma excludes the last one. Each `check-sat` of the `script` is unsat. `component`
    is the part of the solver that made a wrong step, and `switches` are the names of the parts without which no step is
    wrong in this way, if that was tried. The first wrong step has `exposing` systems, each with its right answer as its
    status: systems that the solver may answer wrongly if it makes the step again. Other steps may have `doubts`.
    """

    number: int
    kind: str
    predicate: str
    level: str = ""
    formula: str
    judgement: str
    reason: str = ""
    doubts: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    script: str = ""
    component: str = ""
    switches: tuple[str, ...] = ()
    exposing: tuple[str, ...] = ()

    @property
    def fault(self) -> str:
        """The class of the fault of a wrong step, by which findings are compared: its place and its component."""
        return f"{self.place} ({self.component})".strip() if self.component else self.place

    @property
    def is_undecided(self) -> bool:
        """Whether the judge reached a limit."""
        return self.judgement == "open" and self.reason == UNDECIDED

    @property
    def is_guess(self) -> bool:
        """Whether the solver may give the step up later."""
        return self.judgement == "open" and self.reason == GUESS

    @property
    def finding(self) -> str:
        """The kind of the finding that a wrong step is."""
        return f"wrong-{self.kind}"

    @property
    def maker(self) -> str:
        """The component with its switches, for people; empty if it is not known."""
        without = f"; right without {' or without '.join(self.switches)}" if self.switches else ""
        return f"{self.component}{without}" if self.component else ""

    @property
    def place(self) -> str:
        """The level, without a number that depends on the problem."""
        return {"oo": "at all levels", "0": "at level 0", "": ""}.get(self.level, "at a level")

    @property
    def line(self) -> str:
        """The step and the judgement on one line."""
        level = {"": "", "oo": " at all levels"}.get(self.level, f" at level {self.level}")
        reason = f" ({self.reason})" if self.reason else ""
        return f"{self.number}: {self.kind} of {self.predicate}{level}: {self.judgement}{reason}: {self.formula}"


def first_wrong(reports: Sequence[SolverStepReport]) -> SolverStepReport | None:
    """Return the wrong step that the solver made first; None without one."""
    return min((each for each in reports if each.judgement == WRONG), key=lambda each: each.number, default=None)


SUSPICIOUS: tuple[Callable[[SolverStepReport], bool], ...] = (
    lambda step: step.judgement == "unproved",
    lambda step: step.is_undecided,
    lambda step: step.is_guess,
    lambda step: HARD in step.doubts,
    lambda step: BARELY in step.doubts,
    lambda step: LOWERED in step.doubts,
)


def suspicious(reports: Sequence[SolverStepReport]) -> tuple[int, ...]:
    """Return the numbers of steps that are suspicious in each way: see `SUSPICIOUS`."""
    return tuple(sum(map(is_suspicious, reports)) for is_suspicious in SUSPICIOUS)


def totals(reports: Sequence[SolverStepReport]) -> str:
    """Return the numbers of steps by kind and judgement."""
    found = Counter((each.kind, each.judgement) for each in reports)
    return ", ".join(f"{number} {kind} {judgement}" for (kind, judgement), number in sorted(found.items()))
