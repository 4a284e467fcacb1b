"""A verdict that may be a finding, in the process that executed the unit; it becomes a `Suspicion`."""

from __future__ import annotations

from dataclasses import dataclass

from chcfuzz.execution.domain import load
from chcfuzz.execution.identity import solver_key
from chcfuzz.execution.pipeline import Execution
from chcfuzz.execution.seed_answers import SeedAnswer
from chcfuzz.execution.solving import Solving
from chcfuzz.mutators.chain import Mutant
from chcfuzz.mutators.recipe import Recipe, encode
from chcfuzz.oracles.verdict import Verdict
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.solver_session import Request
from chcfuzz.triage.examine.suspicion import Suspicion


@dataclass(frozen=True)
class Suspect:
    """A verdict that may be a finding. `before` are earlier requests to the same solver process, if they matter."""

    recipe: Recipe
    mutant: Mutant
    verdict: Verdict
    status: Status
    before: tuple[Request, ...] = ()

    @property
    def seen(self) -> str:
        """The answer of the accused solver."""
        return self.verdict.seen or self.status.value

    def suspicion(self, solving: Solving, known: SeedAnswer | None) -> Suspicion:
        """Return the suspicion of the solver of these flags, or of the accused one; `known` is the seed's answer."""
        selection = self.verdict.accuses or load(solving.domain).tested(solving, self.mutant.parameters)
        return Suspicion(
            unit=encode(self.recipe.selecting(selection)),
            kind=self.verdict.kind.value,
            oracle=self.verdict.oracle,
            seen=self.seen,
            expected=self.mutant.expected,
            detail=self.verdict.detail,
            fault=self.verdict.fault,
            seed=known,
            solving=solving.arguments,
            before=self.before,
            solver=solver_key(solving, selection),
            theories=tuple(sorted(self.mutant.problem.theories)),
        )


def suspects(recipe: Recipe, execution: Execution) -> list[Suspect]:
    """Return the findings of an execution, the first one of each accused solver."""
    first: dict[tuple[tuple[str, str], ...], Verdict] = {}
    for verdict in execution.verdicts:
        if verdict.kind.is_finding:
            first.setdefault(verdict.accuses, verdict)
    status = execution.outcome.status
    return [Suspect(recipe, execution.mutant, found, status) for found in first.values()]
