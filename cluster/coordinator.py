"""The coordinator of a campaign on a cluster: it submits slices, and merges their packs.

It may be killed at any time: the same command continues with the packs in the store.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.campaign.options import Options
from chcfuzz.cluster import pack, slices
from chcfuzz.cluster.exchange import Exchange
from chcfuzz.cluster.pack import Pack
from chcfuzz.cluster.pool import Pool
from chcfuzz.cluster.slices import FINDINGS, INPUTS, OURS, SHARED, SLICES, STATE, Slice
from chcfuzz.cluster.store import Store
from chcfuzz.execution.codec import fields_of
from chcfuzz.execution.files import write_whole
from chcfuzz.execution.solving import UsageError
from chcfuzz.grammar.printable import counted
from chcfuzz.mutators.recipe import digest
from distributed import Client

FORMAT = "chcfuzz-cluster 1"
_CAMPAIGN, _FILE = "campaign/campaign", "campaign.json"
_OF_ONE_MACHINE = ("json", "metrics", "state", "stop_at_first", "stop_after_quiet", "on_bucket")
_PARTS = 20  # packs of the exchange while each lane has one slice: a slice reads at most these


@dataclass(frozen=True)
class Plan:
    """A campaign on a cluster.

    Attributes:
        store: The URL of the store.
        words: The flags of `chcfuzz fuzz` for each slice.
        corpora: The folders with its seeds.
        seconds: The time of the campaign; None without a limit.
        slice_seconds: The time of a slice; 0 if `words` has another limit.
        slices: The number of slices of a lane, also over several calls; None without a limit.
        scratch: The folder for attempts that the user names.
    """

    store: str
    words: tuple[str, ...]
    corpora: tuple[Path, ...]
    seconds: float | None
    slice_seconds: float
    slices: int | None
    scratch: Path | None

    @classmethod
    def of(cls, options: Options, store: str, slice_seconds: float, slices: int | None, scratch: Path | None) -> Plan:
        """Return the plan for the options of a campaign. Raises `UsageError` for options that need one machine."""
        if not options.is_one_campaign or options.run is not None or not options.inputs:
            raise UsageError(
                "name folders with seeds, and leave out --run-dir, --resume, -fork, -jobs, -merge and files"
            )
        corpora = options.inputs[1:] if options.spares_own_seeds else options.inputs
        words = options.begun_with[: len(options.begun_with) - len(options.inputs)]
        given = [f"--{name.replace('_', '-')}" for name in _OF_ONE_MACHINE if getattr(options, name) is not None]
        given += ["-seed"] if options.flag("seed") else []
        if given:
            raise UsageError(f"{given[0]} is for a campaign on one machine; leave it out")
        kept = tuple(word for word in words if word.partition("=")[0] != "-max_total_time")
        has_runs = options.limit("runs") is not None
        return cls(
            store, kept, corpora, options.limit("max_total_time"), 0 if has_runs else slice_seconds, slices, scratch
        )

    def begin(self, store: Store) -> str:
        """Store the flags and the corpora, unless they are there; return the name of the pack with the corpora.

        Raises `UsageError` if the store holds a campaign with other flags or corpora.
        """
        files = pack.gathered((f"{number:03}", path) for number, path in enumerate(self.corpora))
        corpora = Pack(files=files).written()
        name = f"{INPUTS}/{digest(corpora)}"
        content = {"format": FORMAT, "words": list(self.words), "inputs": name}
        store.put(name, corpora)
        store.put(_CAMPAIGN, Pack(files={_FILE: json.dumps(content).encode()}).written())
        stored = fields_of(pack.read(store.get(_CAMPAIGN), _CAMPAIGN).files[_FILE], FORMAT)
        if stored != content:
            changed = "corpora" if stored.get("words") == content["words"] else "flags"
            raise UsageError(f"the store {self.store!r} holds a campaign with other {changed}; name another --store")
        return name


class Coordinator:
    """Runs a plan. `report` receives a line on the progress."""

    def __init__(self, client: Client, plan: Plan, report: Callable[[str], None]) -> None:
        """Continue with the packs in the store. Raises `UsageError` and `StoreError`."""
        self._plan = plan
        self._report = report
        self._store = Store(plan.store)
        self._inputs = plan.begin(self._store)
        self._exchange = Exchange(self._store)
        self._pool: Pool[Slice] = Pool(client, slices.run, report, "press Ctrl-C: nothing is lost")
        self._stop = f"stop/{uuid.uuid4().hex}"
        self._begun = time.monotonic()
        self._is_stopping = False
        self._lanes = 0

    def run(self) -> dict[str, float]:
        """Run slices until the end of the plan, and return the sums of their counters. After Ctrl-C, collect them."""
        self._add_lanes()
        waiting: list[str] = []
        try:
            self._collect_results(waiting)
        except KeyboardInterrupt:
            self._is_stopping = True
            self._store.put(self._stop, Pack().written())
            if self._pool.threads:
                self._report("the slices end now, and are collected; Ctrl-C again loses them")
                self._collect_results(waiting)
        self._merge(waiting)
        self._store.remove(self._stop)
        return self._exchange.numbers

    def _collect_results(self, waiting: list[str]) -> None:
        """Merge the packs of slices that end, and submit others; `waiting` are names of packs that are not merged."""
        for task, name in self._pool.results():
            waiting.append(name)
            if len(waiting) * _PARTS >= self._lanes:
                self._merge(waiting)
            self._submit(task.lane, task.number + 1)
            self._add_lanes()

    def _add_lanes(self) -> None:
        """Begin lanes until every thread of the workers has one."""
        number = self._pool.threads
        numbers = [name.split("-") for name in self._store.names(SLICES)] if self._lanes < number else []
        done = {int(lane): int(last) for lane, last in numbers}  # the names are sorted
        for lane in range(self._lanes, number):
            self._submit(lane, done.get(lane, -1) + 1)
        self._lanes = max(self._lanes, number)

    def _submit(self, lane: int, number: int) -> None:
        plan = self._plan
        left = None if plan.seconds is None else plan.seconds - (time.monotonic() - self._begun)
        seconds = plan.slice_seconds if left is None else min(plan.slice_seconds or left, left)
        is_over = left is not None and left < min(5, plan.slice_seconds or 5)
        if self._is_stopping or is_over or (plan.slices is not None and number >= plan.slices):
            return
        task = Slice(
            plan.store,
            lane,
            number,
            seconds,
            plan.words,
            self._inputs,
            self._exchange.size,
            Path.cwd(),
            plan.scratch,
            self._stop,
        )
        self._pool.submit(task)

    def _merge(self, waiting: list[str]) -> None:
        new = self._exchange.merge(waiting)
        waiting.clear()
        numbers = {name: int(number) for name, number in self._exchange.numbers.items()}
        found = len(self._store.names(FINDINGS))
        self._report(
            f"{counted(numbers.get('slices', 0), 'slice')}: {numbers.get('executions', 0)} executions, "
            f"{counted(numbers['units'], 'unit')} ({new} new), {counted(found, 'finding')}"
        )


def collect(store: Store, into: Path) -> int:
    """Write the units, findings and waiting suspicions of a store to `corpus/` and `findings/` of a folder.

    Files that exist stay. Return the number of suspicions that wait. Raises `StoreError` and `OSError`.
    """
    corpus, findings = into / "corpus", into / "findings"
    for folder in (corpus, findings):
        folder.mkdir(parents=True, exist_ok=True)
    for name in store.names(SHARED):
        for unit in pack.read(store.get(f"{SHARED}/{name}"), name).units:
            path = corpus / digest(unit.data)
            if not path.exists():
                write_whole(path, unit.data, mode=0o644)
    for name in store.names(FINDINGS):
        if not (findings / name).exists():
            pack.scatter(pack.read(store.get(f"{FINDINGS}/{name}"), name).files, findings)
    latest: dict[str, str] = {}
    for name in store.names(SLICES):
        latest[name.partition("-")[0]] = name
    waiting: dict[str, bytes] = {}
    for name in latest.values():
        content = pack.read(store.get(f"{SLICES}/{name}"), name)
        waiting |= {path: data for path, data in content.files.items() if path != STATE}
    pack.scatter(waiting, findings)
    return sum(not path.startswith(f"{OURS}/") for path in waiting)
