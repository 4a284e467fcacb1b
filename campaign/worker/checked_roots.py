"""Mutants with a checked answer become seeds of their own, where their chain promises none.

A step that keeps one answer only ends the expectation of a chain if the seed has the other one, and nothing is expected
of the mutants of a seed that is not decided. HornGator (ASE 2025) takes such steps all the same: it solves after each.
Here, a mutant that opened a trace and whose answer a checked model or refutation shows is the seed of
those that are made from it: that answer is expected of them. It is stored with those of all seeds (`seed_answers`), so
other workers and later campaigns know it, too.
"""

from __future__ import annotations

from dataclasses import replace

from chcfuzz.campaign.worker.context import WorkerContext
from chcfuzz.execution.pipeline import Execution
from chcfuzz.execution.seed_answers import Ground
from chcfuzz.mutators.chain import Mutant
from chcfuzz.mutators.recipe import Recipe, encode, read


class CheckedRoots:
    """The mutants of one worker that are seeds because a witness shows their answer."""

    def __init__(self, context: WorkerContext) -> None:
        self._context = context

    def learn(self, recipe: Recipe, execution: Execution) -> None:
        """Note the answer of a mutant of this recipe that opened a trace, if only the execution shows that answer."""
        mutant, outcome = execution.mutant, execution.outcome
        if not recipe.steps or mutant.expected is not None or not outcome.status.is_decided or execution.finding:
            return
        shown = self._context.pipeline.seed_answer(execution)
        if shown.ground is Ground.WITNESS:
            text = _text(mutant)
            self._context.answers.note(text, shown)
            self._context.caches.costs[text] = outcome.cost

    def root(self, data: bytes) -> bytes:
        """Return a unit whose seed is the problem of this one, if nothing else is expected of it; else this one."""
        recipe = read(data).canonical
        if not recipe.steps:
            return data
        mutant = self._context.pipeline.mutant(recipe)
        if mutant.expected is not None:
            return data
        text = _text(mutant)
        known = self._context.answers.of(text)
        is_checked = known is not None and known.ground is Ground.WITNESS
        return encode(replace(recipe, seed=text, steps=())) if is_checked else data


def _text(mutant: Mutant) -> str:
    """Return a mutant's problem as the text of a seed, which declares no status."""
    return mutant.roots.print(mutant.problem.with_header((), mutant.problem.options))
