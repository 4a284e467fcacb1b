"""The search for a wrong answer that a wrong step of the solver leads to: maintainers act on wrong answers first.

The solver is run on systems that expose the step (`SolverStepReport.exposing`), on the unit in other configurations,
and on mutants of all of these. An answer is wrong if it is not the one that follows from the answer to the unit, or
from the step, and if a checked witness shows that. The search is the same each time for the same unit.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from chcfuzz.domains.protocol import WitnessSearch
from chcfuzz.grammar.choices import Choices
from chcfuzz.mutators.mutation import Kind
from chcfuzz.mutators.recipe import Recipe, Step, digest, encode
from chcfuzz.solvers.outcome import OPPOSITE, Outcome, Status
from chcfuzz.triage.examine.conclusion import Witness
from chcfuzz.triage.examine.runs import GIVEN, Run, RunConfiguration, Runs, portfolio

MOST_RUNS = 200
_MOST_WITNESSES = 5  # searched for, since one search may take as long as all runs
_MOST_STEPS = 2  # of the chain of a mutant
_KINDS = (Kind.OWN, Kind.REWRITE)


@dataclass(frozen=True)
class WrongAnswer:
    """A run with a wrong answer, the witness against it, and the number of runs of the search up to it."""

    run: Run
    witness: Witness
    number: int


@dataclass(frozen=True)
class _Candidate:
    recipe: Recipe
    right: Status


class AnswerSearch:
    """Searches for a wrong answer next to a unit."""

    def __init__(self, runs: Runs, search: WitnessSearch, given: Run) -> None:
        """Prepare to search next to the unit of a run, whose answer counts as right."""
        self._runs = runs
        self._search = search
        self._given = given

    def found(self, exposing: Sequence[str]) -> WrongAnswer | None:
        """Return a wrong answer; `exposing` are systems with their right answers as their statuses."""
        doubts = 0
        for number, each in enumerate(itertools.islice(self._candidates(exposing), MOST_RUNS), 1):
            name = f"run {number} from the wrong step"
            outcome = self._solved(name, each)
            if outcome is None or outcome.status is not OPPOSITE[each.right]:
                continue
            run = self._runs.execute(f"{name}, again", each.recipe)
            witness = None if run is None else self._search.witness(run, each.right, self._places(run, each))
            if run is not None and witness is not None:
                return WrongAnswer(run, witness, number)
            doubts += 1
            if doubts == _MOST_WITNESSES:
                break
        return None

    def _solved(self, name: str, candidate: _Candidate) -> Outcome | None:
        pipeline = self._runs.pipeline
        mutant = pipeline.mutant(candidate.recipe)
        return self._runs.guarded(name, lambda: pipeline.solve(mutant.text, mutant.parameters), candidate.recipe)

    def _places(self, run: Run, candidate: _Candidate) -> list[Run]:
        """Return the runs that may have a witness: of the same problem, in the unit's configuration and plain ones."""
        settings = [RunConfiguration(GIVEN, self._given.recipe.parameters), *self._search.plain_configurations]
        others = (
            self._runs.under(replace(each, name=f"{run.name}, {each.name}"), candidate.recipe) for each in settings
        )
        return [run, *(other for other in others if other is not None)]

    def _candidates(self, exposing: Sequence[str]) -> Iterator[_Candidate]:
        """Yield problems and configurations, those next to the unit first; without end, but for the last kind."""
        given = self._given.recipe
        bases = [_Candidate(given, self._given.status), *self._exposing(exposing)]
        yield from bases[1:]
        settings = [RunConfiguration(GIVEN, given.parameters), *portfolio(self._runs.pipeline, given)]
        yield from (replace(bases[0], recipe=replace(given, parameters=each.parameters)) for each in settings[1:])
        yield from self._mutants(bases, settings)

    def _exposing(self, texts: Sequence[str]) -> Iterator[_Candidate]:
        parse = self._runs.pipeline.domain.roots.parse
        for text in texts:
            status = dict(parse(text, "exposing system").info)["status"]
            yield _Candidate(replace(self._given.recipe, seed=text, steps=()), Status(status))

    def _mutants(self, bases: Sequence[_Candidate], settings: Sequence[RunConfiguration]) -> Iterator[_Candidate]:
        """Yield mutants in the configuration of the unit and in drawn ones; only those that promise an answer."""
        chains = self._runs.pipeline.chains
        rows = [row for row in chains.registry.mutations if row.kind in _KINDS]
        seed = digest(encode(self._given.recipe)).encode()
        for number in range(20 * MOST_RUNS):
            choices = Choices(b"", seed + number.to_bytes(4))
            base = choices.pick(bases)
            drawn = [choices.pick(rows).id for _ in range(choices.integer(1, _MOST_STEPS))]
            steps = tuple(Step(row, b"", seed + bytes([place])) for place, row in enumerate(drawn))
            setting = settings[0] if choices.boolean() else choices.pick(settings)
            recipe = replace(base.recipe, steps=(*base.recipe.steps, *steps), parameters=setting.parameters)
            mutant = chains.apply(recipe)
            expected = mutant.promise.expected(base.right.value)
            if expected is not None and any(step.changed for step in mutant.steps[len(base.recipe.steps) :]):
                yield _Candidate(recipe, Status(expected))
