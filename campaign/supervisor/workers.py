"""The workers of a campaign: started in slots, replaced when they die, stopped with the campaign.

A worker never shuts down cleanly: libFuzzer calls `_Exit`, and a solver crash kills the process. A new worker continues
with the rest of the runs and of the time.
"""

from __future__ import annotations

import enum
import math
import signal
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from chcfuzz.campaign import corpus_folder
from chcfuzz.campaign.libfuzzer_modes import MOST_SEED
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.session.session import ENVIRONMENT, Session
from chcfuzz.campaign.supervisor.libfuzzer_arguments import libfuzzer_arguments, with_values
from chcfuzz.campaign.supervisor.worker_exit import WorkerExit
from chcfuzz.campaign.supervisor.worker_slot import WorkerSlot
from chcfuzz.execution.console import WORKER_LOG, print_error
from chcfuzz.execution.exit_codes import EXIT_USAGE
from chcfuzz.solvers.process_group import kill_all

_MOST_IDLE_SECONDS = 30.0  # at the end of a campaign, or a tenth of it: a new worker would only read the corpus
_RESERVED = 0.1  # of -max_total_time, for confirmation and triage
_LEAST_RESERVED = 10.0  # seconds, in which a few suspicions can be confirmed
_MOST_IDLE_EXITS = 3  # consecutive workers that exit before they execute anything
_PATIENCE = 30  # seconds that libFuzzer has to end after a signal; it needs none if it receives the signal


class StopReason(enum.Enum):
    """Why a campaign is stopped before libFuzzer ends it; the values are stored in run folders."""

    USER = "signal"
    DISK = "disk"  # nothing can be written any more, or jobs cannot run
    GOAL = "goal"  # the event of --stop-at-first has happened
    TIME = "time"  # the rest of the time is for confirmation and triage, or the worker is suspended
    OTHER = "worker"  # another worker cannot continue


@dataclass(frozen=True)
class LastExit:
    """The exit that ends a campaign. `survived`: the campaign is complete in spite of this exit."""

    exit: WorkerExit
    survived: bool

    @property
    def code(self) -> int:
        """The exit code of the campaign."""
        return self.exit.exit_code(self.survived)


class Workers:
    """The worker slots of one campaign; `script` is the fuzz target that each worker runs."""

    def __init__(self, script: Path, options: Options, session: Session) -> None:
        self._script = script
        self._options = options
        self._session = session
        self._runs, self._seconds, self._seed = map(options.limit, ("runs", "max_total_time", "seed"))
        self._start_time = time.monotonic()
        session.begun.set(self._start_time)
        self._fuzzing_ended: float | None = None
        self._slots = [WorkerSlot(number) for number in range(options.workers if options.is_campaign else 1)]
        self._fatal_units: set[bytes] = set()
        self.stopped_by: StopReason | None = None
        self.signals = 0  # that the user has sent
        self.replaced = 0

    @property
    def seconds(self) -> float:
        """Seconds of fuzzing, from the start of the campaign to the exit of the last worker."""
        return (self._fuzzing_ended or time.monotonic()) - self._start_time

    @property
    def finishing_seconds(self) -> float:
        """Seconds since the exit of the last worker: findings are confirmed and triaged in this time."""
        return 0.0 if self._fuzzing_ended is None else time.monotonic() - self._fuzzing_ended

    @property
    def seconds_left(self) -> float | None:
        """Seconds until -max_total_time, which may be negative; None without this limit."""
        return None if self._seconds is None else self._start_time + self._seconds - time.monotonic()

    def reserve(self, most: float) -> float:
        """Return the seconds at the end of -max_total_time for confirmation and triage, at most `most`."""
        total = self._seconds or 0
        return min(most, max(_RESERVED * total, min(_LEAST_RESERVED, total / 4)))

    @property
    def executions(self) -> int:
        """Number of executions of all workers and their jobs."""
        return int(self._session.counters.totals()[Counter.EXECUTIONS])

    def run(self, look_after: Callable[[], None], collect: Callable[[Iterable[bytes]], bool]) -> LastExit:
        """Run workers in every slot until the campaign is done.

        `look_after` is called every few seconds. `collect` receives the units that have killed a worker, and returns
        whether any unit has done so yet. The result is the first exit that ends the campaign with an error, or else the
        first one.
        """
        arguments = libfuzzer_arguments(self._options, self._session)
        if self._options.replaces_workers:
            self._session.replaces_workers.set()
        if len(self._slots) > 1:
            self._session.reads_together.set()
        for slot in self._slots:
            self._start(slot, self._arguments_of(slot, arguments))
        worst: LastExit | None = None
        while any(slot.is_taken for slot in self._slots):
            for slot in self._wait(look_after):
                last = self._last_exit(slot, self._free(slot), collect)
                if last is None:
                    self.replaced += 1
                    self._start(slot, self._arguments_of(slot, arguments))
                elif worst is None or not worst.code:
                    worst = last
                    if last.code and not self.stopped_by:
                        self.stop(StopReason.OTHER)
        self._fuzzing_ended = time.monotonic()
        assert worst is not None
        return worst

    def run_again(self, arguments: Sequence[str], look_after: Callable[[], None]) -> None:
        """Run one more worker, in the only slot of a campaign with jobs, although the campaign may be stopped."""
        (slot,) = self._slots
        self._start(slot, arguments, self.stopped_by)
        self._wait(look_after)
        self._free(slot)

    def listen(self) -> None:
        """Let signals to this process stop the campaign."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # ignored under nohup
                signal.signal(number, lambda *_: self._hear())
        signal.signal(signal.SIGALRM, lambda *_: self._signal(signal.SIGKILL))

    def _hear(self) -> None:
        """Stop the campaign for the user; at the second signal, end all that this process has started and waits for."""
        self.signals += 1
        self.stop(StopReason.USER)
        if self.signals > 1:
            kill_all()

    def stop(self, reason: StopReason, number: int = signal.SIGTERM) -> None:
        """Stop all workers; kill them at the second call, or if they do not end in time.

        SIGTERM is the default also after SIGINT, which gets lost: libFuzzer does not receive it while it waits for a
        job in system(3), nor does a job while Z3 has a handler of its own. libFuzzer does not handle SIGHUP.
        """
        self._signal(signal.SIGKILL if self.stopped_by else number)
        if self.stopped_by in (None, StopReason.TIME, StopReason.OTHER):  # after which findings are confirmed
            self.stopped_by = reason
        signal.alarm(_PATIENCE)

    def stop_if_jobs_cannot_run(self) -> None:
        """Stop a campaign whose jobs cannot run: libFuzzer would start them again and again, and hide their output."""
        if not self._options.starts_processes or self.stopped_by:
            return
        if reason := self._session.exit_reason.read():
            print_error(f"chcfuzz: {reason}")
            self.stop(StopReason.DISK)

    def end(self) -> None:
        """End all workers at once."""
        for slot in self._slots:
            if slot.is_taken:
                slot.free()

    @property
    def time_is_over(self) -> bool:
        """Whether the rest of the time is too short for a new worker."""
        left = self.seconds_left
        return left is not None and left <= min(_MOST_IDLE_SECONDS, 0.1 * (self._seconds or 0))

    def _last_exit(
        self, slot: WorkerSlot, ended: WorkerExit, collect: Callable[[Iterable[bytes]], bool]
    ) -> LastExit | None:
        """Return the exit of a slot's last worker, or None if another worker continues in the slot."""
        has_crashed = collect(ended.fatal_units)
        is_progress = not self._fatal_units.issuperset(ended.fatal_units)  # the next worker skips these units
        self._fatal_units.update(ended.fatal_units)
        is_idle = self._done_by(slot) == slot.done_before and not is_progress
        slot.idle_exits = slot.idle_exits + 1 if is_idle else 0
        if not (ended.is_death and self._options.replaces_workers):
            self._print_failure(slot, ended)
            return LastExit(ended, has_crashed and self._options.is_campaign and not self._options.stop_on_finding)
        if self.time_is_over or (self._runs_are_spent(slot) and not is_progress):
            return LastExit(ended, True)
        if self.stopped_by:
            return LastExit(replace(ended, stopped=True), True)
        if slot.idle_exits > _MOST_IDLE_EXITS:
            print_error(f"chcfuzz: libFuzzer {ended.description} again before it executed anything; giving up")
            return LastExit(ended, False)
        if not ended.fatal_units:
            print_error(f"chcfuzz: libFuzzer {ended.description} between two units; it is started again")
        return None

    def _print_failure(self, slot: WorkerSlot, ended: WorkerExit) -> None:
        """Print why libFuzzer cannot run, if only a log file has the reason."""
        if not self._options.hides_libfuzzer or ended.stopped or ended.is_refusal or not ended.code:
            return
        logs = self._options.logs
        reason = f"{ended.description}: {logs.last_error(slot.number)}".rstrip(": ")
        print_error(f"chcfuzz: libFuzzer {reason}; see {str(logs.of_worker(slot.number))!r}")

    def _start(self, slot: WorkerSlot, arguments: Sequence[str], stopped: StopReason | None = None) -> None:
        """Start a worker; `stopped` is why the campaign is stopped already, if the worker shall run nevertheless."""
        slot.done_before = self._done_by(slot)
        environment = {ENVIRONMENT: str(self._session.folder)}
        if self._options.hides_libfuzzer:
            environment[WORKER_LOG] = str(self._options.logs.of_worker(slot.number))
        slot.start([str(self._script), *arguments], **environment)
        if self.stopped_by is not stopped:
            slot.signal(signal.SIGTERM)  # the campaign was stopped while the worker was started

    def _wait(self, look_after: Callable[[], None]) -> list[WorkerSlot]:
        while not (ended := WorkerSlot.ended(self._slots, self._options.tick)):
            look_after()
        return ended

    def _free(self, slot: WorkerSlot) -> WorkerExit:
        """Free a slot whose worker has exited; nothing that it has started is left then."""
        # Only a single worker can have jobs, whose in-flight units are its own.
        worker = slot.worker if len(self._slots) > 1 else None
        try:
            units = self._session.in_flight.take_from_dead(worker)
        finally:
            code = slot.free()
            if not any(slot.is_taken for slot in self._slots):
                signal.alarm(0)
        if code != EXIT_USAGE:  # otherwise the worker itself has printed the reason
            self.stop_if_jobs_cannot_run()
        self._session.in_flight.forget(worker)  # of jobs that were ended just now
        return WorkerExit(code, tuple(units), self.stopped_by is not None)

    def _signal(self, number: int) -> None:
        for slot in self._slots:
            slot.signal(number)

    def _arguments_of(self, slot: WorkerSlot, arguments: Sequence[str]) -> list[str]:
        """Return the arguments of a slot's next worker: its share of the rest, and a seed of its own."""
        values = {}
        if self._runs is not None and (slot.dead or len(self._slots) > 1):
            least = 0 if slot.dead else 1  # with 0, libFuzzer reads the rest of the corpus and ends
            values["-runs"] = max(least, self._runs_left(slot, self._runs) + self._reads_again(slot))
        if self._seconds is not None and slot.dead:
            values["-max_total_time"] = max(1, self._seconds - int(self.seconds))
        number = slot.number + len(self._slots) * len(slot.dead)
        if self._seed is not None and number:
            values["-seed"] = (self._seed + number - 1) % MOST_SEED + 1  # 0 would be a random seed
        return with_values(arguments, values)

    def _runs_left(self, slot: WorkerSlot, runs: int) -> int:
        """Return a slot's share of all runs, without those that its workers have done."""
        share, more = divmod(runs, len(self._slots))
        return share + (slot.number < more) - self._new_by(slot)

    def _new_by(self, slot: WorkerSlot) -> int:
        """Return the executions of a slot's dead workers without those of units that had been read before.

        In a single slot, the first worker reads no unit twice, but the empty one, which counts.
        """
        later = slot.dead if len(self._slots) > 1 else slot.dead[1:]
        return self._done_by(slot) - self._session.counters.of_workers(later, Counter.READ_AGAIN)

    def _reads_again(self, slot: WorkerSlot) -> int:
        """Return how many units libFuzzer will read in a slot's next worker that were executed before it does."""
        units = corpus_folder.size(self._options.inputs) + 1  # libFuzzer begins with the empty unit
        if self._session.has_read.is_set:
            return units
        if len(self._slots) == 1:
            return min(units, self._new_by(slot))
        unread = units - len(self._session.claims)  # the workers share these before libFuzzer reads all of them
        return units - math.ceil(unread / len(self._slots))

    def _done_by(self, slot: WorkerSlot) -> int:
        """Return the executions of a slot's dead workers; a single slot's include those of jobs."""
        counters = self._session.counters
        return counters.of_workers(slot.dead, Counter.EXECUTIONS) if len(self._slots) > 1 else self.executions

    def _runs_are_spent(self, slot: WorkerSlot) -> bool:
        """Whether -runs is reached. A unit that kills its worker may still have left a part of the corpus unread."""
        return self._runs is not None and self._runs_left(slot, self._runs) <= 0
