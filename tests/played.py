"""A solver that is played in the place of Spacer: a function gives its outcomes, and its calls are recorded."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import pytest
from chcfuzz.execution.pipeline import Pipeline
from chcfuzz.execution.seed_answers import SeedAnswers
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.solver import Solver
from chcfuzz.tracing.source import Parameters, TraceSource
from chcfuzz.tracing.trace import NOTHING

S = TypeVar("S", bound=Solver)
Answer = Callable[[str, Parameters], Outcome]
Play = Callable[..., tuple[Pipeline, Any]]


def outcome(status: Status = Status.SAT, reason: str = "", cost: int = 0, **changed: Any) -> Outcome:
    """Return an outcome without events."""
    return replace(Outcome(status, reason, NOTHING, cost, 0.0), **changed)


@dataclass
class PlayedSolver(Solver):
    """A solver whose outcomes follow from the text and the parameters; with a reason `why`, it reads nothing."""

    source: TraceSource
    answer: Answer = lambda _text, _parameters: outcome()
    why: str = ""
    calls: list[tuple[str, str, Parameters, int]] = field(default_factory=list)

    @property
    def name(self) -> str:
        return "played"

    @property
    def events(self) -> TraceSource:
        return self.source

    def refused(self, _problem: BaseProblem) -> str:
        return self.why

    def solve(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        self.calls.append(("solve", text, parameters, rlimit))
        return self.answer(text, parameters)

    def solve_afresh(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        self.calls.append(("afresh", text, parameters, rlimit))
        return self.answer(text, parameters)


@pytest.fixture
def play() -> Play:
    """Function that returns a pipeline with the solver that it is given as a function of the source of events."""

    def played(solver: Callable[[TraceSource], S], **flags: Any) -> tuple[Pipeline, S]:
        pipeline = Pipeline(Solving(**{"rlimit": 1000, **flags}), answers=SeedAnswers())
        made = solver(pipeline.solver.events)
        pipeline.solver = made
        return pipeline, made

    return played
