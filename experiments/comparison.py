"""Comparison of groups of campaigns: traces, transitions and buckets at the same time, and the time to each bucket.

All campaigns are compared at the end of the shortest one, in seconds of fuzzing or in executions. Groups whose
campaigns have the same seeds of libFuzzer are compared in pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from chcfuzz.campaign.runs.history import Point
from chcfuzz.experiments.campaign_groups import FEWEST, Campaign, CampaignGroup, are_paired
from chcfuzz.experiments.statistics import Comparison, Interval, Ranks, Sample, compared, holm, median_interval, ranks

BANDS = 60  # points of a band
_QUARTILES = (25, 50, 75)


@dataclass(frozen=True)
class Row:
    """One measure of two groups. `p` is corrected by Holm's method over all rows; None if a group has too few."""

    measure: str
    names: tuple[str, str]
    samples: tuple[Sample, Sample]
    intervals: tuple[Interval, Interval]
    comparison: Comparison
    p: float | None


@dataclass(frozen=True)
class Band:
    """The quartiles of a measure over time in one group: seconds or executions, and three values for each."""

    group: str
    at: tuple[float, ...]
    low: tuple[float, ...]
    median: tuple[float, ...]
    high: tuple[float, ...]


_MEASURES: dict[str, Callable[[Campaign, Point, float, str], float]] = {
    "unique traces": lambda _campaign, point, _limit, _by: point.traces,
    "transitions": lambda _campaign, point, _limit, _by: point.transitions,
    "buckets": lambda campaign, _point, limit, by: len(campaign.buckets(by, limit)),
    "solved": lambda _campaign, point, _limit, _by: point.solved,
}


def common_end(groups: Sequence[CampaignGroup], by: str) -> float:
    """Return the end of the shortest campaign, in seconds or executions."""
    return min(float(getattr(campaign.history.last, by)) for group in groups for campaign in group.campaigns)


def rows(groups: Sequence[CampaignGroup], by: str) -> list[Row]:
    """Compare the first group with each other one: every measure at the common end, and the time to each bucket."""
    end = common_end(groups, by)
    found = []
    for other in groups[1:]:
        for measure, value in _MEASURES.items():
            found.append(_row(measure, groups[0], other, partial(_at_end, by=by, end=end, value=value)))
        for bucket in sorted(
            {bucket for group in (groups[0], other) for one in group.campaigns for bucket in one.buckets(by, end)}
        ):
            label = f"{by} to {bucket}"
            found.append(_row(label, groups[0], other, partial(_until, by=by, end=end, bucket=bucket)))
    enough = [row for row in found if row.p is not None]
    corrected = dict(zip(map(id, enough), holm([row.comparison.p for row in enough]), strict=True))
    return [replace(row, p=corrected.get(id(row))) for row in found]


def rankings(groups: Sequence[CampaignGroup], by: str) -> dict[str, Ranks]:
    """Return the ranks of three or more groups with the same seeds, for each measure; empty for other groups."""
    if len(groups) < 3 or not all(are_paired(groups[0], other) for other in groups[1:]):
        return {}
    end = common_end(groups, by)
    return {
        measure: ranks([_at_end(group, by, end, value) for group in groups]) for measure, value in _MEASURES.items()
    }


def end_samples(groups: Sequence[CampaignGroup], by: str, measure: str) -> list[Sample]:
    """Return the values of a measure at the common end, a sample for each group."""
    end, value = common_end(groups, by), _MEASURES[measure]
    return [_at_end(group, by, end, value) for group in groups]


def until_samples(groups: Sequence[CampaignGroup], by: str) -> dict[str, list[Sample]]:
    """Return the seconds or executions until each bucket that a campaign found, a sample for each group."""
    end = common_end(groups, by)
    found = sorted({bucket for group in groups for one in group.campaigns for bucket in one.buckets(by, end)})
    return {bucket: [_until(group, by, end, bucket) for group in groups] for bucket in found}


def _row(measure: str, a: CampaignGroup, b: CampaignGroup, sample: Callable[[CampaignGroup], Sample]) -> Row:
    first, second = sample(a), sample(b)
    comparison = compared(first, second, are_paired(a, b))
    intervals = median_interval(first), median_interval(second)
    enough = min(len(a.campaigns), len(b.campaigns)) >= FEWEST
    return Row(measure, (a.name, b.name), (first, second), intervals, comparison, comparison.p if enough else None)


def _at_end(group: CampaignGroup, by: str, end: float, value: Callable[[Campaign, Point, float, str], float]) -> Sample:
    points = [(campaign, campaign.at(by, end)) for campaign in group.campaigns]
    values = tuple(0.0 if point is None else float(value(campaign, point, end, by)) for campaign, point in points)
    return Sample(values, (False,) * len(values))


def _until(group: CampaignGroup, by: str, end: float, bucket: str) -> Sample:
    """Return the seconds or executions until a bucket; a campaign that did not find it by the end is censored there.

    Ranks put censored campaigns last, so a shorter campaign would lose to a longer one that found the bucket later.
    """
    seen = [campaign.buckets(by, end).get(bucket) for campaign in group.campaigns]
    return Sample(tuple(end if one is None else one for one in seen), tuple(one is None for one in seen))


def bands(groups: Sequence[CampaignGroup], by: str, measure: str) -> list[Band]:
    """Return the quartiles of a measure over time, or over executions, for each group until the common end."""
    end = common_end(groups, by)
    places = tuple(float(place) for place in np.linspace(0, end, BANDS))
    value = _MEASURES[measure]
    found = []
    for group in groups:
        columns = [np.percentile(_at_end(group, by, place, value).values, _QUARTILES) for place in places]
        low, median, high = (tuple(float(column[index]) for column in columns) for index in range(3))
        found.append(Band(group.name, places, low, median, high))
    return found
