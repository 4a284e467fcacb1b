"""Jobs of independent tasks: trials, and regressions, minimizations and reductions in batches.

A batch is large: a task costs 16 ms of the scheduler and a second for the start of a process.
"""

from __future__ import annotations

import math
import uuid
from collections import Counter as Tally
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TypeVar

import msgspec
from chcfuzz.cluster import pack, tasks
from chcfuzz.cluster.child import COMMAND
from chcfuzz.cluster.pack import Pack
from chcfuzz.cluster.pool import Pool
from chcfuzz.cluster.store import Store
from chcfuzz.cluster.tasks import HERE, TASKS, Task
from chcfuzz.corpus_tools.regress_record import RegressionRecord
from chcfuzz.execution.codec import from_json
from chcfuzz.execution.files import write_whole
from chcfuzz.experiments.trials import Trials
from chcfuzz.grammar.printable import counted
from chcfuzz.mutators.recipe import digest
from chcfuzz.triage.buckets.traits import read_traits
from chcfuzz.triage.findings.store import finding_folders
from distributed import Client

T = TypeVar("T")
LEAST_UNITS, MOST_UNITS = 20, 200  # of a batch
_BATCHES = 4  # for each thread, so that none waits long for the last one
_IN, _OUT, _RECORD = "in", "out", "record.json"


@dataclass(frozen=True)
class Job:
    """The workers, the store and the folders that the tasks of a job use; `report` receives lines on the progress."""

    client: Client
    store: Store
    current: Path
    scratch: Path | None
    report: Callable[[str], None]

    def send(self, files: Mapping[str, bytes]) -> str:
        """Store files for tasks; return the name of their pack."""
        name = f"{TASKS}/{uuid.uuid4().hex}"
        self.store.put(name, Pack(files=dict(files)).written())
        return name

    def task(self, words: Sequence[str], sent: str, outputs: Sequence[str]) -> Task:
        """Return a task whose files were sent."""
        name = f"{TASKS}/{uuid.uuid4().hex}"
        return Task(self.store.url, name, tuple(words), sent, tuple(outputs), self.current, self.scratch)

    def run(self, wanted: Sequence[Task], done: Callable[[Task, Pack], None]) -> None:
        """Run tasks; `done` receives each with its result. Their packs are removed. Raises `ChcfuzzError`."""
        pool = Pool(self.client, tasks.run, self.report)
        for task in wanted:
            pool.submit(task)
        for number, (task, name) in enumerate(pool.results(), 1):
            done(task, pack.read(self.store.get(name), name))
            self.store.remove(name)
            self.report(f"{number} of {counted(len(wanted), 'task')} {'has' if number == 1 else 'have'} ended")
        for name in sorted({task.input for task in wanted}):
            self.store.remove(name)

    def batches(self, items: Sequence[T]) -> list[Sequence[T]]:
        """Return items in batches: some for each thread, of `LEAST_UNITS` to `MOST_UNITS` items."""
        threads = max(1, sum(self.client.nthreads().values()))
        size = max(LEAST_UNITS, min(MOST_UNITS, math.ceil(len(items) / (_BATCHES * threads))))
        return [items[start : start + size] for start in range(0, len(items), size)]


def run_trials(job: Job, trials: Trials, seeds: Sequence[int], words: Sequence[str], corpora: Sequence[str]) -> None:
    """Run trials, each as a task, and write their run folders; `corpora` are the words that name folders."""
    names = {word: f"{_IN}/{number:03}" for number, word in enumerate(corpora)}
    sent = job.send(pack.gathered((name, Path(word)) for word, name in names.items()))
    there = tuple(f"{HERE}/{names[word]}" if word in names else word for word in words)
    shipped = Trials(Path(HERE), there, trials.number)
    wanted = [job.task(shipped.program(seed), sent, [shipped.path(seed).name]) for seed in seeds]
    job.run(wanted, lambda _, result: pack.scatter(result.files, trials.folder))


def regress(job: Job, units: Sequence[Path], words: Sequence[str]) -> RegressionRecord:
    """Compare two solvers on units in batches, with the flags of `chcfuzz regress`; return all results."""
    records: dict[int, RegressionRecord] = {}
    batches = job.batches(units)
    wanted = []
    for batch in batches:
        files = {f"{_IN}/{number}/{unit.name}": unit.read_bytes() for number, unit in enumerate(batch)}
        command = [*COMMAND, "regress", f"{HERE}/{_IN}", f"--json={HERE}/{_RECORD}", "--quiet", *words]
        wanted.append(job.task(command, job.send(files), [_RECORD]))
    order = {task.name: number for number, task in enumerate(wanted)}

    def done(task: Task, result: Pack) -> None:
        number = order[task.name]
        found = from_json(result.files[_RECORD], RegressionRecord, "chcfuzz-regression 1")
        records[number] = _renamed(found, batches[number])

    job.run(wanted, done)
    return joined([records[number] for number in sorted(records)])


def _renamed(record: RegressionRecord, batch: Sequence[Path]) -> RegressionRecord:
    """Return the record of a batch with the user's names of the units."""
    changes = tuple(
        msgspec.structs.replace(each, unit=str(batch[int(PurePosixPath(each.unit).parent.name)]))
        for each in record.changes
    )
    return msgspec.structs.replace(record, changes=changes)


def joined(records: Sequence[RegressionRecord]) -> RegressionRecord:
    """Return the sum of the records of batches."""
    counts: Tally[str] = Tally()
    for each in records:
        counts.update(each.counts)
    return msgspec.structs.replace(
        records[0],
        units=sum(each.units for each in records),
        counts=dict(counts),
        changes=tuple(change for each in records for change in each.changes),
    )


def minimize(job: Job, units: Mapping[str, Path], into: Path, words: Sequence[str]) -> int:
    """Minimize batches of units, given by their digests, then what is left of all; return the number of units kept.

    The units left of a batch have all features of the batch, so the last step loses none.
    """
    command = [*COMMAND, "minimize", f"{HERE}/{_IN}", f"{HERE}/{_OUT}", *words]
    left: dict[str, bytes] = {}

    def task(batch: Mapping[str, bytes]) -> Task:
        return job.task(command, job.send({f"{_IN}/{name}": data for name, data in batch.items()}), [_OUT])

    def keep(_: Task, result: Pack) -> None:
        left.update((digest(data), data) for data in result.files.values())

    batches = job.batches(sorted(units))
    job.run([task({name: units[name].read_bytes() for name in batch}) for batch in batches], keep)
    if len(batches) > 1:
        last = task(dict(sorted(left.items())))
        left.clear()
        job.run([last], keep)
    into.mkdir(parents=True, exist_ok=True)
    for name, data in sorted(left.items()):
        write_whole(into / name, data, mode=0o644)
    return len(left)


def reduce_findings(job: Job, folders: Sequence[Path], words: Sequence[str]) -> int:
    """Reduce the findings of folders that are not reduced yet, each as a task; return their number."""
    found = [path for folder in folders for path in finding_folders(folder) if read_traits(path).text is None]
    command = [*COMMAND, "triage", f"{HERE}/{_IN}", "--quiet", *words]
    wanted = [job.task(command, job.send(pack.gathered([(f"{_IN}/{path.name}", path)])), [_IN]) for path in found]
    where = {task.name: path for task, path in zip(wanted, found, strict=True)}

    def keep(task: Task, result: Pack) -> None:
        path, start = where[task.name], f"{_IN}/{where[task.name].name}/"
        inside = {name.removeprefix(start): data for name, data in result.files.items() if name.startswith(start)}
        pack.scatter({name: data for name, data in inside.items() if _differs(path / name, data)}, path)

    job.run(wanted, keep)
    return len(found)


def _differs(path: Path, data: bytes) -> bool:
    return not path.is_file() or path.read_bytes() != data
