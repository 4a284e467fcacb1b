"""The processes that judge the candidates of a reduction, and what they have shown."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from types import TracebackType

from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.printer import print_system
from chcfuzz.grammar.system import System
from chcfuzz.mutators.recipe import Recipe, encode
from chcfuzz.triage.reduce_condition import CRASH, Condition
from chcfuzz.triage.reduce_judge import Judged
from chcfuzz.triage.reduce_search import First, one_by_one, side_by_side
from chcfuzz.triage.reduce_worker import Worker

Parameters = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Passed:
    """A candidate that shows the finding: its recipe, the text of its mutant, and how it shows it."""

    recipe: Recipe
    system: str
    judged: Judged


class Panel:
    """Judges candidates in so many processes; they are ended with the `with`."""

    def __init__(self, condition: Condition, solving: Solving, jobs: int) -> None:
        self._condition = condition
        self._jobs = jobs
        self._workers = [Worker(condition, solving, fresh=condition.kind == CRASH) for _ in range(jobs)]
        self._free: SimpleQueue[Worker] = SimpleQueue()
        for worker in self._workers:
            self._free.put(worker)
        self._threads = ThreadPoolExecutor(jobs)

    def __enter__(self) -> Panel:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        for worker in self._workers:
            worker.end()
        self._threads.shutdown(cancel_futures=True)

    @property
    def defaults(self) -> Mapping[str, str]:
        """Of the solver's parameters; empty before the first question."""
        return self._workers[0].defaults

    def asked(self, recipe: Recipe) -> tuple[Passed | None, str]:
        """What shows the finding of a recipe, if it does, and words on it or on why it does not."""
        worker = self._free.get()
        try:
            said = worker.judged(encode(recipe))
        finally:
            self._free.put(worker)
        if "death" in said:
            same = self._condition.kind == CRASH and "system" in said and said["death"] == self._condition.detail
            judged = Judged(same, said["death"])
        else:
            judged = Judged(**said["judged"])
        return Passed(recipe, said["system"], judged) if judged.passes else None, judged.words

    def first(self, parameters: Parameters, passed: dict[str, Passed]) -> First[System]:
        """The test of systems under these parameters; what passes is put into `passed`, by its text."""

        def keeps(text: str) -> bool:
            found, _ = self.asked(Recipe(text, (), parameters))
            if found is not None:
                passed[text] = found
            return found is not None

        if self._jobs == 1:
            return one_by_one(lambda system: keeps(print_system(system)))
        return side_by_side(keeps, self._threads, print_system)
