"""Reports on solver steps: judgements in words, as messages and records of findings hold them."""

from __future__ import annotations

from chcfuzz.domains.chc.solver_steps.components import Component
from chcfuzz.domains.chc.solver_steps.judgement import Judged, JudgedTransform, StepJudgement
from chcfuzz.domains.chc.solver_steps.steps import Lemma, ReachFact, level_text
from chcfuzz.execution.solver_steps import SolverStepReport


def report_of_transform(judged: JudgedTransform) -> SolverStepReport:
    """Return the report on a transform; it has the number 0, because transforms run before the first step."""
    found = judged.difference
    side = "lost" if found is not None and found.is_lost else "gained"
    return SolverStepReport(
        number=0,
        kind="transform",
        predicate=judged.option,
        formula=judged.of,
        judgement=(StepJudgement.OPEN if found is None else StepJudgement.WRONG).value,
        reason="no difference is found" if found is None else f"a fact is {side}",
        facts=() if found is None else found.facts,
        script="" if found is None else found.script,
        component="" if found is None else Component.TRANSFORM.value,
    )


def report_of(judged: Judged) -> SolverStepReport:
    """Return a judgement with the kind, the level and the formula of its step as text."""
    step = judged.step
    return SolverStepReport(
        number=judged.number,
        kind="lemma" if isinstance(step, Lemma) else "fact" if isinstance(step, ReachFact) else "obligation",
        predicate=step.predicate,
        level="" if isinstance(step, ReachFact) else level_text(step.level),
        formula=" ".join(step.formula.split()),
        judgement=judged.judgement.value,
        reason=judged.reason,
        doubts=judged.doubts,
        facts=tuple(map(str, judged.facts)),
        script=judged.script,
        component=judged.component.value,
    )
