"""The examination of a result that depends on the systems that the process solved before."""

from __future__ import annotations

from chcfuzz.mutators.recipe import Recipe, encode
from chcfuzz.oracles import outcome_checks
from chcfuzz.oracles.verdict import Verdict
from chcfuzz.solvers.faults import FaultClass
from chcfuzz.solvers.solver_session import Request
from chcfuzz.triage.examine.conclusion import Conclusion, End, SessionReport
from chcfuzz.triage.examine.runs import GIVEN, Runs
from chcfuzz.triage.examine.signature import Signature
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.shrink.recipe import reduce_chain


def examine_history(suspicion: Suspicion, recipe: Recipe, runs: Runs) -> tuple[End, str, Conclusion | None]:
    """Solve the unit twice in fresh processes, and once after the earlier requests: its result must change.

    Return the result, the words for it, and a draft of the conclusion if the result depends on the requests.
    """
    pipeline = runs.pipeline
    sessions, mutant = pipeline.solver.sessions, pipeline.mutant(recipe)
    assert sessions is not None
    alone = [pipeline.execute(mutant, second=False, fresh=True) for _ in range(2)]
    runs.send_report(GIVEN, alone[0])
    if alone[0].outcome.status is not alone[1].outcome.status:
        return End.VANISHED, "its results differ between two fresh processes, too", None

    def after(before: tuple[Request, ...]) -> Verdict:
        later = sessions.solve_after(before, mutant.text, mutant.parameters, runs.rlimit)
        return outcome_checks.carry_over(alone[0].outcome.status, later.status, len(before))

    if not after(suspicion.before).kind.is_finding:
        return End.VANISHED, "its result is the same after the same systems in a fresh process", None
    before = reduce_chain(suspicion.before, lambda kept: after(kept).kind.is_finding)
    start = tuple(sessions.start(mutant.parameters, runs.rlimit))
    request = sessions.request(mutant.text, mutant.parameters, runs.rlimit)
    session = SessionReport(start, sessions.has_server, (*before, request))
    fault = FaultClass.CARRY_OVER.of(alone[0].outcome.status.value, suspicion.seen)
    signature = Signature(suspicion.kind, not recipe.options, suspicion.seen, detail=fault)
    words = after(before).detail
    draft = Conclusion(End.VANISHED, suspicion.kind, "", encode(recipe), signature, session=session)
    return End.CONFIRMED, words, draft
