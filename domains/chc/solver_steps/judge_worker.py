"""The process that judges the steps of runs with the installed Z3, so that no solver judges its own steps.

It answers queries in the way of `execution.worker_pool`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec
from chcfuzz.domains.chc.solver_steps.observation import ObservedRun
from chcfuzz.domains.chc.solver_steps.preparation import prepare
from chcfuzz.domains.chc.solver_steps.report import report_of, report_of_transform
from chcfuzz.execution.domain import MOST_LOST
from chcfuzz.execution.solver_steps import WRONG, SolverStepReport
from chcfuzz.execution.worker_pool import helper
from chcfuzz.grammar.errors import ChcfuzzError, GrammarError
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.solvers import z3_release
from chcfuzz.solvers.outcome import Status

if TYPE_CHECKING:
    from chcfuzz.domains.chc.solver_steps.judge import StepJudge
    from chcfuzz.domains.chc.solver_steps.judgement import Judged
    from chcfuzz.domains.chc.solver_steps.spacer_rules import RealRules
    from chcfuzz.domains.chc.solver_steps.steps import SolverStep

MODULE = "chcfuzz.domains.chc.solver_steps.judge_worker"


class StepsReply(msgspec.Struct, frozen=True, omit_defaults=True):
    """Reports on the steps of a run, or an `error` from outside; `death` if the process that judged died.

    `status` is that of the run, and `traces` are the hashes that it may have without verbosity.
    """

    steps: tuple[SolverStepReport, ...] = ()
    status: str = ""
    traces: tuple[str, ...] = ()
    error: str = ""
    death: str = ""


def main() -> None:
    """Judge runs until the parent ends."""
    process = helper()
    z3_release.activate()
    load()
    process.ready({})
    for observation in process.queries(ObservedRun, has_lost_memory):
        process.send(reply_to(observation))


def load() -> None:
    """Load all that a judgement needs."""
    import chcfuzz.domains.chc.solver_steps.judge
    import chcfuzz.domains.chc.solver_steps.spacer_output
    import chcfuzz.domains.chc.solver_steps.transforms  # noqa: F401  (as the lines above)

    prepare()


def has_lost_memory() -> bool:
    """Return whether Z3 still holds more memory after a judgement than a process may lose."""
    from chcfuzz.solvers.z3_errors import held_memory

    return held_memory() > MOST_LOST


def reply_to(observation: ObservedRun) -> StepsReply:
    """Return the reports on the steps of a run, or the error in a text of steps."""
    try:
        return StepsReply(reports(observation), observation.status, observation.traces)
    except ChcfuzzError as error:
        return StepsReply(error=str(error))


def reports(observation: ObservedRun) -> tuple[SolverStepReport, ...]:
    """Return the report on each step, in their order, by the Z3 of this process; it must be activated.

    Raises `GrammarError` for a text of steps that is not read, and for output of Spacer with a broken line.
    """
    from chcfuzz.domains.chc.solver_steps.claims import ended, options_of
    from chcfuzz.domains.chc.solver_steps.judge import StepJudge, prover_of
    from chcfuzz.domains.chc.solver_steps.judgement import open_step
    from chcfuzz.domains.chc.solver_steps.spacer_output import broken_line, steps_in
    from chcfuzz.domains.chc.solver_steps.spacer_rules import real_rules
    from chcfuzz.domains.chc.solver_steps.steps import ReachFact
    from chcfuzz.domains.chc.solver_steps.text_format import read_steps, without_queries
    from chcfuzz.domains.chc.solver_steps.transforms import judged_transforms

    system = parse(observation.text, "observation")
    rules: RealRules | None
    steps: Iterable[SolverStep]
    if observation.steps is not None:
        rules, steps, status = read_steps(observation.steps, system, observation.name)
    else:
        broken = broken_line(observation.log, observation.printed)
        if broken:
            raise GrammarError(
                "the solver's output", 1, 1, "the line of a step is broken, so no step is judged", broken
            )
        rules = real_rules(observation.printed, system)
        steps, status = steps_in(observation.log, observation.printed), Status(observation.status)
    claims = ended(options_of(system, observation.parameters))
    prover = prover_of(system)
    of_run = None if rules is None else StepJudge(system, rules, claims, prover, is_given=observation.steps is not None)
    if of_run is None:
        judged = [open_step(number, step, "the rules of the run are not read") for number, step in enumerate(steps, 1)]
    else:
        judged = of_run.judged(steps, status, observation.has_doubts)
    facts = [ReachFact(name, text) for name, text in observation.facts]
    of_facts = StepJudge(system, without_queries(system), claims, prover)
    first_fact = judged[-1].number + 1 if judged else 1
    found = list(of_facts.judged_facts(facts, first_fact))
    if observation.refusal_of_facts:
        none = ReachFact("any predicate", observation.refusal_of_facts)
        found.append(open_step(first_fact, none, "the run that prints facts ended early"))
    by = [(of_run, each) for each in judged] + [(of_facts, each) for each in found]
    exposing = _exposing(by)
    reported = (msgspec.structs.replace(report_of(each), exposing=exposing.get(each.number, ())) for _, each in by)
    return (*map(report_of_transform, judged_transforms(observation.transforms)), *reported)


def _exposing(judged: Sequence[tuple[StepJudge | None, Judged]]) -> dict[int, tuple[str, ...]]:
    """Return the systems that expose the first wrong step, by its number; each step is given with its judge."""
    for judge, each in judged:
        if judge is not None and each.judgement.value == WRONG:
            return {each.number: tuple(dict.fromkeys(judge.exposing(each)))}
    return {}


if __name__ == "__main__":
    main()
