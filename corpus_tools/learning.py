"""The work of `chcfuzz learn`: train a model on folders, show its contents, and score files by it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from chcfuzz.corpus_tools.augmentation import Diversity, Equivalents
from chcfuzz.execution.files import see_writable, write_whole
from chcfuzz.execution.solving import UsageError
from chcfuzz.grammar.drawing.weights import TermPlace
from chcfuzz.learning import model_file
from chcfuzz.learning.counts import Counts
from chcfuzz.learning.data import FileLimits, Read, Refused, Sources, learnable, paths, read_file
from chcfuzz.learning.formula_model import FormulaModel
from chcfuzz.learning.model_file import Measured, Stored, TrainingRecord
from chcfuzz.learning.possible import of_class
from chcfuzz.learning.training import Augment, Given, TrainingOptions, bits_of, train
from chcfuzz.learning.vocabulary import SORTS, START

Line = str
Result = tuple[list[Line], Any]  # lines of text, and the same content for JSON
_MOST_SHOWN = 12  # reasons and productions


@dataclass(frozen=True)
class LearnRequest:
    """Folders to train on and to fine-tune on, a model to begin with, and whether to make more files of these."""

    folders: Sequence[Path]
    triggers: Sequence[Path] = ()
    base: Path | None = None
    refit: bool = False
    diversity: bool = False
    equivalents: bool = False

    @property
    def adapts(self) -> bool:
        """Whether the model to begin with is only adapted to this version, and nothing is added."""
        return self.refit and self.base is not None and not self.folders and not self.triggers

    @property
    def augment(self) -> tuple[Augment | None, Augment | None]:
        """The makers of more files: for the folders, and for the triggers."""
        diversity = Diversity() if self.diversity else None
        return diversity, Equivalents() if self.equivalents else diversity


def learn(into: Path, request: LearnRequest, options: TrainingOptions) -> Result:
    """Train a model and write it; raises `UsageError` if there is nothing to learn from, or it cannot be written."""
    if into.exists() and not into.is_file():
        raise UsageError(f"cannot write the model {str(into)!r}: it is not a plain file; name another")
    see_writable(into)  # before a training that may take hours
    base = (
        model_file.read(request.base, request.refit)
        if request.base is not None
        else Stored(Counts.none(), TrainingRecord())
    )
    if request.adapts:
        counts, about = base.counts, base.about
    else:
        counts, about = _trained(request, options, base)
    content = model_file.encode(counts, about)
    try:
        write_whole(into, content, mode=0o644)
    except OSError as error:
        raise UsageError(f"cannot write the model {str(into)!r}: {error.strerror}") from error
    files = sum(source.files for source in (*about.trained_on, *about.triggers))
    lines = [f"{into}: {len(content)} bytes, {about.nodes} nodes of {files} files, {len(counts.numbers)} counts"]
    return lines + _left_out(about), {"bytes": len(content), **msgspec.to_builtins(about)}


def _trained(request: LearnRequest, options: TrainingOptions, base: Stored) -> tuple[Counts, TrainingRecord]:
    counts, about = train(Given(request.folders, request.triggers, base.counts, base.about), options)
    if about.nodes == base.about.nodes:
        names = " ".join(str(folder) for folder in (*request.folders, *request.triggers))
        reasons = ", ".join(f"{number} {reason}" for reason, number in _most(about.left_out))
        raise UsageError(f"no file to learn from in {names!r} ({reasons or 'no .smt2 file'}); name other folders")
    return counts, about


def _most(numbers: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(numbers.items(), key=lambda each: (-each[1], each[0]))[:_MOST_SHOWN]


def _left_out(about: TrainingRecord) -> list[Line]:
    return [f"  left out: {number} {reason}" for reason, number in _most(about.left_out)]


def show(path: Path, sort: str, refit: bool) -> Result:
    """Return what a model was trained on, the information of nodes by theory, and likely productions of a sort."""
    if sort not in SORTS:
        raise UsageError(f"no class of sorts {sort!r}; write one of {', '.join(SORTS)}")
    stored = model_file.read(path, refit)
    about = stored.about
    lines = [f"{path}: {len(stored.counts.numbers)} counts of {about.nodes} nodes"]
    lines += [f"  dropped: {stored.dropped} counts of unknown productions"] if stored.dropped else []
    if not about.trained_on and not about.triggers:
        lines.append("  units of a campaign; a node counts as often as its unit weighs")
    lines += [f"  {source.files} files of {source.name}, sum {source.sum}" for source in about.trained_on]
    lines += [f"  {each.files} triggers of {each.name}, {each.weight} times, sum {each.sum}" for each in about.triggers]
    lines += [*_left_out(about), *_by_theory(about.measured), f"productions of {sort} without a context:"]
    likely = _likely(FormulaModel(stored.counts), sort)
    lines += [f"  {100 * weight / (1 << 16):5.1f} %  {name}" for name, weight in likely]
    return lines, {**msgspec.to_builtins(about), "productions": dict(likely)}


def _by_theory(measured: dict[str, Measured]) -> list[Line]:
    """Return a table of the problems that were set apart; see `model_file.Measured`."""
    if not measured:
        return []
    width = max(map(len, measured))
    lines = ["bits a node of every tenth problem, by a model of the others:"]
    for name, each in sorted(measured.items(), key=lambda item: -item[1].nodes):
        bits = each.hundredths / 100 / max(1, each.nodes)
        lines.append(f"  {name:{width}}  {bits:.2f}  ({each.nodes} nodes of {each.files} problems)")
    return lines


def _likely(model: FormulaModel, sort: str) -> list[tuple[str, int]]:
    names = of_class(sort)
    weights = model.weights(names, TermPlace(sort, START, 0, START, START, START))
    return sorted(zip(names, weights, strict=True), key=lambda each: -each[1])[:_MOST_SHOWN]


def score(path: Path, folders: Sequence[Path], limits: FileLimits, refit: bool) -> Result:
    """Return the bits a node of each file by a model, those of unlikely files first."""
    if not folders:
        raise UsageError(f"name the folder whose files {str(path)!r} shall score")
    model = FormulaModel(model_file.read(path, refit).counts)
    scores: dict[str, float] = {}
    reasons = Sources()
    for file in (file for folder in folders for file in paths(folder)):
        read = _read(file, limits, reasons)
        nodes = sum(len(each.numbers) for each in read)
        if nodes:
            scores[str(file)] = sum(bits for each in read for bits in bits_of(model, each.numbers)) / nodes
    ordered = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    lines = [f"{bits:6.2f}  {name}" for name, bits in ordered]
    return lines + _left_out(TrainingRecord(left_out=dict(reasons.left_out))), {
        name: round(bits, 4) for name, bits in ordered
    }


def _read(file: Path, limits: FileLimits, sources: Sources) -> list[Read]:
    """Return the problems of a file, and count what is left out."""
    content = learnable(file, limits.bytes)
    read = [content] if isinstance(content, Refused) else read_file(content, limits.nodes)
    for each in read:
        if isinstance(each, Refused):
            sources.leave_out(each.reason)
    return [each for each in read if isinstance(each, Read)]
