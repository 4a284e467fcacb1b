"""The effects of a patch: what counts as a cure, and which changed answers are wrong."""

from dataclasses import replace
from pathlib import Path

import pytest
from chcfuzz.corpus_tools.fix_trial import corpus_effect, costs, effect
from chcfuzz.corpus_tools.regress import Compared, Seen, compared
from chcfuzz.triage.findings.fix import Effect
from chcfuzz.triage.locate.messages import Side

SAT, UNSAT = Seen("sat", cost=100_000), Seen("unsat", cost=100_000)
WRONG = replace(SAT, wrong_model="clause 1 is false")


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        (Side.FAILING, Side.PASSING, Effect.CURED),
        (Side.FAILING, Side.FAILING, Effect.STILL),
        (Side.FAILING, Side.NEITHER, Effect.UNCLEAR),
        (Side.PASSING, Side.FAILING, Effect.NEW),
        (Side.NEITHER, Side.PASSING, Effect.ABSENT),
    ],
)
def test_only_a_right_answer_is_a_cure(before: Side, after: Side, found: Effect) -> None:
    assert effect(before, after) is found


@pytest.mark.parametrize(
    ("old", "new", "expected", "is_wrong"),
    [
        (SAT, UNSAT, "unsat", False),
        (SAT, UNSAT, "sat", True),
        (SAT, UNSAT, None, None),
        (SAT, WRONG, None, True),
        (WRONG, SAT, None, False),
        (SAT, Seen("unknown", "limit"), "sat", False),
        (SAT, Seen("death", "signal 11"), "sat", True),
    ],
)
def test_a_changed_answer_is_wrong_by_the_promise_or_by_itself(
    old: Seen, new: Seen, expected: str | None, is_wrong: bool | None
) -> None:
    each = Compared(Path("a.smt2"), expected, old, new, compared(old, new, 2.0))
    assert corpus_effect(each).is_wrong is is_wrong


def test_costs_are_those_of_units_that_are_decided_twice() -> None:
    units = [(SAT, replace(SAT, cost=50_000)), (SAT, Seen("unknown", cost=7)), (UNSAT, UNSAT)]
    found = [Compared(Path("a"), None, old, new, compared(old, new, 2.0)) for old, new in units]
    assert costs(found) == (200_000, 150_000)
