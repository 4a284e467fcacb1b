"""The part of a report on the cause: diagnosis, the release that introduced it, and a candidate fix.

Every part is read from files of the finding's folder, or of another finding of its bucket, which is then named. The
report's first lines list the parts that are unknown.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from chcfuzz.execution.files import read_plain
from chcfuzz.oracles.verdict import Subject, facts_of
from chcfuzz.solvers.z3_sources import TRANSFORMS, Transform
from chcfuzz.triage.buckets.markdown import block, listed, table
from chcfuzz.triage.buckets.traits import Traits, diagnosis_in
from chcfuzz.triage.findings.fix import PATCH, Fix, in_words, read_fix
from chcfuzz.triage.findings.location import DIFF, Changes, Introduction, Location, SuspiciousSite, Versions
from chcfuzz.triage.findings.record import Finding, Record
from chcfuzz.triage.findings.reductions import system_of

UNKNOWN = "not known"
_SOURCE_PLACE = re.compile(r"\.(cpp|h|hpp):\d+")
_JAR = re.compile(r"([^/:]+\.jar)\b")
_BORROWED = (
    "vanishes",
    "appears",
    "event",
    "sites",
    "versions",
    "assertion",
    "stack",
    "introduction",
    "lines",
    "around",
    "values",
    "solver_step",
    "component",
)
_MAX_SITES = 5
_OF_Z3 = ("Spacer", "z3")  # names in traits of solvers whose releases are tags of Z3's repository
_COMPARISON = "https://github.com/Z3Prover/z3/compare"


class Part(enum.StrEnum):
    """Parts of Z3 that HornFuzz's paper counts bugs by (table 6, there by hand), in its order."""

    LINEAR = "linear inlining"
    EAGER = "eager inlining"
    TRANSFORMS = "other transforms"
    CORE = "core of Spacer"
    UNKNOWN = "unclassified"


_INLINING = {"fp.xform.inline_linear": Part.LINEAR, "fp.xform.inline_eager": Part.EAGER}


@dataclass(frozen=True)
class Cause:
    """The known facts about the cause of a finding.

    `observed` names the solver and its release. `written` is the diagnosis of a person, `patch` the candidate fix as a
    text, `diff` the changes by the commit that introduced it. `sources` name the findings of the bucket that parts come
    from, if not from the finding itself.
    """

    traits: Traits
    observed: str
    location: Location | None = None
    fix: Fix | None = None
    patch: str = ""
    written: str = ""
    diff: str = ""
    sources: tuple[tuple[str, str], ...] = ()

    @property
    def versions(self) -> Versions | None:
        """Tested releases."""
        return self.location.versions if self.location else None

    @property
    def component(self) -> str:
        """The part of the solver that made the first wrong step; empty if it is not known."""
        return self.location.component if self.location else ""

    @property
    def is_introduction_known(self) -> bool:
        """Whether a good release before the first bad one was tested, or the first bad commit is known."""
        if self.commit is not None:
            return True
        return self.versions is not None and self.versions.last_good is not None

    @property
    def commit(self) -> Introduction | None:
        """The first bad commit, if `chcfuzz locate --history` found a single one."""
        found = self.location.introduction if self.location else None
        return found if found is not None and len(found.commits) == 1 else None

    @property
    def cures(self) -> Changes:
        """Single changes of parameters that cure it: for the located system, or for the system before reduction."""
        if self.location is not None and self.location.vanishes:
            return self.location.vanishes
        pairs = (cure.partition("=") for cure in self.traits.cures if "=" in cure)
        return tuple((name, value) for name, _, value in pairs)

    @property
    def sites(self) -> list[SuspiciousSite]:
        """Suspicious places in the solver's sources; other events do not help a maintainer."""
        found = self.location.sites if self.location else ()
        return [site for site in found if _SOURCE_PLACE.search(site.where)][:_MAX_SITES]

    @property
    def missing(self) -> list[str]:
        """Names of the parts that are not known."""
        parts = (
            ("a diagnosis", not self._proven),
            ("the release that introduced it", not self.is_introduction_known),
            ("a candidate fix", self.fix is None and not self.patch),
        )
        return [name for name, is_missing in parts if is_missing]

    @property
    def _assertion(self) -> str | None:
        return self.location.assertion if self.location else None

    @property
    def _in_debug_build(self) -> str:
        """Words on the build in which the assertion fails; one that the finding reports may fail in a release, too."""
        return "" if facts_of(self.traits.kind).subject is Subject.MESSAGE else " in a debug build"

    @property
    def part(self) -> Part:
        """The part of Z3 with the fault, as far as it is known."""
        transforms = self._transforms()
        if transforms:
            return _INLINING.get(transforms[-1][0].partition("=")[0], Part.TRANSFORMS)
        if self.traits.by_transforms:
            return Part.TRANSFORMS
        files = [*(self.fix.files if self.fix is not None else ()), *(site.where for site in self.sites[:1])]
        return Part.CORE if any("spacer" in file or "mbp" in file for file in files) else Part.UNKNOWN

    @property
    def blamed(self) -> str:
        """The file of the transform whose switch cures it or is needed, or an empty text."""
        transforms = self._transforms()
        return transforms[-1][1].file if transforms else ""

    def summary(self) -> str:
        """Return the cause in one line; `UNKNOWN`, with a hint, if neither a diagnosis nor a patch shows it."""
        return self._proven or "; ".join(filter(None, (UNKNOWN, self._hint())))

    @property
    def _proven(self) -> str:
        """The cause in one line, as a person read it in the sources or a patch shows it; else an empty text."""
        if self.written:
            return next(filter(None, map(str.strip, self.written.splitlines()))).rstrip(".")
        if self.fix is not None and self.fix.cures_all:
            return f"in {', '.join(self.fix.files)}, because a patch there cures it"
        return ""

    def _hint(self) -> str:
        """Return a fact that is not the cause: a switch that cures may only change the input of the wrong code."""
        if self._assertion is not None:
            return f"an assertion fails{self._in_debug_build}: `{self._assertion}`"
        if self.component:
            return f"the first wrong step is made by {self.component}"
        transforms = self._transforms()
        if transforms:
            change, transform, is_needed = transforms[-1]
            return f"{'needs' if is_needed else 'vanishes with'} `{change}`, a switch of {transform}"
        return f"suspected near `{self.sites[0].where}`" if self.sites else ""

    def _transforms(self) -> list[tuple[str, Transform, bool]]:
        """Return changes of parameters that concern a transform, and whether the finding needs the change.

        The last one distinguishes most: a transform that the finding needs, else the latest one whose absence cures it,
        because an early transform changes the input of all later ones.
        """
        cures = [(f"{n}={v}", TRANSFORMS[n], False) for n, v in self.cures if n in TRANSFORMS and v in ("false", "0")]
        cures = [one for one in cures if one[0].partition("=")[0] not in self._needed]
        cures.sort(key=lambda one: list(TRANSFORMS.values()).index(one[1]))
        needed = [(f"{name}={value}", TRANSFORMS[name], True) for name, value in self._needed.items()]
        return [*cures, *(one for one in needed if one[0].rpartition("=")[2] not in ("false", "0"))]

    @property
    def _needed(self) -> dict[str, str]:
        pairs = (parameter.partition("=") for parameter in self.traits.parameters)
        return {name: value for name, _, value in pairs if name in TRANSFORMS}

    def diagnosis(self) -> Iterator[str]:
        """Yield the section on the diagnosis."""
        if self.written:
            yield from (*self.written.splitlines(), "")
        if self._assertion is not None:
            yield f"- Failed assertion{self._in_debug_build}: `{self._assertion}`"
            yield from (f"  - `{frame}`" for frame in (self.location.stack if self.location else ()))
        for change, transform, is_needed in self._transforms():
            verb = "needs" if is_needed else "vanishes with"
            yield f"- The bug {verb} `{change}`, a switch of {transform}."
        yield from self._from_location()
        yield from self._source("diagnosis", "location")

    def _from_location(self) -> Iterator[str]:
        where = self.location
        named = {change for change, _, _ in self._transforms()}
        cures = [(name, f"{name}={value}") for name, value in self.cures if name not in self._needed]
        others = [change for _, change in cures if change not in named]
        if others:
            of = "" if where is not None and where.vanishes else ", for `mutant.smt2`"
            yield f"- The bug vanishes with each of {listed(others)} alone{of}."
        if where is None:
            return
        if where.solver_step:
            yield f"- The first wrong step of the solver: {where.solver_step}."
        event = where.event if where.event is not None and where.event.is_in_both else None
        if where.appears or event or self.sites:
            yield f"- `chcfuzz locate` ran `{system_of(where.of)}`:"
        if where.appears:
            pairs = [f"{name}={value}" for name, value in where.appears]
            yield f"- The bug appears with each of {listed(pairs)} alone."
        if where.step is not None and where.step.number:
            yield f"- The bug first appears after step {where.step.number} of the chain: {where.step.row}."
        if event is not None:
            failing, passing = event.failing or "its end", event.passing or "its end"
            yield f"- At event {event.index}, the failing run has `{failing}` and a passing one has `{passing}`."
            if where.around:
                yield from ("", *block("cpp", "\n".join(where.around)), "")
        if where.values:
            yield from ("- The first entries that differ in the logs of these runs:", "")
            yield from (*block("", "\n".join(where.values)), "")
        for site in self.sites:
            runs = f"{site.failing} failing, {site.passing} passing runs"
            line = dict(where.lines).get(site.where, "")
            yield f"- Suspicious ({site.score:.2f}; {runs}): `{site.where}`" + (f", `{line}`" if line else "")

    def introduction(self) -> Iterator[str]:
        """Yield the section on the release that introduced the bug."""
        yield f"Observed in {self.observed}."
        yield from introduced(self.versions, self.traits.solver)
        if self.commit is not None:
            yield from _first_bad(self.commit, self.diff)
        if self.location is not None and self.location.changes:
            yield from ("Files that differ between the sources of these releases:", "")
            yield from (f"- {change}" for change in self.location.changes)
        yield from self._source("versions")

    def candidate(self) -> Iterator[str]:
        """Yield the section on the candidate fix."""
        if self.fix is None and not self.patch:
            return
        if self.fix is None:
            yield "This patch is not measured: `chcfuzz try-fix` builds it, and runs findings and a corpus on it."
            yield from ("", *block("diff", self.patch), "")
        else:
            yield f"This patch of the sources of {self.fix.release} was built and tried:"
            yield from ("", *block("diff", self.patch), "", *block("", "\n".join(in_words(self.fix))))
        yield from self._source("fix")

    def _source(self, *parts: str) -> Iterator[str]:
        found = sorted({name for part, name in self.sources if part in parts})
        if found:
            yield f"Measured on another finding of the same bucket: {', '.join(found)}."


def introduced(versions: Versions | None, solver: str) -> Iterator[str]:
    """Yield sentences on the releases of a solver that show a bug, which claim no more than was tested."""
    if versions is None:
        yield "Other releases were not tested."
        return
    if versions.last_good is not None:
        yield f"First bad release: {versions.first_bad}. Last good release before it: {versions.last_good}."
        if versions.first_bad is not None and solver in _OF_Z3:
            yield f"Changes between them: {_COMPARISON}/{_tag(versions.last_good)}...{_tag(versions.first_bad)}"
    else:
        yield f"The oldest tested release that shows it is {versions.first_bad}; an older good one was not found."
    if versions.first_good is not None:
        yield f"First good release after it: {versions.first_good}."
    if versions.variants:
        yield "A release is good if it is right on the system and on its variants, which change nothing but"
        yield f"{listed(versions.variants)}."
    yield from ("", *table(("release", "result"), versions.results))


def _first_bad(found: Introduction, diff: str) -> Iterator[str]:
    """Yield sentences on the first bad commit, and its changes."""
    yield f"First bad commit: {found.commits[0]} ({found.day}), {found.subject!r}."
    yield f"Tested commits, each with a build: {found.results}."
    if diff:
        idle = f", without {found.idle} files that the finding does not execute" if found.idle else ""
        yield from (f"Its changes of Z3's sources{idle}:", "", *block("diff", diff), "")


def _tag(release: str) -> str:
    """Return the name of a release in Z3's repository: z3-4.9.1 for 4.9.1.0."""
    return f"z3-{'.'.join(release.split('.')[:3])}"


def known_cause(finding: Finding, traits: Traits, siblings: Sequence[Finding] = ()) -> Cause:
    """Return the known facts about a finding's cause; parts that it lacks come from other findings of its bucket."""
    cause = Cause(traits, observed_in(finding.record, traits))
    for one in (finding, *siblings):
        source = () if one is finding else (one.folder.name,)
        cause = _with_location(cause, one.location, source)
        cause = _with_diff(cause, one)
        if not cause.written:
            cause = _with(cause, "diagnosis", source, written=diagnosis_in(one.folder))
        fix = read_fix(one.folder)
        if fix is not None and (cause.fix is None or (fix.cures_all and not cause.fix.cures_all)):
            cause = _with(cause, "fix", source, fix=fix, patch=_text(one, PATCH))
        elif not cause.patch:
            cause = _with(cause, "fix", source, patch=_text(one, PATCH))
    return cause


def observed_in(record: Record, traits: Traits) -> str:
    """Return the solver with its release, as far as the record has it, or with the first jar of a Java program."""
    if record.is_of_build:
        return f"a build of Z3 {traits.release}"
    if traits.release:
        return f"{traits.solver} {traits.release}" if record.releases else f"z3-solver {traits.release}"
    jar = next(filter(None, map(_JAR.search, record.command)), None)
    return f"`{traits.solver}`, {f'`{jar[1]}`' if jar else 'whose version was not recorded'}"


def _with(cause: Cause, part: str, source: Sequence[str], **fields: Any) -> Cause:
    if not all(fields.values()):
        return cause
    return replace(cause, sources=(*cause.sources, *((part, name) for name in source)), **fields)


def _with_location(cause: Cause, location: Location | None, source: Sequence[str]) -> Cause:
    if location is None:
        return cause
    if cause.location is None:
        parts = location if not source else replace(location, step=None)
        cause = _with(cause, "location", source, location=parts)
        return _with(cause, "versions", source, location=parts) if parts.versions else cause
    for part in _BORROWED:
        value, own = getattr(location, part), getattr(cause.location, part)
        if value and not own:
            name = part if part == "versions" else "location"
            cause = _with(cause, name, source, location=replace(cause.location, **{part: value}))
    return cause


def _with_diff(cause: Cause, one: Finding) -> Cause:
    """Return the facts with the changes by the first bad commit, if it comes from this finding."""
    introduction = None if one.location is None else one.location.introduction
    if cause.diff or cause.commit is None or introduction != cause.commit:
        return cause
    return replace(cause, diff=_text(one, DIFF))


def _text(finding: Finding, name: str) -> str:
    try:
        return read_plain(finding.folder / name).decode(errors="replace")
    except FileNotFoundError:
        return ""
