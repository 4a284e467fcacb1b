"""Buckets of the findings in several folders; `buckets.json` keeps them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from chcfuzz.execution.domain import recorded_domain
from chcfuzz.execution.flags import share
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.triage.buckets.buckets import (
    FILE,
    Bucket,
    Key,
    alike,
    bucketed,
    joined,
    read_buckets,
    write_buckets,
)
from chcfuzz.triage.buckets.known_issues import Issue, known_as
from chcfuzz.triage.buckets.traits import Traits, read_traits, readable
from chcfuzz.triage.examine.shape import SystemShape
from chcfuzz.triage.findings.record import Finding
from chcfuzz.triage.reduce.reduction import IsEnough, try_to_reduce
from chcfuzz.triage.shrink.size import Size

_MAX_RATIO = 2  # of the nodes of a matching system and those of the reduced one


@dataclass(frozen=True)
class ListedBucket:
    """A bucket and the public issues that match it."""

    bucket: Bucket
    issues: tuple[Issue, ...]

    @property
    def is_known(self) -> bool:
        """Whether an issue certainly describes it."""
        return any(issue.sure for issue in self.issues)


@dataclass(frozen=True)
class ReduceFirst:
    """How to reduce findings before they are put into buckets.

    `solving` returns the configuration of the solver for a finding. Each reduction has at most
    `max_tests` tests. `log` receives a line on each result.
    """

    solving: Callable[[Finding], Solving]
    max_tests: int
    log: Callable[[str], None]


def triage(
    inputs: Sequence[Path],
    into: Path,
    reducing: ReduceFirst | None,
    report: Callable[[str], None],
    decide: Callable[[tuple[Bucket, ...]], tuple[Bucket, ...]] = lambda buckets: buckets,
) -> tuple[Bucket, ...]:
    """Return the buckets of all findings in `inputs` and in the file `into`, and write them to that file.

    An input is a findings folder, with the buckets stored in it, or a `buckets.json`. With `reducing`, findings are
    reduced first unless they are already; after Ctrl-C, the rest goes into buckets as it is. `report` receives a line
    on each finding that cannot be read. `decide` returns the buckets as a person corrects them. Raises `ChcfuzzError`.
    """
    members, here = read_buckets(into), list[Traits]()
    for path in inputs:
        if path.is_file():
            members += read_buckets(path)
            continue
        members += read_buckets(path / FILE)
        found = [finding for finding, _ in readable(path, report)]
        if reducing is not None:
            try:
                reduce_all(found, reducing)
            except KeyboardInterrupt:
                reducing.log("interrupted; the other findings are not reduced. Run the same command to continue")
                reducing = None
        here += [read_traits(finding.folder) for finding in found]
    buckets = decide(bucketed(joined(members, here)))
    write_buckets(into, buckets)
    return buckets


def reduce_part(
    inputs: Sequence[Path], part: tuple[int, int], reducing: ReduceFirst, report: Callable[[str], None]
) -> int:
    """Reduce the findings in folders that belong to a part I of N, and return their number; no bucket is written.

    Each finding belongs to one part, as long as no finding comes or goes. `report` receives a line on each finding that
    cannot be read.
    """
    folders = [path for path in inputs if path.is_dir()]
    found = share([finding for path in folders for finding, _ in readable(path, report)], part)
    reduce_all(found, reducing)
    return len(found)


def reduce_all(findings: Iterable[Finding], reducing: ReduceFirst) -> None:
    """Reduce findings: the smallest of those that look alike as far as possible, the others only until they match it.

    Findings look alike if solver, symptom and the transform to blame are the same. One of them matches a finding that
    is reduced if it has its theories and kind of rules, and is not much larger: it is in the same bucket then. A
    finding that does not come to match is reduced as far as possible, and later ones are compared with it, too.
    """
    groups: dict[Key, list[tuple[Traits, Finding]]] = {}
    for finding in findings:
        traits = read_traits(finding.folder)
        groups.setdefault(alike(traits), []).append((traits, finding))
    for group in groups.values():
        leaders: list[Traits] = []
        for traits, finding in sorted(group, key=lambda one: (one[0].size, one[0].name)):
            if traits.text is not None and any(_matches(traits.shape, traits.size, leader) for leader in leaders):
                continue
            summary = try_to_reduce(
                finding.folder, partial(reducing.solving, finding), reducing.max_tests, _like(finding, leaders)
            )
            if summary is not None:
                reducing.log(f"{finding.folder.name} {summary}")
            reduced = read_traits(finding.folder)
            if reduced.text is not None and not any(_matches(reduced.shape, reduced.size, one) for one in leaders):
                leaders.append(reduced)


def _like(finding: Finding, leaders: Sequence[Traits]) -> IsEnough:
    """Return a function that compares a system with reduced findings."""
    domain = recorded_domain(finding.record.solving)

    def is_like(problem: BaseProblem) -> bool:
        shape, size = domain.shape(problem), domain.size(problem)
        return any(_matches(shape, size, leader) for leader in leaders)

    return is_like


def _matches(shape: SystemShape, size: Size, leader: Traits) -> bool:
    same = (shape.theories, shape.rules) == (leader.shape.theories, leader.shape.rules)
    return same and size.nodes <= _MAX_RATIO * leader.size.nodes


def listed(buckets: Iterable[Bucket], issues: Sequence[Issue]) -> list[ListedBucket]:
    """Return the buckets with their issues: new ones first, then by the size of their representatives."""
    rows = [ListedBucket(bucket, known_as(bucket, issues)) for bucket in buckets]
    return sorted(
        rows, key=lambda row: (row.is_known, row.bucket.representative.text is None, row.bucket.representative.size)
    )
