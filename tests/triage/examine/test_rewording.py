"""Signatures depend on the class of a fault, and never on the words of a message."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from chcfuzz.execution.pipeline import Execution, Pipeline
from chcfuzz.execution.solving import Solving
from chcfuzz.mutators.recipe import Recipe, encode
from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers.faults import FaultClass
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.tracing.trace import NOTHING
from chcfuzz.triage.examine.examination import Examination
from chcfuzz.triage.examine.runs import GIVEN, Runs
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.reduce.condition import Condition
from chcfuzz.triage.reduce.judge import Judge

from tests.triage.examine.test_examination import SAT
from tests.triage.examine.test_judgements import Search

RECIPE, SOLVING = Recipe(SAT), Solving(rlimit=1000)
OUTCOMES = {
    "crash": Outcome(Status.CRASH, FaultClass.SIGNAL.of("11 (Segmentation fault)"), NOTHING, 0, 0.0),
    "exception": Outcome(Status.ERROR, "Failed to verify: x", NOTHING, 0, 0.0),
    "memory": Outcome(Status.LIMIT, "out of memory", NOTHING, 17, 0.0),
    "limit": Outcome(Status.UNKNOWN, "", NOTHING, 17_000, 0.0),
}


class Reworded(Pipeline):
    """A pipeline with an outcome for everything, and with the words of its verdicts that `reworded` returns."""

    outcome: Outcome
    wrong: Verdict | None = None
    reworded: Callable[[str], str]

    def solve(self, *_: object) -> Outcome:
        return self.outcome

    def execute(self, *arguments: object, **named: object) -> Execution:
        done = super().execute(*arguments, **named)  # type: ignore[arg-type]
        found = (*done.verdicts, *([self.wrong] if self.wrong else ()))
        return replace(done, verdicts=tuple(replace(each, detail=self.reworded(each.detail)) for each in found))


def seen(kind: str, reworded: Callable[[str], str], outcome: Outcome, wrong: Verdict | None = None) -> tuple[str, ...]:
    """Return the symptom of a suspicion, the signature of its finding, and the words of the latter."""
    pipeline = Reworded(SOLVING)
    pipeline.outcome, pipeline.reworded, pipeline.wrong = outcome, reworded, wrong
    runs = Runs(pipeline, SOLVING.rlimit, (), lambda _: None)
    given = runs.execute(GIVEN, RECIPE)
    assert given is not None
    verdict = given.verdict(kind)
    suspicion = Suspicion(encode(RECIPE), kind, verdict.oracle, detail=verdict.detail, fault=verdict.fault)
    found = Examination(suspicion, RECIPE, runs, Search()).examine()
    condition = Condition(kind, "", found.signature.detail)
    assert Judge(condition, pipeline, SOLVING).judge(RECIPE).passes, "a reduction finds it again"
    return suspicion.symptom, found.signature.name, found.words


@pytest.mark.parametrize("kind", OUTCOMES)
def test_rewording_any_message_changes_neither_signature_nor_symptom(kind: str) -> None:
    *today, words = seen(kind, str, OUTCOMES[kind])
    *later, others = seen(kind, lambda _: "worded otherwise", OUTCOMES[kind])
    assert today == later
    assert (words != others, others) == (True, "worded otherwise")


@pytest.mark.parametrize(
    "kind", ["wrong-proof", "malformed-model", "wrong-interpolant", "foreign-symbol", "unreadable"]
)
def test_rewording_a_wrong_output_changes_neither_signature_nor_symptom(kind: str) -> None:
    right = Outcome(Status.UNSAT, "", NOTHING, 0, 0.0)
    wrong = Verdict("oracle", VerdictKind(kind), "cut 1 of 2: it is not implied by A", fault=FaultClass.NOT_IMPLIED)
    *today, _ = seen(kind, str, right, wrong)
    *later, others = seen(kind, lambda _: "worded otherwise", right, wrong)
    assert (today, others) == (later, "worded otherwise")
    *another, _ = seen(kind, str, right, replace(wrong, fault=FaultClass.STEP))
    assert another != today, "the class decides"
