"""The answer against the promise, every combination."""

import pytest
from chcfuzz.oracles import answer
from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.tracing.trace import NOTHING


def outcome(status: Status) -> Outcome:
    return Outcome(status, "", NOTHING, cost=1, seconds=0.0)


@pytest.mark.parametrize(
    ("expected", "status", "kind"),
    [
        ("sat", Status.SAT, VerdictKind.PASS),
        ("unsat", Status.UNSAT, VerdictKind.PASS),
        ("sat", Status.UNSAT, VerdictKind.WRONG_ANSWER),
        ("unsat", Status.SAT, VerdictKind.WRONG_ANSWER),
        (None, Status.SAT, VerdictKind.UNDECIDED),
        (None, Status.UNSAT, VerdictKind.UNDECIDED),
    ],
)
def test_an_answer_is_held_against_what_is_promised(expected: str | None, status: Status, kind: VerdictKind) -> None:
    assert answer.check(expected, outcome(status)).kind is kind


@pytest.mark.parametrize("expected", ["sat", "unsat", None])
@pytest.mark.parametrize("status", [Status.UNKNOWN, Status.LIMIT, Status.HANG, Status.ERROR])
def test_no_answer_is_no_wrong_answer(expected: str | None, status: Status) -> None:
    assert answer.check(expected, outcome(status)).kind is VerdictKind.UNDECIDED


def test_a_wrong_answer_reports_both_answers() -> None:
    found = answer.check("sat", outcome(Status.UNSAT))
    assert found == Verdict("answer", VerdictKind.WRONG_ANSWER, "answers unsat, but sat is promised")


def test_only_what_a_person_should_see_is_a_finding() -> None:
    findings = {kind.value for kind in VerdictKind if kind.is_finding}
    assert {kind.value for kind in VerdictKind} - findings == {"pass", "undecided"}
    assert {"wrong-answer", "wrong-model", "exception", "crash", "disagreement"} <= findings
