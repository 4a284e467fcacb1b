"""One run of Spacer with its steps judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from chcfuzz.domains.chc.solver_steps import child
from chcfuzz.domains.chc.solver_steps.observation import Observation, StepLog
from chcfuzz.execution.child_process import ChildError, run_in_child
from chcfuzz.execution.codec import converted
from chcfuzz.execution.solver_steps import SolverStepReport
from chcfuzz.solvers.solver import Solver
from chcfuzz.tracing.source import Parameters


def judged(
    spacer: Callable[[StepLog], Solver], text: str, parameters: Parameters, rlimit: int, given: tuple[str, str] | None
) -> Sequence[SolverStepReport]:
    """Return the judgements on the steps of a run of a script, or on those in a text that is `given` with its name.

    Raises `child.JudgeError`.

    The run is in a forked process, and the judge in another one with the installed Z3.
    """
    if given is not None:
        name, steps = given
        return child.judge(Observation(text=text, status="unknown", steps=steps, name=name))

    def observe() -> object:
        log = StepLog()
        outcome = spacer(log).solve(text, tuple(parameters), rlimit)
        return msgspec.to_builtins(log.observation(text, outcome.status.value))

    try:
        observation = converted(run_in_child(observe), Observation)
    except ChildError as death:
        raise child.JudgeError(f"the run whose steps were to be judged {death}") from death
    return child.judge(observation)
