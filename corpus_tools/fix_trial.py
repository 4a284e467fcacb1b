"""The trial of a candidate fix: findings and a corpus on a traced build with and without the patch.

Each finding is judged as in a reduction: it still shows if the evidence against the solver can be established again,
and it is cured only if the solver is right by its witness. An undecided answer is not a cure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from chcfuzz.corpus_tools.regress import Change, Compared, Regression
from chcfuzz.execution.solving import Solving
from chcfuzz.triage.findings.fix import CorpusEffect, Effect, FindingEffect
from chcfuzz.triage.locate.messages import Side
from chcfuzz.triage.locate.rerun import rerun

Log = Callable[[str], None]


@dataclass(frozen=True)
class FixTrial:
    """A trial: the traced builds without and with the patch, and a function for lines on the progress."""

    base: Path
    patched: Path
    log: Log

    def on_finding(self, finding: Path, solving: Solving, is_same: bool) -> FindingEffect:
        """Run a finding, reduced if it is, on both builds; raises `ChcfuzzError` if it cannot be read."""
        before, before_words = rerun(finding, _with_build(solving, self.base))
        after, after_words = rerun(finding, _with_build(solving, self.patched))
        return FindingEffect(finding.name, is_same, before_words, after_words, effect(before, after))

    def on_corpus(self, units: Iterable[Path], solving: Solving, jobs: int, factor: float) -> list[Compared]:
        """Run units on both builds, `jobs` at a time; costs count from a ratio of `factor` on."""
        new, old = _with_build(solving, self.patched), _with_build(solving, self.base)
        found = []
        with Regression(new, old, jobs, factor) as regression:
            for number, each in enumerate(regression.run(units), 1):
                found.append(each)
                if number % 100 == 0:
                    self.log(f"{number} units of the corpus")
        return found


def _with_build(solving: Solving, build: Path) -> Solving:
    return replace(solving, z3=None, z3_library=build)


def effect(before: Side, after: Side) -> Effect:
    """Return the effect of a patch on a finding from the outcomes of both runs."""
    if before is not Side.FAILING:
        return Effect.NEW if after is Side.FAILING else Effect.ABSENT
    return {Side.FAILING: Effect.STILL, Side.PASSING: Effect.CURED, Side.NEITHER: Effect.UNCLEAR}[after]


def effects(found: Iterable[Compared]) -> tuple[CorpusEffect, ...]:
    """Return the results that changed."""
    return tuple(corpus_effect(each) for each in found if each.change is not Change.SAME)


def corpus_effect(each: Compared) -> CorpusEffect:
    """Return a changed result; a new answer is wrong if it contradicts the promised one, or has a fault by itself."""
    costs = each.change in (Change.DEARER, Change.CHEAPER)
    before, after = (f"{seen}, cost {seen.cost}" if costs else str(seen) for seen in (each.old, each.new))
    return CorpusEffect(each.unit.name, each.change.value, before, after, _is_wrong(each))


def _is_wrong(each: Compared) -> bool | None:
    if each.new.is_decided and each.expected is not None and each.new.answer != each.expected:
        return True
    if any(fault not in each.old.faults for fault in each.new.faults):
        return True
    is_open = each.change is Change.CONTRADICTION and each.expected is None
    return None if is_open else False


def costs(found: Sequence[Compared]) -> tuple[int, int]:
    """Return the sums of the costs before and after, over units that both builds decide."""
    both = [each for each in found if each.old.is_decided and each.new.is_decided]
    return sum(each.old.cost for each in both), sum(each.new.cost for each in both)
