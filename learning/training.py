"""Training: counts of problems in folders of files, in several processes, with the same result as in one."""

from __future__ import annotations

import gc
import hashlib
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import active_children, get_context
from pathlib import Path

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printable import printable
from chcfuzz.learning.counts import ALL, DEEPEST, Counts, CountSum
from chcfuzz.learning.data import SAME, FileLimits, Read, Refused, Sources, contents, read_file
from chcfuzz.learning.formula_model import FormulaModel
from chcfuzz.learning.model_file import MOST_ENTRIES, Measured, Source, TrainingRecord
from chcfuzz.learning.places import SORT_BITS, SORT_FIELD, WORD_BITS
from chcfuzz.learning.possible import of_class
from chcfuzz.learning.vocabulary import SORTS, words

_BATCH = 64  # files that a process gets at once
_NODES = 200_000  # that are counted at once
_WORKING_ENTRIES = 6_000_000  # while counting
_EVERY = 10  # problems: one is measured by a model of the others
_MOST_MEASURED = 500  # problems
_MOST_SOURCES = 100  # folders that a model names
_COLLECTED_AFTER = 100_000  # objects: reading makes hardly any cycles, and a tenth of its time was garbage collection

Augment = Callable[[bytes], Sequence[bytes]]  # other files that are made of a file


class TrainingError(ChcfuzzError):
    """A training that cannot continue."""


@dataclass(frozen=True)
class TrainingOptions:
    """Options of training: `weight` is how often a trigger counts, in the two deepest contexts or in `all_contexts`."""

    weight: int = 10
    all_contexts: bool = False
    limits: FileLimits = field(default_factory=FileLimits)
    jobs: int = 1
    augment: Augment | None = None
    augment_triggers: Augment | None = None


@dataclass(frozen=True)
class Given:
    """Folders to train on, folders of triggers, and a model to add counts to, with its training."""

    folders: Sequence[Path]
    triggers: Sequence[Path] = ()
    base: Counts = field(default_factory=Counts.none)
    of_base: TrainingRecord = field(default_factory=TrainingRecord)


def train(given: Given, options: TrainingOptions) -> tuple[Counts, TrainingRecord]:
    """Count the problems of all files; equal files give equal counts, with any number of processes."""
    sources, trigger_sources = Sources(), Sources()
    total, triggers = _Total(_EVERY), _Total(0)
    total.add_all(_reads(given.folders, sources, options, options.augment), sources)
    read = _reads(given.triggers, trigger_sources, options, options.augment_triggers)
    triggers.add_all(read, trigger_sources)
    contexts = ALL if options.all_contexts else DEEPEST
    weighted = triggers.counts().only(contexts).scaled(options.weight)
    counts = Counts.sum([given.base, total.counts(), weighted]).within(MOST_ENTRIES)
    about = TrainingRecord(
        _at_most((*given.of_base.trained_on, *_sources(sources, 1))),
        _at_most((*given.of_base.triggers, *_sources(trigger_sources, options.weight))),
        dict(sorted((sources.left_out + trigger_sources.left_out).items())),
        total.measured(),
        given.of_base.nodes + total.nodes + triggers.nodes,
    )
    return counts, about


def _sources(sources: Sources, weight: int) -> tuple[Source, ...]:
    return tuple(
        Source(_name(name), sources.files[name], total, weight) for name, total in sorted(sources.sums.items())
    )


def _name(folder: str) -> str:
    """Return the name of a folder as text, also of `.` and of one whose name is not UTF-8."""
    return printable(Path(os.path.abspath(folder)).name)


def _at_most(found: tuple[Source, ...]) -> tuple[Source, ...]:
    """Return sources, with those beyond a number as one: the header of a file that names thousands is not read."""
    first, others = found[:_MOST_SOURCES], found[_MOST_SOURCES:]
    if not others:
        return first
    total = hashlib.blake2b("".join(each.sum for each in others).encode(), digest_size=16).hexdigest()
    return *first, Source(f"{len(others)} other folders", sum(each.files for each in others), total)


class _Total:
    """Counts of problems; every n-th one is measured by the counts of the others."""

    def __init__(self, every: int) -> None:
        self.nodes = 0
        self._every = every
        self._sum = CountSum(_WORKING_ENTRIES)
        self._apart: list[Read] = []
        self._waiting: list[int] = []
        self._problems = 0

    def add_all(self, reads: Iterable[Read | Refused], sources: Sources) -> None:
        """Add problems that are not equal up to names, and count the others."""
        for read in reads:
            if isinstance(read, Refused):
                sources.leave_out(read.reason)
            elif not sources.is_new(read.key):
                sources.leave_out(SAME)
            else:
                self._add(read)

    def _add(self, read: Read) -> None:
        self._problems += 1
        self.nodes += len(read.numbers)
        if self._every and self._problems % self._every == 0 and len(self._apart) < _MOST_MEASURED:
            self._apart.append(read)
            return
        self._waiting += read.numbers
        if len(self._waiting) >= _NODES:
            self._count()

    def _count(self) -> None:
        self._sum.add(Counts.of(self._waiting))
        self._waiting.clear()

    def counts(self) -> Counts:
        """Return the counts of all problems."""
        apart = Counts.of(number for read in self._apart for number in read.numbers)
        return Counts.sum([self._others(), apart])

    def _others(self) -> Counts:
        self._count()
        return self._sum.total()

    def measured(self) -> dict[str, Measured]:
        """Return the information of the problems that were set apart, by their theories."""
        model = FormulaModel(self._others())
        found: dict[str, Measured] = {}
        for read in self._apart:
            name = "+".join(read.theories)
            old = found.get(name, Measured())
            bits = round(100 * sum(bits_of(model, read.numbers)))
            found[name] = Measured(old.files + 1, old.nodes + len(read.numbers), old.hundredths + bits)
        return dict(sorted(found.items()))


def bits_of(model: FormulaModel, numbers: Iterable[int]) -> Iterator[float]:
    """Yield the information of each node, among the productions that terms of its class of sorts may have."""
    every = words()
    for number in numbers:
        names = of_class(SORTS[number >> SORT_FIELD & ((1 << SORT_BITS) - 1)])
        production = number & ((1 << WORD_BITS) - 1)
        yield model.bits(every[production], names, number - production)


# Processes -----------------------------------------------------------------------------------------


def _reads(
    folders: Sequence[Path], sources: Sources, options: TrainingOptions, augment: Augment | None
) -> Iterator[Read | Refused]:
    """Yield the problems of all files, or the reasons for leaving them out, in the order of the files."""
    files = (content for folder in folders for content in contents(folder, options.limits, sources))
    batches = iter(lambda: list(islice(files, _BATCH)), [])
    task = _Task(options.limits.nodes, augment)
    for done in _in_order(task, batches, options.jobs):
        yield from done


@dataclass(frozen=True)
class _Task:
    most_nodes: int
    augment: Augment | None

    def __call__(self, batch: Sequence[bytes]) -> list[Read | Refused]:
        found: list[Read | Refused] = []
        with _rare_collections():
            for content in batch:
                own = read_file(content, self.most_nodes)
                found += own
                if self.augment is not None and any(isinstance(read, Read) for read in own):
                    for other in self.augment(content):
                        found += (read for read in read_file(other, self.most_nodes) if isinstance(read, Read))
        return found


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Run a block with few garbage collections."""
    before = gc.get_threshold()
    gc.set_threshold(_COLLECTED_AFTER, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _in_order(task: _Task, batches: Iterable[Sequence[bytes]], jobs: int) -> Iterator[list[Read | Refused]]:
    """Yield the results of a task for all batches; at most a few batches for each process are in memory."""
    if jobs == 1:
        yield from map(task, batches)
        return
    # Ctrl-C is for this process, which ends the others: they would print where it has interrupted them.
    processes = ProcessPoolExecutor(jobs, get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_IGN))
    try:
        running = deque(processes.submit(task, batch) for batch in islice(batches, 2 * jobs))
        while running:
            done = running.popleft().result()
            running.extend(processes.submit(task, batch) for batch in islice(batches, 1))
            yield done
    except BrokenProcessPool as error:
        raise TrainingError("a process was killed, perhaps for lack of memory; train with fewer --jobs") from error
    except BaseException:  # Ctrl-C ends the batches that are running, too
        for process in active_children():
            process.kill()
        raise
    finally:
        processes.shutdown(cancel_futures=True)
