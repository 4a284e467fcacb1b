"""The trial of a candidate fix: findings and a corpus on a traced build with and without the patch.

Each finding is judged as in a reduction: it still shows if the evidence against the solver can be established again,
and it is cured only if the solver is right by its witness. An undecided answer is not a cure.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from chcfuzz.corpus_tools.regress import DEATH, ENDLESS, Compared, Regression, UnitChange
from chcfuzz.corpus_tools.script_trial import ScriptTrial
from chcfuzz.execution.solving import Solving
from chcfuzz.execution.worker_pool import WALL_FACTOR
from chcfuzz.grammar.printable import counted
from chcfuzz.grammar.problem import Pairs
from chcfuzz.triage.findings.fix import CorpusEffect, Effect, FindingEffect
from chcfuzz.triage.locate.messages import Side
from chcfuzz.triage.locate.rerun import HANG, rerun

MOST_HANGS = 3  # findings or units on which the patched solver hangs, before the rest is left out
_PATIENCE = 4  # times the time of the unpatched solver on a finding, or the wall clock of an execution

Log = Callable[[str], None]


@dataclass(frozen=True)
class FixTrial:
    """A trial: the traced builds without and with the patch, and a function for lines on the progress."""

    base: Path
    patched: Path
    log: Log

    def on_finding(self, finding: Path, solving: Solving, is_same: bool) -> FindingEffect:
        """Run a finding, reduced if it is, on both builds; raises `ChcfuzzError` if it cannot be read.

        The patched build gets a multiple of the time of the other one: a resource limit ends its executions, unless
        the patch makes the solver hang.
        """
        start = time.monotonic()
        before, before_words = rerun(finding, _with_build(solving, self.base))
        seconds = max(solving.wall_seconds, _PATIENCE * (time.monotonic() - start))
        patched = _with_build(solving, self.patched)
        if solving.counts_resources:
            patched = replace(patched, wall_seconds=seconds / WALL_FACTOR)
        after, after_words = rerun(finding, patched)
        is_hang = after_words == HANG and before_words != HANG
        return FindingEffect(
            finding.name,
            is_same,
            before_words,
            f"does not end in {seconds:.0f} s" if is_hang else after_words,
            Effect.HANGS if is_hang else effect(before, after),
        )

    def on_corpus(self, units: Iterable[Path], solving: Solving, jobs: int, factor: float) -> list[Compared]:
        """Run units on both builds, `jobs` at a time; costs count from a ratio of `factor` on.

        After `MOST_HANGS` units on which only the patched solver hangs, the others are not run.
        """
        new, old = (_with_build(_patient(solving), build) for build in (self.patched, self.base))
        found: list[Compared] = []
        hangs = 0
        with Regression(new, old, jobs, factor) as regression:
            for number, each in enumerate(regression.run(units), 1):
                found.append(each)
                if _hangs(each):
                    hangs += 1
                    self.log(f"{each.unit.name}: the patched solver hangs, before: {each.old}")
                if hangs == MOST_HANGS:
                    break
                if number % 100 == 0:
                    self.log(f"{counted(number, 'unit')} of the corpus")
        return found

    def on_scripts(
        self, files: Sequence[Path], solving: Solving, jobs: int, settings: Sequence[Pairs]
    ) -> tuple[int, list[CorpusEffect]]:
        """Run SMT-LIB files as they are on both builds; return the number of runs, and the changed answers."""
        self.log(f"{len(files)} SMT-LIB files as they are, and through both front ends")
        before, after = (_with_build(_patient(solving), build) for build in (self.base, self.patched))
        return ScriptTrial(before, after, jobs).run(files, settings)


def _hangs(each: Compared) -> bool:
    """Return whether only the new solver did not end."""
    old, new = (seen.answer == HANG or (seen.answer, seen.words) == (DEATH, ENDLESS) for seen in (each.old, each.new))
    return new and not old


def _patient(solving: Solving) -> Solving:
    """Return the flags with a wall clock that ends only executions without an end; helper processes multiply it."""
    if not solving.counts_resources:
        return solving
    return replace(solving, wall_seconds=_PATIENCE * solving.wall_seconds / WALL_FACTOR)


def _with_build(solving: Solving, build: Path) -> Solving:
    return replace(solving, z3=None, z3_library=build)


def effect(before: Side, after: Side) -> Effect:
    """Return the effect of a patch on a finding from the outcomes of both runs."""
    if before is not Side.FAILING:
        return Effect.NEW if after is Side.FAILING else Effect.ABSENT
    return {Side.FAILING: Effect.STILL, Side.PASSING: Effect.CURED, Side.NEITHER: Effect.UNCLEAR}[after]


def effects(found: Iterable[Compared]) -> tuple[CorpusEffect, ...]:
    """Return the results that changed."""
    return tuple(corpus_effect(each) for each in found if each.change is not UnitChange.SAME)


def corpus_effect(each: Compared) -> CorpusEffect:
    """Return a changed result; a new answer is wrong if it contradicts the promised one, or has a fault by itself."""
    costs = each.change in (UnitChange.DEARER, UnitChange.CHEAPER)
    before, after = (f"{seen}, cost {seen.cost}" if costs else str(seen) for seen in (each.old, each.new))
    return CorpusEffect(each.unit.name, each.change.value, before, after, _is_wrong(each))


def _is_wrong(each: Compared) -> bool | None:
    if each.new.is_decided and each.expected is not None and each.new.answer != each.expected:
        return True
    if any(fault not in each.old.faults for fault in each.new.faults):
        return True
    is_open = each.change is UnitChange.CONTRADICTION and each.expected is None
    return None if is_open else False


def costs(found: Sequence[Compared]) -> tuple[int, int]:
    """Return the sums of the costs before and after, over units that both builds decide."""
    both = [each for each in found if each.old.is_decided and each.new.is_decided]
    return sum(each.old.cost for each in both), sum(each.new.cost for each in both)
