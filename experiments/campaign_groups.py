"""Groups of campaigns: read from run folders, and refused where a comparison of them would show nothing."""

from __future__ import annotations

import itertools
import json
from collections.abc import Container, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from chcfuzz.campaign.runs import history
from chcfuzz.campaign.runs.history import History, Point
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.campaign.runs.run_statistics import Line
from chcfuzz.execution.solving import UsageError
from chcfuzz.experiments.trials import folders, is_complete
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.triage.buckets.buckets import Member, bucketed
from chcfuzz.triage.buckets.traits import read_traits
from chcfuzz.triage.findings.record import Finding, Record
from chcfuzz.triage.findings.store import finding_folders
from chcfuzz.triage.findings.suspicions import Suspicions

T = TypeVar("T", int, float)
SECONDS, EXECUTIONS = "seconds", "executions"
FEWEST = 5  # campaigns of a group: fewer cannot show a difference
_SEED = "-seed="


@dataclass(frozen=True)
class Campaign:
    """A campaign; `first_seen` has the seconds until the first suspicion of each bucket was seen.

    Campaigns of older versions recorded the seconds until its confirmation. `first_executions` has the execution at
    which its first suspicion was seen, as far as the campaign recorded it.
    `waiting` is the number of suspicions that wait for an examination.
    """

    path: Path
    history: History
    first_seen: dict[str, float]
    first_executions: dict[str, int] = field(default_factory=dict)
    waiting: int = 0

    @property
    def words(self) -> tuple[str, ...]:
        """The flags and corpora of the campaign."""
        return tuple(self.history.sessions[0].head.get("words", ()))

    @property
    def seed(self) -> int | None:
        """The seed of libFuzzer, None if it was drawn."""
        found = [word.removeprefix(_SEED) for word in self.words if word.startswith(_SEED)]
        return int(found[-1]) if found and found[-1].isdecimal() else None

    def at(self, by: str, limit: float) -> Point | None:
        """Return the last progress within a limit of seconds or executions."""
        within = [point for point in self.history.points if getattr(point, by) <= limit]
        return within[-1] if within else None

    def buckets(self, by: str, limit: float) -> dict[str, float]:
        """Return the seconds or executions until each bucket that was seen within a limit of them."""
        found = {bucket: self._until(by, bucket, seconds) for bucket, seconds in self.first_seen.items()}
        return {bucket: until for bucket, until in found.items() if until <= limit}

    def _until(self, by: str, bucket: str, seconds: float) -> float:
        if by == SECONDS:
            return seconds
        if bucket in self.first_executions:
            return float(self.first_executions[bucket])
        point = next((point for point in self.history.points if point.seconds >= seconds), self.history.last)
        return 0.0 if point is None else float(point.executions)


@dataclass(frozen=True)
class CampaignGroup:
    """Campaigns of one kind; `unfinished` are the run folders of trials that have not ended, and are left out."""

    name: str
    campaigns: tuple[Campaign, ...]
    unfinished: tuple[Path, ...] = ()


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
        CampaignGroup(name, _in_order(_read(path, buckets) for path in paths), unfinished[name])
        for name, paths in parsed.items()
    ]
    _require_different([campaign for group in groups for campaign in group.campaigns])
    for group in groups:
        _require_mutants(group)
    for one, other in itertools.combinations(groups, 2):
        _require_effect(one, other)
    return groups


def _in_order(campaigns: Iterable[Campaign]) -> tuple[Campaign, ...]:
    """Return campaigns by their seeds, so that those at the same place of two groups are pairs."""
    return tuple(sorted(campaigns, key=lambda one: -1 if one.seed is None else one.seed))


def are_paired(a: CampaignGroup, b: CampaignGroup) -> bool:
    """Return whether two groups have one campaign for each of the same seeds."""
    seeds = [one.seed for one in a.campaigns]
    return None not in seeds and len(set(seeds)) == len(seeds) and seeds == [one.seed for one in b.campaigns]


def _require_mutants(group: CampaignGroup) -> None:
    """Raise `UsageError` if no campaign of a group has executed a mutant: then only seeds are compared."""
    counted = [one.history.last.counters for one in group.campaigns if one.history.last is not None]
    if counted and all("executions" in one and not one.get("mutants") and not one.get("observed") for one in counted):
        advice = "raise -runs above the number of seeds, as `chcfuzz trials` does"
        raise UsageError(f"the campaigns of the group {group.name!r} have executed no mutant; {advice}")


def _require_effect(a: CampaignGroup, b: CampaignGroup) -> None:
    """Raise `UsageError` if each campaign of a group is identical to the one with the same seed in the other group."""
    others = {one.seed: one for one in b.campaigns if one.seed is not None}
    pairs = [(one, others[one.seed]) for one in a.campaigns if one.seed in others]
    if pairs and all(_course(one) == _course(other) for one, other in pairs):
        flags = " ".join(sorted(set(b.campaigns[0].words) ^ set(a.campaigns[0].words)))
        reason = f"the groups {a.name!r} and {b.name!r} are identical, seed by seed"
        why = f"the flags in which they differ ({flags}) changed nothing" if flags else "their flags are the same"
        raise UsageError(f"{reason}: {why}; run longer trials, or other flags")


def _course(campaign: Campaign) -> tuple[object, ...]:
    """Return numbers that two campaigns share if they executed the same units.

    Findings are not among them: their number depends on the time in which suspicions were examined.
    """
    last, run = campaign.history.last, RunFolder(campaign.path)
    if last is None:
        return ()
    suspicions = last.counters.get("suspicions", 0)
    return last.executions, last.solved, last.traces, last.transitions, suspicions, dict(run.tables())


def differing_words(groups: Sequence[CampaignGroup]) -> dict[str, list[str]]:
    """Return the flags and corpora of each group that not all groups have, without those of single campaigns."""
    own = {group.name: _shared_words(group) for group in groups}
    shared = set.intersection(*(set(words) for words in own.values()))
    return {name: [word for word in words if word not in shared] for name, words in own.items()}


def _shared_words(group: CampaignGroup) -> list[str]:
    first, *others = (one.words for one in group.campaigns)
    return [word for word in first if all(word in words for words in others) and not word.startswith(_SEED)]


def manifest(groups: Sequence[CampaignGroup]) -> dict[str, list[dict[str, Any]]]:
    """Return the facts about all campaigns that a paper names: versions, machine, load, seeds and command lines."""
    named = ("at", "versions", "machine", "processor", "processors", "workers", "load", "build_info", "words")
    return {
        group.name: [
            {
                "folder": str(one.path),
                "seed": one.seed,
                **{name: one.history.sessions[0].head.get(name) for name in named},
                "executions": one.history.last.executions if one.history.last else 0,
                "seconds": one.history.last.seconds if one.history.last else 0.0,
            }
            for one in group.campaigns
        ]
        for group in groups
    }


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
    times, numbers = past.first_seen() | past.first_suspected(), past.first_executions()
    for name, record in _confirmed_later(path, past, times).items():
        if isinstance(record.execution, int):
            numbers[name] = record.execution
            times[name] = _seconds_of(past, record.execution)
        if isinstance(record.seconds, float):
            times[name] = record.seconds
    waiting = len(Suspicions(RunFolder(path).findings))
    return Campaign(path, past, _earliest(path, times, buckets), _earliest(path, numbers, buckets), waiting)


def _earliest(path: Path, seen: Mapping[str, T], buckets: Mapping[tuple[Path, str], str]) -> dict[str, T]:
    """Return the least value of each bucket, given the values of a campaign's findings."""
    found: dict[str, T] = {}
    for finding, value in seen.items():
        bucket = buckets.get((path, finding))
        if bucket is not None:
            found[bucket] = min(value, found.get(bucket, value))
    return found


def _seconds_of(past: History, execution: int) -> float:
    """Return the seconds of the first progress after an execution."""
    return next((point.seconds for point in past.points if point.executions >= execution), past.points[-1].seconds)


def _confirmed_later(path: Path, past: History, known: Container[str]) -> dict[str, Record]:
    """Return the record of each finding that `chcfuzz confirm` has added.

    Another session than the first one has counted its own executions and seconds.
    """
    found: dict[str, Record] = {}
    for folder in finding_folders(RunFolder(path).findings) if len(past.sessions) == 1 else ():
        if folder.name not in known:
            with suppress(ChcfuzzError):  # damaged: `chcfuzz findings` names it
                found[folder.name] = Finding.read(folder).record
    return found


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
