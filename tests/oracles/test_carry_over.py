"""Answers of a process that solved other systems before, compared with those of a fresh process."""

import pytest
from chcfuzz.oracles.carry_over import compared
from chcfuzz.oracles.verdict import VerdictKind, asks_others
from chcfuzz.solvers.outcome import Status


@pytest.mark.parametrize(
    ("fresh", "later", "kind"),
    [
        (Status.SAT, Status.SAT, VerdictKind.PASS),
        (Status.SAT, Status.UNKNOWN, VerdictKind.CARRY_OVER),
        (Status.UNSAT, Status.CRASH, VerdictKind.CARRY_OVER),
        (Status.HANG, Status.SAT, VerdictKind.UNDECIDED),
        (Status.SAT, Status.LIMIT, VerdictKind.UNDECIDED),
    ],
)
def test_another_end_is_a_finding_unless_a_limit_made_it(fresh: Status, later: Status, kind: VerdictKind) -> None:
    verdict = compared(fresh, later, 3)
    assert verdict.kind is kind
    assert not asks_others(verdict.oracle)


def test_the_words_say_what_came_before() -> None:
    result = compared(Status.SAT, Status.UNKNOWN, 1).detail
    assert result == "unknown after 1 other system in the same process, sat in a process of its own"
