"""The supervisor of a campaign: the process that a user starts. It survives what its workers do not.

The numbers of a campaign are in shared files (`session`). The supervisor reads the unit that killed a worker from
there, has it confirmed in a fresh process, and continues the campaign in a new worker.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable
from pathlib import Path
from shlex import quote

from chcfuzz.campaign.background_triage import BackgroundTriage
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.runs.logs import logged
from chcfuzz.campaign.session import scratch
from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.supervisor import corpus_keeper
from chcfuzz.campaign.supervisor.corpus_keeper import CorpusKeeper
from chcfuzz.campaign.supervisor.crash_reports import CrashReports
from chcfuzz.campaign.supervisor.libfuzzer_arguments import merge_arguments
from chcfuzz.campaign.supervisor.monitor import Monitor
from chcfuzz.campaign.supervisor.recording import Recording
from chcfuzz.campaign.supervisor.status_line import can_redraw
from chcfuzz.campaign.supervisor.workers import StopReason, Workers
from chcfuzz.campaign.worker import learned_policy, online_counts
from chcfuzz.campaign.worker.outcomes import describe_foreign, forget_lost
from chcfuzz.execution.console import REDRAWS, print_error
from chcfuzz.execution.exit_codes import EXIT_CRASH, EXIT_OURS, EXIT_USAGE, Z3_EXITS
from chcfuzz.execution.files import see_writable
from chcfuzz.execution.recorded_flags import code_flags, trusted
from chcfuzz.execution.seed_answers import SeedAnswers
from chcfuzz.execution.solving import UsageError
from chcfuzz.grammar.printable import counted, printable
from chcfuzz.triage.examine.suspicion import kinds_waiting
from chcfuzz.triage.findings.confirmation_queue import ConfirmationQueue
from chcfuzz.triage.findings.store import FindingsError, FindingStore
from chcfuzz.triage.findings.suspicions import MOST_ALIKE, Suspicions

_QUIET_INTERVAL = 5.0  # seconds between two estimates
_MOST_COUNTED = 3  # lines on frequent suspicions at the end


class Supervisor:
    """One campaign. `headline` is printed first; `recording` writes the run folder, if there is one."""

    def __init__(
        self, workers: Workers, options: Options, session: Session, headline: str, recording: Recording | None = None
    ) -> None:
        self._workers = workers
        self._options = options
        self._session = session
        self._headline = headline
        self._recording = recording
        # Without a configuration key: the queue stores only witnessed answers of seeds, which hold under every key.
        self._queue = ConfirmationQueue(
            FindingStore(options.findings, options.per_bucket, options.triage),
            SeedAnswers(options.findings),
            session.mark_finding,
            lambda suspicion: trusted(suspicion.solving, options.solving),
            self._announce,
        )
        self._queue.examiner.announcements.is_brief = True
        self._triage = BackgroundTriage(options.findings, options.triage_tests, options.per_bucket, options.solving)
        self._corpus = CorpusKeeper(options, session)
        self._crashes = CrashReports(session, self._queue, options)
        self._monitor = Monitor(options, session, recording, self._queue)
        self._next_check = self._next_quiet = 0.0

    def run(self) -> int:
        """Run until libFuzzer is done; return the exit code, see `WorkerExit.exit_code`.

        The exit code is 3 instead of 0 if there were internal errors. Raises `ChcfuzzError` for folders and files that
        cannot be used, before anything has begun.
        """
        try:
            return self._run()
        finally:
            self._queue.stop()
            self._triage.stop()
            self._monitor.stop()
            self._workers.end()

    def _run(self) -> int:
        if self._options.is_campaign:
            self._prepare()
        elif self._options.replays_files and not (self._options.quiet or self._options.minimizes):
            print_error(
                "chcfuzz: files are executed once each, as libFuzzer does; `chcfuzz replay FILE` explains the answer, "
                "and a folder with them is a corpus for fuzzing"
            )
        self._workers.listen()
        self._corpus.keep_unmerged()
        last = self._workers.run(self._look_after, self._collect_after_exit)
        if last.exit.is_refusal and not self._workers.executions:
            return EXIT_USAGE
        self._finish_corpus()
        code = last.code
        if self._options.is_campaign:
            self._finish_queue()
            own_code = EXIT_USAGE if self._workers.stopped_by is StopReason.DISK else 0
            code = self._monitor.finish(self._workers, self._crashes, own_code) or code
        elif self._options.replays_files and code in Z3_EXITS:
            code = EXIT_CRASH  # a crash of Z3 that reproduces, which ended the process before libFuzzer could
        return code or (EXIT_OURS if self._session.counters.totals()[Counter.OWN_ERRORS] else 0)

    def _prepare(self) -> None:
        """Ensure that all folders and files can be used that the campaign will write."""
        self._queue.examiner.store.prepare()
        self._execute_lost_again()
        learned_policy.begin(self._options.state_file, self._options.policy, self._session)
        if self._options.learn:
            online_counts.begin(self._options.learned_file, self._session)
        for file in filter(None, (self._options.json, self._options.state_file, self._options.metrics)):
            see_writable(file)
        self._corpus.prepare()
        if not self._options.quiet:
            print_error(f"chcfuzz: {self._headline}")
        if self._recording is not None:
            self._recording.begin(self._headline)
            self._corpus.repair_after_power_cut()
        if self._options.forks:
            print_error(
                "chcfuzz: with -fork, libFuzzer starts many jobs, each of which reads the corpus; --workers=N does not"
            )
        if message := self._options.advice_on_hard_seeds:
            print_error(f"chcfuzz: {message}")
        if not self._options.quiet:
            self._corpus.print_empty_folders()
        self._monitor.begin()
        if not self._options.stop_on_finding:  # with which the worker confirms and triages by itself
            self._queue.start()
            if self._options.triage:
                self._triage.start()

    def _execute_lost_again(self) -> None:
        """Let suspicious units be executed again whose suspicions or findings were removed."""
        if message := describe_foreign(self._options.findings):
            print_error(f"chcfuzz: {message}")
        suspicions = Suspicions(self._options.findings)
        suspicions.ensure_plain()
        lost = forget_lost(self._options.findings, suspicions.lost)
        if lost:
            units = "a cached unit" if lost == 1 else f"{lost} cached units"
            print_error(f"chcfuzz: {str(self._options.findings)!r} has lost the findings of {units}, executed again")

    def _announce(self, is_first: bool) -> None:
        """Let the workers wait while the first suspicion of a kind is examined, if it may lack a processor."""
        if is_first and max(self._options.workers, os.getloadavg()[0]) >= len(os.sched_getaffinity(0)):
            self._session.examines_first.set()
        else:
            self._session.examines_first.clear()

    def _look_after(self) -> None:
        """Print and record the progress, and stop the campaign if it cannot continue or its time is over."""
        workers = self._workers
        self._monitor.print_seeds()
        if self._queue.error is not None:
            workers.stop(StopReason.DISK)
        self._monitor.print_status(workers, self._crashes)
        self._record()
        goal = self._options.stop_at_first
        if goal is not None and self._session.first.has(goal) and not workers.stopped_by:
            workers.stop(StopReason.GOAL)
        self._stop_in_time()
        self._stop_if_quiet()
        now = time.monotonic()
        if now >= self._next_check:
            self._next_check = now + self._options.interval
            self._check_workers()

    def _check_workers(self) -> None:
        """Stop the campaign if its workers cannot continue; collect what they have left."""
        workers = self._workers
        if self._options.starts_processes and not workers.stopped_by:
            self._collect(self._session.in_flight.take_from_dead())
        self._options.logs.rotate()
        if self._options.starts_processes:  # otherwise the worker checks each file after libFuzzer has written it
            self._check_corpus()
        workers.stop_if_jobs_cannot_run()
        self._corpus.forget_merged()
        self._monitor.print_paused_workers()

    def _stop_in_time(self) -> None:
        """Stop fuzzing if the rest of -max_total_time is needed for confirmation and triage, or is over.

        libFuzzer keeps the limit itself, but its clock starts later, and it only looks at it between two units.
        """
        left = self._workers.seconds_left
        if left is None or self._workers.stopped_by or not self._options.is_one_campaign:
            return
        is_needed = left <= self._workers.reserve(self._options.finish_seconds) and self._has_work_at_the_end()
        if is_needed or left <= 0:
            self._workers.stop(StopReason.TIME)

    def _stop_if_quiet(self) -> None:
        quiet = self._options.stop_after_quiet
        if quiet is None or self._workers.stopped_by or time.monotonic() < self._next_quiet:
            return
        self._next_quiet = time.monotonic() + _QUIET_INTERVAL
        if self._monitor.is_quiet(self._workers, self._crashes, quiet):
            print_error(f"chcfuzz: less than one new trace is expected in {quiet:,.0f} s; the campaign ends")
            self._workers.stop(StopReason.TIME)

    def _has_work_at_the_end(self) -> bool:
        if self._options.stop_on_finding:
            return False
        return self._queue.has_first_turns or (self._options.triage and bool(self._session.findings.kinds()))

    def _finish_seconds(self) -> float:
        """Return the seconds that confirmation or triage may still take."""
        left = self._workers.seconds_left
        most = self._options.finish_seconds
        return most if left is None else max(0.0, min(most, left))

    def _record(self) -> None:
        if self._workers.stopped_by is StopReason.DISK:
            return
        try:
            self._monitor.record(self._workers, self._crashes)
        except UsageError as error:
            print_error(f"chcfuzz: {error}")
            self._workers.stop(StopReason.DISK)

    def _collect_after_exit(self, units: Iterable[bytes]) -> bool:
        self._collect(units)
        return self._crashes.has_any

    def _collect(self, units: Iterable[bytes]) -> None:
        """Report units that killed a worker."""
        try:
            self._crashes.collect(units)
        except FindingsError as error:
            print_error(f"chcfuzz: {error}")
            self._workers.stop(StopReason.DISK)

    def _check_corpus(self) -> None:
        if self._workers.stopped_by is not StopReason.DISK and not self._corpus.check():
            self._workers.stop(StopReason.DISK)

    def _finish_corpus(self) -> None:
        """Ensure that all units which opened a trace are in the corpus, and that all of its files are whole."""
        if self._options.grown is not None:
            self._write_rest()
        self._check_corpus()

    def _write_rest(self) -> None:
        """Merge the units of libFuzzer's last jobs, which libFuzzer does not do, and write those that it did not get.

        It gets the mutants that were made while it read the corpus after that, so a short campaign ends before. With
        --stop-on-finding, the last unit is the finding, which no corpus keeps.
        """
        if self._workers.stopped_by is StopReason.DISK or self._session.exit_reason.read():
            self._corpus.save_unmerged()
        elif self._options.forks:
            gathered = self._corpus.gather()
            if gathered is not None:
                self._workers.run_again(merge_arguments(self._options, self._session, gathered), self._look_after)
        elif not self._options.stop_on_finding and not self._corpus.write_unmerged():
            self._workers.stopped_by = StopReason.DISK

    def _finish_queue(self) -> None:
        """Confirm the suspicions that no similar one preceded, unless the user has stopped the campaign."""
        if self._options.stop_on_finding:
            self._queue.start()
        self._queue.finish(self._finish_seconds(), self._is_in_a_hurry)
        if self._queue.error is not None:
            print_error(f"chcfuzz: {self._queue.error}")
            self._workers.stopped_by = StopReason.DISK
        names = self._queue.suspicions.names()
        if waiting := len(names):
            them = "it" if waiting == 1 else "them"
            folder = str(self._options.findings)
            command = f"chcfuzz confirm {quote(folder)}{code_flags(self._options.solving)}"
            suspicions = counted(waiting, "suspicion", "is", "are")
            print_error(
                f"chcfuzz: {suspicions} not confirmed yet in {folder!r}{kinds_waiting(names)}; "
                f"the next campaign there confirms {them}, or `{command}`"
            )
        self._print_counted()
        self._triage.finish(self._finish_seconds(), self._is_in_a_hurry)

    def _print_counted(self) -> None:
        """Print the most frequent suspicions of the folder that were only counted."""
        for title, number in self._queue.suspicions.counted().most(_MOST_COUNTED):
            print_error(
                f"chcfuzz: {counted(number, 'suspicion', 'was', 'were')} only counted, because "
                f"{MOST_ALIKE} alike waited: {printable(title)}"
            )

    def _is_in_a_hurry(self) -> bool:
        """Return whether to leave now; show the progress, because this is called all the time."""
        self._monitor.print_status(self._workers, self._crashes)
        return self._workers.stopped_by in (StopReason.USER, StopReason.DISK, StopReason.GOAL)


def supervise(script: Path, options: Options, headline: str) -> int:
    """Run a campaign of the fuzz target `script` in a session of its own, and return the exit code."""
    run = options.run
    redraws = {REDRAWS: "1"} if options.is_campaign and not options.verbose and can_redraw() else {}
    with contextlib.ExitStack() as inside:
        if run is not None:
            inside.enter_context(run.locked())
            run.begin(script.stem, options.begun_with)
            program, _ = run.begun_with()
            if program != script.stem:
                raise UsageError(f"the campaign in {str(run.path)!r} is one of {program}.py; resume it with that")
        folder = inside.enter_context(scratch.folder(corpus_keeper.rescue))
        session = Session(folder)
        if options.is_campaign and not options.merges:
            inside.enter_context(logged(options.logs, redraws))
        recording = None if run is None else Recording(run, options, session)
        return Supervisor(Workers(script, options, session), options, session, headline, recording).run()
