"""The pool of processes that judge the candidates of a reduction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from chcfuzz.execution.domain import load
from chcfuzz.execution.solving import Solving
from chcfuzz.execution.worker_pool import HelperProcess, ProcessPool
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.mutators.recipe import Recipe, encode
from chcfuzz.oracles.verdict import Subject
from chcfuzz.triage.reduce.condition import Condition
from chcfuzz.triage.reduce.messages import Candidate, Judgement, JudgeReady, JudgeReply
from chcfuzz.triage.shrink.search import InputTest, in_parallel, one_by_one

Parameters = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Passed:
    """A candidate that shows the finding: its recipe, the text of its mutant, and the judgement."""

    recipe: Recipe
    system: str
    judgement: Judgement


class JudgePool(ProcessPool):
    """Pool of `jobs` processes that judge candidates; leaving the `with` block ends them."""

    def __init__(self, condition: Condition, solving: Solving, jobs: int) -> None:
        """Prepare the pool; each process starts with its first candidate."""
        self._condition = condition
        self._roots = load(solving.domain).roots
        fresh = condition.subject is Subject.DEATH
        super().__init__(lambda: HelperProcess("chcfuzz.triage.reduce.worker", solving, condition, fresh), jobs)

    @property
    def defaults(self) -> Mapping[str, str]:
        """Defaults of the solver parameters by name; empty before the first candidate."""
        return self.ready(JudgeReady).defaults

    def judge(self, recipe: Recipe) -> tuple[Passed | None, str]:
        """Judge a recipe; return it if it shows the finding, and a message that gives the evidence or the reason."""
        reply = self.request(Candidate(encode(recipe)), JudgeReply)
        judgement = self._judgement(reply)
        return Passed(recipe, reply.system, judgement) if judgement.passes else None, judgement.message

    def _judgement(self, reply: JudgeReply) -> Judgement:
        if reply.judgement is not None:
            return reply.judgement
        death = reply.death or ""
        return Judgement(self._condition.is_shown_by_death(reply.system, death), death)

    def test(self, parameters: Parameters, passed: dict[str, Passed]) -> InputTest[BaseProblem]:
        """Return the test of systems under these parameters; it puts each system that passes into `passed`."""

        def passes(text: str) -> bool:
            found, _ = self.judge(Recipe(text, (), parameters, self._roots))
            if found is not None:
                passed[text] = found
            return found is not None

        roots = self._roots
        if self.jobs == 1:
            return one_by_one(lambda problem: passes(roots.print(problem)))
        return in_parallel(passes, self.threads, roots.print, self.jobs)
