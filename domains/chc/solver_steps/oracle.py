"""The oracle of solver steps: the first wrong step of another run of the same mutant is its verdict."""

from __future__ import annotations

import msgspec
from chcfuzz.domains.chc.solver_steps.claims import VERSION
from chcfuzz.domains.chc.solver_steps.judge_worker import StepsReply
from chcfuzz.domains.chc.solver_steps.worker import MODULE, StepsQuery
from chcfuzz.execution.console import print_error
from chcfuzz.execution.solver_steps import JudgedSteps, RepeatableRun, first_wrong, suspicious, totals
from chcfuzz.execution.solving import Solving
from chcfuzz.execution.worker_pool import HelperProcess
from chcfuzz.mutators.chain import Mutant
from chcfuzz.oracles.verdict import SOLVER_STEPS, Verdict, VerdictKind

_JUDGES = ("our evaluator", "cvc5")


# Fixed prices in resource units: Spacer takes 3.7 units in a microsecond after its start.
_START = 92_000  # 25 ms: the repetition at verbosity 2 and the judge begin in new contexts
_START_OF_FACTS = 50_000  # 14 ms: the run for facts begins in one, too; both runs take as many units as the execution
_PRICES = {"lemma": 600, "obligation": 12_000, "fact": 16_000}  # 0.2, 3.3 and 4.4 ms
_MOST_DEATHS = 3  # of runs for facts, one after the other: then it is the release, and not the system


class StepsOracle:
    """Judges the steps of mutants; its processes start with the first one."""

    version = str(VERSION)

    def __init__(self, solving: Solving) -> None:
        self._runs = HelperProcess(MODULE, solving)
        self._deaths = 0  # runs for facts that have ended Z3, since one that has not

    def check(
        self, mutant: Mutant, first: RepeatableRun, with_facts: bool = True, with_doubts: bool = False
    ) -> JudgedSteps:
        """Judge the steps of a repetition of a run; UNDECIDED without a step that is right or wrong."""
        has_facts = with_facts and self._deaths < _MOST_DEATHS
        query = StepsQuery(mutant.text, mutant.parameters, has_facts=has_facts, has_doubts=with_doubts)
        reply = self._reply(query)
        steps = sum(_PRICES[step.kind] for step in reply.steps if step.judgement != "open")
        price = _START + first.cost + with_facts * (_START_OF_FACTS + first.cost) + steps
        is_stable = reply.death != "" or _is_repetition(reply, first)
        return JudgedSteps(_verdict(reply, is_stable), price, is_stable, suspicious(reply.steps) if is_stable else ())

    def _reply(self, query: StepsQuery) -> StepsReply:
        """Return the reports on the steps of a run, without facts if Z3 dies where it prints them."""
        reply = self._runs.request(query, StepsReply)
        if not query.has_facts:
            return reply
        if not reply.death:
            self._deaths = 0
            return reply
        reply = self._runs.request(msgspec.structs.replace(query, has_facts=False), StepsReply)
        if not reply.death:
            self._deaths += 1
            if self._deaths == _MOST_DEATHS:
                print_error(
                    f"chcfuzz: this process no longer judges facts: Z3 died {_MOST_DEATHS} times where it prints them"
                )
        return reply


def _is_repetition(reply: StepsReply, first: RepeatableRun) -> bool:
    """Return whether a run is the same by its answer and its trace; printing costs a traced build resource units."""
    return reply.status == first.status.value and f"{first.trace.hash:016x}" in reply.traces


def _verdict(reply: StepsReply, is_stable: bool) -> Verdict:
    if reply.death or reply.error or not is_stable:
        detail = reply.death or reply.error or "unstable: the repeated run has another trace"
        return Verdict(SOLVER_STEPS.name, VerdictKind.UNDECIDED, detail)
    wrong = first_wrong(reply.steps)
    if wrong is not None:
        detail = f"step {wrong.line}" + (f" ({wrong.component})" if wrong.component else "")
        kind = VerdictKind(wrong.finding)
        return Verdict(SOLVER_STEPS.name, kind, detail, wrong.script, _JUDGES, fault=wrong.fault)
    judged = any(step.judgement == "right" for step in reply.steps)
    kind = VerdictKind.PASS if judged else VerdictKind.UNDECIDED
    return Verdict(SOLVER_STEPS.name, kind, totals(reply.steps))
