"""One way from bytes to verdicts, the same for a campaign, a replay and the confirmation of a finding."""

from __future__ import annotations

import time
from dataclasses import dataclass

from chcfuzz.mutators import Registry
from chcfuzz.mutators.chain import Mutant, apply
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.oracles import answer, errors, model
from chcfuzz.oracles.verdict import Verdict
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.spacer import Spacer


@dataclass(frozen=True)
class Execution:
    """A recipe, what it became, what the solver said of it, and what the oracles say of that.

    `check_seconds` is the time of the oracles, for statistics only. The outcome's model lives as long as this does.
    """

    recipe: Recipe
    mutant: Mutant
    outcome: Outcome
    verdicts: tuple[Verdict, ...]
    check_seconds: float

    @property
    def finding(self) -> Verdict | None:
        """The verdict worth a person's time, if there is one: the first in the order of the oracles."""
        return next((verdict for verdict in self.verdicts if verdict.kind.is_finding), None)


class Pipeline:
    """The rooms joined: a registry of mutations, a solver and every oracle."""

    def __init__(self, registry: Registry, spacer: Spacer, check_rlimit: int) -> None:
        self._registry = registry
        self._spacer = spacer
        self._check_rlimit = check_rlimit

    def mutant(self, recipe: Recipe) -> Mutant:
        """Apply the chain; nothing is solved."""
        return apply(recipe, self._registry)

    def execute(self, recipe: Recipe, mutant: Mutant) -> Execution:
        """Solve the mutant in a fresh context and ask every oracle."""
        outcome = self._spacer.solve(mutant.text, mutant.options)
        start = time.perf_counter()
        verdicts = [errors.check(outcome), answer.check(mutant.expected, outcome)]
        if outcome.status is Status.SAT:
            verdicts.append(model.check(outcome, self._check_rlimit))
        return Execution(recipe, mutant, outcome, tuple(verdicts), time.perf_counter() - start)
