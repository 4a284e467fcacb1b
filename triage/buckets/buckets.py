"""Buckets of findings, as far as possible one for each cause; `buckets.json` stores them.

A bucket contains all findings with one key, and the key has only traits that the cause determines (`key_of`). The other
traits describe a finding: the configurations that cure it, the event and the site at which it diverges from passing
runs, the number of its rules, its operators.

A failed assertion names the cause, and so do a transform that a wrong model or a crash needs, and a symbol of the
solver's own in an interpolant: the theories and the rules of such findings are not part of the key. Wrong answers keep
them, because an answer depends on every later step: under `fp.xform.unfold_rules=1`, three different bugs of Z3 are
wrong answers (two of `known.toml`, and bug 6 of docs/z3-5.4.0.md), and only one of these is in the unfolding.

Findings with the same key and different releases or commits that introduced or repaired them, or different
assertions, have different causes. Findings for which these are unknown join the others, provided that those agree.

A person can correct both (`by_hand`): members with one `label` share a bucket with all findings of their keys, and a
member that is `apart` shares its bucket with no finding but those of its label.

The buckets depend on the set of findings and not on its order; neither do the names of buckets. A name is derived from
the key, but a bucket keeps the name that most of its findings had before.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter as Tally
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path

import msgspec
from chcfuzz.execution.codec import CodecError, converted, from_json, to_json
from chcfuzz.execution.files import read_plain, write_whole
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.oracles.verdict import Subject, facts_of
from chcfuzz.solvers.faults import names_cause
from chcfuzz.solvers.z3_parameters import SPOILING_TRANSFORMS
from chcfuzz.solvers.z3_sources import TRANSFORMS
from chcfuzz.triage.buckets.traits import Traits

FILE = "buckets.json"
FORMAT = "chcfuzz-buckets 1"
_DIGITS = 6  # of the hash of a key in a name
_MAX_WITNESS = 30  # characters of a witness in a name
_NOT_REDUCED = "not reduced"  # in place of the kind of rules
_DEATH = re.compile(r"it dies of signal \d+ \([^)]*\): (what\(\):\s*)?")  # the message after it is more specific

Key = tuple[str, ...]


class BucketsError(ChcfuzzError):
    """A `buckets.json` that cannot be read or written; the message gives advice."""


@dataclass(frozen=True)
class Member:
    """A finding in a bucket; `bucket` is the name of the first bucket that it had after its reduction, or empty.

    `label` and `apart` are decisions of a person.
    """

    traits: Traits
    bucket: str = ""
    label: str = ""
    apart: bool = False


@dataclass(frozen=True)
class Bucket:
    """A bucket; its members are sorted by their ids."""

    name: str
    key: Key
    members: tuple[Member, ...]

    @property
    def by_size(self) -> list[Traits]:
        """Findings of the bucket: reduced ones first, then small ones first."""
        return sorted((member.traits for member in self.members), key=_size_order)

    @property
    def representative(self) -> Traits:
        """The smallest finding, reduced if one is; reports are about it."""
        return self.by_size[0]


def key_of(traits: Traits) -> Key:
    """Return the key of a finding: the solver, the symptom, the transform to blame, the theories and the kind of rules.

    The last two are empty if a transform that the finding needs, or its message, names the cause.
    A finding that is not reduced never shares a bucket with reduced ones: its parameters and its rules are arbitrary,
    and its theories almost.
    """
    theories, rules = "+".join(traits.shape.theories) or "Bool", traits.shape.rules
    if traits.text is None:
        return (*alike(traits), theories, _NOT_REDUCED)
    needed = _needed_transform(traits)
    if needed or names_cause(traits.witness):
        return (*_symptom(traits), needed or "failed check", "", "")
    return (*alike(traits), theories, rules)


def alike(traits: Traits) -> Key:
    """Return the traits that a reduction does not change: the solver, the symptom and the transform to blame."""
    return (*_symptom(traits), _where(traits))


def _symptom(traits: Traits) -> Key:
    return (traits.solver, traits.kind, traits.witness)


def _needed_transform(traits: Traits) -> str:
    """Return the only transform whose switch must be on to show a wrong model or a crash, or an empty text."""
    if facts_of(traits.kind).subject is Subject.ANSWER:
        return ""
    pairs = (parameter.partition("=") for parameter in traits.parameters)
    names = [name for name, _, value in pairs if name in TRANSFORMS and value not in ("false", "0")]
    return names[0] if len(names) == 1 else ""


def _where(traits: Traits) -> str:
    """Return the transform that breaks the result, if there is one.

    Disabling an early transform changes the input of all later ones, so it cures more than its own bugs. So the latest
    one that alone cures the finding is blamed.
    """
    if not traits.by_transforms:
        return "search"
    alone = [name for name in SPOILING_TRANSFORMS if f"{name}=false" in traits.cures]
    return alone[-1] if alone else "transforms"


def bucketed(members: Iterable[Member]) -> tuple[Bucket, ...]:
    """Return the buckets of these findings by name; of duplicates, the better known one is used."""
    known = merged(members)
    parts = {
        (*key, *facts): part
        for key, group in _by_assertion(member for member in known if not member.apart).items()
        for facts, part in _split_by_history(group)
    }
    parts |= {(*key_of(member.traits), "apart", member.traits.id): [member] for member in known if member.apart}
    parts = _joined_by_hand(parts)
    names = _names(parts)
    made = [
        Bucket(names[key], key, tuple(_named(member, names[key]) for member in part)) for key, part in parts.items()
    ]
    return tuple(sorted(made, key=lambda bucket: bucket.name))


def _split_by_history(group: list[Member]) -> list[tuple[Key, list[Member]]]:
    """Split the group by the release and the commit that introduced a finding, and by the release that repaired it."""
    parts: list[tuple[Key, list[Member]]] = [((), group)]
    for fact in ("first_bad", "commit", "first_good"):
        get = attrgetter(fact)
        parts = [((*facts, *value), part) for facts, inside in parts for value, part in _split(inside, get)]
    return parts


def _joined_by_hand(parts: dict[Key, list[Member]]) -> dict[Key, list[Member]]:
    """Join the parts that have members with one label, under the first of their keys."""
    made: dict[Key, list[Member]] = {}
    for key in sorted(parts):
        labels = {member.label for member in parts[key]} - {""}
        others = [one for one in made if labels & {member.label for member in made[one]}]
        members = [member for one in others for member in made.pop(one)] + parts[key]
        made[min([key, *others])] = sorted(members, key=lambda member: member.traits.id)
    return made


def _by_assertion(members: Iterable[Member]) -> dict[Key, list[Member]]:
    """Group findings by their keys; groups with one failed assertion and one symptom become one group."""
    groups: dict[Key, list[Member]] = {}
    for member in members:
        groups.setdefault(key_of(member.traits), []).append(member)
    causes: dict[Key, list[Member]] = {}
    for key, group in groups.items():
        for _, part in _split(group, lambda traits: traits.assertion):
            assertion = next(filter(None, (member.traits.assertion for member in part)), None)
            rules = _NOT_REDUCED if key[-1] == _NOT_REDUCED else ""
            cause = key if assertion is None else (*key[:3], assertion, "", rules)
            causes.setdefault(cause, []).extend(part)
    return {key: sorted(part, key=lambda member: member.traits.id) for key, part in causes.items()}


def joined(stored: Iterable[Member], here: Sequence[Traits]) -> list[Member]:
    """Return stored findings and those in findings folders, `here`; a finding in both has the name of its folder.

    The names differ if a folder was renamed, or if a rebuilt solver showed the same unit under another signature.
    """
    names = {traits.id: traits.name for traits in here}
    return [
        replace(one, traits=replace(one.traits, name=names.get(one.traits.id, one.traits.name)))
        for one in (*stored, *map(Member, here))
    ]


def _named(member: Member, name: str) -> Member:
    """Return the member with its first name once it is reduced: an earlier bucket is not final."""
    return member if member.bucket or member.traits.text is None else replace(member, bucket=name)


def merged(members: Iterable[Member]) -> list[Member]:
    """Return each finding once, by id: the smaller and better known duplicate, under its first name."""
    found: dict[str, Member] = {}
    for member in members:
        other = found.get(member.traits.id, member)
        names, labels = ({getattr(one, field) for one in (member, other)} - {""} for field in ("bucket", "label"))
        found[member.traits.id] = Member(
            min(member.traits, other.traits, key=_size_order),
            min(names, default=""),
            min(labels, default=""),
            member.apart or other.apart,
        )
    return [found[finding] for finding in sorted(found)]


def _size_order(traits: Traits) -> tuple[bool, tuple[int, ...], int, str]:
    """Order by: reduced, size, number of unknown traits."""
    unknown = sum(value is None for value in (traits.first_bad, traits.first_good, traits.assertion, traits.event))
    return (traits.text is None, traits.size, unknown, repr(traits))


def _split(group: list[Member], fact: Callable[[Traits], str | None]) -> list[tuple[Key, list[Member]]]:
    """Split the group by a fact if it has several values among its members; return the value with each part."""
    if len({fact(member.traits) for member in group} - {None}) < 2:
        return [((), group)]
    parts: dict[str, list[Member]] = {}
    for member in group:
        parts.setdefault(fact(member.traits) or "not known", []).append(member)
    return [((value,), part) for value, part in parts.items()]


def _names(parts: dict[Key, list[Member]]) -> dict[Key, str]:
    """Return unique names: the name that most members had before, unless more members of another bucket had it."""
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
    _, _, witness, where, theories, *_ = key
    evidence = _DEATH.sub("", witness)[:_MAX_WITNESS]
    switch = where.rpartition(".")[2] if where in TRANSFORMS else ""
    readable = re.sub(r"[^A-Za-z0-9+]+", "-", f"{evidence} {theories or switch}").strip("-")
    return f"{readable}-{hashlib.sha256(json.dumps(key).encode()).hexdigest()[:digits]}"


class _StoredBucket(msgspec.Struct, frozen=True):
    """A bucket in `buckets.json`; a finding is an object with the fields of `Traits` and those of `Member`."""

    name: str
    key: Key
    representative: str
    findings: tuple[dict[str, object], ...]


class _StoredBuckets(msgspec.Struct, frozen=True):
    """The content of a `buckets.json`."""

    buckets: tuple[_StoredBucket, ...]


def written(buckets: Iterable[Bucket]) -> bytes:
    """Return the content of a `buckets.json`."""
    rows = [
        _StoredBucket(
            bucket.name,
            bucket.key,
            bucket.representative.name,
            tuple(map(_fields, bucket.members)),
        )
        for bucket in buckets
    ]
    return to_json(_StoredBuckets(tuple(rows)), FORMAT, indent=1)


def _fields(member: Member) -> dict[str, object]:
    by_hand = {"label": member.label} if member.label else {}
    apart = {"apart": True} if member.apart else {}
    return {"bucket": member.bucket, **by_hand, **apart, **msgspec.to_builtins(member.traits)}


def write_buckets(path: Path, buckets: Iterable[Bucket]) -> None:
    """Write buckets, all or nothing; raises `BucketsError`."""
    try:
        write_whole(path, written(buckets))
    except OSError as error:
        raise BucketsError(f"cannot write {str(path)!r}: {error.strerror}; name another file with --buckets") from error


def read_buckets(path: Path) -> list[Member]:
    """Read the findings in a `buckets.json`; an empty list if the file does not exist. Raises `BucketsError`."""
    try:
        stored = from_json(read_plain(path), _StoredBuckets, FORMAT)
        return [_member(fields) for bucket in stored.buckets for fields in bucket.findings]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise BucketsError(f"cannot read {str(path)!r}: {error.strerror}") from error
    except CodecError as error:
        raise BucketsError(f"{str(path)!r} {error}; remove it, or name another file with --buckets") from error


def _member(fields: dict[str, object]) -> Member:
    texts = {name: str(fields.get(name, "")) for name in ("bucket", "label")}
    return Member(traits=converted(fields, Traits), apart=fields.get("apart") is True, **texts)
