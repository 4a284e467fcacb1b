"""Import folders of public benchmarks as a corpus with known statuses.

An imported file is a system in the print style of chcfuzz. `set-info` holds Spacer's outcome, so a campaign does not
have to solve it again (`execution.cached_outcome`). Files are read in sorted order, each result is written under a
temporary name and then renamed, and refused files go to a journal next to the corpus (`<corpus>.refused.tsv`). So an
interrupted import can be continued, and a second import only handles new files.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from collections import Counter as Tally
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from chcfuzz.domains.protocol import Roots
from chcfuzz.execution.cached_outcome import with_outcome
from chcfuzz.execution.child_process import ChildError, run_in_child
from chcfuzz.execution.files import beside, write_whole
from chcfuzz.execution.pipeline import Execution, Pipeline
from chcfuzz.execution.seed_answers import Ground, SeedAnswer
from chcfuzz.execution.solving import UsageError
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.printable import printable
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.grammar.reading.decoding import content_of, text_of
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.solvers.outcome import Status

SUFFIXES = (".smt2", ".smt2.gz")
_MOST_BYTES = 241  # of a file's name: a file system takes 255, and 14 are added
IMPORTED, KNOWN = "imported", "known"  # other results are the reasons of remarks
TOO_LARGE = "too large"  # for --max-bytes
WRONG_STATUS, IN_DOUBT, CUT = "wrong status", "in doubt", "left out"  # reasons of remarks on files that are imported


class Remark(msgspec.Struct, frozen=True):
    """The reason why a file is not imported, or not as it is; `detail` is a line for the journal."""

    reason: str
    detail: str


class RefusedError(Exception):
    """A file that is not imported."""

    def __init__(self, reason: str, detail: str) -> None:
        """Refuse a file for a reason."""
        super().__init__(detail)
        self.remark = Remark(reason, detail)


@dataclass(frozen=True)
class ImportOptions:
    """Folders to read, the folder to write, the maximal size of a file, and other ways to read it."""

    folders: tuple[Path, ...]
    into: Path
    max_bytes: int
    readings: tuple[str, ...] = ()

    @property
    def refused(self) -> Path:
        """The journal of refused files, next to the corpus."""
        return beside(self.into, ".refused.tsv")


Progress = Callable[[int, int], None]  # number of files that are done, number of all files


def import_folders(
    options: ImportOptions, pipeline: Pipeline, on_progress: Progress = lambda _done, _total: None
) -> Tally[str]:
    """Import every file; return the numbers of files that were imported, known, and refused, by reason."""
    files = files_of(options)
    try:
        options.into.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write the corpus to {str(options.into)!r}: {error.strerror}") from error
    header = " ".join((f"# {pipeline.setting} max-bytes {options.max_bytes}", *options.readings))
    tally: Tally[str] = Tally()
    with closing(_Journal(options.refused, header)) as journal:
        for number, (root, path) in enumerate(files, 1):
            tally[_import_one(root, path, options, pipeline, journal)] += 1
            on_progress(number, len(files))
    return tally


def files_of(options: ImportOptions) -> list[tuple[Path, Path]]:
    """Return the files to import, each after the folder that it was found in; raises `UsageError` without any."""
    files = [(root, path) for root in options.folders for path in _systems_in(root, options.into)]
    if not files:
        folders = ", ".join(map(repr, map(str, options.folders)))
        raise UsageError(f"no .smt2 or .smt2.gz file in {folders}, apart from the corpus {str(options.into)!r}")
    return files


def _import_one(root: Path, path: Path, options: ImportOptions, pipeline: Pipeline, journal: _Journal) -> str:
    try:
        data = _data(path, options.max_bytes)
    except RefusedError as error:
        journal.add(path, error.remark)
        return error.remark.reason
    file = _File(root, path, data)
    target = options.into / file.name()
    if target.exists():
        return KNOWN
    if target.name in journal.refused:
        return journal.refused[target.name]
    try:
        problems = _problems(file, pipeline.domain.roots, options.readings)
    except RefusedError as error:
        journal.add(path, error.remark, target.name)
        return error.remark.reason
    remarks = []
    for number, problem in enumerate(problems):  # the last one has the name of the file, so it is there once all are
        is_last = number == len(problems) - 1
        where = target if is_last else options.into / file.name(f"#{number}")
        remarks.append(_import_problem(problem, where, pipeline))
    for remark in filter(None, remarks):  # once all are done: an import that continues skips a file of the journal
        journal.add(path, remark, target.name)
    cut = _cut(file, pipeline.domain.roots)
    if cut is not None:
        journal.add(path, cut, target.name)
    whole = IMPORTED if cut is None else cut.reason
    results = [whole if remark is None else remark.reason for remark in remarks]
    return whole if whole in results else results[-1]


def _cut(file: _File, roots: Roots) -> Remark | None:
    """Return the remark on the commands of a file that may matter and that solvers do not get; None without any."""
    try:
        found = [each for each in roots.left_out(text_of(file.data), str(file.path)) if each.matters]
    except GrammarError:  # this domain reads another kind of text, too, or the error is behind the last check
        return None
    return Remark(CUT, "; ".join(f"{each.command}: {each.reason}" for each in found)) if found else None


def _import_problem(problem: BaseProblem, target: Path, pipeline: Pipeline) -> Remark | None:
    """Write a problem with its outcome; return the remark on it, or on its refusal."""
    try:
        text, remark = _decided_in_child(problem, pipeline)
    except RefusedError as error:
        return error.remark
    _write(target, text)
    return remark


def _systems_in(root: Path, into: Path) -> Iterator[Path]:
    """Yield the files of a root, sorted, without those in the corpus that is written: they are results."""
    if root.is_file():
        yield root
    elif not root.is_dir():
        raise UsageError(f"no such file or folder: {str(root)!r}")
    else:
        corpus = into.resolve()
        for path in problem_files(root):
            is_result = corpus in path.parent.resolve().parents or path.parent.resolve() == corpus
            if not is_result:
                yield path


def problem_files(folder: Path) -> Iterator[Path]:
    """Yield the .smt2 and .smt2.gz files in a folder and the folders in it, sorted."""
    # Unlike `rglob`, `walk` continues if a folder is deleted meanwhile.
    for path in sorted(Path(parent, name) for parent, _, names in os.walk(folder) for name in names):
        if path.name.endswith(SUFFIXES) and path.is_file():
            yield path


@dataclass(frozen=True)
class _File:
    """A file in a root, with its content."""

    root: Path
    path: Path
    data: bytes

    def name(self, part: str = "") -> str:
        """Return a readable name, short enough for a file system.

        Files with other contents or in other folders, and parts of a file, have different names.
        """
        where = self.path.relative_to(self.root.parent if self.root.is_dir() else self.path.parent).as_posix()
        stem = self.path.name.removesuffix(".gz").removesuffix(".smt2")
        plain = "".join(character if character.isprintable() else "_" for character in stem)
        short = plain.encode()[:_MOST_BYTES].decode(errors="ignore")
        digest = hashlib.sha256(b"\0".join((os.fsencode(where), part.encode(), self.data))).hexdigest()
        return f"{short}-{digest[:8]}.smt2"


def _data(path: Path, max_bytes: int) -> bytes:
    try:
        data = content_of(path, max_bytes)
    except (OSError, EOFError, zlib.error) as error:
        raise RefusedError("unreadable", f"cannot be read: {error}") from error
    if data is None:
        raise RefusedError(TOO_LARGE, f"more than {max_bytes} bytes")
    return data


def _problems(file: _File, roots: Roots, readings: Sequence[str]) -> tuple[BaseProblem, ...]:
    try:
        return roots.parse_all(text_of(file.data), str(file.path), readings)
    except GrammarError as error:
        raise RefusedError(f"no {roots.noun}", str(error)) from error


class _Decision(msgspec.Struct, frozen=True):
    """The text to write with a remark, or the remark on a refused file."""

    text: str | None
    remark: Remark | None


def _decided_in_child(problem: BaseProblem, pipeline: Pipeline) -> tuple[str, Remark | None]:
    """Run `_decided` in a child process, so that a crash of the solver does not end the import."""

    def decide() -> Any:
        try:
            decision = _Decision(*_decided(problem, pipeline))
        except RefusedError as error:
            decision = _Decision(None, error.remark)
        return msgspec.to_builtins(decision)

    pipeline.domain.prepare(pipeline.solver)
    try:
        decision = msgspec.convert(run_in_child(decide), _Decision)
    except ChildError as death:
        pipeline.domain.prepare(pipeline.solver, afresh=True)
        return _as_declared(problem, pipeline.domain.roots), Remark(
            IN_DOUBT, f"{pipeline.solver.name} {death}; a campaign will examine it"
        )
    if decision.text is None:
        remark = decision.remark
        assert remark is not None
        raise RefusedError(remark.reason, remark.detail)
    return decision.text, decision.remark


def _as_declared(problem: BaseProblem, roots: Roots) -> str:
    """Return the text of a system with the status that its file declares, and without an outcome."""
    info = (("status", problem.status),) if problem.status else ()
    return roots.print(problem.with_header(info, problem.options))


def _decided(problem: BaseProblem, pipeline: Pipeline) -> tuple[str, Remark | None]:
    """Return the text of a problem with its status and its outcome, and a remark for the user.

    A problem in doubt is imported without the outcome: a campaign will execute it again and examine the contradiction.
    The text of a problem whose answer is a term states no status.
    """
    seed = pipeline.domain.roots.print(problem.with_header((), problem.options))
    execution = pipeline.execute(pipeline.mutant(Recipe(seed)))
    outcome = execution.outcome
    is_judged = outcome.status.is_answered or execution.finding is not None
    if not is_judged:
        raise RefusedError("undecided", f"{pipeline.solver.name} answers {outcome.status.value} ({outcome.reason})")
    shown = _shown(problem, execution, pipeline)
    disputed = problem.status not in (None, outcome.status.value)
    is_witnessed = shown is not None and shown.ground is Ground.WITNESS
    if execution.finding is not None or (disputed and not is_witnessed):
        detail = execution.finding.detail if execution.finding else f"the file declares {problem.status}"
        contradiction = f"{pipeline.solver.name} answers {outcome.status.value}, but: {detail}"
        return _as_declared(problem, pipeline.domain.roots), Remark(
            IN_DOUBT, f"{contradiction}; a campaign will examine it"
        )
    if not outcome.status.is_decided:
        return seed, None
    known = with_outcome(seed, outcome, pipeline.setting, shown)
    wrong = f"the file declares {problem.status}, but a checked witness proves {outcome.status.value}, which is used"
    return known, Remark(WRONG_STATUS, wrong) if disputed else None


def _shown(problem: BaseProblem, execution: Execution, pipeline: Pipeline) -> SeedAnswer | None:
    """Return the answer with its best ground, None for that of the file: the search for a witness runs only once."""
    found = pipeline.seed_answer(execution)
    if found.ground is Ground.WITNESS:
        return found
    if execution.outcome.status is Status.UNSAT:
        refuted = pipeline.domain.refute(problem, pipeline.setting.rlimit, pipeline.watchdog)
        if refuted is not None:
            return SeedAnswer("unsat", Ground.WITNESS, refuted.text)
    return None if problem.status else found


class _Journal:
    """The journal of refused files: path, reason, detail and name in the corpus on a line.

    A file that cannot be read has an empty name, and is tried again. Different options start a new journal. `refused`
    maps names of earlier imports to reasons.
    """

    def __init__(self, path: Path, header: str) -> None:
        self.refused: dict[str, str] = {}
        self._lines: set[str] = set()
        try:
            lines = path.read_text(errors="replace").splitlines() if path.exists() else []
            is_continued = lines[:1] == [header]
            self._file = open(path, "a" if is_continued else "w", buffering=1)  # noqa: SIM115  (open until the end)
        except OSError as error:
            raise UsageError(
                f"cannot write the list of refused files to {str(path)!r}: {error.strerror}; move it away"
            ) from error
        if is_continued:
            self._lines = set(lines)
            self.refused = {row[3]: row[1] for row in (line.split("\t") for line in lines[1:]) if len(row) == 4}
        else:
            self._file.write(header + "\n")

    def close(self) -> None:
        self._file.close()

    def add(self, path: Path, remark: Remark, name: str = "") -> None:
        detail = printable(" ".join(remark.detail.split()))
        line = f"{printable(str(path))}\t{remark.reason}\t{detail}\t{name}"
        if line not in self._lines:
            self._file.write(f"{line}\n")


def _write(target: Path, text: str) -> None:
    try:
        write_whole(target, text.encode())
    except OSError as error:
        raise UsageError(f"cannot write {str(target)!r}: {error.strerror}; the files so far are kept") from error
