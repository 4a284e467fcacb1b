"""Judging the solver's steps in a campaign: in all executions, or in a sample within a share of the solver's work.

The sample has a budget of a tenth of the solver's work: the resource units of all executions, decided or not, and a
fixed price for the start of each. It is spent on units that open a trace first; if more is left, on those with a
transition that this worker has rarely seen; and then on some that a hash chooses. Resource units, fixed prices and
hashes make the choice the same for the same seed of libFuzzer. Facts, which need one more run, are judged in one of
four judged executions, which a hash chooses.
A cached outcome counts as one that was solved now, and has a note whether its steps were judged, so a cache neither
changes the choice nor repeats the work.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from chcfuzz.campaign.options import ALL, OFF, STEPS
from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.session.marks import WRONG_STEP
from chcfuzz.campaign.worker.context import WorkerContext
from chcfuzz.campaign.worker.feedback import Feedback
from chcfuzz.campaign.worker.outcomes import CachedOutcome
from chcfuzz.campaign.worker.reporter import Reporter
from chcfuzz.execution.console import print_error
from chcfuzz.execution.worker_pool import HelperError
from chcfuzz.mutators.chain import Mutant
from chcfuzz.mutators.recipe import Unit
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.tracing.feature_rarity import SLOTS, FeatureRarity
from chcfuzz.triage.examine.suspect import Suspect

_SHARE = 10  # one resource unit in this number is spent
_START = 52_000  # price of an execution before its first unit, as of `oracle`: a new context takes 14 ms
_HELPERS = 4_000_000  # price of the helper processes, which start with the first judged execution: 1.1 s
_RARE = 3  # a transition that fewer executions had is rare
_RESERVE = 150_000  # units that must be left for rare transitions, and twice as many for the choice by a hash
_ONE_IN = 16  # of the hash
_FACTS_ONE_IN = 4  # of other digits of the hash
_FACTS, _DOUBTS = "f", "d"  # behind the version in a note, for further judgements


class StepSample:
    """The budget and the choice of a sample; see the module's docstring."""

    def __init__(self) -> None:
        self._budget = -_HELPERS
        self._rarity = FeatureRarity(np.zeros(SLOTS, dtype=np.int64))

    def takes(self, outcome: CachedOutcome, opened: bool) -> bool:
        """Count an execution, and return whether its steps are judged: only a decided one is."""
        self._budget += (_START + outcome.cost) // _SHARE
        if not outcome.status.is_decided:
            return False
        is_rare = bool((self._rarity.times(outcome.trace.keys) < _RARE).any())
        self._rarity.executed(outcome.trace.keys)
        is_drawn = outcome.trace.hash % _ONE_IN == 0
        needed = 0 if opened else _RESERVE if is_rare else 2 * _RESERVE if is_drawn else None
        return needed is not None and self._budget > needed

    def pay(self, price: int) -> None:
        """Spend resource units; the budget may fall below 0, and then it must be earned again."""
        self._budget -= price


@dataclass(frozen=True)
class StepNote:
    """A note on the steps of a cached outcome: the version of the claims, the price, and numbers of suspicious steps.

    `more` has a letter for each further judgement: on facts, and on lemmas that may hold barely.
    """

    version: str = ""
    more: str = ""
    price: int = 0
    suspicious: tuple[int, ...] = ()

    @classmethod
    def read(cls, text: str) -> StepNote:
        """Read a note; an empty one is that of an outcome whose steps were not judged."""
        if not text:
            return cls()
        judged, price, *suspicious = text.split()
        version = judged.rstrip(_FACTS + _DOUBTS)
        return cls(version, judged.removeprefix(version), int(price), tuple(map(int, suspicious)))

    @property
    def text(self) -> str:
        """The note as a text."""
        return " ".join(map(str, (self.version + self.more, self.price, *self.suspicious)))


def has_facts_judged(outcome: CachedOutcome) -> bool:
    """Return whether the facts of an execution are judged in a sample, if its steps are."""
    return outcome.trace.hash // _ONE_IN % _FACTS_ONE_IN == 0


class StepJudging:
    """Judges the steps of executions of one worker."""

    def __init__(self, context: WorkerContext, feedback: Feedback, reporter: Reporter) -> None:
        self._context = context
        self._feedback = feedback
        self._reporter = reporter
        self._mode = context.options.judged_steps
        self._has_doubts = context.options.features == STEPS
        self._sample = StepSample()

    def judged(self, unit: Unit, mutant: Mutant | None, outcome: CachedOutcome, opened: bool) -> CachedOutcome:
        """Judge the steps of an execution if it is their turn; return its outcome with a note and a finding.

        Without a mutant, the outcome was cached, and the mutant is made again only if its steps were not judged.
        """
        judges = None if self._mode == OFF else self._context.pipeline.second_opinion.steps
        if judges is None or not self._is_next(unit, outcome, opened):
            return outcome
        with_facts = self._mode == ALL or has_facts_judged(outcome)
        more = _FACTS * with_facts + _DOUBTS * self._has_doubts
        note = StepNote.read(outcome.steps)
        if note.version == judges.version and set(more) <= set(note.more):
            self._sample.pay(note.price)
            self._feedback.show_steps(note.suspicious)
            return outcome
        with self._context.account.charging(Counter.CHECK_TIME):
            mutant = mutant or self._context.pipeline.mutant(unit.canonical)
            try:
                found = judges.check(mutant, outcome, with_facts, self._has_doubts)
            except HelperError as error:  # a process that cannot start, or that the kernel kills for its memory
                self._mode = OFF
                print_error(f"chcfuzz: this worker no longer judges solver steps: {error}")
                return outcome
        self._sample.pay(found.price)
        self._context.counters.add(Counter.STEPS_JUDGED)
        self._context.counters.add(Counter.STEPS_UNDECIDED, found.verdict.kind is VerdictKind.UNDECIDED)
        self._context.counters.add(Counter.STEPS_UNSTABLE, not found.is_stable)
        self._feedback.show_steps(found.suspicious)
        note = StepNote(judges.version, more, found.price, found.suspicious)
        outcome = replace(outcome, steps=note.text)
        if not found.verdict.kind.is_finding:
            return outcome
        self._context.session.first.mark(WRONG_STEP)
        if outcome.finding is not None:  # a wrong answer, model or proof shows more than a step
            return outcome
        reported = self._reporter.report(Suspect(unit.canonical, mutant, found.verdict, outcome.status))
        return outcome if reported is None else replace(outcome, finding=reported.kind, suspicion=reported.suspicion)

    def _is_next(self, unit: Unit, outcome: CachedOutcome, opened: bool) -> bool:
        """Return whether it is the turn of an execution: in a sample, or as every decided one."""
        is_taken = self._sample.takes(outcome, opened) or self._mode == ALL
        return is_taken and outcome.status.is_decided and unit.fault is None
