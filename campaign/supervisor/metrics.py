"""The file of `--metrics`: the numbers of a campaign for Prometheus' textfile collector, or lines of CSV.

A name that ends with .csv gets a line of numbers from time to time. Any other file is replaced completely each time, in
Prometheus' text format, so that a collector never reads a part of it.
"""

from __future__ import annotations

import csv
import time
from collections.abc import Iterator
from pathlib import Path

from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.supervisor.status import Progress
from chcfuzz.execution.files import write_named
from chcfuzz.execution.solving import UsageError

INTERVAL = 15.0  # seconds between two writes
_PREFIX = "chcfuzz"
_HELP = {
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


class Metrics:
    """The file, written by one campaign."""

    def __init__(self, file: Path) -> None:
        self._file = file
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
                write_named(self._file, prometheus(progress, time.time()).encode())
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
                writer.writerow(_HELP)
            writer.writerow([kinds if name == "findings" else values.get(name, "") for name in _HELP])


def prometheus(progress: Progress, now: float) -> str:
    """Return the numbers in Prometheus' text format; `now` is in seconds of the epoch."""
    lines = []
    described: set[str] = set()
    for name, labels, value in _values(progress, now):
        full = f"{_PREFIX}_{name}"
        if name not in described:
            described.add(name)
            kind = "counter" if name.endswith("_total") else "gauge"
            lines += [f"# HELP {full} {_HELP[name]}", f"# TYPE {full} {kind}"]
        lines.append(f"{full}{labels} {value:.10g}")
    return "\n".join(lines) + "\n"


def _values(progress: Progress, now: float) -> Iterator[tuple[str, str, float]]:
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
