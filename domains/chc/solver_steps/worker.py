"""The process that runs Spacer with its steps printed, and has them judged by another one (`judge_worker`).

It has the Z3 under test. Each run is in a forked child, because verbosity 2 takes standard error.
"""

from __future__ import annotations

from functools import partial

import msgspec
from chcfuzz.domains.chc.solver_steps import judge_worker
from chcfuzz.domains.chc.solver_steps.judge_worker import StepsReply
from chcfuzz.domains.chc.solver_steps.observation import ObservedRun
from chcfuzz.execution.child_process import ChildError, run_in_child
from chcfuzz.execution.codec import converted
from chcfuzz.execution.domain import load
from chcfuzz.execution.solving import Solving
from chcfuzz.execution.worker_pool import HelperProcess, begin
from chcfuzz.grammar.problem import Pairs

MODULE = "chcfuzz.domains.chc.solver_steps.worker"


class StepsQuery(msgspec.Struct, frozen=True):
    """A script, and the parameters of its run."""

    text: str
    parameters: tuple[tuple[str, str], ...]


def judged_once(solving: Solving, text: str, parameters: Pairs, given: tuple[str, str] | None) -> StepsReply:
    """Return the reports on the steps of one run of a script, or on steps in a text that is `given` with its name."""
    if given is None:
        query: object = StepsQuery(text, tuple(parameters))
        process = HelperProcess(MODULE, solving)
    else:
        query = ObservedRun(text=text, status="unknown", name=given[0], steps=given[1])
        process = HelperProcess(judge_worker.MODULE, Solving())
    try:
        return process.request(query, StepsReply)
    finally:
        process.end()


def main() -> None:
    """Run scripts until the parent ends."""
    helper = begin()
    judge = HelperProcess(judge_worker.MODULE, Solving())
    judge.start()
    helper.ready({})
    for query in helper.queries(StepsQuery, lambda: False):
        try:
            observation = converted(run_in_child(partial(_observed, helper.solving, query)), ObservedRun)
        except ChildError as death:
            helper.send(StepsReply(death=f"the run whose steps were to be judged {death}"))
        else:
            helper.send(judge.request(observation, StepsReply))


def _observed(solving: Solving, query: StepsQuery) -> object:
    """Run a script in this process, and return what Spacer prints about its steps."""
    from chcfuzz.domains.chc.solver_steps.observation import StepLog
    from chcfuzz.solvers.watchdog import Watchdog

    log = StepLog()
    solver = load(solving.domain).solver(solving, log, Watchdog(solving.wall_seconds))
    outcome = solver.solve(query.text, query.parameters, solving.rlimit)
    return msgspec.to_builtins(log.observation(query.text, query.parameters, outcome.status.value))


if __name__ == "__main__":
    main()
