"""The supervisor's records in a run folder, written while the campaign runs and at its end.

After a kill, the folder holds the numbers of half a minute before, and the complete corpus and findings.
"""

from __future__ import annotations

import datetime
import os
import platform
import shlex
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import metadata
from pathlib import Path

import numpy as np
import psutil
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.runs import reached_functions, run_statistics
from chcfuzz.campaign.runs.run_folder import (
    SEEN,
    TRACES,
    TRANSITIONS,
    RunFolder,
    build_info,
    build_of,
    make_room,
    size_of,
)
from chcfuzz.campaign.session import tallies
from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.supervisor.status import Progress
from chcfuzz.campaign.worker import hung_units, learned_policy, online_counts
from chcfuzz.execution.console import print_error
from chcfuzz.execution.files import read_plain, write_whole
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printable import counted
from chcfuzz.solvers.z3_release import active
from chcfuzz.triage.findings.record import Finding
from msgspec import UnsetType

_PACKAGES = ("chcfuzz", "atheris", "z3-solver", "cvc5", "numpy")
_MOST_BETWEEN = 60.0  # seconds between two lines of progress, at most
_SHARE_BETWEEN = 0.01  # of the time so far: a short campaign has a detailed curve, a long one a file of bounded size
# Executions between two lines, at most: curves by execution do not depend on the load of the machine.
_LEAST_EXECUTIONS, _SHARE_OF_EXECUTIONS = 10, 0.02
_TABLES_EVERY = 30.0  # seconds between two writes of files that are replaced each time


class Recording:
    """The records of one session. Every method raises `UsageError` if the disk is full."""

    def __init__(self, run: RunFolder, options: Options, session: Session) -> None:
        """Add the traces and transitions that were seen under this build before to the session."""
        self._run = run
        self._options = options
        self._session = session
        self._build = build_of(options.solving)
        self._sets = {TRACES: session.traces, TRANSITIONS: session.transitions}
        self._kept = {kind: run.seen(kind, self._build) for kind in SEEN}
        for kind, kept in self._kept.items():
            self._sets[kind].add(kept.tolist())
        self._tables = run.tables()
        self._state = learned_policy.read_state(options.state_file)
        self._statistics = run_statistics.Statistics(run.statistics)
        self._findings: set[str] = set()
        self._next_line = self._next_tables = 0.0
        self._next_executions = 0

    def begin(self, headline: str) -> None:
        """Write the description of this session, and reduce the corpus to its limits before workers read it."""
        if deleted := self._make_room():
            units, corpus = counted(deleted, "unit"), str(self._run.corpus)
            print_error(f"chcfuzz: deleted {units} from {corpus!r}; see --corpus-units and --corpus-megabytes")
        installed = {}
        for name in _PACKAGES:
            with suppress(metadata.PackageNotFoundError):
                installed[name] = metadata.version(name)
        self._statistics.write(
            run_statistics.SESSION,
            0.0,
            format=run_statistics.FORMAT,
            at=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            headline=headline,
            versions={**installed, "python": platform.python_version(), "z3": active().version},
            machine=f"{platform.system()} {platform.release()} {platform.machine()}",
            processors=os.cpu_count() or 1,
            processor=_processor(),
            load=[round(load, 2) for load in os.getloadavg()],
            workers=self._options.workers,
            build=self._build,
            build_info=build_info(),
            words=list(self._options.begun_with),
            traces_before=len(self._kept[TRACES]),
        )

    def update(self, seconds: float, progress: Callable[[], Progress]) -> None:
        """Write the current progress after these seconds of fuzzing, if it is time to."""
        executions = int(self._session.counters.totals()[Counter.EXECUTIONS])
        if seconds >= self._next_line or executions >= self._next_executions:
            self._next_line = seconds + max(self._options.interval, min(_MOST_BETWEEN, _SHARE_BETWEEN * seconds))
            self._next_executions = executions + max(_LEAST_EXECUTIONS, int(_SHARE_OF_EXECUTIONS * executions))
            self._write_line(progress())
        if seconds >= self._next_tables:
            self._next_tables = seconds + _TABLES_EVERY
            self._make_room()
            self._write_tables()

    def finish(self, progress: Progress, why: str) -> None:
        """Write the final progress, and why the campaign ended."""
        self._write_line(progress)
        self._write_tables()
        self._statistics.write(run_statistics.END, progress.seconds, why=why)

    def _make_room(self) -> int:
        return make_room(self._run.corpus, self._options.corpus_megabytes << 20, self._options.corpus_units)

    def _write_line(self, progress: Progress) -> None:
        self._keep_seen()
        for kind, name in self._session.findings.named():
            if name not in self._findings:
                self._findings.add(name)
                self._statistics.write(
                    run_statistics.FINDING, progress.seconds, kind=kind, name=name, **self._seen_at(name)
                )
        units, size = size_of(self._run.corpus)
        edges = self._session.edges.counts()
        self._statistics.write(
            run_statistics.PROGRESS,
            progress.seconds,
            executions=progress[Counter.EXECUTIONS],
            solved=progress.solved,
            traces=progress.unique_traces,
            transitions=progress.transitions,
            **({} if edges is None else {"edges": edges.reached, "all_edges": edges.all}),
            findings=dict(progress.findings),
            waiting=progress.waiting,
            counted=progress.counted,
            crashes=progress.crashes,
            replaced=progress.replaced,
            units=units,
            corpus_bytes=size,
            memory_bytes=resident([os.getpid(), *self._session.in_flight.workers()]),
            counters=progress.counters(),
            estimate=progress.outlook.summary(),
        )
        self._write_stats(progress, units)

    def _write_stats(self, progress: Progress, units: int) -> None:
        """Write `fuzzer_stats`, with names that tools for AFL++ read."""
        now = int(time.time())
        ages = {"last_find": progress.trace_age, "last_crash": progress.bucket_age}
        found = {
            "start_time": now - int(progress.seconds),
            "last_update": now,
            "run_time": int(progress.seconds),
            "fuzzer_pid": os.getpid(),
            "execs_done": progress[Counter.EXECUTIONS],
            "execs_per_sec": f"{progress[Counter.EXECUTIONS] / max(progress.seconds, 1.0):.2f}",
            "corpus_count": units,
            **{name: 0 if age is None else now - int(age) for name, age in ages.items()},
            "saved_crashes": sum(progress.findings.values()),
            "saved_hangs": hung_units.number_of(self._run.findings),
            "stability": "n/a" if progress.stability is None else f"{progress.stability:.2%}",
            "afl_banner": self._run.path.name,
            "afl_version": f"chcfuzz {metadata.version('chcfuzz')}",
            "command_line": shlex.join(self._options.begun_with),
        }
        text = "".join(f"{name:<18}: {value}\n" for name, value in found.items())
        write_whole(self._run.path / "fuzzer_stats", text.encode())

    def _seen_at(self, name: str) -> dict[str, float]:
        """Return the fields for the execution and the second at which the suspicion of a finding was seen.

        They are missing if that is not known, and after the first session, because another one may have seen it.
        """
        if self._statistics.session > 1:
            return {}
        try:
            record = Finding.read(self._run.findings / name).record
        except ChcfuzzError:
            return {}
        seen = {"executions": record.execution, "suspected": record.seconds}
        return {field: value for field, value in seen.items() if not isinstance(value, UnsetType)}

    def _keep_seen(self) -> None:
        """Write new traces and transitions, before the line that counts them: a kill between the two loses none.

        Transitions are first: those of a known trace are not counted again.
        """
        for kind in (TRANSITIONS, TRACES):
            now = self._sets[kind].hashes()
            self._run.add_seen(kind, self._build, np.setdiff1d(now, self._kept[kind], assume_unique=True))
            self._kept[kind] = now

    def _write_tables(self) -> None:
        """Write the files that are replaced each time. No other campaign writes the state: the folder is locked."""
        self._run.write_tables(tallies.added((self._tables, tallies.totals(self._session))))
        learned_policy.keep(self._options.state_file, self._session, self._state)
        if self._options.learn:
            online_counts.keep(self._options.learned_file, self._session)
        self._write_functions()

    def _write_functions(self) -> None:
        """Write the functions of a traced build, with those that earlier sessions have reached."""
        found, library = self._session.edges.functions(), active().traced
        if found is None or library is None:
            return
        before = reached_functions.read(self._run.path, self._build)
        now = reached_functions.Functions(str(library), build_info(), tuple(found[0]), tuple(found[1]), tuple(found[2]))
        now = now.with_reached(before) if before else now
        if now != before:
            reached_functions.write(self._run.path, self._build, now)


def _processor() -> str:
    """Return the name of the processor, or its architecture where the system does not name it."""
    with suppress(OSError):
        for line in read_plain(Path("/proc/cpuinfo")).decode(errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()


def resident(processes: Iterable[int]) -> int:
    """Return the resident bytes of these processes; shared memory is counted for each of them."""
    total = 0
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            total += int(psutil.Process(process).memory_info().rss)
    return total
