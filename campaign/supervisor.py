"""What a user starts: it runs libFuzzer in a worker, tells how it goes, and survives what a worker does not.

libFuzzer leaves by `_Exit`, and a solver may take the whole process along; neither lets Python say a last word. So
the campaign's numbers are in shared files (`session`), a unit that killed a worker is read from there, confirmed in a
process of its own and kept as a finding, and a plain campaign goes on in a new worker with what is left of its time.
"""

from __future__ import annotations

import contextlib
import enum
import json
import signal
import sys
import time
from collections import Counter as Tally
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from chcfuzz.campaign import corpus_folder, learning, scratch
from chcfuzz.campaign.background_triage import Triaging
from chcfuzz.campaign.console import say, tell
from chcfuzz.campaign.in_flight import MAX_UNIT
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.recording import Recording
from chcfuzz.campaign.session import ENVIRONMENT, Counter, Session, corpus_of, opened_in
from chcfuzz.campaign.status import Progress, words_on_seeds
from chcfuzz.campaign.worker_exit import Ending
from chcfuzz.campaign.worker_slot import Seat
from chcfuzz.execution.files import see_writable, write_whole
from chcfuzz.execution.seed_answers import SeedAnswers
from chcfuzz.execution.solving import EXIT_OURS, EXIT_USAGE, UsageError
from chcfuzz.solvers import python
from chcfuzz.solvers.process import state_of
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings.confirmation_queue import ConfirmationQueue
from chcfuzz.triage.findings.store import FindingsError, FindingStore

# Of -max_total_time: after that the seeds would be read again, and nothing else done.
_WORTH_RESTARTING = 0.9
_MOST_IN_VAIN = 3  # workers that end before they execute anything
_CLOCK_GRAIN = 2.0  # seconds: file systems round the time at which a file was written
_PATIENCE = 30  # seconds that libFuzzer has to end when it is told to; it takes none where it hears
_MERGED_AFTER = 1800.0  # seconds: a job lives at most 300, and is merged then
# What suits this fuzzer better than libFuzzer's defaults; a user's own flag comes later and wins.
_LIBFUZZER_DEFAULTS = (
    "-len_control=0",  # recipes are compressed: their length says nothing
    f"-max_len={MAX_UNIT}",
    "-detect_leaks=0",
    "-rss_limit_mb=6144",  # Z3 has a limit of its own, below this
    "-timeout=7200",  # the wall clock is ours
)


class _Stop(enum.Enum):
    """Why a campaign is ended before libFuzzer ends it; the words stand in a run folder."""

    USER = "signal"
    DISK = "disk"  # nothing can be kept any more, or no job can run
    TIME = "time"  # it is over, and the worker is paused
    OTHER = "worker"  # another one cannot go on


class Supervisor:
    """One campaign: `script` is the fuzz target to start as the worker, `headline` what is told first."""

    def __init__(
        self, script: Path, options: Options, session: Session, headline: str, recording: Recording | None = None
    ) -> None:
        self._headline = headline
        self._recording = recording  # where a run folder keeps the campaign
        self._script = script
        self._options = options
        self._session = session
        self._store = FindingStore(options.findings, options.per_bucket, options.triage)
        self._triaging = Triaging(options.findings, options.triage_tests, options.per_bucket)
        # Under no setting: what the confirmation queue learns of seeds has a witness, and holds under every one.
        self._queue = ConfirmationQueue(self._store, SeedAnswers(options.findings), session.mark_finding)
        self._runs, self._seconds, self._seed = map(options.limit, ("runs", "max_total_time", "seed"))
        self._start_time = time.monotonic()
        self._crashes = 0
        self._replaced = 0  # workers
        self._died = False  # whether a worker has, of its unit
        self._stopped_by: _Stop | None = None
        self._paused: list[int] = []
        self._seen_whole = time.time() - _CLOCK_GRAIN
        self._seeds_told = False
        self._seats = [Seat(number) for number in range(options.workers if self._options.is_campaign else 1)]

    def run(self) -> int:
        """Run until libFuzzer is done; the exit code, see `Ending.exit_code`. 3 where it would be 0 but for errors of
        ours. Raises `ChcfuzzError` for what cannot be used, before anything has begun."""
        try:
            return self._run()
        finally:
            self._queue.stop()
            self._triaging.stop()
            for seat in self._seats:
                if seat.is_taken:
                    seat.free()

    def _run(self) -> int:
        if self._options.is_campaign:
            self._prepare()
        self._listen()
        if self._options.grown is not None:
            self._session.keep_what_opens(self._options.grown)
        ending, survived = self._run_workers()
        if ending.is_refusal and not self._executions:
            return EXIT_USAGE
        self._gather()
        code = ending.exit_code(survived)
        if self._options.is_campaign:
            self._finish_queue()
            code = self._write_what_stays() or code
        return code or (EXIT_OURS if self._session.totals()[Counter.OWN_ERRORS] else 0)

    def _prepare(self) -> None:
        """See that all folders and files can be used that the campaign will write in the end."""
        self._store.prepare()
        learning.begin(self._options.state_file, self._options.policy, self._session)
        for file in filter(None, (self._options.json, self._options.state_file)):
            see_writable(file)
        if self._options.inputs:
            corpus_folder.prepare(self._options.inputs[0])
        corpus_folder.see_readable(self._options.inputs)
        tell(f"chcfuzz: {self._headline}")
        if self._recording is not None:
            self._recording.begin(self._headline)
            corpus = self._options.inputs[0]
            if cut := corpus_folder.take_out_cut(corpus):
                tell(f"chcfuzz: {cut} unit{'s' * (cut != 1)} in {str(corpus)!r} cut, as by a power cut, and taken out")
        if self._options.flag("fork") not in (None, "0"):
            tell("chcfuzz: -fork starts process after process, and each reads the corpus again; --workers=N does not")
        self._tell_empty_folders()
        self._queue.start()
        if self._options.triage and not self._options.stop_on_finding:  # with which workers see to it
            self._triaging.start()

    def _listen(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # as under nohup
                signal.signal(number, self._stop_politely)
        signal.signal(signal.SIGALRM, lambda *_: self._signal(signal.SIGKILL))

    def _run_workers(self) -> tuple[Ending, bool]:
        """On every seat, run one worker after another, as long as one dies and the campaign can go on.

        How the last one ended, or the first that cannot go on, and whether the campaign has survived all deaths: it has
        done what it was asked for.
        """
        arguments = self._arguments()
        if self._goes_on_after_death:
            self._session.replace_workers()
        if len(self._seats) > 1:
            self._session.let_several_read()
        for seat in self._seats:
            self._start(seat, self._of_seat(arguments, seat))
        worst: tuple[Ending, bool] | None = None
        while any(seat.is_taken for seat in self._seats):
            for seat in self._wait():
                last = self._what_follows(seat, self._free(seat))
                if last is None:
                    self._replaced += 1
                    self._start(seat, self._of_seat(arguments, seat))
                elif worst is None or not worst[0].exit_code(worst[1]):
                    worst = last
                    if last[0].exit_code(last[1]) and not self._stopped_by:
                        self._stop(_Stop.OTHER, signal.SIGTERM)
        assert worst is not None
        return worst

    def _what_follows(self, seat: Seat, ending: Ending) -> tuple[Ending, bool] | None:
        """After a worker has ended: its ending, and whether that is survived; None where another one takes its seat."""
        self._collect(ending.units)
        seat.in_vain = seat.in_vain + 1 if self._done_by(seat) == seat.done_before else 0
        if not (ending.is_death and self._goes_on_after_death):
            return ending, self._died and self._options.is_campaign and not self._options.stop_on_finding
        if self._is_spent(seat):
            return ending, True
        if self._stopped_by:
            return replace(ending, stopped=True), True
        if seat.in_vain > _MOST_IN_VAIN:
            tell(f"chcfuzz: libFuzzer {ending.words} again before it executed anything; giving up")
            return ending, False
        if not ending.units:
            tell(f"chcfuzz: libFuzzer {ending.words}, of no unit; started again")
        return None

    @property
    def _executions(self) -> int:
        return int(self._session.totals()[Counter.EXECUTIONS])

    def _finish_queue(self) -> None:
        """Have looked into what is suspicious and had no turn yet, unless somebody wants to leave."""
        self._queue.finish(self._options.finish_seconds, self._wants_to_leave)
        if self._queue.error is not None:
            tell(f"chcfuzz: {self._queue.error}")
            self._stopped_by = _Stop.DISK
        if waiting := len(self._queue.spool):
            tell(
                f"chcfuzz: {waiting} {'suspicion waits' if waiting == 1 else 'suspicions wait'} in "
                f"{str(self._options.findings)!r}: the next campaign there looks into what waits, or "
                f"`chcfuzz confirm {self._options.findings}`"
            )
        self._triaging.finish(self._options.finish_seconds, self._wants_to_leave)

    def _wants_to_leave(self) -> bool:
        return self._stopped_by in (_Stop.USER, _Stop.DISK)

    def _gather(self) -> None:
        """With `-fork`, merge what libFuzzer's last jobs found into the corpus: it stops without. Whatever wrote into
        the corpus, see that it is whole."""
        if self._forks and self._stopped_by is _Stop.DISK:
            self._save_opened()
            return
        gathered = self._session.take_opened() if self._forks else None
        if gathered is not None:
            into = str(self._options.inputs[0])
            (seat,) = self._seats  # -fork has no other
            self._start(seat, ["-merge=1", "-verbosity=0", *self._options.ours, into, str(gathered)], self._stopped_by)
            self._wait()
            self._free(seat)
        self._see_corpus_whole()

    def _save_opened(self) -> None:
        """What jobs have found and the corpus did not take."""
        lost = [unit for unit in self._session.opened() if not (self._options.inputs[0] / unit.name).exists()]
        folder = corpus_folder.save((unit.read_bytes() for unit in lost), self._options.findings)
        if lost and folder:
            tell(f"chcfuzz: {len(lost)} units that jobs have found are in {str(folder)!r}")

    def _see_corpus_whole(self) -> None:
        if not (self._options.is_campaign and self._options.inputs) or self._stopped_by is _Stop.DISK:
            return
        try:
            corpus_folder.mend(
                self._options.inputs[0],
                self._seen_whole,
                self._session.opened(),
                self._options.findings,
                corpus_folder.MERGED if self._options.merges else corpus_folder.GONE,
            )
        except UsageError as error:
            tell(f"chcfuzz: {error}")
            self._stop(_Stop.DISK, signal.SIGTERM)
        self._seen_whole = time.time() - _CLOCK_GRAIN

    def _write_what_stays(self) -> int:
        """The state, the numbers, the summary. What a disk does not take is told, and does not take the rest along."""
        progress = self._progress()
        code = EXIT_USAGE if self._stopped_by is _Stop.DISK else 0
        try:
            if self._recording is None:
                learning.finish(self._options.state_file, self._session)
            else:
                self._recording.finish(progress, self._stopped_by.value if self._stopped_by else "done")
            if self._options.json:
                _write_numbers(self._options.json, progress)
        except UsageError as error:
            tell(f"chcfuzz: {error}")
            code = EXIT_USAGE
        tell(progress.report(str(self._options.findings)))
        say(progress.machine_line(), sys.stdout)
        return code

    @property
    def _goes_on_after_death(self) -> bool:
        """Whether a new worker can take up what a dead one did: not a merge, nor libFuzzer's counted jobs."""
        modes = self._options.merges or self._options.flag("jobs") not in (None, "0")
        return self._options.is_campaign and not modes and not self._options.stop_on_finding

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
        workers = self._options.workers
        if workers > 1:
            arguments.append(f"-reload={max(1, workers // 4)}")  # seconds: the folder is listed, whatever is new there
        elif self._options.flag("jobs") in (None, "0"):
            arguments.append("-reload=0")  # a clock decides when libFuzzer reads its own folder again
        if self._options.solving.counts_edges:
            arguments.append("-entropic=0")  # measured: with ten thousands of edges it takes half of the time
        if self._has_jobs and not self._options.stop_on_finding:
            arguments.append("-ignore_crashes=1")
        if self._options.is_campaign and not self._options.stop_on_finding:  # what is worth keeping is a finding then
            artifacts = self._session.folder / "artifacts"
            artifacts.mkdir()
            arguments.append(f"-artifact_prefix={artifacts}/")
        arguments += self._options.arguments
        if self._options.is_campaign and not self._options.inputs:
            kept = self._session.folder / "corpus"  # so that a restart finds what was learned
            kept.mkdir()
            arguments.append(str(kept))
        return arguments

    def _tell_seeds(self) -> None:
        """Once the corpus is read: on what ground its seeds' answers stand."""
        if not self._seeds_told and self._options.is_campaign and self._session.totals()[Counter.MUTATE_TIME]:
            self._seeds_told = True
            tell(f"chcfuzz: {words_on_seeds(self._session.seeds())}")

    def _tell_empty_folders(self) -> None:
        folders = self._options.inputs[1:] if self._options.merges else self._options.inputs
        if folders and not any(file.is_file() for folder in folders for file in folder.rglob("*")):
            names = ", ".join(repr(str(folder)) for folder in folders)
            tell(f"chcfuzz: no unit in {names}; the built-in seeds are mutated")

    def _start(self, seat: Seat, arguments: Sequence[str], stopped: _Stop | None = None) -> None:
        """Start a worker; it runs although the campaign is `stopped` already, for that reason."""
        seat.done_before = self._done_by(seat)
        seat.start(
            python.command(str(self._script), *arguments),
            python.environment(**{ENVIRONMENT: str(self._session.folder)}),
        )
        if self._stopped_by is not stopped:
            seat.signal(signal.SIGTERM)  # that it was told to end while it was started

    def _wait(self) -> list[Seat]:
        """Look after workers until one has ended; those that have."""
        while not (ended := Seat.ended(self._seats, self._options.status_seconds)):
            self._look_after_it()
        return ended

    def _free(self, seat: Seat) -> Ending:
        """After its worker has ended: nothing that it has started is left then."""
        # With several seats a worker has no jobs; what others have in work is theirs.
        worker = seat.worker if len(self._seats) > 1 else None
        try:
            units = self._session.take_units_of_dead_workers(worker)
        finally:
            code = seat.free()
            if not any(seat.is_taken for seat in self._seats):
                signal.alarm(0)
        if code != EXIT_USAGE:
            self._see_why_jobs_left()
        self._session.forget_units_in_work(worker)  # of jobs that were ended just now
        return Ending(code, tuple(units), self._stopped_by is not None)

    def _look_after_it(self) -> None:
        self._tell_seeds()
        if self._queue.error is not None:
            self._stop(_Stop.DISK, signal.SIGTERM)
        if self._options.is_campaign:
            tell(self._progress().line())
        self._record()
        if self._options.starts_processes and not self._stopped_by:
            self._collect(self._session.take_units_of_dead_workers())
        if self._options.starts_processes:
            self._see_corpus_whole()  # else the worker does, as soon as libFuzzer has written
        self._see_why_jobs_left()
        self._session.forget_opened(_MERGED_AFTER)
        self._look_whether_paused()

    def _record(self) -> None:
        """Have the run folder know how it goes; a disk that takes no more ends the campaign."""
        if self._recording is None or self._stopped_by is _Stop.DISK:
            return
        try:
            self._recording.look(self._progress)
        except UsageError as error:
            tell(f"chcfuzz: {error}")
            self._stop(_Stop.DISK, signal.SIGTERM)

    def _look_whether_paused(self) -> None:
        """Workers that somebody has stopped (SIGSTOP) are told, and ended when the campaign's time is over."""
        paused = [process for process in self._session.workers() if state_of(process) == "T"]
        for process in paused:
            if process not in self._paused:
                tell(f"chcfuzz: process {process} is paused; `kill -CONT {process}` lets it go on")
        self._paused = paused
        if paused and self._time_is_over():
            self._stop(_Stop.TIME, signal.SIGKILL)

    def _see_why_jobs_left(self) -> None:
        """Jobs that cannot go on would be started again and again; what they say goes into libFuzzer's own files."""
        if self._options.starts_processes and self._session.why_left and not self._stopped_by:
            tell(f"chcfuzz: {self._session.why_left}")
            self._stop(_Stop.DISK, signal.SIGTERM)

    def _signal(self, number: int) -> None:
        """To all workers and to what they have started."""
        for seat in self._seats:
            seat.signal(number)

    def _stop_politely(self, _number: int, _frame: object) -> None:
        # SIGTERM, whatever the signal was: SIGINT gets lost. libFuzzer does not hear it while it waits for a job, as
        # system(3) has it, nor its job while Z3 has a handler of its own. libFuzzer knows no SIGHUP.
        self._stop(_Stop.USER, signal.SIGTERM)

    def _stop(self, reason: _Stop, number: int) -> None:
        """Tell the worker to end; what is told twice, or does not end in time, is killed with all that it started."""
        self._signal(signal.SIGKILL if self._stopped_by else number)
        self._stopped_by = self._stopped_by or reason
        signal.alarm(_PATIENCE)

    def _of_seat(self, arguments: Sequence[str], seat: Seat) -> list[str]:
        """The arguments of a seat's next worker: its share of what is left, and a seed of its own."""
        changed = {}
        if self._runs is not None and (seat.dead or len(self._seats) > 1):
            changed["-runs"] = str(max(1, self._runs_left(seat)))
        if self._seconds is not None and seat.dead:
            changed["-max_total_time"] = str(max(1, self._seconds - int(time.monotonic() - self._start_time)))
        number = seat.number + len(self._seats) * len(seat.dead)
        if self._seed is not None and number:
            changed["-seed"] = str(self._seed + number)
        kept = [word for word in arguments if word.partition("=")[0] not in changed]
        return [*kept, *(f"{name}={value}" for name, value in changed.items())]

    def _runs_left(self, seat: Seat) -> int:
        """Of -runs, a seat's share, without what its workers have done."""
        assert self._runs is not None
        share, more = divmod(self._runs, len(self._seats))
        return share + (seat.number < more) - self._done_by(seat)

    def _done_by(self, seat: Seat) -> int:
        """Executions of a seat's workers that have ended; a single one's may have been its jobs'."""
        return self._session.executed_by(seat.dead) if len(self._seats) > 1 else self._executions

    def _is_spent(self, seat: Seat) -> bool:
        """Whether a seat has done its share, or time is over."""
        return self._time_is_over() or (self._runs is not None and self._runs_left(seat) <= 0)

    def _time_is_over(self) -> bool:
        passed = time.monotonic() - self._start_time
        return self._seconds is not None and _WORTH_RESTARTING * self._seconds <= passed

    def _collect(self, units: Iterable[bytes]) -> None:
        """Keep what workers have died of, and let no other one run it."""
        try:
            self._suspect(units)
        except FindingsError as error:
            tell(f"chcfuzz: {error}")
            self._stop(_Stop.DISK, signal.SIGTERM)

    def _suspect(self, units: Iterable[bytes]) -> None:
        for unit in units:
            self._died = True
            self._session.poison(unit)
            if self._session.was_stuck(unit):
                self._store.put_aside(Suspicion(unit, "stuck", solving=self._options.solving.arguments))
            else:
                self._crashes += 1
                self._queue.add(Suspicion(unit, "crash", solving=self._options.solving.arguments))

    def _progress(self) -> Progress:
        return Progress(
            seconds=time.monotonic() - self._start_time,
            counts=self._session.totals(),
            unique_traces=len(self._session.traces),
            transitions=len(self._session.transitions),
            crashes=self._crashes,
            replaced=self._replaced,
            findings=dict(sorted(Tally(self._session.findings()).items())),
            waiting=len(self._queue.spool),
            desk=dict(self._queue.tally),
            vanished=dict(self._queue.vanished),
            seeds=self._session.seeds(),
        )


def _write_numbers(path: Path, progress: Progress) -> None:
    try:
        write_whole(path, (json.dumps(progress.numbers(), indent=2) + "\n").encode())
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}") from error


def _rescue(left: Path) -> str:
    """Put what jobs of a killed campaign have found into its corpus; what was done, in words."""
    corpus = corpus_of(left)
    if corpus is None:
        return ""
    lost = [unit for unit in opened_in(left) if not (corpus / unit.name).exists()]
    try:
        for unit in lost:
            write_whole(corpus / unit.name, unit.read_bytes())
    except OSError as error:
        raise UsageError(f"cannot write what a killed campaign found to {str(corpus)!r}: {error.strerror}") from error
    return f"{len(lost)} units of its jobs are in {str(corpus)!r} now; " if lost else ""


def supervise(script: Path, options: Options, headline: str) -> int:
    """Run a campaign in a session of its own, which is removed afterwards; returns the exit code."""
    run = options.run
    with contextlib.ExitStack() as inside:
        if run is not None:
            inside.enter_context(run.held())
            run.begin(script.stem, options.begun_with)
            program, _ = run.begun_with()
            if program != script.stem:
                raise UsageError(f"the campaign in {str(run.path)!r} is one of {program}.py; go on with that")
        session = Session(inside.enter_context(scratch.folder(_rescue)))
        recording = None if run is None else Recording(run, options, session)
        return Supervisor(script, options, session, headline, recording).run()
