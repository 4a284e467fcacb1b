"""The process that executes a user's own problem once (`own_file`, `execution.worker_pool`)."""

from __future__ import annotations

from chcfuzz.execution.worker_pool import begin


def main() -> None:
    """Run the process until its input ends."""
    helper = begin()
    from chcfuzz.execution.identity import solver_key
    from chcfuzz.execution.pipeline import Execution, Pipeline, describe, report
    from chcfuzz.mutators.recipe import read
    from chcfuzz.oracles.verdict import PROOF, Verdict, VerdictKind
    from chcfuzz.triage.examine.suspect import Suspect, suspects
    from chcfuzz.triage.findings.own_file_messages import FileQuery, FileReady, FileReply

    solving = helper.solving
    pipeline = Pipeline(solving)
    helper.ready(FileReady(solver_key(solving, pipeline.domain.inside(solving))))

    def is_proved(execution: Execution) -> bool:
        return VerdictKind.PASS in (execution.model_verdict, execution.proof_verdict)

    for query in helper.queries(FileQuery):
        recipe = read(query.unit).recipe
        mutant = pipeline.mutant(recipe)
        known = pipeline.answers.of(recipe.seed)
        tested = pipeline.domain.tested(solving, mutant.parameters)
        helper.send(FileReply(described=describe(recipe, mutant), solver=solver_key(solving, tested)))
        execution = pipeline.execute(mutant, second=True)
        found = [suspect.suspicion(solving, known).written() for suspect in suspects(recipe, execution)]
        helper.send(FileReply(report=report(execution), suspicions=tuple(found)))
        status = execution.outcome.status
        if status.is_decided and not is_proved(execution):
            verdict = Verdict(PROOF.name, VerdictKind.WRONG_ANSWER, "no witness is known yet")
            doubt = Suspect(recipe, mutant, verdict, status).suspicion(solving, known)
            helper.send(FileReply(doubt=doubt.written()))


if __name__ == "__main__":
    main()
