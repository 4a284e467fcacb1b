"""Models of a system from all solvers but the one under test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from chcfuzz.domains.chc.oracles.evidence import definitions
from chcfuzz.domains.chc.witness_search import other_solvers
from chcfuzz.domains.protocol import OtherModels
from chcfuzz.execution.pipeline import Pipeline
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.grammar.system import as_system
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.z3_parameters import with_transforms_off
from chcfuzz.tracing.progress_log import ProgressLog
from chcfuzz.triage.examine.runs import Runs


def other_models(solving: Solving) -> OtherModels:
    """Return a function that yields models, each with its source."""
    others = other_solvers(solving)
    spacer = None
    if solving.solver is not None or solving.command is not None:  # then Spacer is independent of it
        spacer = Pipeline(replace(solving, solver=None, command=None), events=ProgressLog())

    def models(problem: BaseProblem) -> Iterator[tuple[str, str]]:
        system = as_system(problem)
        if spacer is not None:
            plain = Recipe(print_system(system), (), with_transforms_off())
            run = Runs(spacer, solving.rlimit, (), lambda _message: None).execute("Spacer", plain)
            if run is not None and run.model:
                yield run.model, "the model of Z3's own Spacer"
        for other in others:
            outcome = other.solve(system, solving.rlimit)
            if outcome.status is Status.SAT and outcome.model is not None:
                yield "\n".join(definitions(system, outcome.model)), f"the model of {other.name}"

    return models
