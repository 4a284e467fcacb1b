"""The processes that judge the candidates of a reduction, and what they have shown."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass

from chcfuzz.execution import worker_pool
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.printer import print_system
from chcfuzz.grammar.system import System
from chcfuzz.mutators.recipe import Recipe, encode
from chcfuzz.triage.reduce.condition import CRASH, Condition
from chcfuzz.triage.reduce.judge import Judged
from chcfuzz.triage.shrink.search import First, one_by_one, side_by_side

Parameters = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Passed:
    """A candidate that shows the finding: its recipe, the text of its mutant, and how it shows it."""

    recipe: Recipe
    system: str
    judged: Judged


class Panel(worker_pool.Panel):
    """Judges candidates in so many processes; they are ended with the `with`."""

    def __init__(self, condition: Condition, solving: Solving, jobs: int) -> None:
        self._condition = condition
        first, fresh = condition.record(), condition.kind == CRASH
        super().__init__(lambda: worker_pool.Answering("chcfuzz.triage.reduce.worker", solving, first, fresh), jobs)

    @property
    def defaults(self) -> Mapping[str, str]:
        """Of the solver's parameters; empty before the first question."""
        found: Mapping[str, str] = self.ready.get("ready", {})
        return found

    def judged(self, recipe: Recipe) -> tuple[Passed | None, str]:
        """What shows the finding of a recipe, if it does, and words on it or on why it does not."""
        said = self.asked({"unit": base64.b64encode(encode(recipe)).decode()}, "judged")
        if "death" in said:
            same = self._condition.kind == CRASH and "system" in said and said["death"] == self._condition.detail
            judged = Judged(same, said["death"])
        else:
            judged = Judged(**said["judged"])
        return Passed(recipe, said["system"], judged) if judged.passes else None, judged.words

    def first(self, parameters: Parameters, passed: dict[str, Passed]) -> First[System]:
        """The test of systems under these parameters; what passes is put into `passed`, by its text."""

        def keeps(text: str) -> bool:
            found, _ = self.judged(Recipe(text, (), parameters))
            if found is not None:
                passed[text] = found
            return found is not None

        if self.jobs == 1:
            return one_by_one(lambda system: keeps(print_system(system)))
        return side_by_side(keeps, self.threads, print_system)
