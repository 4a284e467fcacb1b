"""Judgements on steps as reports."""

from __future__ import annotations

from chcfuzz.domains.chc.solver_steps.judgement import Judged
from chcfuzz.domains.chc.solver_steps.steps import Lemma, ReachFact, level_text
from chcfuzz.execution.solver_steps import SolverStepReport


def report_of(judged: Judged) -> SolverStepReport:
    """Return the report on a step."""
    step = judged.step
    return SolverStepReport(
        number=judged.number,
        kind="lemma" if isinstance(step, Lemma) else "fact" if isinstance(step, ReachFact) else "obligation",
        predicate=step.predicate,
        level="" if isinstance(step, ReachFact) else level_text(step.level),
        formula=" ".join(step.formula.split()),
        judgement=judged.judgement.value,
        reason=judged.reason,
        facts=tuple(map(str, judged.facts)),
        script=judged.script,
        component=judged.component.value,
    )
