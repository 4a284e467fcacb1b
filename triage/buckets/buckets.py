"""Findings into buckets, one for each cause as far as can be told; kept in `buckets.json`.

A bucket is all findings with one key, and the key has only what a cause leaves no choice about (`key_of`). What else is
known of a finding describes it, and stands beside: the settings that cure it, the parameters that it needs, the event
and the site at which it parts from others, the number of its rules, its operators.

Where releases or failed assertions are known, findings with the same key but others of these are of other causes. Those
of which they are not known go with the others if there is but one kind of these.

Which findings share a bucket depends on all of them, and on no order; nor does a bucket's name. It is made of the key,
but a bucket that was named before, by most of its findings, keeps that name.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter as Tally
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from chcfuzz.execution.files import write_whole
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.z3_parameters import SPOILING_TRANSFORMS
from chcfuzz.triage.buckets.traits import Traits

FILE = "buckets.json"
FORMAT = "chcfuzz-buckets 1"
_DIGITS = 6  # of a key's hash in a name
_MOST_WORDS = 30  # characters of a witness in it
_DEATH = re.compile(r"it dies of signal \d+ \([^)]*\): (what\(\):\s*)?")  # what it says as it dies tells more

Key = tuple[str, ...]


class BucketsError(ChcfuzzError):
    """A `buckets.json` that cannot be read or written; the text says what to do."""


@dataclass(frozen=True)
class Member:
    """A finding in a bucket; `bucket` is the name that its bucket had when it came into one reduced, "" before."""

    traits: Traits
    bucket: str = ""


@dataclass(frozen=True)
class Bucket:
    """`members` come by their ids."""

    name: str
    key: Key
    members: tuple[Member, ...]

    @property
    def by_size(self) -> list[Traits]:
        """Its findings: the reduced ones first, the small ones first."""
        return sorted((member.traits for member in self.members), key=_size_order)

    @property
    def representative(self) -> Traits:
        """The first of these."""
        return self.by_size[0]


def key_of(traits: Traits) -> Key:
    """What findings of one cause have in common: the solver, what it does wrong, where, on which theories and rules.

    A model that the transforms spoil is of one cause for its maintainers, whatever it is a model of (Z3 issue 7319).
    What is not reduced does not come between what is: its rules say nothing, and its theories little.
    """
    theories, rules = "+".join(traits.shape.theories) or "Bool", traits.shape.rules
    if traits.kind == VerdictKind.WRONG_MODEL.value and traits.by_transforms:
        theories, rules = "any theory", "any rules"
    elif traits.text is None:
        rules = "not reduced"
    return (
        traits.solver,
        traits.kind,
        traits.witness,
        _where(traits),
        theories,
        rules,
    )


def _where(traits: Traits) -> str:
    """The transform that makes it, as far as one does.

    To turn an early one off changes the system for all that come after it, so it cures more than is its fault: of those
    that cure it alone the latest is blamed.
    """
    if not traits.by_transforms:
        return "search"
    alone = [name for name in SPOILING_TRANSFORMS if f"{name}=false" in traits.cures]
    return alone[-1] if alone else "transforms"


def bucketed(members: Iterable[Member]) -> tuple[Bucket, ...]:
    """The buckets of these findings by name; of a finding that is there twice, what more is known of."""
    groups: dict[Key, list[Member]] = {}
    for member in merged(members):
        groups.setdefault(key_of(member.traits), []).append(member)
    parts = {
        (*key, *facts): part
        for key, group in groups.items()
        for facts, part in _told_apart(group, (lambda traits: traits.first_good, lambda traits: traits.assertion))
    }
    names = _names(parts)
    made = [
        Bucket(names[key], key, tuple(_named(member, names[key]) for member in part)) for key, part in parts.items()
    ]
    return tuple(sorted(made, key=lambda bucket: bucket.name))


def _named(member: Member, name: str) -> Member:
    """The member, who remembers a first name once it is reduced: before, its bucket is not its last."""
    return member if member.bucket or member.traits.text is None else replace(member, bucket=name)


def merged(members: Iterable[Member]) -> list[Member]:
    """Each finding once, by id, whatever the order: the smaller and better known one, under its first name."""
    found: dict[str, Member] = {}
    for member in members:
        other = found.get(member.traits.id, member)
        names = [one.bucket for one in (member, other) if one.bucket]
        found[member.traits.id] = Member(min(member.traits, other.traits, key=_size_order), min(names, default=""))
    return [found[finding] for finding in sorted(found)]


def _size_order(traits: Traits) -> tuple[Any, ...]:
    """Reduced ones first, the small ones first; then those of which more is known."""
    unknown = sum(value is None for value in (traits.first_bad, traits.first_good, traits.assertion, traits.event))
    return (traits.text is None, traits.size, unknown, repr(traits))


def _told_apart(group: list[Member], facts: Sequence[Callable[[Traits], str | None]]) -> list[tuple[Key, list[Member]]]:
    """The group, parted by each fact of which its members have more than one; with what they have then."""
    if not facts:
        return [((), group)]
    fact, *others = facts
    if len({fact(member.traits) for member in group} - {None}) < 2:
        return _told_apart(group, others)
    parts: dict[str, list[Member]] = {}
    for member in group:
        parts.setdefault(fact(member.traits) or "not known", []).append(member)
    return [((value, *more), part) for value in parts for more, part in _told_apart(parts[value], others)]


def _names(parts: dict[Key, list[Member]]) -> dict[Key, str]:
    """A name for each, no two alike: the one that most of its members came under, if no other has more of them."""
    claims = [
        (-number, name, key)
        for key, part in parts.items()
        for name, number in Tally(member.bucket for member in part if member.bucket).items()
    ]
    names: dict[Key, str] = {}
    for _, name, key in sorted(claims):
        if key not in names and name not in names.values():
            names[key] = name
    for key in sorted(parts.keys() - names.keys()):
        digits = _DIGITS
        while (name := _own_name(key, digits)) in names.values():
            digits += 1
        names[key] = name
    return names


def _own_name(key: Key, digits: int) -> str:
    _, _, witness, _, theories, *_ = key
    told = _DEATH.sub("", witness)[:_MOST_WORDS]
    words = re.sub(r"[^A-Za-z0-9+]+", "-", f"{told} {theories}").strip("-")
    return f"{words}-{hashlib.sha256(json.dumps(key).encode()).hexdigest()[:digits]}"


def written(buckets: Iterable[Bucket]) -> bytes:
    """The content of a `buckets.json`."""
    rows = [
        {
            "name": bucket.name,
            "key": list(bucket.key),
            "representative": bucket.representative.name,
            "findings": [{"bucket": member.bucket, **member.traits.record()} for member in bucket.members],
        }
        for bucket in buckets
    ]
    return (json.dumps({"format": FORMAT, "buckets": rows}, indent=1) + "\n").encode()


def write_buckets(path: Path, buckets: Iterable[Bucket]) -> None:
    """Write them, whole or not at all; raises `BucketsError`."""
    try:
        write_whole(path, written(buckets))
    except OSError as error:
        raise BucketsError(f"cannot write {str(path)!r}: {error.strerror}; name another file with --buckets") from error


def read_buckets(path: Path) -> list[Member]:
    """The findings in a `buckets.json`; none where there is no such file. Raises `BucketsError`."""
    try:
        content = json.loads(path.read_bytes())
        if content["format"] != FORMAT:
            raise BucketsError(f"{str(path)!r} is of the format {content['format']!r}, not {FORMAT!r}; remove it")
        rows = [dict(row) for bucket in content["buckets"] for row in bucket["findings"]]
        return [Member(bucket=str(row.pop("bucket")), traits=Traits.of(row)) for row in rows]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise BucketsError(f"cannot read {str(path)!r}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BucketsError(f"{str(path)!r} holds no buckets ({error}); remove it, or name another file") from error
