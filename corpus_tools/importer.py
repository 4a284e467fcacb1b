"""`chcfuzz import`: folders of public benchmarks become a corpus whose status is known.

An imported file is a system as this project prints it, with what Spacer said of it in `set-info`, so that a later
start need not solve it again (`remembered`). Files are read in sorted order; each result is written under a temporary
name and then renamed, and what was refused goes to a journal beside the corpus (`<corpus>.refused.tsv`). So an
interrupted import goes on where it stopped, and a second one does only what is new.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections import Counter as Tally
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from chcfuzz.execution.cached_outcome import with_outcome
from chcfuzz.execution.child_process import DiedError, apart
from chcfuzz.execution.files import write_whole
from chcfuzz.execution.pipeline import Execution, Pipeline
from chcfuzz.execution.seed_answers import Ground
from chcfuzz.execution.solving import UsageError
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.printer import print_system
from chcfuzz.grammar.reading import read_system
from chcfuzz.grammar.system import System
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.oracles.derive import derive
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.outcome import Status
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

SUFFIXES = (".smt2", ".smt2.gz")
# Of what is imported all the same.
_REMARKS = {
    "wrong status": "declare a status that a checked witness contradicts: the witness is believed",
    "in doubt": "are in doubt: a campaign looks into them",
}


@dataclass(frozen=True)
class Refusal(Exception):  # noqa: N818  (a value first: it ends the work on one file, not the import)
    """Why a file is not imported, or not as it is: `reason` for the table, `detail` a line for the journal."""

    reason: str
    detail: str


@dataclass(frozen=True)
class ImportOptions:
    """`folders` are read, `into` is written; a file may have at most `max_bytes`."""

    folders: tuple[Path, ...]
    into: Path
    max_bytes: int


def import_folders(options: ImportOptions, pipeline: Pipeline, console: Console) -> Tally[str]:
    """Import every file; returns how many were imported, known already, and refused for each reason."""
    files = [(root, path) for root in options.folders for path in _systems_in(root)]
    if not files:
        raise UsageError(f"no .smt2 or .smt2.gz file in {', '.join(map(repr, map(str, options.folders)))}")
    try:
        options.into.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write the corpus to {str(options.into)!r}: {error.strerror}") from error
    journal = _Journal(options.into.with_name(options.into.name + ".refused.tsv"), _settings(options, pipeline))
    tally: Tally[str] = Tally()
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, auto_refresh=False) as progress:  # no thread beside: `apart` forks
        task = progress.add_task("importing", total=len(files))
        for root, path in files:
            tally[_import_one(root, path, options, pipeline, journal)] += 1
            progress.update(task, advance=1, refresh=True)
    return tally


def _import_one(root: Path, path: Path, options: ImportOptions, pipeline: Pipeline, journal: _Journal) -> str:
    target = options.into / _name(root, path)
    if target.exists():
        return "known"
    if str(path) in journal.refused:
        return journal.refused[str(path)]
    try:
        system = _system(_data(path, options.max_bytes), path)
        text, remark = _told_apart(system, pipeline)
    except Refusal as refusal:
        journal.add(path, refusal)
        return refusal.reason
    _write(target, text)
    if remark is not None:
        journal.add(path, remark)
        return remark.reason
    return "imported"


def _systems_in(root: Path) -> Iterator[Path]:
    if root.is_file():
        yield root
    elif not root.is_dir():
        raise UsageError(f"no such file or folder: {str(root)!r}")
    else:
        yield from (path for path in sorted(root.rglob("*")) if path.name.endswith(SUFFIXES) and path.is_file())


def _name(root: Path, path: Path) -> str:
    """A readable name that tells files of one name in different folders apart."""
    where = path.relative_to(root.parent if root.is_dir() else path.parent).as_posix()
    stem = path.name.removesuffix(".gz").removesuffix(".smt2")
    return f"{stem}-{hashlib.sha256(where.encode()).hexdigest()[:8]}.smt2"


def _data(path: Path, max_bytes: int) -> bytes:
    try:
        with gzip.open(path) if path.name.endswith(".gz") else open(path, "rb") as file:
            data = file.read(max_bytes + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise Refusal("unreadable", f"cannot be read: {error}") from error
    if len(data) > max_bytes:
        raise Refusal("too large", f"more than {max_bytes} bytes")
    return data


def _system(data: bytes, path: Path) -> System:
    try:
        return read_system(data, str(path))
    except GrammarError as error:
        raise Refusal("not a system", str(error)) from error


def _told_apart(system: System, pipeline: Pipeline) -> tuple[str, Refusal | None]:
    """What `_decided` says, in a process of its own: what kills the solver does not end the import."""

    def decided() -> dict[str, Any]:
        try:
            text, remark = _decided(system, pipeline)
        except Refusal as refusal:
            return {"refusal": asdict(refusal)}
        return {"text": text, "remark": remark and asdict(remark)}

    try:
        said = apart(decided)
    except DiedError as death:
        return _as_it_is(system), Refusal("in doubt", f"Spacer {death}; a campaign looks into it")
    if "refusal" in said:
        raise Refusal(**said["refusal"])
    return said["text"], said["remark"] and Refusal(**said["remark"])


def _as_it_is(system: System) -> str:
    """The system with what its file says of its status, and nothing of an execution."""
    return print_system(system.with_info((("status", system.status),) if system.status else ()))


def _decided(system: System, pipeline: Pipeline) -> tuple[str, Refusal | None]:
    """The system as this project prints it, with its status and what a start needs to know of its execution.

    And a remark on what a person should know. What is in doubt is imported as it is, without what was seen of it: a
    campaign is to see it again, and finds out who is right.
    """
    seed = print_system(system.with_info(()))
    execution = pipeline.execute(pipeline.mutant(Recipe(seed)))
    outcome = execution.outcome
    if outcome.status not in (Status.SAT, Status.UNSAT):
        raise Refusal("undecided", f"Spacer says {outcome.status.value} ({outcome.reason})")
    ground = _ground(system, execution, pipeline)
    disputed = system.status not in (None, outcome.status.value)
    if execution.finding is not None or (disputed and ground is not Ground.WITNESS):
        detail = execution.finding.detail if execution.finding else f"the file says {system.status}"
        doubt = Refusal("in doubt", f"Spacer answers {outcome.status.value}, but: {detail}; a campaign looks into it")
        return _as_it_is(system), doubt
    known = with_outcome(seed, outcome, pipeline.setting, ground)
    wrong = f"the file says {system.status}, but a checked witness shows {outcome.status.value}, which is believed"
    return known, Refusal("wrong status", wrong) if disputed else None


def _ground(system: System, execution: Execution, pipeline: Pipeline) -> Ground:
    """On what ground the answer stands: the best that can be had, since this is done once."""
    if execution.outcome.status is Status.SAT:
        shown = execution.model_verdict is VerdictKind.PASS
    else:
        shown = derive(system, pipeline.setting.rlimit, pipeline.watchdog).refutation is not None
    return Ground.WITNESS if shown else Ground.DECLARED if system.status else Ground.ANSWER


def _settings(options: ImportOptions, pipeline: Pipeline) -> str:
    return f"# {pipeline.setting} max-bytes {options.max_bytes}"


class _Journal:
    """What was refused, one line a file: path, reason, detail. Begun anew when the settings have changed."""

    def __init__(self, path: Path, settings: str) -> None:
        self.refused: dict[str, str] = {}
        try:
            lines = path.read_text(errors="replace").splitlines() if path.exists() else []
            goes_on = lines[:1] == [settings]
            self._file = open(path, "a" if goes_on else "w", buffering=1)  # noqa: SIM115  (as long as the import)
        except OSError as error:
            raise UsageError(
                f"cannot write what is refused to {str(path)!r}: {error.strerror}; move it away"
            ) from error
        if goes_on:
            self.refused = {row[0]: row[1] for row in (line.split("\t") for line in lines[1:]) if len(row) == 3}
        else:
            self._file.write(settings + "\n")

    def add(self, path: Path, refusal: Refusal) -> None:
        detail = " ".join(refusal.detail.split())
        self._file.write(f"{path}\t{refusal.reason}\t{detail}\n")


def _write(target: Path, text: str) -> None:
    try:
        write_whole(target, text.encode())
    except OSError as error:
        raise UsageError(f"cannot write {str(target)!r}: {error.strerror}; what was imported so far is kept") from error


def told(tally: Tally[str], options: ImportOptions) -> Sequence[str]:
    """The result for people, a line each."""
    new = tally["imported"] + sum(tally[remark] for remark in _REMARKS)
    lines = [f"{new + tally['known']} systems in {options.into} ({new} new, {tally['known']} known already)"]
    lines += [f"{tally[remark]} of the new {words}" for remark, words in _REMARKS.items() if tally[remark]]
    others = ("imported", "known", *_REMARKS)
    refused = {reason: number for reason, number in sorted(tally.items()) if reason not in others}
    if refused:
        reasons = ", ".join(f"{number} {reason}" for reason, number in refused.items())
        lines.append(f"{sum(refused.values())} refused: {reasons}; see {options.into.name}.refused.tsv beside it")
    elif len(lines) > 1:
        lines.append(f"see {options.into.name}.refused.tsv beside it")
    return lines
