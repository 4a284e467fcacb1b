"""Decisions of a person about buckets: two of them have one cause, or a finding has another cause than its bucket.

The decisions are kept with the findings in `buckets.json`. A bucket that was merged also takes the later findings with
the keys of both; a finding that was split off stays in a bucket of its own until that is merged with another one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.triage.buckets.buckets import Bucket, Member, bucketed


def merge(buckets: Sequence[Bucket], one: str, other: str) -> tuple[Bucket, ...]:
    """Return the buckets with the second one in the first, whose name stays. Raises `ChcfuzzError`."""
    first, second = _named(buckets, one), _named(buckets, other)
    if first is second:
        raise ChcfuzzError(f"--merge: {one!r} is one bucket; name two")
    members = [
        replace(member, bucket=first.name, label=first.name) if bucket in (first, second) else member
        for bucket in buckets
        for member in bucket.members
    ]
    labels = {member.label: first.name for member in (*first.members, *second.members) if member.label}
    return bucketed(replace(member, label=labels.get(member.label, member.label)) for member in members)


def split(buckets: Sequence[Bucket], finding: str) -> tuple[Bucket, ...]:
    """Return the buckets with a finding in one of its own. Raises `ChcfuzzError`."""
    held = [bucket for bucket in buckets for member in bucket.members if member.traits.name == finding]
    if not held:
        raise ChcfuzzError(f"--split: no finding {finding!r} in the buckets; `chcfuzz findings` lists them")
    if len(held[0].members) == 1:
        raise ChcfuzzError(f"--split: {finding!r} is the only finding of its bucket {held[0].name!r}")
    return bucketed(
        Member(member.traits, apart=True) if member.traits.name == finding else member
        for bucket in buckets
        for member in bucket.members
    )


def _named(buckets: Sequence[Bucket], name: str) -> Bucket:
    found = [bucket for bucket in buckets if bucket.name == name]
    if not found:
        raise ChcfuzzError(f"--merge: no bucket {name!r}; `chcfuzz triage` lists them")
    return found[0]
