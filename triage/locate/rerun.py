"""One more run of a finding, reduced if it is, in another release or build."""

from __future__ import annotations

from pathlib import Path

from chcfuzz.execution.child_process import ProcessExit
from chcfuzz.execution.domain import load
from chcfuzz.execution.exit_codes import EXIT_STUCK
from chcfuzz.execution.solving import Solving
from chcfuzz.oracles.verdict import Subject
from chcfuzz.solvers.outcome import Status
from chcfuzz.triage.locate.case import case_of
from chcfuzz.triage.locate.messages import Side
from chcfuzz.triage.locate.pool import Neighbour, RunPool
from chcfuzz.triage.reduce.condition import read_finding

_OF_ANSWERS = (Subject.ANSWER, Subject.MODEL, Subject.OUTPUT)  # these can be wrong


HANG = Status.HANG.value
STUCK = ProcessExit(EXIT_STUCK).as_death


def rerun(finding: Path, solving: Solving) -> tuple[Side, str]:
    """Run a finding as it is; return the outcome, and the answer with its judgement.

    The outcome is `Side.FAILING` if the evidence against the solver can be established again, `Side.PASSING` if the
    solver is right by the finding's witness, and `Side.NEITHER` otherwise, for a `HANG` for example. Raises
    `ChcfuzzError`.
    """
    reducible = read_finding(finding)
    case = case_of(reducible, load(solving.domain).roots)
    with RunPool(case.condition, solving) as pool:
        observed, judgement = pool.judge(Neighbour("the finding", case.system or case.chain))
    if judgement.passes:
        is_death = observed.description not in ("sat", "unsat", "unknown")
        words = "wrong" if case.condition.subject in _OF_ANSWERS else "shown again"
        return Side.FAILING, observed.description if is_death else f"{observed.description}, {words}"
    if observed.side is Side.PASSING:
        return Side.PASSING, f"{observed.description}, right"
    return Side.NEITHER, HANG if observed.description == STUCK else observed.description
