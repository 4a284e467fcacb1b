"""The file of `--metrics`: the numbers of a campaign for Prometheus' textfile collector, or lines of CSV.

A name that ends with .csv gets a line of numbers from time to time. Any other file is replaced completely each time, in
Prometheus' text format, so that a collector never reads a part of it.
"""

from __future__ import annotations

import csv
import os
import shutil
import time
from collections import Counter as Tally
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from importlib import metadata
from pathlib import Path

from chcfuzz.campaign.runs.run_folder import size_of
from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.supervisor.recording import resident
from chcfuzz.campaign.supervisor.status import Progress
from chcfuzz.execution.files import write_named
from chcfuzz.execution.solving import UsageError
from chcfuzz.triage.findings.record import FolderName

Value = tuple[str, str, float]  # name, labels and value
INTERVAL = 15.0  # seconds between two writes
_PREFIX = "chcfuzz"
NAMES = {
    "seconds": "Seconds of fuzzing in this session.",
    "executions_total": "Units that libFuzzer executed.",
    "solved_total": "Executions that ran the solver.",
    "solver_seconds_total": "Seconds in the solver, of all workers.",
    "unique_traces": "Different sequences of solver steps.",
    "transitions": "Different pairs of successive steps.",
    "findings": "Confirmed findings by kind.",
    "signatures": "Different signatures of findings.",
    "waiting": "Suspicions that wait for examination.",
    "crashes_total": "Workers that a unit has killed.",
    "hangs_total": "Executions that the wall clock has ended.",
    "internal_errors_total": "Exceptions of chcfuzz itself.",
    "last_new_trace_seconds": "Seconds since the last new trace.",
    "last_new_signature_seconds": "Seconds since the last finding with a new signature.",
    "written_timestamp_seconds": "When this file was written.",
}
_CSV = tuple(NAMES)  # a file of an earlier version has these columns
NAMES |= {
    "info": "The findings folder, and the version of chcfuzz.",
    "answers_total": "Executions by their end.",
    "stability": "Share of repeated executions with the same trace.",
    "workers": "Workers that run.",
    "replaced_total": "Workers that were started again.",
    "memory_bytes": "Resident memory of the supervisor and its workers.",
    "corpus_units": "Units in the corpus folder that the campaign writes.",
    "corpus_bytes": "Bytes of these units.",
    "disk_free_bytes": "Free bytes on the disk of the findings.",
    "kinds_of_signatures": "Different signatures of findings by kind.",
    "suspicions_total": "Suspicious answers of this session.",
}
_ANSWERS = ("SAT", "UNSAT", "UNKNOWN", "LIMIT", "ERROR", "HANG", "RESULT", "UNSUPPORTED")


class Metrics:
    """The file, written by one campaign."""

    def __init__(self, file: Path, surroundings: Callable[[], Iterable[Value]] = tuple) -> None:
        """Prepare to write; `surroundings` yields values beyond the progress: memory, disks, workers."""
        self._file = file
        self._surroundings = surroundings
        self._next = 0.0

    def update(self, now: float, progress: Progress, is_last: bool = False) -> None:
        """Write the numbers if it is time to; `now` is in seconds of the campaign. Raises `UsageError`."""
        if now < self._next and not is_last:
            return
        self._next = now + INTERVAL
        try:
            if self._file.suffix == ".csv":
                self._append(progress)
            else:
                write_named(self._file, prometheus(progress, time.time(), self._surroundings()).encode())
        except OSError as error:
            problem = f"cannot write {str(self._file)!r}: {error.strerror}"
            raise UsageError(f"{problem}; make room, or name another --metrics") from error

    def is_due(self, now: float) -> bool:
        """Return whether `update` would write."""
        return now >= self._next

    def _append(self, progress: Progress) -> None:
        values = {name: value for name, _, value in _values(progress, time.time())}
        kinds = sum(progress.findings.values())
        is_new = not self._file.exists() or not self._file.stat().st_size
        with open(self._file, "a", newline="") as file:
            writer = csv.writer(file)
            if is_new:
                writer.writerow(_CSV)
            writer.writerow([kinds if name == "findings" else values.get(name, "") for name in _CSV])


def prometheus(progress: Progress, now: float, more: Iterable[Value] = ()) -> str:
    """Return the numbers in Prometheus' text format; `now` is in seconds of the epoch."""
    lines = []
    described: set[str] = set()
    for name, labels, value in (*_values(progress, now), *_details(progress), *more):
        full = f"{_PREFIX}_{name}"
        if name not in described:
            described.add(name)
            kind = "counter" if name.endswith("_total") else "gauge"
            lines += [f"# HELP {full} {NAMES[name]}", f"# TYPE {full} {kind}"]
        lines.append(f"{full}{labels} {value:.10g}")
    return "\n".join(lines) + "\n"


def surroundings(findings: Path, corpus: Path | None, workers: Sequence[int]) -> Iterator[Value]:
    """Yield the values of the machine: `corpus` is the folder that the campaign writes, `workers` its processes."""
    name = str(findings).replace("\\", "\\\\").replace('"', '\\"')
    yield "info", f'{{findings="{name}",version="{metadata.version("chcfuzz")}"}}', 1
    yield "workers", "", len(workers)
    yield "memory_bytes", "", resident([os.getpid(), *workers])
    if corpus is not None:
        units, size = size_of(corpus)
        yield "corpus_units", "", units
        yield "corpus_bytes", "", size
    with suppress(OSError):
        yield "disk_free_bytes", "", shutil.disk_usage(findings).free


def _details(progress: Progress) -> Iterator[Value]:
    """Yield the values that lines of CSV do not have."""
    for name in _ANSWERS:
        yield "answers_total", f'{{end="{name.lower()}"}}', progress[Counter[name]]
    if progress.stability is not None:
        yield "stability", "", round(progress.stability, 4)
    yield "replaced_total", "", progress.replaced
    yield "suspicions_total", "", progress[Counter.SUSPICIONS]
    kinds = Tally(FolderName.parse(f"{name}-").kind for name in set(progress.signatures))
    for kind, number in sorted(kinds.items()):
        yield "kinds_of_signatures", f'{{kind="{kind}"}}', number


def _values(progress: Progress, now: float) -> Iterator[Value]:
    """Yield names, labels and values."""
    yield "seconds", "", round(progress.seconds, 3)
    yield "executions_total", "", progress[Counter.EXECUTIONS]
    yield "solved_total", "", progress.solved
    yield "solver_seconds_total", "", round(progress[Counter.SOLVER_TIME] / 1e9, 3)
    yield "unique_traces", "", progress.unique_traces
    yield "transitions", "", progress.transitions
    for kind, number in progress.findings.items():
        yield "findings", f'{{kind="{kind}"}}', number
    yield "signatures", "", progress.buckets
    yield "waiting", "", progress.waiting
    yield "crashes_total", "", progress.crashes
    yield "hangs_total", "", progress[Counter.HANG]
    yield "internal_errors_total", "", progress[Counter.OWN_ERRORS]
    for name, age in (("trace", progress.trace_age), ("signature", progress.bucket_age)):
        if age is not None:
            yield f"last_new_{name}_seconds", "", round(age, 1)
    yield "written_timestamp_seconds", "", round(now, 3)
