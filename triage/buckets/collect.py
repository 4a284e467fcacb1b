"""Buckets of the findings in several folders; `buckets.json` keeps them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from chcfuzz.execution.solving import Solving
from chcfuzz.triage.buckets.buckets import FILE, Bucket, Member, bucketed, read_buckets, write_buckets
from chcfuzz.triage.buckets.known_issues import Issue, known_as
from chcfuzz.triage.buckets.traits import read_traits
from chcfuzz.triage.findings.record import Finding
from chcfuzz.triage.findings.store import findings_in
from chcfuzz.triage.reduce.reduction import try_to_reduce


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


def triage(inputs: Sequence[Path], into: Path, reducing: ReduceFirst | None) -> tuple[Bucket, ...]:
    """Return the buckets of all findings in `inputs` and in the file `into`, and write them to that file.

    An input is a findings folder, with the buckets stored in it, or a `buckets.json`. With `reducing`, findings are
    reduced first unless they are already; after Ctrl-C, the rest goes into buckets as it is. Raises `ChcfuzzError`.
    """
    members = read_buckets(into)
    for path in inputs:
        if path.is_file():
            members += read_buckets(path)
            continue
        members += read_buckets(path / FILE)
        for finding in findings_in(path):
            if reducing is not None:
                try:
                    solving = partial(reducing.solving, finding)
                    summary = try_to_reduce(finding.folder, solving, reducing.max_tests)
                    if summary is not None:
                        reducing.log(f"{finding.folder.name} {summary}")
                except KeyboardInterrupt:
                    reducing.log("interrupted; the other findings are not reduced. Run the same command to continue")
                    reducing = None
            members.append(Member(read_traits(finding.folder)))
    buckets = bucketed(members)
    write_buckets(into, buckets)
    return buckets


def listed(buckets: Iterable[Bucket], issues: Sequence[Issue]) -> list[ListedBucket]:
    """Return the buckets with their issues: new ones first, then by the size of their representatives."""
    rows = [ListedBucket(bucket, known_as(bucket, issues)) for bucket in buckets]
    return sorted(
        rows, key=lambda row: (row.is_known, row.bucket.representative.text is None, row.bucket.representative.size)
    )
