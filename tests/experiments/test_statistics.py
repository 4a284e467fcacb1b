"""Statistics of trials: against values from the papers' definitions and from counting."""

import itertools
import math

import pytest
from chcfuzz.experiments.statistics import Sample, compared, geometric_mean, holm, median_interval, p_text, survival


def sample(*values: float, cut: int = 0) -> Sample:
    """The values, and then as many trials that ended at 100 without the event."""
    return Sample((*values, *[100.0] * cut), (*[False] * len(values), *[True] * cut))


def test_the_median_is_infinite_where_half_of_the_trials_are_censored() -> None:
    assert sample(1, 2, 9).median == 2
    assert sample(1, 2, cut=1).median == 2
    assert sample(1, 2, cut=2).median == math.inf
    assert sample(1, cut=2).median == math.inf


def test_an_interval_holds_the_median_and_is_the_same_each_time() -> None:
    given = sample(*range(1, 21))
    found = median_interval(given)
    assert found.low <= given.median <= found.high
    assert (found.low, found.high) == (median_interval(given).low, median_interval(given).high)
    assert 5 <= found.low < 10.5 < found.high <= 16
    assert median_interval(sample(3, 3, 3, cut=1)).low == 3


def test_a12_is_the_share_of_pairs_in_which_the_second_is_faster() -> None:
    a, b = sample(3, 7, 7, 40, cut=1), sample(1, 7, 8)
    pairs = list(itertools.product(a.ranked, b.ranked))
    share = sum((x > y) + 0.5 * (x == y) for x, y in pairs) / len(pairs)
    assert compared(a, b).a12 == pytest.approx(share)
    assert compared(b, a).a12 == pytest.approx(1 - share)


def test_p_is_small_for_samples_that_lie_apart_and_large_for_equal_ones() -> None:
    fast, slow = sample(*range(1, 11)), sample(*range(50, 60))
    assert compared(slow, fast).p < 0.001
    assert compared(slow, fast).logrank < 0.001
    assert compared(fast, fast).p > 0.9
    assert compared(sample(cut=5), sample(cut=5)).p == pytest.approx(1)
    assert compared(sample(cut=5), sample(cut=5)).logrank == 1


def test_a_survival_curve_counts_censored_trials_until_they_end() -> None:
    given = Sample((1.0, 2.0, 3.0), (False, True, False))
    # Kaplan-Meier by hand: 2/3 after 1; the censored trial leaves the risk set; 0 after 3.
    assert [share for _, share in survival(given)] == pytest.approx([2 / 3, 2 / 3, 0.0])
    assert survival(sample(cut=3)) == []


def test_a_small_p_is_not_printed_as_zero() -> None:
    assert [p_text(p) for p in (0.0004, 0.0006, 0.25, 1)] == ["< 0.001", "0.001", "0.250", "1.000"]


def test_holm_corrects_the_smallest_most() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_a_geometric_mean_weighs_ratios() -> None:
    assert geometric_mean([1, 100]) == pytest.approx(10)


def test_events_at_the_same_time_in_both_samples_have_no_difference() -> None:
    same = Sample((0.0, 0.0), (False, False))
    found = compared(same, same)
    assert (found.a12, found.p, found.logrank) == (0.5, 1.0, 1.0)
