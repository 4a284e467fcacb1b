"""The view of a running campaign: status lines, numbers for the run folder, suspended workers, the summary."""

from __future__ import annotations

import json
import sys
from collections import Counter as Tally
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from chcfuzz.campaign import corpus_folder
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session import tallies
from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.supervisor.bucket_hook import BucketHook
from chcfuzz.campaign.supervisor.crash_reports import CrashReports
from chcfuzz.campaign.supervisor.metrics import Metrics, surroundings
from chcfuzz.campaign.supervisor.news import News
from chcfuzz.campaign.supervisor.recording import Recording
from chcfuzz.campaign.supervisor.solver_counts import solver_counts
from chcfuzz.campaign.supervisor.status import Progress, is_quiet
from chcfuzz.campaign.supervisor.status_line import StatusLine
from chcfuzz.campaign.supervisor.summary import advice_on_limits, describe_seeds, summary
from chcfuzz.campaign.supervisor.workers import Workers
from chcfuzz.campaign.worker import learned_policy, online_counts
from chcfuzz.execution.console import print_error, print_to
from chcfuzz.execution.domain import load
from chcfuzz.execution.exit_codes import EXIT_USAGE
from chcfuzz.execution.files import write_named
from chcfuzz.execution.solving import UsageError
from chcfuzz.grammar.printable import counted
from chcfuzz.solvers.process import state_of
from chcfuzz.triage.examine.suspicion import kinds_waiting
from chcfuzz.triage.findings.confirmation_queue import ConfirmationQueue
from chcfuzz.triage.findings.record import FolderName
from chcfuzz.triage.findings.store import finding_folders

_HOOK_SECONDS = 60.0  # for all commands of --on-bucket that wait at the end


class Monitor:
    """Prints and records the progress of one campaign; `recording` writes the run folder, if there is one."""

    def __init__(
        self, options: Options, session: Session, recording: Recording | None, queue: ConfirmationQueue
    ) -> None:
        self._options = options
        self._session = session
        self._recording = recording
        self._queue = queue
        self._paused: list[int] = []
        self._status = StatusLine(options.status_seconds)
        self._traces, self._buckets = News(), News()
        self._before: frozenset[str] = frozenset()
        self._reserve_budget = load(options.solving.domain).reserve_budget
        self._units = 0  # of the corpus, at the start
        self._counted = 0  # suspicions of earlier campaigns that were only counted
        self._has_printed_seeds = False
        self._metrics: Metrics | None = None
        if options.metrics is not None:
            folders = options.findings, options.grown
            self._metrics = Metrics(options.metrics, lambda: surroundings(*folders, list(session.in_flight.workers())))
        self._hook: BucketHook | None = None
        if options.on_bucket is not None:
            self._hook = BucketHook(options.on_bucket, options.findings, session.findings, options.triage)

    def begin(self) -> None:
        """Count the findings and suspicions of earlier campaigns in the findings folder, and the traces of sessions."""
        self._traces = News(len(self._session.traces))
        self._units = corpus_folder.size(self._options.inputs)
        self._counted = self._queue.suspicions.counted().total
        self._before = frozenset(folder.name for folder in finding_folders(self._options.findings))
        if self._hook is not None:
            self._hook.begin(self._before)

    def print_seeds(self) -> None:
        """Print the grounds of the seeds' answers, once, when the corpus is read."""
        has_read = self._session.has_read.is_set
        if not (self._has_printed_seeds or self._options.quiet) and self._options.is_campaign and has_read:
            self._has_printed_seeds = True
            seeds = self._session.seeds
            print_error(f"chcfuzz: {describe_seeds(seeds.by_ground())}")
            total, limit = sum(seeds.by_ground().values()), self._options.solving.rlimit
            if advice := advice_on_limits(seeds.at_limit, total, limit):
                print_error(f"chcfuzz: {advice}")

    def print_status(self, workers: Workers, crashes: CrashReports) -> None:
        """Print the status line, if it is time to."""
        if self._options.is_campaign and not self._options.quiet and self._status.is_due(_elapsed(workers)):
            self._status.show(self._progress(workers, crashes))

    def is_quiet(self, workers: Workers, crashes: CrashReports, seconds: float) -> bool:
        """Return whether less than one new trace is expected in this time, and no signature was new for as long."""
        progress = self._progress(workers, crashes)
        return is_quiet(progress, seconds)

    def record(self, workers: Workers, crashes: CrashReports) -> None:
        """Write the progress to the run folder and the metrics, if it is time to, and run the command for new buckets.

        Raises `UsageError` if the disk is full.
        """
        now = _elapsed(workers)
        if self._metrics is not None and self._metrics.is_due(now):
            self._metrics.update(now, self._progress(workers, crashes))
        if self._hook is not None:
            self._hook.update()
        if self._recording is not None:
            self._recording.update(workers.seconds, lambda: self._progress(workers, crashes))

    def print_paused_workers(self) -> None:
        """Print the process ids of workers that were suspended (SIGSTOP) since the last call."""
        paused = [process for process in self._session.in_flight.workers() if state_of(process) == "T"]
        for process in paused:
            if process not in self._paused:
                print_error(f"chcfuzz: process {process} is suspended; `kill -CONT {process}` resumes it")
        self._paused = paused

    def finish(self, workers: Workers, crashes: CrashReports, exit_code: int) -> int:
        """Write the state and the numbers, and print the summary; return the exit code.

        A full disk is reported, and does not prevent the rest.
        """
        progress = self._progress(workers, crashes)
        for write in self._last_writes(progress, workers.stopped_by.value if workers.stopped_by else "done"):
            try:
                write()
            except UsageError as error:
                print_error(f"chcfuzz: {error}")
                exit_code = EXIT_USAGE
        if self._hook is not None:
            known = min(1, workers.signals)  # the first one stops the campaign, and not its last commands
            self._hook.finish(_HOOK_SECONDS, lambda: workers.signals > known)
        self._status.erase()
        print_error(summary(progress, str(self._options.findings), self._status.columns))
        if sys.stdout is not None and not sys.stdout.isatty():  # a dozen lines of a terminal, for programs only
            print_to(progress.machine_line(), sys.stdout)
        return exit_code

    def stop(self) -> None:
        """End the command of --on-bucket that runs, if one does."""
        if self._hook is not None:
            self._hook.stop()

    def _last_writes(self, progress: Progress, why: str) -> Iterator[Callable[[], None]]:
        """Yield functions that write a file each; they may be on different disks."""
        if self._options.learn:
            yield partial(online_counts.keep, self._options.learned_file, self._session)
        if self._recording is None:
            yield partial(learned_policy.finish, self._options.state_file, self._session)
        else:
            yield partial(self._recording.finish, progress, why)
        if self._metrics is not None:
            yield partial(self._metrics.update, progress.seconds, progress, is_last=True)
        if self._options.json:
            yield partial(_write_numbers, self._options.json, progress)

    def _progress(self, workers: Workers, crashes: CrashReports) -> Progress:
        now = _elapsed(workers)
        counts, waiting = self._session.counters.totals(), self._queue.suspicions.names()
        traces = len(self._session.traces)
        signatures = [FolderName.parse(name).signature for _, name in self._session.findings.named()]
        self._traces.update(traces, now)
        self._buckets.update(len(set(signatures)), now)
        return Progress(
            seconds=workers.seconds,
            finishing_seconds=workers.finishing_seconds,
            counts=counts,
            unique_traces=traces,
            transitions=len(self._session.transitions),
            crashes=crashes.number,
            replaced=workers.replaced,
            findings=dict(sorted(Tally(self._session.findings.kinds()).items())),
            waiting=len(waiting),
            waiting_kinds=kinds_waiting(waiting),
            counted=max(0, self._queue.suspicions.counted().total - self._counted),
            queue=dict(self._queue.examiner.tally),
            vanished=dict(self._queue.examiner.vanished),
            seeds=self._session.seeds.by_ground(),
            first=self._session.first.by_event(),
            full_switches=self._session.full_switches.named(),
            before=len(self._before.difference(name for _, name in self._session.findings.named())),
            sightings=self._session.sightings.once_and_twice(),
            has_features=self._session.has_features.is_set,
            signatures=signatures,
            trace_age=self._traces.age(now),
            bucket_age=self._buckets.age(now),
            solvers=solver_counts(tallies.totals(self._session)),
            reading=self._reading(),
            without_mutants=self._without_mutants(counts[Counter.EXECUTIONS]),
            reserve_budget=self._reserve_budget,
            at_limit=self._session.seeds.at_limit,
        )

    def _reading(self) -> tuple[int, int] | None:
        """Return how many units of the corpus were read, and how many there are, while they are read."""
        if self._session.has_read.is_set or not (self._options.fuzzes_alone and self._units):
            return None
        return min(len(self._session.claims), self._units), self._units

    def _without_mutants(self, executions: int) -> str:
        """Return the reason why the campaign executes no mutant, if it is known.

        `-runs` is the reason once it has ended the campaign, and not another limit before.
        """
        runs = self._options.limit("runs")
        if self._options.merges:
            return "a merge only executes the corpus"
        is_reason = runs in range(self._units + 2) and executions >= (runs or self._units)
        return f"-runs={runs} ends with the {counted(self._units, 'seed')}" if is_reason else ""


def _elapsed(workers: Workers) -> float:
    """Return the seconds since the campaign began."""
    return workers.seconds + workers.finishing_seconds


def _write_numbers(path: Path, progress: Progress) -> None:
    try:
        write_named(path, (json.dumps(progress.numbers(), indent=2) + "\n").encode())
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}") from error
