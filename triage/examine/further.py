"""Suspicions that an examination raises: other faults of the same unit, or of its seed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from chcfuzz.domains.protocol import Standoff, WitnessSearch
from chcfuzz.execution.seed_answers import Ground, SeedAnswer
from chcfuzz.mutators.recipe import encode
from chcfuzz.oracles.verdict import ANSWER, ANSWERS, PLAIN_SMT, VerdictKind
from chcfuzz.solvers.outcome import OPPOSITE
from chcfuzz.triage.examine.conclusion import Witness
from chcfuzz.triage.examine.runs import Run
from chcfuzz.triage.examine.suspicion import Suspicion

_DISAGREEMENT = VerdictKind.DISAGREEMENT.value


@dataclass(frozen=True)
class Further:
    """Further suspicions, found while a suspicion was examined."""

    suspicion: Suspicion
    search: WitnessSearch

    def of_answer(self, given: Run) -> tuple[Suspicion, ...]:
        """Return a suspicion of the answer whose model is wrong, if there is a reason to doubt the answer, too."""
        reason = self.search.doubt(given)
        if not reason:
            return ()
        seen = given.status.value
        detail = f"answers {seen} with a wrong model, {reason}"
        return (self._same_solver(Suspicion(encode(given.recipe), _DISAGREEMENT, PLAIN_SMT.name, seen, detail=detail)),)

    def of_model(self, given: Run) -> tuple[Suspicion, ...]:
        """Return a suspicion of the wrong model of a run."""
        kind = VerdictKind.WRONG_MODEL.value
        verdict = given.verdict(kind)
        unit, seen = encode(given.recipe), given.status.value
        return (
            self._same_solver(Suspicion(unit, kind, verdict.oracle, seen, detail=verdict.detail, fault=verdict.fault)),
        )

    def of_others(self, given: Run, proved: Witness) -> tuple[Suspicion, ...]:
        """Return a suspicion of each other solver of the domain whose answer a witness contradicts."""
        seen, recipe = OPPOSITE[proved.status].value, given.recipe
        detail = f"answers {seen}, but {proved.status.value} is right: {proved.words}"
        found = []
        for selection in self.search.contradicted(given, proved):
            parameters = tuple(sorted({**dict(recipe.parameters), **dict(selection)}.items()))
            unit = encode(replace(recipe, parameters=parameters))
            found.append(self._other_solver(unit, seen, detail))
        return tuple(found)

    def of_suspect(self, standoff: Standoff) -> tuple[Suspicion, ...]:
        """Return a suspicion of the solver that a standoff suspects, if it suspects one."""
        if standoff.suspect is None:
            return ()
        recipe, seen = standoff.suspect
        return (self._other_solver(encode(recipe), seen, standoff.words),)

    def of_seed(self, alone: Run | None, proved: Witness) -> tuple[Suspicion, ...]:
        """Return a suspicion of the solver's own answer to the seed, if it is the opposite of the proved status."""
        if alone is None or alone.status is not OPPOSITE[proved.status]:
            return ()
        seed = SeedAnswer(proved.status.value, Ground.WITNESS, proved.text)
        detail = f"answers {alone.status.value}, but {seed.status} is shown by {seed.backing}"
        unit, seen, kind = encode(alone.recipe), alone.status.value, VerdictKind.WRONG_ANSWER.value
        return (self._same_solver(Suspicion(unit, kind, ANSWER.name, seen, seed.status, detail, seed)),)

    def of_own_answer(self, alone: Run, proved: Witness) -> tuple[Suspicion, ...]:
        """Return a suspicion of the solver's own answer to the seed, which an answer that is right contradicts."""
        rows = ", ".join(step.mutation for step in self.suspicion.recipe.steps) or "other parameters"
        seen = alone.status.value
        detail = f"answers {seen}, and {proved.status.value} to a mutant by {rows}, which is right: {proved.words}"
        suspicion = Suspicion(encode(alone.recipe), _DISAGREEMENT, ANSWERS.name, seen, detail=detail)
        return (self._same_solver(suspicion),) if alone.status.is_decided else ()

    def of_step(self, wrong: Run, proved: Witness) -> tuple[Suspicion, ...]:
        """Return a suspicion of a wrong answer that a wrong step led to, in another run of the same solver."""
        seen = wrong.status.value
        detail = f"answers {seen}, but {proved.status.value} is right: {proved.words}"
        return (self._same_solver(Suspicion(encode(wrong.recipe), _DISAGREEMENT, ANSWERS.name, seen, detail=detail)),)

    def _other_solver(self, unit: bytes, seen: str, detail: str) -> Suspicion:
        solving, theories = self.suspicion.solving, self.suspicion.theories
        return Suspicion(unit, _DISAGREEMENT, ANSWERS.name, seen, detail=detail, solving=solving, theories=theories)

    def _same_solver(self, suspicion: Suspicion) -> Suspicion:
        """Return a suspicion of the solver under examination."""
        of = self.suspicion
        return replace(suspicion, solving=of.solving, solver=of.solver, theories=of.theories)
