"""Estimates of new traces and signatures, compared with what simulated campaigns bring."""

from __future__ import annotations

import numpy as np
import pytest
from chcfuzz.campaign.runs.estimate import ObservedCounts, Outlook

DRAWS = 2000


def observations(number: int, seed: int) -> list[str]:
    """Return draws from 2,000 things, a few of which are frequent, as traces are."""
    weights = 1 / np.arange(1, 2001)
    drawn = np.random.default_rng(seed).choice(len(weights), number, p=weights / weights.sum())
    return [str(thing) for thing in drawn]


@pytest.mark.parametrize("seed", range(5))
def test_as_many_executions_again_bring_what_was_estimated(seed: int) -> None:
    both = observations(2 * DRAWS, seed)
    came = len(set(both)) - len(set(both[:DRAWS]))
    assert ObservedCounts.of(DRAWS, both[:DRAWS]).more(DRAWS) == pytest.approx(came, rel=0.25)


@pytest.mark.parametrize("seed", range(5))
def test_the_chance_is_that_of_the_next_execution(seed: int) -> None:
    drawn = observations(DRAWS, seed)
    weights = 1 / np.arange(1, 2001)
    unseen = sum(weight for thing, weight in enumerate(weights) if str(thing) not in set(drawn)) / weights.sum()
    assert ObservedCounts.of(DRAWS, drawn).chance == pytest.approx(unseen, rel=0.25)


def test_what_was_seen_often_brings_nothing_new() -> None:
    seen = ObservedCounts.of(1000, ["a", "b"] * 500)
    assert (seen.chance, seen.unseen, seen.more(1e6)) == (0, 0, 0)


def test_more_executions_never_bring_more_than_what_is_unseen() -> None:
    seen = ObservedCounts(100, once=20, twice=10)
    assert seen.more(10) < seen.more(100) < seen.more(1e9) <= seen.unseen


def test_a_single_observation_promises_no_more_than_its_own_rate() -> None:
    assert ObservedCounts(50, once=1, twice=0).more(1e6) == pytest.approx(1 / 50)


def test_the_outlook_is_for_an_hour_at_the_present_speed() -> None:
    outlook = Outlook(36.0, ObservedCounts(100, once=50, twice=5), ObservedCounts(100, once=1, twice=1))
    assert outlook.executions_an_hour == 10_000
    assert outlook.description() == (
        "at least about 250 new traces (one mutant in 2 opens a trace) and 0.5 new signatures of findings"
    )
    assert outlook.summary()["traces"] == {"once": 50, "twice": 5, "chance": 0.5, "next_hour": 247.5}


@pytest.mark.parametrize(("once", "shown"), [(37, "2,700"), (1300, "76.9"), (1, "100,000"), (100_000, "1")])
def test_the_rate_of_new_traces_has_no_exponent(once: int, shown: str) -> None:
    text = Outlook(36.0, ObservedCounts(100_000, once, twice=5), ObservedCounts(100_000, 0, 0)).description()
    assert f"(one mutant in {shown} opens a trace)" in text


@pytest.mark.parametrize(("once", "expected"), [(0, "no findings, so no"), (1, "too few findings for an")])
def test_few_findings_are_no_reason_to_expect_none(once: int, expected: str) -> None:
    text = Outlook(36.0, ObservedCounts(100, once=50, twice=5), ObservedCounts(100, once, twice=0)).description()
    assert text.endswith(f"opens a trace); {expected} estimate of theirs")


def test_an_estimate_from_features_does_not_call_every_new_trace_one() -> None:
    text = Outlook(
        36.0, ObservedCounts(100, once=50, twice=5), ObservedCounts(100, 0, 0), has_features=True
    ).description()
    assert text.startswith("at least about 250 traces with a new feature (one mutant in 2 has one)")
    text = Outlook(
        36.0, ObservedCounts(100, once=0, twice=5), ObservedCounts(100, 0, 0), has_features=True
    ).description()
    assert text.startswith("at least about 0.0 traces with a new feature (no mutant has one)")
    assert Outlook(36.0, ObservedCounts(100, 50, 5), ObservedCounts(100, 0, 0), has_features=True).summary()[
        "has_features"
    ]


def test_a_campaign_without_mutants_has_no_estimate() -> None:
    nothing = ObservedCounts(0, 0, 0)
    assert Outlook(1.0, nothing, nothing).description() == "no estimate, since no mutant has an answer"
    assert Outlook(0.0, nothing, nothing).summary()["traces"]["next_hour"] == 0
