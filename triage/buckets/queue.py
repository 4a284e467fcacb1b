"""The queue of reports: which bucket to file next, by the rules of each project (`known/*.toml`).

Bugs under default parameters come first, then the order of the project decides. Buckets whose findings fail in the same
way in the same part of the solver share one thread: the first one is filed, and the others are named with it. At most
`per_week` reports of a project are due. Set aside are public issues, with their link, buckets that the maintainers do
not want, and buckets that the newest release does not show any more.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass

from chcfuzz.grammar.printable import counted
from chcfuzz.oracles.verdict import Severity, facts_of
from chcfuzz.triage.buckets.buckets import Bucket, key_of
from chcfuzz.triage.buckets.cause import Cause
from chcfuzz.triage.buckets.known_issues import Issue, Project, project_of
from chcfuzz.triage.buckets.traits import Traits

_GRAVE = (Severity.ANSWER, Severity.STEP, Severity.MODEL, Severity.CRASH)
_MAX_CHANGED = 1  # options; maintainers do not want findings that need more


class QueuePlace(enum.StrEnum):
    """Place of a bucket in the queue."""

    NOW = "file now"
    SAME_THREAD = "same thread"
    LATER = "later"
    ASIDE = "set aside"


@dataclass(frozen=True)
class ReportCandidate:
    """A bucket with its cause and its public issues; `folder` holds its representative.

    `rerun` is the result in the newest release, and `shows` whether that release still shows it; None if it was not
    run.
    """

    bucket: Bucket
    folder: str
    cause: Cause
    issues: tuple[Issue, ...] = ()
    release: str = ""
    rerun: str = ""
    shows: bool | None = None

    @property
    def traits(self) -> Traits:
        """Traits of the representative."""
        return self.cause.traits

    @property
    def is_wanted(self) -> bool:
        """Whether the finding needs few changed options, and only supported ones."""
        return len(self.traits.parameters) <= _MAX_CHANGED and "unsupported" not in self.traits.standing

    @property
    def thread(self) -> tuple[str, ...]:
        """Key of the thread: solver, kind, witness, and the part of the solver."""
        return (*key_of(self.traits)[:4], self.cause.blamed)


@dataclass(frozen=True)
class QueueEntry:
    """A bucket in the queue: its project, its place, and the reason for the place or missing parts of its report."""

    candidate: ReportCandidate
    project: Project
    place: QueuePlace
    reason: str


def queue(candidates: Sequence[ReportCandidate], rules: Sequence[Project]) -> list[QueueEntry]:
    """Return the buckets in the order in which they should be filed, those of a project together."""
    rows = [(project_of(one.traits.solver, rules), one) for one in candidates]
    entries: list[QueueEntry] = []
    for project in sorted({project for project, _ in rows}, key=lambda one: one.name):
        own = sorted((one for of, one in rows if of == project), key=lambda one: _order(one, project))
        entries += _of_project(own, project)
    return entries


def _order(candidate: ReportCandidate, project: Project) -> tuple[object, ...]:
    traits = candidate.traits
    return (len(traits.parameters), project.rank(traits.witness), traits.text is None, traits.size, traits.name)


def _of_project(candidates: Sequence[ReportCandidate], project: Project) -> list[QueueEntry]:
    entries, aside = [], []
    threads: dict[tuple[str, ...], str] = {}
    due = 0
    for one in candidates:
        reason = _reason_aside(one)
        if reason:
            aside.append(QueueEntry(one, project, QueuePlace.ASIDE, reason))
            continue
        first = threads.setdefault(one.thread, one.bucket.name)
        if first != one.bucket.name:
            entries.append(QueueEntry(one, project, QueuePlace.SAME_THREAD, f"with {first}"))
            continue
        missing = _missing(one, project)
        place = QueuePlace.LATER if project.per_week and due >= project.per_week else QueuePlace.NOW
        due += place is QueuePlace.NOW
        reason = f"at most {project.per_week} a week" if place is QueuePlace.LATER else ""
        entries.append(QueueEntry(one, project, place, "; ".join(filter(None, (reason, missing)))))
    return entries + aside


def _reason_aside(candidate: ReportCandidate) -> str:
    """Return why a bucket is not filed, or an empty text."""
    sure = next((issue for issue in candidate.issues if issue.sure), None)
    if sure is not None:
        return f"public: {sure.url}"
    traits = candidate.traits
    if candidate.shows is False:
        return f"gone in {candidate.release}: {candidate.rerun}"
    grave = facts_of(traits.kind).severity in _GRAVE
    return "" if grave and candidate.is_wanted else f"not wanted: {traits.standing}"


def _missing(candidate: ReportCandidate, project: Project) -> str:
    """Return the parts that the project wants and the report lacks."""
    parts = {"diagnosis": "a diagnosis", "fix": "a candidate fix"}
    lacks = [parts[need] for need in project.needs if parts.get(need) in candidate.cause.missing]
    lacks += ["a check on a nightly build"] if "nightly" in project.needs else []
    text = f"missing: {', '.join(lacks)}" if lacks else ""
    similar = [f"perhaps {issue.url}" for issue in candidate.issues if not issue.sure]
    return "; ".join(filter(None, (text, *similar)))


def lines(entries: Sequence[QueueEntry]) -> list[str]:
    """Return the queue as lines: each project with its rules, and each bucket with its place."""
    found: list[str] = []
    for number, entry in enumerate(entries):
        project = entry.project
        if number == 0 or entries[number - 1].project != project:
            limit = f"at most {project.per_week} a week" if project.per_week else "no limit on reports"
            found.append(f"{project.name}: {limit}" + (f" ({project.url})" if project.url else ""))
            found += [f"  reports of fuzzers are collected in {project.thread}"] if project.thread else []
        one = entry.candidate
        release = f"; {one.release}: {one.rerun}" if one.rerun and one.shows is not False else ""
        under = ", ".join(one.traits.parameters) or "default parameters"
        found.append(f"  {entry.place}: {one.bucket.name} ({one.traits.witness}, {under}){release}")
        found.append(f"    {one.folder}, {counted(len(one.bucket.members), 'finding')}; cause: {one.cause.summary()}")
        found += [f"    {entry.reason}"] if entry.reason else []
    return found
