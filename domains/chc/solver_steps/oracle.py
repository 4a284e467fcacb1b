"""The oracle of solver steps: the first wrong step of another run of the same mutant is its verdict."""

from __future__ import annotations

from chcfuzz.domains.chc.solver_steps.judge_worker import StepsReply
from chcfuzz.domains.chc.solver_steps.worker import MODULE, StepsQuery
from chcfuzz.execution.solver_steps import first_wrong, totals
from chcfuzz.execution.solving import Solving
from chcfuzz.execution.worker_pool import HelperProcess
from chcfuzz.mutators.chain import Mutant
from chcfuzz.oracles.verdict import SOLVER_STEPS, Verdict, VerdictKind

_JUDGES = ("our evaluator", "cvc5")


class StepsOracle:
    """Judges the steps of mutants; its processes start with the first one."""

    def __init__(self, solving: Solving) -> None:
        self._runs = HelperProcess(MODULE, solving)

    def check(self, mutant: Mutant) -> Verdict:
        """Return the verdict on the steps of a run of a mutant; UNDECIDED without a step that is right or wrong."""
        reply = self._runs.request(StepsQuery(mutant.text, mutant.parameters), StepsReply)
        if reply.death or reply.error:
            return Verdict(SOLVER_STEPS.name, VerdictKind.UNDECIDED, reply.death or reply.error)
        wrong = first_wrong(reply.steps)
        if wrong is not None:
            detail = f"step {wrong.line}" + (f" ({wrong.component})" if wrong.component else "")
            return Verdict(
                SOLVER_STEPS.name, VerdictKind(wrong.finding), detail, wrong.script, _JUDGES, fault=wrong.fault
            )
        judged = any(step.judgement == "right" for step in reply.steps)
        kind = VerdictKind.PASS if judged else VerdictKind.UNDECIDED
        return Verdict(SOLVER_STEPS.name, kind, totals(reply.steps))
