"""The search for witnesses that decide whether an interpolation problem has a model.

A model counts if our evaluator finds every assertion true under it; the models come from SMT solvers. For unsat, two
SMT solvers of different projects must agree.
"""

from __future__ import annotations

from collections.abc import Sequence

from chcfuzz.domains.interpolation.roots import as_interpolation
from chcfuzz.domains.protocol import WitnessSearch
from chcfuzz.domains.smt.witness_search import model_witness, other_models, refuted
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.problem import Pairs
from chcfuzz.solvers.outcome import OPPOSITE, Outcome, Status
from chcfuzz.solvers.solver_names import SOLVER
from chcfuzz.triage.examine.conclusion import Witness
from chcfuzz.triage.examine.runs import Run, Runs


class InterpolationWitnessSearch(WitnessSearch):
    """Searches for witnesses in an examination of a recipe."""

    def __init__(self, runs: Runs, solving: Solving) -> None:
        """Use SMT solvers under the limits of these flags."""
        self._runs = runs
        self._solving = solving

    def witness(self, run: Run, status: Status, _places: Sequence[Run]) -> Witness | None:
        """Return a checked model for sat, or the agreement of two SMT solvers for unsat; None without a witness."""
        words = f"SMT solvers on {run.name}, for {status.value}"
        return self._runs.guarded(words, lambda: self._witness(run, status))

    def contradicted(self, run: Run, witness: Witness) -> Sequence[Pairs]:
        """Return the selections of the other solvers whose answer to the problem of a run is wrong."""
        pipeline, wrong = self._runs.pipeline, OPPOSITE[witness.status]

        def solved() -> Outcome:
            mutant = pipeline.mutant(run.recipe)
            return pipeline.solve(mutant.text, mutant.parameters)

        outcome = self._runs.guarded(f"all solvers on {run.name}", solved, run.recipe)
        others = () if outcome is None else outcome.others
        return tuple(((SOLVER, name),) for name, other in others if other.status is wrong)

    def _witness(self, run: Run, status: Status) -> Witness | None:
        problem = as_interpolation(run.problem).problem
        if status is Status.UNSAT:
            found = refuted(problem, self._solving.rlimit, self._runs.pipeline.watchdog, None)
            return None if found is None else Witness(Status.UNSAT, found.words, "", found.script)
        plain = Solving(rlimit=self._solving.rlimit, wall_seconds=self._solving.wall_seconds)
        models = other_models(plain)(problem)
        witnesses = (model_witness(problem, text, f"{words} makes every assertion true") for text, words in models)
        return next(filter(None, witnesses), None)
