"""Publicly known causes, used to set buckets aside: the table in `known/`, and tables of the user (`--known`)."""

from __future__ import annotations

import operator
import re
import tomllib
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec
from chcfuzz.execution.codec import CodecError, converted
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.solvers import z3_program
from chcfuzz.triage.buckets.buckets import Bucket
from chcfuzz.triage.buckets.traits import Traits

OWN = tuple(sorted(Path(__file__).with_name("known").glob("*.toml")))
PROJECT = "project"  # the table with the rules of a project; every other one is an issue
_ENGINES = {z3_program.NAME: "Spacer"}  # the names of the engine behind a front end
_COMPARISONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_BOUND = re.compile(r"(<=|>=|<|>)\s*(\d+(?:\.\d+)*)", re.ASCII)


class KnownError(ChcfuzzError):
    """A table of known issues that cannot be read; the message names the row and the problem."""


class Matches(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Conditions on findings with a known cause; None means any value. The table explains the fields."""

    solver: str = "Spacer"
    kind: str | None = None
    witness: str | None = None
    by_transforms: bool | None = None
    by_inlining: bool | None = None
    needs: tuple[str, ...] = ()
    theories: tuple[str, ...] = ()
    operators: tuple[str, ...] = ()
    linear: bool | None = None
    recursive: bool | None = None
    standing: str | None = None
    release: str | None = None
    first_good: str | None = None

    @property
    def is_by_cure(self) -> bool:
        """Whether a cure distinguishes the cause."""
        return bool(self.by_transforms or self.by_inlining)

    @property
    def needs_only_a_cure(self) -> bool:
        """Whether nothing but a cure distinguishes the cause. A cure is evidence and not a proof, so it is not sure."""
        others = msgspec.structs.replace(self, by_transforms=None, by_inlining=None, kind=None)
        return self.is_by_cure and others == Matches(solver=self.solver)

    def hold(self, traits: Traits) -> bool:
        """Return whether a finding meets all conditions."""
        shape = traits.shape
        texts = ((self.kind, traits.kind), (self.witness, traits.witness), (self.standing, traits.standing))
        facts = (
            (self.by_transforms, traits.by_transforms),
            (self.by_inlining, traits.by_inlining and not traits.diagnosed),
            (self.linear, shape.linear),
            (self.recursive, shape.recursive),
        )
        return (
            any(fnmatchcase(name, self.solver) for name in (traits.solver, _ENGINES.get(traits.solver, "")))
            and all(wanted is None or fnmatchcase(has, wanted) for wanted, has in texts)
            and all(wanted is None or has == wanted for wanted, has in facts)
            and all(any(fnmatchcase(has, wanted) for has in traits.parameters) for wanted in self.needs)
            and set(self.theories) <= set(shape.theories)
            and set(self.operators) <= set(shape.operators)
            and within(traits.release, self.release)
            and within(traits.first_good, self.first_good)
        )


class Issue(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"comment": "said"}):
    """A row of the table; if it is not `sure`, a finding that matches may have another cause."""

    id: str
    url: str
    title: str
    comment: str = ""
    sure: bool = True
    matches: Matches


class Project(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules of a project for bug reports by fuzzers; the table in `known/spacer.toml` explains the fields."""

    name: str
    url: str = ""
    thread: str = ""
    solvers: tuple[str, ...]
    per_week: int = 0
    order: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()

    def rank(self, witness: str) -> int:
        """Return the place of a witness in the order of the project."""
        places = (number for number, wanted in enumerate(self.order) if fnmatchcase(witness, wanted))
        return next(places, len(self.order))


def projects(files: Iterable[Path] = ()) -> tuple[Project, ...]:
    """Return the rules of projects, those of files of the user first; raises `KnownError`."""
    rows = ((file, _rows(file).get(PROJECT)) for file in (*files, *OWN))
    return tuple(_project(file, row) for file, row in rows if row is not None)


def project_of(solver: str, rules: Sequence[Project]) -> Project:
    """Return the project of a solver; one without rules for any other solver."""
    found = (one for one in rules if any(fnmatchcase(solver, pattern) for pattern in one.solvers))
    return next(found, Project(name=solver, solvers=(solver,)))


def known_issues(files: Iterable[Path] = ()) -> tuple[Issue, ...]:
    """Return the built-in issues and those in files, in order; raises `KnownError`."""
    return tuple(issue for file in (*OWN, *files) for issue in _issues(file))


def known_as(bucket: Bucket, issues: Sequence[Issue]) -> tuple[Issue, ...]:
    """Return the issues that match every finding of a bucket, the sure ones first."""
    found = [issue for issue in issues if all(issue.matches.hold(member.traits) for member in bucket.members)]
    return tuple(sorted(found, key=lambda issue: not issue.sure))


def recognized(traits: Traits) -> Issue | None:
    """Return a built-in issue at which a campaign does not stop, because a finding with these traits looks like it.

    These are the sure issues and those that a cure distinguishes (Z3 issue 7319). Parameters of a finding that is not
    reduced are accidental, so issues that are matched by parameters do not count for it.
    """
    for issue in known_issues():
        is_distinct = issue.sure or issue.matches.is_by_cure
        is_readable = traits.text is not None or not issue.matches.needs
        if is_distinct and is_readable and issue.matches.hold(traits):
            return issue
    return None


def within(release: str | None, bounds: str | None) -> bool:
    """Return whether a release ("4.13.4.0") is within bounds (">=4.13,<5"); False for an unknown release."""
    if bounds is None:
        return True
    return bool(release) and all(
        _COMPARISONS[sign](_parts(release or ""), _parts(bound)) for sign, bound in _BOUND.findall(bounds)
    )


def _parts(release: str) -> tuple[int, ...]:
    """Return a version as numbers, without trailing zeros: 4.14 equals 4.14.0.0."""
    numbers = [int(number) for number in re.findall(r"\d+", release)]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def _issues(file: Path) -> list[Issue]:
    return [_issue(file, name, row) for name, row in _rows(file).items() if name != PROJECT]


def _rows(file: Path) -> dict[str, object]:
    try:
        return tomllib.loads(file.read_text())
    except OSError as error:
        raise KnownError(f"cannot read {str(file)!r}: {error.strerror}; name another file with --known") from error
    except ValueError as error:
        raise KnownError(f"{str(file)!r} is not TOML: {error}") from error


def _project(file: Path, row: object) -> Project:
    try:
        project = converted(row, Project)
    except (CodecError, ValueError) as error:
        raise KnownError(f"{str(file)!r}: row {PROJECT!r} {error}; known/spacer.toml explains the fields") from error
    return project


def _issue(file: Path, name: str, row: object) -> Issue:
    try:
        issue = converted({**row, "id": name} if isinstance(row, dict) else row, Issue)
        _check(issue.matches)
        if issue.matches.needs_only_a_cure:
            issue = msgspec.structs.replace(issue, sure=False)
    except (CodecError, ValueError) as error:
        raise KnownError(f"{str(file)!r}: row {name!r} {error}; known/spacer.toml explains the fields") from error
    return issue


def _check(matches: Matches) -> None:
    """Raise `ValueError` for conditions that any finding meets, and for bounds that cannot be read."""
    if matches == Matches(solver=matches.solver):
        raise ValueError("matches everything")
    for bounds in filter(None, (matches.release, matches.first_good)):
        if not all(_BOUND.fullmatch(part.strip()) for part in bounds.split(",")):
            raise ValueError(f"has the bounds {bounds!r}, which are not like '>=4.13,<5'")
