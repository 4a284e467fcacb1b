"""Comparison of groups of campaigns: traces, transitions and buckets at the same time, and the time to each bucket.

All campaigns are compared at the end of the shortest one, in seconds of fuzzing or in executions.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from chcfuzz.campaign.runs import history
from chcfuzz.campaign.runs.history import History, Point
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.campaign.runs.run_statistics import Line
from chcfuzz.execution.solving import UsageError
from chcfuzz.experiments.statistics import Comparison, Interval, Sample, compared, holm, median_interval
from chcfuzz.experiments.trials import folders, is_complete
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.triage.buckets.buckets import Member, bucketed
from chcfuzz.triage.buckets.traits import read_traits
from chcfuzz.triage.findings.store import finding_folders

SECONDS, EXECUTIONS = "seconds", "executions"
BANDS = 60  # points of a band
_QUARTILES = (25, 50, 75)


@dataclass(frozen=True)
class Campaign:
    """A campaign; `first_seen` has the seconds until the first finding of each bucket."""

    path: Path
    history: History
    first_seen: dict[str, float]

    def at(self, by: str, limit: float) -> Point | None:
        """Return the last progress within a limit of seconds or executions."""
        within = [point for point in self.history.points if getattr(point, by) <= limit]
        return within[-1] if within else None

    def buckets(self, by: str, limit: float) -> dict[str, float]:
        """Return the seconds or executions until each bucket that was seen within a limit of them."""
        found = {bucket: self._until(by, seconds) for bucket, seconds in self.first_seen.items()}
        return {bucket: until for bucket, until in found.items() if until <= limit}

    def _until(self, by: str, seconds: float) -> float:
        if by == SECONDS:
            return seconds
        point = next((point for point in self.history.points if point.seconds >= seconds), self.history.last)
        return 0.0 if point is None else float(point.executions)


@dataclass(frozen=True)
class CampaignGroup:
    """Campaigns of one kind; `unfinished` are the run folders of trials that have not ended, and are left out."""

    name: str
    campaigns: tuple[Campaign, ...]
    unfinished: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Row:
    """One measure of two groups. `p` is corrected by Holm's method over all rows of the table."""

    measure: str
    names: tuple[str, str]
    samples: tuple[Sample, Sample]
    intervals: tuple[Interval, Interval]
    comparison: Comparison
    p: float


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


def read_groups(texts: Sequence[str]) -> list[CampaignGroup]:
    """Read groups, each written as NAME=FOLDER,FOLDER,... of run folders or folders of trials. Raises `UsageError`."""
    parsed: dict[str, list[Path]] = {}
    unfinished: dict[str, tuple[Path, ...]] = {}
    for text in texts:
        name, equals, listed = text.partition("=")
        parts = [Path(part) for part in listed.split(",") if part]
        if not (name and equals and parts):
            raise UsageError(f"{text!r} is not a group; write NAME=RUN_DIR,RUN_DIR,... or NAME=TRIALS_DIR")
        if name in parsed:
            raise UsageError(f"two groups are named {name!r}; name them differently")
        unfinished[name] = tuple(path for part in parts for path in folders(part) if not is_complete(path))
        paths = [path for part in parts for path in folders(part) or [part]]
        parsed[name] = [path for path in paths if path not in unfinished[name]]
        if not parsed[name]:
            raise UsageError(f"no trial of the group {name!r} has ended; `chcfuzz trials` runs them")
    if len(parsed) < 2:
        raise UsageError("name two groups or more, the one to compare with first")
    buckets = _buckets(path for paths in parsed.values() for path in paths)
    groups = [
        CampaignGroup(name, tuple(_read(path, buckets) for path in paths), unfinished[name])
        for name, paths in parsed.items()
    ]
    _require_different([campaign for group in groups for campaign in group.campaigns])
    return groups


def _require_different(campaigns: Sequence[Campaign]) -> None:
    """Raise `UsageError` if a campaign is there twice, under one name or as a copy: samples are independent."""
    places: set[Path] = set()
    begins: dict[str, Path] = {}
    for campaign in campaigns:
        path = campaign.path
        if path.resolve() in places:
            raise UsageError(f"the campaign {str(path)!r} is named twice; name each campaign once")
        places.add(path.resolve())
        other = begins.setdefault(_begin_of(campaign), path)
        if other is not path:
            raise UsageError(f"{str(path)!r} is a copy of the campaign {str(other)!r}; leave one of them out")


def _begin_of(campaign: Campaign) -> str:
    """Return a text that copies of a campaign share, even if they were continued, and that different campaigns do not.

    Those that begin in the same second differ in the milliseconds and the times of their first progress.
    """
    first = campaign.history.sessions[0]
    return json.dumps([RunFolder(campaign.path).begun_with(), first.head, *_first_work(first.progress)], sort_keys=True)


def _first_work(progress: Sequence[Line]) -> Sequence[Line]:
    return [line for line in progress if line["executions"]][:1]


def _read(path: Path, buckets: dict[tuple[Path, str], str]) -> Campaign:
    past = history.read(RunFolder(path))
    if past.last is None:
        raise UsageError(f"{str(path)!r} has no statistics; leave it out")
    seen: dict[str, float] = {}
    for finding, seconds in past.first_seen().items():
        bucket = buckets.get((path, finding))
        if bucket is not None:
            seen[bucket] = min(seconds, seen.get(bucket, math.inf))
    return Campaign(path, past, seen)


def _buckets(paths: Iterable[Path]) -> dict[tuple[Path, str], str]:
    """Return the bucket of each finding of all campaigns, by run folder and folder name."""
    owners: dict[str, list[tuple[Path, str]]] = {}
    members = []
    for path in paths:
        for folder in finding_folders(RunFolder(path).findings):
            try:
                traits = read_traits(folder)
            except ChcfuzzError:
                continue  # damaged: `chcfuzz findings` names it
            members.append(Member(traits))
            owners.setdefault(traits.id, []).append((path, folder.name))
    return {
        owner: bucket.name
        for bucket in bucketed(members)
        for member in bucket.members
        for owner in owners[member.traits.id]
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
    corrected = holm([row.p for row in found])
    return [
        Row(row.measure, row.names, row.samples, row.intervals, row.comparison, p)
        for row, p in zip(found, corrected, strict=True)
    ]


def _row(measure: str, a: CampaignGroup, b: CampaignGroup, sample: Callable[[CampaignGroup], Sample]) -> Row:
    first, second = sample(a), sample(b)
    comparison = compared(first, second)
    intervals = median_interval(first), median_interval(second)
    return Row(measure, (a.name, b.name), (first, second), intervals, comparison, comparison.p)


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
