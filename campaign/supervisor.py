"""What a user starts: it runs libFuzzer in a worker, tells how it goes, and survives what a worker does not.

libFuzzer leaves by `_Exit`, and a solver may take the whole process along; neither lets Python say a last word. So
the campaign's numbers are in shared files (`session`), a unit that killed a worker is read from there, confirmed in a
process of its own and kept as a finding, and a plain campaign goes on in a new worker with what is left of its time.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter as Tally
from collections.abc import Sequence
from pathlib import Path

from chcfuzz.campaign import learning
from chcfuzz.campaign.in_work import MAX_UNIT
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session import ENVIRONMENT, Counter, Session
from chcfuzz.campaign.status import Progress, words_on_seeds
from chcfuzz.execution.files import write_whole
from chcfuzz.execution.seed_answers import SeedAnswers
from chcfuzz.execution.solving import EXIT_CRASH, EXIT_OOM, EXIT_STUCK, EXIT_USAGE, Z3_EXITS, UsageError
from chcfuzz.solvers import python
from chcfuzz.triage.desk import Desk
from chcfuzz.triage.findings import FindingStore
from chcfuzz.triage.suspicion import Suspicion

# Exit codes after which a plain campaign goes on, if a unit was in work.
_SURVIVED = (EXIT_STUCK, EXIT_OOM, EXIT_CRASH, *Z3_EXITS)
# Of -max_total_time: after that the seeds would be read again, and nothing else done.
_WORTH_RESTARTING = 0.9
_MERGED_AFTER = 1800.0  # seconds: a job lives at most 300, and is merged then
# What suits this fuzzer better than libFuzzer's defaults; a user's own flag comes later and wins.
_LIBFUZZER_DEFAULTS = (
    "-len_control=0",  # recipes are compressed: their length says nothing
    f"-max_len={MAX_UNIT}",
    "-detect_leaks=0",
    "-rss_limit_mb=6144",  # Z3 has a limit of its own, below this
    "-timeout=7200",  # the wall clock is ours
)


class Supervisor:
    """One campaign: `script` is the fuzz target to start as the worker, `headline` what is told first."""

    def __init__(self, script: Path, options: Options, session: Session, headline: str) -> None:
        self._headline = headline
        self._script = script
        self._options = options
        self._session = session
        self._store = FindingStore(options.findings, options.per_bucket)
        # Under no setting: what the desk learns of seeds is witnessed, and holds under every one.
        self._desk = Desk(self._store, SeedAnswers(options.findings), session.mark_finding)
        self._runs, self._seconds, self._seed = map(options.limit, ("runs", "max_total_time", "seed"))
        self._start = time.monotonic()
        self._crashes = 0
        self._died = False  # whether a worker has, of its unit
        self._interrupted = False
        self._seeds_told = False
        self._child: subprocess.Popen[bytes] | None = None

    def run(self) -> int:
        """Run until libFuzzer is done; the exit code is the last worker's (0 where libFuzzer means success)."""
        if self._is_campaign:
            self._store.prepare()
            learning.begin(self._options.state_file, self._options.policy, self._session)
            print(f"chcfuzz: {self._headline}", file=sys.stderr, flush=True)
            self._tell_empty_folders()
            self._desk.start()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._pass_on)
        if self._forks:
            (self._session.folder / "opened").mkdir()
        arguments = self._arguments()
        restarts = 0
        while True:
            code = self._run_worker(self._with_rest_of_budget(arguments, restarts))
            goes_on = self._collect_dead_units() and self._fuzzes_in_one_process and (code in _SURVIVED or code < 0)
            if self._interrupted or not goes_on or self._options.stop_on_finding or self._budget_spent():
                break
            restarts += 1
        if code == EXIT_USAGE and not self._session.totals()[Counter.EXECUTIONS]:
            return code
        self._gather()
        if self._is_campaign:
            self._finish_desk()
            progress = self._progress()
            code = self._write_what_stays(progress) or code
            print(progress.report(str(self._options.findings)), file=sys.stderr, flush=True)
            print(progress.machine_line(), flush=True)
        survived = self._interrupted or (self._died and self._is_campaign and not self._options.stop_on_finding)
        if survived and code != EXIT_USAGE:
            return 0
        return 128 - code if code < 0 else code

    def _finish_desk(self) -> None:
        """Have looked into what is suspicious and had no turn yet, unless somebody wants to leave."""
        if self._interrupted:
            self._desk.stop()
        else:
            self._desk.finish(self._options.finish_seconds)
        if self._desk.error is not None:
            print(f"chcfuzz: {self._desk.error}", file=sys.stderr, flush=True)
        if len(self._desk.box):
            print(
                f"chcfuzz: {len(self._desk.box)} suspicions wait in {str(self._options.findings)!r}: the next campaign "
                f"there looks into them, or `chcfuzz confirm {self._options.findings}`",
                file=sys.stderr,
                flush=True,
            )

    def _gather(self) -> None:
        """With `-fork`, merge what libFuzzer's last jobs found into the corpus: it stops without."""
        gathered = self._session.take_opened() if self._forks else None
        if gathered is not None:
            self._run_worker(
                ["-merge=1", "-verbosity=0", *self._options.ours, str(self._options.inputs[0]), str(gathered)]
            )

    def _write_what_stays(self, progress: Progress) -> int:
        """The state and the numbers; a disk that takes neither is told, and does not take the summary along."""
        try:
            learning.finish(self._options.state_file, self._session)
            if self._options.json:
                _write_numbers(self._options.json, progress)
        except UsageError as error:
            print(f"chcfuzz: {error}", file=sys.stderr, flush=True)
            return EXIT_USAGE
        return 0

    @property
    def _is_campaign(self) -> bool:
        return not (self._options.replays_files or self._options.minimizes or self._options.asks_help)

    @property
    def _fuzzes_in_one_process(self) -> bool:
        return self._is_campaign and not self._options.starts_processes

    @property
    def _has_jobs(self) -> bool:
        """Whether libFuzzer starts one job after another."""
        return self._options.flag("fork") not in (None, "0")

    @property
    def _forks(self) -> bool:
        """Whether such jobs add to a corpus of the user's."""
        return self._has_jobs and bool(self._options.inputs)

    def _arguments(self) -> list[str]:
        arguments = [*_LIBFUZZER_DEFAULTS]
        if self._options.flag("jobs") in (None, "0"):
            arguments.append("-reload=0")  # a clock decides when libFuzzer reads its own folder again
        if self._options.solving.z3_library:
            arguments.append("-entropic=0")  # measured: with ten thousands of edges it takes half of the time
        if self._has_jobs and not self._options.stop_on_finding:
            arguments.append("-ignore_crashes=1")
        if self._is_campaign and not self._options.stop_on_finding:  # what is worth keeping is a finding then
            artifacts = self._session.folder / "artifacts"
            artifacts.mkdir()
            arguments.append(f"-artifact_prefix={artifacts}/")
        arguments += self._options.arguments
        if self._is_campaign and not self._options.inputs:
            kept = self._session.folder / "corpus"  # so that a restart finds what was learned
            kept.mkdir()
            arguments.append(str(kept))
        return arguments

    def _tell_seeds(self) -> None:
        """Once the corpus is read: on what ground its seeds' answers stand."""
        if not self._seeds_told and self._is_campaign and self._session.totals()[Counter.MUTATE_TIME]:
            self._seeds_told = True
            print(f"chcfuzz: {words_on_seeds(self._session.seeds())}", file=sys.stderr, flush=True)

    def _tell_empty_folders(self) -> None:
        folders = self._options.inputs[1:] if self._options.merges else self._options.inputs
        if folders and not any(file.is_file() for folder in folders for file in folder.rglob("*")):
            names = ", ".join(repr(str(folder)) for folder in folders)
            print(f"chcfuzz: no unit in {names}; the built-in seeds are mutated", file=sys.stderr, flush=True)

    def _run_worker(self, arguments: Sequence[str]) -> int:
        environment = python.environment(**{ENVIRONMENT: str(self._session.folder)})
        command = python.command(str(self._script), *arguments)
        self._child = subprocess.Popen(command, env=environment, process_group=0)
        try:
            while True:
                try:
                    return self._child.wait(timeout=self._options.status_seconds)
                except subprocess.TimeoutExpired:
                    self._look_after_it()
        finally:
            self._signal(signal.SIGKILL)  # an error of ours must leave nothing behind
            self._child.wait()

    def _look_after_it(self) -> None:
        self._tell_seeds()
        if self._desk.error is not None:
            self._pass_on(signal.SIGTERM, None)
        if self._is_campaign:
            print(self._progress().line(), file=sys.stderr, flush=True)
        if self._options.starts_processes and not self._interrupted:
            self._collect_dead_units()
        self._session.forget_opened(_MERGED_AFTER)

    def _signal(self, number: int) -> None:
        """To the worker and, with `-fork` and `-jobs`, to what libFuzzer has started: its end is not theirs."""
        if self._child is not None and self._child.poll() is None:
            os.killpg(self._child.pid, number)

    def _pass_on(self, number: int, _frame: object) -> None:
        # A second signal, or a worker deep inside the solver that does not listen, ends less politely.
        self._signal(signal.SIGKILL if self._interrupted else number)
        self._interrupted = True

    def _with_rest_of_budget(self, arguments: Sequence[str], restarts: int) -> list[str]:
        if restarts == 0:
            return list(arguments)
        changed = {}
        if self._runs is not None:
            changed["-runs"] = str(max(1, self._runs - int(self._session.totals()[Counter.EXECUTIONS])))
        if self._seconds is not None:
            changed["-max_total_time"] = str(max(1, self._seconds - int(time.monotonic() - self._start)))
        if self._seed is not None:
            changed["-seed"] = str(self._seed + restarts)
        kept = [word for word in arguments if word.partition("=")[0] not in changed]
        return [*kept, *(f"{name}={value}" for name, value in changed.items())]

    def _budget_spent(self) -> bool:
        done = int(self._session.totals()[Counter.EXECUTIONS])
        passed = time.monotonic() - self._start
        return (self._runs is not None and self._runs <= done) or (
            self._seconds is not None and _WORTH_RESTARTING * self._seconds <= passed
        )

    def _collect_dead_units(self) -> bool:
        units = self._session.take_units_of_dead_workers()
        if self._interrupted:
            return False
        self._died |= bool(units)
        for unit in units:
            self._session.poison(unit)
            if self._session.was_stuck(unit):
                self._store.put_aside(Suspicion(unit, "stuck", solving=self._options.solving.arguments))
            else:
                self._crashes += 1
                self._desk.suspect(Suspicion(unit, "crash", solving=self._options.solving.arguments))
        return bool(units)

    def _progress(self) -> Progress:
        return Progress(
            seconds=time.monotonic() - self._start,
            counts=self._session.totals(),
            unique_traces=len(self._session.traces),
            transitions=len(self._session.transitions),
            crashes=self._crashes,
            findings=dict(sorted(Tally(self._session.findings()).items())),
            waiting=len(self._desk.box),
            desk=dict(self._desk.tally),
            seeds=self._session.seeds(),
        )


def _write_numbers(path: Path, progress: Progress) -> None:
    try:
        write_whole(path, (json.dumps(progress.numbers(), indent=2) + "\n").encode())
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}") from error


def supervise(script: Path, options: Options, headline: str) -> int:
    """Run a campaign in a session of its own, which is removed afterwards; returns the exit code."""
    with tempfile.TemporaryDirectory(prefix="chcfuzz-") as folder:
        return Supervisor(script, options, Session(Path(folder)), headline).run()
