"""Slices of a campaign: on a worker, `chcfuzz fuzz` for some minutes, between two packs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
from chcfuzz.campaign.runs import run_statistics
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.campaign.worker.outcomes import everything
from chcfuzz.cluster import child, pack
from chcfuzz.cluster.child import LostError, TaskError
from chcfuzz.cluster.folders import ClaimedFolder, claimed, scratch
from chcfuzz.cluster.pack import Pack, PackedUnit
from chcfuzz.cluster.store import Store
from chcfuzz.execution.codec import from_json, to_json
from chcfuzz.execution.exit_codes import EXIT_OURS
from chcfuzz.mutators.recipe import digest
from chcfuzz.triage.findings.record import FolderName
from chcfuzz.triage.findings.store import FindingStore, finding_folders
from chcfuzz.triage.findings.suspicions import COUNTED, FOLDER

SLICES, SHARED, FINDINGS, INPUTS = "slices", "shared", "findings", "inputs"
MOST_UNITS = 10_000
MOST_ALIKE = 10  # findings of a signature in the store: twice the number that a findings folder keeps by default
OURS = "ours"  # in the findings folder: internal errors
STATE = "state.json"
_LATEST, _LATEST_FORMAT = "exchange.json", "chcfuzz-exchange 1"
_NUMBERS = ("executions", "solved", "seconds", "crashes", "replaced", "counted")
_LANES = 100_003  # more than the slices of a lane, so that no two slices have the same seed


@dataclass(frozen=True)
class Slice:
    """One slice: everything that a worker needs.

    Attributes:
        store: The URL of the store.
        lane: The number of the lane, from 0 on.
        number: The number of the slice in its lane, from 0 on.
        seconds: Its time; 0 without a limit, if `words` has one.
        words: The flags of `chcfuzz fuzz`, without corpora.
        inputs: The name of the pack with the corpora.
        shared: Number of packs in the exchange when it was submitted.
        current: The folder in which the user started the coordinator.
        scratch: The folder for attempts that the user names.
        stop: The name of a pack; the slice ends when it exists.
    """

    store: str
    lane: int
    number: int
    seconds: float
    words: tuple[str, ...]
    inputs: str
    shared: int
    current: Path
    scratch: Path | None
    stop: str

    @property
    def name(self) -> str:
        """The name of its pack."""
        return slice_name(self.lane, self.number)

    @property
    def seed(self) -> int:
        """The seed of libFuzzer, another one for each slice."""
        return (self.lane * _LANES + self.number) % (1 << 31) + 1


class _Latest(msgspec.Struct, frozen=True):
    """The latest slice of a folder, and the number of packs of the exchange that it has read."""

    name: str = ""
    shared: int = 0


def slice_name(lane: int, number: int) -> str:
    """Return the name of a slice's pack."""
    return f"{SLICES}/{lane:05}-{number:05}"


def shared_name(number: int) -> str:
    """Return the name of a pack of the exchange, which are numbered from 1 on."""
    return f"{SHARED}/{number:06}"


def run(task: Slice) -> str:
    """Run a slice, unless its pack exists; return the name of the pack.

    Raises `TaskError`, `LostError` and `StoreError`.
    """
    store = Store(task.store)
    if store.has(task.name):
        return task.name
    try:
        with claimed(scratch(task.scratch, digest(f"{task.store} {task.inputs}".encode())[:16]), task.lane) as claim:
            store.put(task.name, _in_folder(task, store, claim).written())
    except OSError as error:
        raise TaskError(f"a slice cannot use its folder: {error}; make room, or name another --scratch") from error
    return task.name


def _in_folder(task: Slice, store: Store, claim: ClaimedFolder) -> Pack:
    """Run a slice in a folder that earlier slices may have left, and return its pack."""
    run = RunFolder(claim.folder / "run")
    corpora = _prepare(task, store, run, claim.folder)
    before = {path.name for path in run.corpus.iterdir()}
    sent: set[str] = set()

    def watch() -> bool:
        send_findings(store, run.findings, sent)
        return store.has(task.stop)

    begin = [f"--resume={run.path}"] if run.is_begun else [f"--run-dir={run.path}", *map(str, corpora)]
    limit = [f"-max_total_time={task.seconds:.0f}"] if task.seconds else []
    words = [*child.COMMAND, "fuzz", *begin, "--quiet", *task.words, f"-seed={task.seed}", *limit]
    code = child.run(words, claim, (0, EXIT_OURS), task.current, watch)
    send_findings(store, run.findings, sent)
    return _collected(run, before, has_internal_errors=code == EXIT_OURS)


def _prepare(task: Slice, store: Store, run: RunFolder, folder: Path) -> list[Path]:
    """Bring a run folder to the state of the lane and of the exchange; return the corpora."""
    corpora = folder / INPUTS
    if not corpora.exists():
        pack.scatter(pack.read(store.get(task.inputs), task.inputs).files, corpora)
    for each in run.folders:
        each.mkdir(parents=True, exist_ok=True)
    file = folder / _LATEST
    latest = from_json(file.read_bytes(), _Latest, _LATEST_FORMAT) if file.exists() else _Latest()
    if not task.number or latest.name != slice_name(task.lane, task.number - 1):
        _restore_lane(task, store, run)
    read_exchange(store, run.corpus, range(latest.shared + 1, task.shared + 1))
    known = FindingStore(run.findings, 1).names_and_signatures()
    for name in store.names(FINDINGS):
        if name not in known:
            pack.scatter(pack.read(store.get(f"{FINDINGS}/{name}"), name).files, run.findings)
    file.write_bytes(to_json(_Latest(task.name, task.shared), _LATEST_FORMAT))
    return sorted(corpora.iterdir())


def read_exchange(store: Store, corpus: Path, numbers: range) -> None:
    """Add the latest `MOST_UNITS` units of packs to a corpus: a run folder keeps as many by default."""
    left = MOST_UNITS
    for name in map(shared_name, reversed(numbers)):
        for unit in pack.read(store.get(name), name).units[: max(0, left)]:
            path = corpus / digest(unit.data)
            if not path.exists():
                path.write_bytes(unit.data)
            left -= 1
        if left <= 0:
            break


def _restore_lane(task: Slice, store: Store, run: RunFolder) -> None:
    """Replace the policy state and the waiting suspicions of a folder's latest slice by those of the lane.

    Those of the latest slice are in its pack.
    """
    for path in (run.findings / STATE, *(run.findings / FOLDER).glob("*.json")):
        path.unlink(missing_ok=True)
    if task.number:
        name = slice_name(task.lane, task.number - 1)
        pack.scatter(lane_files(pack.read(store.get(name), name)), run.findings)


def lane_files(content: Pack) -> dict[str, bytes]:
    """Return the files of a slice's pack that the next slice of its lane continues with."""
    return {name: data for name, data in content.files.items() if not name.startswith(f"{OURS}/")}


def send_findings(store: Store, findings: Path, sent: set[str]) -> None:
    """Store the findings of a folder, each in a pack of its own, which are not `sent` yet.

    At most `MOST_ALIKE` findings of one signature are stored.
    """
    for path in finding_folders(findings):
        if path.name in sent:
            continue
        signature = FolderName.parse(path.name).signature
        alike = [name for name in store.names(FINDINGS) if FolderName.parse(name).signature == signature]
        if len(alike) < MOST_ALIKE:
            store.put(f"{FINDINGS}/{path.name}", Pack(files=pack.gathered([(path.name, path)])).written())
        sent.add(path.name)


def _collected(run: RunFolder, before: set[str], has_internal_errors: bool) -> Pack:
    """Return the pack of the session that has just ended in a run folder; `before` are names of units it began with."""
    sessions, _ = run_statistics.read(run.statistics)
    if not sessions or sessions[-1].end is None or sessions[-1].last is None:
        raise LostError("a slice ended without its last line of statistics")
    head, last = sessions[-1].head, sessions[-1].last
    files = pack.gathered((name, run.findings / name) for name in (STATE, FOLDER, OURS))
    files.pop(f"{FOLDER}/{COUNTED}", None)  # their number is among the counters
    return Pack(
        build=head["build"],
        units=tuple(_units(run, before)),
        files=files,
        numbers={name: last[name] for name in _NUMBERS} | {"slices": 1, "internal_errors": int(has_internal_errors)},
    )


def _units(run: RunFolder, before: Iterable[str]) -> Iterator[PackedUnit]:
    traces = {kept.unit: kept.trace.hash for kept in everything(run.findings) if kept.status.is_answered}
    for path in sorted(run.corpus.iterdir()):
        if path.name not in before:
            data = path.read_bytes()
            yield PackedUnit(data, traces.get(digest(data)))
