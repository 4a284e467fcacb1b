"""The process that runs Spacer with its steps printed, and has them judged by another one (`judge_worker`).

It has the Z3 under test. Each run is in a forked child, because verbosity 2 takes standard error.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial

import msgspec
from chcfuzz.domains.chc.solver_steps import judge_worker
from chcfuzz.domains.chc.solver_steps.claims import options_of
from chcfuzz.domains.chc.solver_steps.components import SWITCHED, switches_on
from chcfuzz.domains.chc.solver_steps.judge_worker import StepsReply
from chcfuzz.domains.chc.solver_steps.observation import FoundFacts, ObservedRun, TransformRun
from chcfuzz.domains.chc.solver_steps.preparation import prepare
from chcfuzz.domains.chc.solver_steps.spacer_output import FACT
from chcfuzz.execution import domain
from chcfuzz.execution.child_process import ChildError, run_in_child
from chcfuzz.execution.codec import converted
from chcfuzz.execution.solver_steps import WRONG, first_wrong
from chcfuzz.execution.solving import Solving
from chcfuzz.execution.worker_pool import HelperProcess, begin
from chcfuzz.grammar.problem import Pairs
from chcfuzz.grammar.reading.parse import parse

MODULE = "chcfuzz.domains.chc.solver_steps.worker"


class StepsQuery(msgspec.Struct, frozen=True):
    """A script, the parameters of its run, and whether a wrong lemma `is_traced` to a component by further runs."""

    text: str
    parameters: tuple[tuple[str, str], ...]
    is_traced: bool = False


def judged_once(solving: Solving, text: str, parameters: Pairs, given: tuple[str, str] | None) -> StepsReply:
    """Return the reports on the steps of one run of a script, or on steps in a text that is `given` with its name."""
    if given is None:
        query: object = StepsQuery(text, tuple(parameters), is_traced=True)
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
    load(helper.solving)
    helper.ready({})
    for query in helper.queries(StepsQuery, lambda: False):
        reply = _judged(helper.solving, judge, query)
        helper.send(_traced(helper.solving, judge, query, reply) if query.is_traced else reply)


def load(solving: Solving) -> None:
    """Load all that forked children need, once; see `preparation`."""
    import chcfuzz.domains.chc.solver_steps.reach_facts
    import chcfuzz.domains.chc.solvers.verbose_output  # noqa: F401  (as the line above)
    from chcfuzz.solvers.watchdog import Watchdog
    from chcfuzz.solvers.z3_parameters import fixedpoint_parameters

    prepare()
    fixedpoint_parameters()
    domain.load(solving.domain).solver(solving, None, Watchdog(solving.wall_seconds))


def _judged(solving: Solving, judge: HelperProcess, query: StepsQuery) -> StepsReply:
    """Return the reports on the steps of a run."""
    try:
        observation = _observed_with_facts(solving, query)
    except ChildError as death:
        return StepsReply(death=f"the run whose steps were to be judged {death}")
    if query.is_traced:
        runs = _transform_runs(solving, query)
        observation = msgspec.structs.replace(observation, transforms=tuple(runs))
    return judge.request(observation, StepsReply)


def _observed_with_facts(solving: Solving, query: StepsQuery) -> ObservedRun:
    """Return a run and the facts of another one, both in one child; raises `ChildError` if Z3 ends the first."""
    with suppress(ChildError):  # Z3 may end the process where it cannot print facts
        return converted(run_in_child(partial(_with_facts, solving, query)), ObservedRun)
    return converted(run_in_child(partial(observed, solving, query)), ObservedRun)


def _with_facts(solving: Solving, query: StepsQuery) -> object:
    """Run a script in this process, and once more for the facts unless the log has them."""
    observation = _observed(solving, query)
    if FACT not in observation.log:
        observation = msgspec.structs.replace(observation, facts=_found_facts(solving, query).facts)
    return msgspec.to_builtins(observation)


def _traced(solving: Solving, judge: HelperProcess, query: StepsQuery, reply: StepsReply) -> StepsReply:
    """Add to the first wrong step the switches without which no step is wrong in the same way."""
    from chcfuzz.solvers.z3_parameters import fixedpoint_parameters

    wrong = first_wrong(reply.steps)
    if wrong is None or wrong.component not in SWITCHED:
        return reply
    found = []
    options = options_of(parse(query.text, "the script"), query.parameters)
    defaults = {f"fp.{row.name}": row.default for row in fixedpoint_parameters()}
    for switch in switches_on(options, defaults):
        changed = tuple((options | {switch.option: switch.off}).items())
        steps = _judged(solving, judge, StepsQuery(query.text, changed)).steps
        if steps and not any(each.judgement == WRONG and each.kind == wrong.kind for each in steps):
            found.append(switch.name)
    traced = msgspec.structs.replace(wrong, switches=tuple(found))
    return msgspec.structs.replace(reply, steps=tuple(traced if each is wrong else each for each in reply.steps))


def _transform_runs(solving: Solving, query: StepsQuery) -> Iterator[TransformRun]:
    """Yield a run for each transform that the options turn on, on the script and on its neighbour."""
    from chcfuzz.domains.chc.solver_steps.transform_options import alone, running

    system = parse(query.text, "the script")
    own = options_of(system, query.parameters)
    with suppress(ChildError):
        near = converted(run_in_child(partial(_neighbour, query.text)), str)
        for option in running(own):
            for text in dict.fromkeys((query.text, near or query.text)):
                with suppress(ChildError):
                    run = partial(observed, solving, StepsQuery(text, alone(option, own)))
                    yield TransformRun(option, text, converted(run_in_child(run), ObservedRun).printed)


def _neighbour(text: str) -> str:
    """Return the script of the neighbour of a script, empty without one; in a process of its own."""
    from chcfuzz.domains.chc.solver_steps.transforms import with_reached_query

    return with_reached_query(parse(text, "the script"))


def _found_facts(solving: Solving, query: StepsQuery) -> FoundFacts:
    """Return the facts that a run through the API of fixedpoints finds in this process."""
    from chcfuzz.domains.chc.solver_steps.reach_facts import found_facts
    from chcfuzz.solvers.watchdog import Watchdog

    system = parse(query.text, "the script")
    options = tuple(options_of(system, query.parameters).items())
    return found_facts(system, options, solving.rlimit, Watchdog(solving.wall_seconds))


def observed(solving: Solving, query: StepsQuery) -> object:
    """Run a script in this process, and return what Spacer prints about its steps, as JSON can hold it."""
    return msgspec.to_builtins(_observed(solving, query))


def _observed(solving: Solving, query: StepsQuery) -> ObservedRun:
    from chcfuzz.domains.chc.solver_steps.observation import StepLog
    from chcfuzz.domains.chc.solvers.verbose_output import verbose_output
    from chcfuzz.solvers.watchdog import Watchdog
    from chcfuzz.solvers.z3_release import active
    from chcfuzz.tracing.traced_library import TracedLibrary

    library = active().traced
    traced = None if library is None else TracedLibrary(library, solving.trace_tags)
    log = StepLog(verbose_output() is not None, traced)
    solver = domain.load(solving.domain).solver(solving, log, Watchdog(solving.wall_seconds))
    outcome = solver.solve(query.text, query.parameters, solving.rlimit)
    return log.observation(query.text, query.parameters, outcome.status.value)


if __name__ == "__main__":
    main()
