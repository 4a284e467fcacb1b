"""The process that runs Spacer with its steps printed, and has them judged by another one (`judge_worker`).

It has the Z3 under test. Runs of campaigns are in this process, which is replaced if Z3 ends it: two forks took a third
of the time of judging a small system. A query that traces a wrong lemma to its component makes more runs, each in a
forked child.
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
from chcfuzz.domains.chc.solver_steps.observation import ObservedRun, TransformRun
from chcfuzz.domains.chc.solver_steps.preparation import prepare
from chcfuzz.domains.chc.solver_steps.spacer_output import FACT
from chcfuzz.execution import domain
from chcfuzz.execution.child_process import ChildError, run_in_child
from chcfuzz.execution.codec import converted
from chcfuzz.execution.solver_steps import WRONG, first_wrong
from chcfuzz.execution.solving import Solving
from chcfuzz.execution.worker_pool import HelperProcess, begin
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.problem import Pairs
from chcfuzz.grammar.reading.parse import parse

MODULE = "chcfuzz.domains.chc.solver_steps.worker"


class StepsQuery(msgspec.Struct, frozen=True):
    """A script, the parameters of its run, and whether a wrong lemma `is_traced` to a component by further runs.

    Without `has_facts`, no other run searches facts. With `has_doubts`, lemmas that hold barely are searched, too.
    """

    text: str
    parameters: tuple[tuple[str, str], ...]
    is_traced: bool = False
    has_facts: bool = True
    has_doubts: bool = False


def judged_once(solving: Solving, text: str, parameters: Pairs, given: tuple[str, str] | None) -> StepsReply:
    """Return the reports on the steps of one run of a script, or on steps in a text that is `given` with its name."""
    if given is None:
        query: object = StepsQuery(text, tuple(parameters), is_traced=True, has_doubts=True)
        process = HelperProcess(MODULE, solving)
    else:
        query = ObservedRun(text=text, status="unknown", name=given[0], steps=given[1], has_doubts=True)
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
    observer = StepsObserver(helper.solving)
    helper.ready({})
    for query in helper.queries(StepsQuery):
        if query.is_traced:
            helper.send(_traced(helper.solving, judge, query))
        else:
            helper.send(judge.request(observer.with_facts(query), StepsReply))


def load(solving: Solving) -> None:
    """Load all that forked children need, once; see `preparation`."""
    import chcfuzz.domains.chc.solver_steps.reach_facts
    import chcfuzz.domains.chc.solvers.verbose_output  # noqa: F401  (as the line above)
    from chcfuzz.solvers.watchdog import Watchdog
    from chcfuzz.solvers.z3_parameters import fixedpoint_parameters

    prepare()
    fixedpoint_parameters()
    domain.load(solving.domain).solver(solving, None, Watchdog(solving.wall_seconds))


class StepsObserver:
    """Runs scripts in this process, and reads what Spacer prints about its steps."""

    def __init__(self, solving: Solving) -> None:
        from chcfuzz.domains.chc.solver_steps.observation import StepLog
        from chcfuzz.domains.chc.solvers.verbose_output import verbose_output
        from chcfuzz.solvers.watchdog import Watchdog
        from chcfuzz.solvers.z3_release import active
        from chcfuzz.tracing.traced_library import TracedLibrary

        library = active().traced
        traced = None if library is None else TracedLibrary(library, solving.trace_tags)
        self._rlimit = solving.rlimit
        self._watchdog = Watchdog(solving.wall_seconds)
        self._log = StepLog(verbose_output() is not None, traced)
        self._solver = domain.load(solving.domain).solver(solving, self._log, self._watchdog)

    def run(self, query: StepsQuery) -> ObservedRun:
        """Run a script."""
        outcome = self._solver.solve(query.text, query.parameters, self._rlimit)
        observation = self._log.observation(query.text, query.parameters, outcome.status.value)
        return msgspec.structs.replace(observation, has_doubts=query.has_doubts)

    def with_facts(self, query: StepsQuery) -> ObservedRun:
        """Run a script, and once more through the API of fixedpoints for the facts, unless the log has them."""
        from chcfuzz.domains.chc.solver_steps.reach_facts import found_facts

        observation = self.run(query)
        if not query.has_facts or FACT in observation.log:
            return observation
        try:
            system = parse(query.text, "the script")
        except GrammarError:  # a mutant without clauses
            return observation
        options = tuple(options_of(system, query.parameters).items())
        found = found_facts(system, options, self._rlimit, self._watchdog)
        return msgspec.structs.replace(observation, facts=found.facts, refusal_of_facts=found.refusal)


def _judged(solving: Solving, judge: HelperProcess, query: StepsQuery) -> StepsReply:
    """Return the reports on the steps of a run in a child, and on transforms if they are traced."""
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
        return observed_apart(solving, query)
    return observed_apart(solving, msgspec.structs.replace(query, has_facts=False))


def observed_apart(solving: Solving, query: StepsQuery) -> ObservedRun:
    """Return a run in a forked child; raises `ChildError` if Z3 ends it."""

    def run() -> object:
        return msgspec.to_builtins(StepsObserver(solving).with_facts(query))

    return converted(run_in_child(run), ObservedRun)


def _traced(solving: Solving, judge: HelperProcess, query: StepsQuery) -> StepsReply:
    """Return the reports; the first wrong step has the switches without which no step is wrong in the same way."""
    from chcfuzz.solvers.z3_parameters import fixedpoint_parameters

    reply = _judged(solving, judge, query)
    wrong = first_wrong(reply.steps)
    if wrong is None or wrong.component not in SWITCHED:
        return reply
    found = []
    options = options_of(parse(query.text, "the script"), query.parameters)
    defaults = {f"fp.{row.name}": row.default for row in fixedpoint_parameters()}
    for switch in switches_on(options, defaults):
        changed = tuple((options | {switch.option: switch.off}).items())
        again = StepsQuery(query.text, changed, has_facts=wrong.kind == FACT)
        steps = _judged(solving, judge, again).steps
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
                    run = observed_apart(solving, StepsQuery(text, alone(option, own), has_facts=False))
                    yield TransformRun(option, text, run.printed)


def _neighbour(text: str) -> str:
    """Return the script of the neighbour of a script, empty without one; in a process of its own."""
    from chcfuzz.domains.chc.solver_steps.transforms import with_reached_query

    return with_reached_query(parse(text, "the script"))


if __name__ == "__main__":
    main()
