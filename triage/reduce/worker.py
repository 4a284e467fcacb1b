"""The process that judges candidates of a reduction (`messages`, `execution.worker_pool`).

It reads the condition, then units. It answers each unit with one line as soon as the mutant exists, and with another
one after judging it: so the parent knows the mutant even if the solver kills the process.
"""

from __future__ import annotations

from chcfuzz.execution.worker_pool import begin
from chcfuzz.triage.reduce.condition import Condition
from chcfuzz.triage.reduce.messages import Candidate, JudgeReady, JudgeReply


def main() -> None:
    """Run the process until its input ends."""
    helper = begin()
    solving = helper.solving
    from chcfuzz.execution.pipeline import Pipeline
    from chcfuzz.mutators.recipe import decode
    from chcfuzz.oracles.verdict import is_wrong_step
    from chcfuzz.triage.reduce.judge import Judge

    condition = helper.receive(Condition)
    pipeline = Pipeline(solving, judges_steps=is_wrong_step(condition.kind))
    judge = Judge(condition, pipeline, solving)
    helper.ready(JudgeReady(dict(pipeline.solver.defaults)))
    for candidate in helper.queries(Candidate):
        recipe = decode(candidate.unit)
        helper.send(JudgeReply(system=pipeline.mutant(recipe).text))
        helper.send(JudgeReply(judgement=judge.judge(recipe)))


if __name__ == "__main__":
    main()
