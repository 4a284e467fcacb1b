"""The choice of executions whose solver steps are judged."""

from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from chcfuzz.campaign.options import ALL
from chcfuzz.campaign.worker.outcomes import CachedOutcome
from chcfuzz.campaign.worker.step_judging import StepJudging, StepNote, StepSample, has_facts_judged
from chcfuzz.execution.solver_steps import JudgedSteps
from chcfuzz.execution.worker_pool import HelperError
from chcfuzz.mutators.recipe import Unit
from chcfuzz.oracles.verdict import SOLVER_STEPS, Verdict, VerdictKind
from chcfuzz.solvers.outcome import Status
from chcfuzz.tracing.trace import make_trace

HELPERS = 4_000_000  # price of helper processes


def outcome(cost: int, *events: int, status: Status = Status.SAT) -> CachedOutcome:
    trace = make_trace(np.array(events, np.uint32), np.array(events, np.uint16), True)
    return CachedOutcome(b"", "", status, trace, cost)


def trace_whose_hash_is(drawn: bool) -> int:
    """Return an event whose trace a hash chooses, or does not choose."""
    return next(event for event in range(1, 10_000) if (outcome(0, event).trace.hash % 16 == 0) is drawn)


def a_sample(budget: int) -> StepSample:
    """Return a sample that may spend these resource units."""
    sample = StepSample()
    sample.pay(-HELPERS - budget)
    return sample


def test_an_execution_with_a_new_trace_is_taken_if_a_budget_is_left() -> None:
    earned = (52_000 + 10) // 10
    sample = a_sample(-earned)
    assert not sample.takes(outcome(10, 1), opened=True)
    assert sample.takes(outcome(10, 1), opened=True)
    sample.pay(100_000)
    assert not sample.takes(outcome(10, 1), opened=True)


def test_rare_transitions_need_a_reserve_and_a_hash_needs_more() -> None:
    drawn, other = trace_whose_hash_is(drawn=True), trace_whose_hash_is(drawn=False)
    sample = a_sample(150_000 - 5_202)
    assert not sample.takes(outcome(20, other, other), opened=False)
    sample.pay(-2)
    assert [sample.takes(outcome(20, other, other), opened=False) for _ in range(3)] == [True, True, False]
    taken = [sample.takes(outcome(20, drawn), opened=False) for _ in range(5)]
    assert taken == [True, True, True, False, False]
    sample.pay(-300_000)
    assert sample.takes(outcome(20, drawn), opened=False)
    sample.pay(1_200_000)
    assert not sample.takes(outcome(20, drawn), opened=False)


def test_a_short_campaign_starts_no_helper_processes() -> None:
    sample = StepSample()
    taken = [sample.takes(outcome(48_000, number, number), opened=True) for number in range(1_000)]
    assert taken.index(True) == HELPERS // 10_000


def test_a_hash_chooses_the_executions_whose_facts_are_judged() -> None:
    outcomes = [outcome(0, event) for event in range(1, 2_000)]
    for each in (outcomes, [each for each in outcomes if each.trace.hash % 16 == 0]):
        assert 0.15 < sum(map(has_facts_judged, each)) / len(each) < 0.35


def test_the_share_of_judging_is_a_tenth_of_the_work_of_the_solver() -> None:
    """The work is that of undecided executions, too, and a fixed price for the start of each."""
    sample, spent = a_sample(0), 0
    for number in range(5_000):
        each = outcome(20_000, number, number + 1, status=Status.SAT if number % 4 else Status.UNKNOWN)
        if sample.takes(each, opened=number % 3 == 0):
            assert number % 4
            sample.pay(90_000)
            spent += 90_000
    assert 0.09 < spent / (5_000 * (20_000 + 52_000)) <= 0.101


def test_a_note_says_which_claims_were_judged_and_what_they_cost() -> None:
    for note in (StepNote(), StepNote("6", "", 92_000), StepNote("12", "fd", 150_000, (0, 1, 2, 0, 0, 3))):
        assert StepNote.read(note.text if note.version else "") == note
    assert StepNote.read("6fd 10 1").more == "fd"
    assert StepNote.read("6- 10").version != "6"  # of an earlier format, whose executions are judged again


class Judges:
    """A judge that decides nothing, or whose process cannot start; it counts its requests."""

    version = "7"

    def __init__(self, starts: bool = True) -> None:
        self._starts = starts
        self.asked = 0

    def check(self, *_of_run: object) -> JudgedSteps:
        self.asked += 1
        if not self._starts:
            raise HelperError("no process")
        return JudgedSteps(Verdict(SOLVER_STEPS.name, VerdictKind.UNDECIDED), 5, True, ())


def judging_all(judges: Judges, features: str = "all") -> StepJudging:
    context: Any = SimpleNamespace(
        options=SimpleNamespace(judged_steps=ALL, features=features),
        pipeline=SimpleNamespace(second_opinion=SimpleNamespace(steps=judges), mutant=lambda _recipe: None),
        account=SimpleNamespace(charging=lambda _counter: nullcontext()),
        counters=SimpleNamespace(add=lambda *_count: None),
    )
    feedback: Any = SimpleNamespace(show_steps=lambda _suspicious: None)
    reporter: Any = None
    return StepJudging(context, feedback, reporter)


@pytest.mark.parametrize(
    ("note", "features", "asked"),
    [
        ("7f 5", "all", 0),
        ("7fd 5", "all", 0),
        ("7 5", "all", 1),
        ("6f 5", "all", 1),
        ("7f 5", "steps", 1),
        ("", "all", 1),
    ],
)
def test_a_cached_outcome_is_judged_again_if_its_note_lacks_what_is_wanted(
    note: str, features: str, asked: int
) -> None:
    judges, cached = Judges(), CachedOutcome(b"", "", Status.SAT, outcome(0, 1).trace, 0, steps=note)
    found = judging_all(judges, features).judged(Unit(b"unit"), None, cached, opened=False)
    assert judges.asked == asked
    assert StepNote.read(found.steps).version == "7"
    assert "f" in StepNote.read(found.steps).more


def test_a_judge_that_cannot_start_costs_one_line_and_is_not_asked_again(capsys: pytest.CaptureFixture[str]) -> None:
    judges = Judges(starts=False)
    judging = judging_all(judges)
    for _ in range(2):
        assert judging.judged(Unit(b"unit"), None, outcome(0, 1), opened=True).steps == ""
    assert judges.asked == 1
    assert capsys.readouterr().err == "chcfuzz: this worker no longer judges solver steps: no process\n"
