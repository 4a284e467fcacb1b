"""A candidate fix of the solver and its effects, as `chcfuzz try-fix` measured them: `fix.json` in a finding's folder.

The patch itself is `fix.patch` beside it.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.execution.codec import to_json
from chcfuzz.execution.files import read_json, write_whole
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printable import counted

FILE, PATCH = "fix.json", "fix.patch"
FORMAT = "chcfuzz-fix 1"
_LEAST_PERCENT = 0.1


class FixError(ChcfuzzError):
    """A `fix.json` that cannot be read or written; the message gives advice."""


class Effect(enum.StrEnum):
    """Effect of a patch on a finding."""

    CURED = "cured"  # it showed before, and the solver is right now
    STILL = "still there"
    HANGS = "hangs"  # it showed before, and the patched solver does not end
    UNCLEAR = "unclear"  # it showed before, and the new result is undecided or wrong in another way
    NEW = "new"  # it did not show before
    ABSENT = "absent"  # it shows neither before nor now


@dataclass(frozen=True)
class FindingEffect:
    """Results on a finding before and after the patch; `is_same` is true for findings of the bucket to be cured."""

    finding: str
    is_same: bool
    before: str
    after: str
    effect: Effect


@dataclass(frozen=True)
class CorpusEffect:
    """A changed result on a unit of a corpus; `change` is one of `chcfuzz regress`.

    `is_wrong` is true if the new result is wrong by itself, and None if the right answer is not known.
    """

    unit: str
    change: str
    before: str
    after: str
    is_wrong: bool | None


@dataclass(frozen=True)
class Fix:
    """A patch and its effects.

    Attributes:
        patch: Digits that name the patch.
        files: Files that it changes.
        release: Release of the patched sources.
        findings: Effects on the findings.
        units: Number of units of the corpus.
        corpus: Changed results on these units.
        costs: Sums of the solver's own cost counts over the units that are decided before and after.
        settings: Parameters under which files of the corpus ran as they are, and through both front ends.
        runs: Number of these runs.
        scripts: Changed answers of these runs.
        left_out: Number of findings and units that were not run, because the patched solver hung on those before.
    """

    patch: str
    files: tuple[str, ...]
    release: str
    findings: tuple[FindingEffect, ...]
    units: int = 0
    corpus: tuple[CorpusEffect, ...] = ()
    costs: tuple[int, int] = (0, 0)
    left_out: int = 0
    settings: tuple[str, ...] = ()
    runs: int = 0
    scripts: tuple[CorpusEffect, ...] = ()

    @property
    def tested(self) -> list[FindingEffect]:
        """Findings of the bucket that showed before the patch."""
        return [one for one in self.findings if one.is_same and one.effect not in (Effect.ABSENT, Effect.NEW)]

    @property
    def cured(self) -> int:
        """Number of findings of the bucket that the patch cures."""
        return sum(one.effect is Effect.CURED for one in self.tested)

    @property
    def cures_all(self) -> bool:
        """Whether the patch cures every finding of the bucket, makes nothing wrong, and everything was run."""
        return 0 < len(self.tested) == self.cured and not self.faults and not self.left_out

    @property
    def answers(self) -> list[CorpusEffect]:
        """Changed results on the corpus, without those that changed in cost alone."""
        return [one for one in self.corpus if one.change not in ("dearer", "cheaper")]

    @property
    def faults(self) -> list[str]:
        """Results that the patch makes wrong: new findings, findings that hang, and wrong results on the corpus."""
        new = [one.finding for one in self.findings if one.effect in (Effect.NEW, Effect.HANGS)]
        return new + [one.unit for one in (*self.corpus, *self.scripts) if one.is_wrong]


def in_words(fix: Fix) -> list[str]:
    """Return the effects as lines."""
    lines = [f"cures {fix.cured} of {len(fix.tested)} findings of the bucket"]
    if fix.left_out:
        lines.insert(0, f"the patched solver hangs: {fix.left_out} findings and units were not run")
    lines += [f"  {one.finding}: {one.before} -> {one.after} ({one.effect})" for one in fix.findings if one.is_same]
    others = [one for one in fix.findings if not one.is_same]
    changed = [one for one in others if one.effect not in (Effect.STILL, Effect.ABSENT)]
    lines.append(f"other findings: {len(others)} run, {len(changed)} changed")
    lines += [f"  {one.finding}: {one.before} -> {one.after} ({one.effect})" for one in changed]
    if not (fix.units or fix.runs):
        return [*lines, "corpus: not run" if fix.left_out else "corpus: not run; name one with --corpus"]
    return lines + (_corpus_in_words(fix) if fix.units else []) + (_scripts_in_words(fix) if fix.runs else [])


def _scripts_in_words(fix: Fix) -> list[str]:
    under = "; ".join(fix.settings)
    heading = f"SMT-LIB files as they are, and through both front ends, under {under}:"
    lines = [heading, f"  {_counts(fix.scripts, fix.runs, 'run')}"]
    return lines + [f"  {one.unit}: {one.before} -> {one.after} ({one.change})" for one in fix.scripts]


def _counts(changed: Sequence[CorpusEffect], number: int, noun: str) -> str:
    wrong = sum(one.is_wrong is True for one in changed)
    unknown = sum(one.is_wrong is None for one in changed)
    open_answers = f", {unknown} of unknown truth" if unknown else ""
    answers = f"{counted(len(changed), 'answer')} changed, {wrong} of them wrong"
    return f"{counted(number, noun)}, {answers}{open_answers}"


def _corpus_in_words(fix: Fix) -> list[str]:
    lines = [f"corpus, under default parameters: {_counts(fix.answers, fix.units, 'unit')}"]
    lines += [f"  {one.unit}: {one.before} -> {one.after} ({one.change})" for one in fix.answers]
    moved = [one for one in fix.corpus if one not in fix.answers]
    before, after = fix.costs
    ratio = f", {_change(before, after)} in sum" if before else ""
    lines.append(f"costs: {counted(len(moved), 'unit')} moved{ratio}")
    lines += [f"  {one.unit}: {one.before} -> {one.after} ({one.change})" for one in moved]
    return lines


def _change(before: int, after: int) -> str:
    """Return the change of a cost; one that rounds to nothing is not called equal."""
    if before == after:
        return "the same"
    percent = 100 * (after - before) / before
    small = f"{'more' if after > before else 'less'} by under 0.1 %"
    return small if abs(percent) < _LEAST_PERCENT else f"{percent:+.1f} %"


def compared(fix: Fix, earlier: Fix) -> str:
    """Return a line that compares a patch with the one that was tried before."""
    texts = (
        f"{name} {one.patch} cures {one.cured} of {len(one.tested)}, changes {counted(len(one.answers), 'answer')},"
        f" makes {len(one.faults)} wrong"
        for name, one in (("this patch", fix), ("the earlier patch", earlier))
    )
    return "; ".join(texts)


def write_fix(finding: Path, fix: Fix, patch: bytes) -> None:
    """Write a patch and its effects into a finding's folder, each file whole; raises `FixError`."""
    try:
        (finding / FILE).unlink(missing_ok=True)
        write_whole(finding / PATCH, patch)
        write_whole(finding / FILE, to_json(fix, FORMAT, indent=2))
    except OSError as error:
        raise FixError(f"cannot write to {str(finding)!r}: {error.strerror}; free some space there") from error


def read_fix(finding: Path) -> Fix | None:
    """Return the fix in a finding's folder, None without one; raises `FixError` for a damaged file."""
    return read_json(finding / FILE, Fix, FORMAT, FixError, "remove it, and run `chcfuzz try-fix` again")
