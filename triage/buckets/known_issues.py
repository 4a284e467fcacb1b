"""Causes that are known in public, to set buckets aside: a table in `known/`, and those of a user (`--known`)."""

from __future__ import annotations

import operator
import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.triage.buckets.buckets import Bucket
from chcfuzz.triage.buckets.traits import Traits, with_tuples

OWN = Path(__file__).with_name("known") / "spacer.toml"
_COMPARISONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_BOUND = re.compile(r"(<=|>=|<|>)\s*(\d+(?:\.\d+)*)", re.ASCII)


class KnownError(ChcfuzzError):
    """A table of known issues that cannot be read; the text names the row and what is wrong with it."""


@dataclass(frozen=True)
class Matches:
    """What holds of findings of a known cause: each field that is not None. What they mean stands in the table."""

    solver: str = "Spacer"
    kind: str | None = None
    witness: str | None = None
    by_transforms: bool | None = None
    needs: tuple[str, ...] = ()
    theories: tuple[str, ...] = ()
    operators: tuple[str, ...] = ()
    linear: bool | None = None
    recursive: bool | None = None
    standing: str | None = None
    release: str | None = None
    first_good: str | None = None

    def hold(self, traits: Traits) -> bool:
        """Whether all of it holds of a finding."""
        shape = traits.shape
        texts = ((self.kind, traits.kind), (self.witness, traits.witness), (self.standing, traits.standing))
        facts = (
            (self.by_transforms, traits.by_transforms),
            (self.linear, shape.linear),
            (self.recursive, shape.recursive),
        )
        return (
            self.solver == traits.solver
            and all(wanted is None or fnmatchcase(has, wanted) for wanted, has in texts)
            and all(wanted is None or has == wanted for wanted, has in facts)
            and all(any(fnmatchcase(has, wanted) for has in traits.parameters) for wanted in self.needs)
            and set(self.theories) <= set(shape.theories)
            and set(self.operators) <= set(shape.operators)
            and within(traits.release, self.release)
            and within(traits.first_good, self.first_good)
        )


@dataclass(frozen=True)
class Issue:
    """A row. `sure`: what matches is known; else it only looks like it."""

    id: str
    url: str
    title: str
    said: str
    sure: bool
    matches: Matches


def known_issues(files: Iterable[Path] = ()) -> tuple[Issue, ...]:
    """Our own table and those in files, in their order; raises `KnownError`."""
    return tuple(issue for file in (OWN, *files) for issue in _issues(file))


def known_as(bucket: Bucket, issues: Sequence[Issue]) -> tuple[Issue, ...]:
    """What a bucket is known as: the issues that match every one of its findings, the sure ones first."""
    found = [issue for issue in issues if all(issue.matches.hold(member.traits) for member in bucket.members)]
    return tuple(sorted(found, key=lambda issue: not issue.sure))


def within(release: str | None, bounds: str | None) -> bool:
    """Whether a release ("4.13.4.0") is within bounds (">=4.13,<5"); one that is not known is only within none."""
    if bounds is None:
        return True
    return release is not None and all(
        _COMPARISONS[sign](_parts(release), _parts(bound)) for sign, bound in _BOUND.findall(bounds)
    )


def _parts(release: str) -> tuple[int, ...]:
    """As numbers, without zeros at the end: 4.14 is 4.14.0.0."""
    numbers = [int(number) for number in re.findall(r"\d+", release)]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def _issues(file: Path) -> list[Issue]:
    try:
        rows = tomllib.loads(file.read_text())
    except OSError as error:
        raise KnownError(f"cannot read {str(file)!r}: {error.strerror}; name another file with --known") from error
    except ValueError as error:
        raise KnownError(f"{str(file)!r} is no TOML: {error}") from error
    return [_issue(file, name, row) for name, row in rows.items()]


def _issue(file: Path, name: str, row: Any) -> Issue:
    try:
        given = {"sure": True, "said": "", **row}
        issue = Issue(**{**given, "id": name, "matches": Matches(**with_tuples(given["matches"]))})
        _see_fields(issue)
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        words = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise KnownError(f"{str(file)!r}: row {name!r}: {words}; known/spacer.toml says what a row is") from error
    return issue


def _see_fields(issue: Issue) -> None:
    """Raise `ValueError` for a field that is not of its kind, and for a row that would match everything."""
    matches = issue.matches
    if matches == Matches(solver=matches.solver):
        raise ValueError("it matches everything")
    texts = ("kind", "witness", "standing", "release", "first_good")
    facts = ("by_transforms", "linear", "recursive")
    kinds = (*((name, str) for name in texts), *((name, bool) for name in facts))
    for name, kind in (*kinds, ("needs", tuple), ("theories", tuple), ("operators", tuple)):
        value = getattr(matches, name)
        if value is not None and not isinstance(value, kind):
            raise ValueError(f"{name} = {value!r} is no {'list' if kind is tuple else kind.__name__}")
    for bounds in filter(None, (matches.release, matches.first_good)):
        if not all(_BOUND.fullmatch(part.strip()) for part in bounds.split(",")):
            raise ValueError(f"{bounds!r} are no bounds like '>=4.13,<5'")
