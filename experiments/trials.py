"""Trials: campaigns with the same flags and different seeds of libFuzzer, each in a run folder of its own.

The folder of the trials holds `trials.json` with the flags, and a run folder `trial-<seed>` for each trial. An
interrupted trial is run again from its start, because a resumed campaign is not a trial.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.campaign.runs import run_statistics
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.execution.codec import CodecError, parsed
from chcfuzz.execution.exit_codes import EXIT_USAGE
from chcfuzz.execution.files import read_plain, write_whole
from chcfuzz.execution.solving import UsageError
from chcfuzz.solvers import python
from chcfuzz.solvers.process_group import ProcessGroup, Streams

FORMAT, FILE = "chcfuzz-trials 1", "trials.json"
PREFIX = "trial-"
_WORDS = ("--run-dir", "--resume", "--findings", "-seed")  # flags that each trial gets from here
_LIMITS = ("-runs", "-max_total_time")
_MESSAGE = "chcfuzz: "
_SPACER, _COMMAND = "chcfuzz.fuzz_targets.spacer", "chcfuzz.fuzz_targets.chc_command"


@dataclass(frozen=True)
class Trials:
    """A folder of trials, the flags of their campaigns, and the number of trials."""

    folder: Path
    words: tuple[str, ...]
    number: int

    def prepare(self) -> None:
        """Create the folder, or ensure that it holds trials with the same flags. Raises `UsageError`."""
        self._check_words()
        file = self.folder / FILE
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if not file.exists():
                write_whole(file, (json.dumps(self.content) + "\n").encode())
            stored = parsed(read_plain(file))
        except OSError as error:
            raise UsageError(f"cannot use {str(self.folder)!r}: {error.strerror}; name another --into") from error
        except CodecError as error:
            raise UsageError(f"{str(file)!r} {error}; name another --into") from error
        if stored != self.content:
            was = " ".join(stored.get("words", ())) if isinstance(stored, dict) else "damaged"
            raise UsageError(f"{str(self.folder)!r} holds trials with other flags ({was}); name another --into")

    @property
    def content(self) -> dict[str, object]:
        """The content of the file: equal for trials of the same kind."""
        return {"format": FORMAT, "words": list(self.words)}

    def _check_words(self) -> None:
        names = [word.partition("=")[0] for word in self.words]
        if taken := next((name for name in names if name in _WORDS), None):
            raise UsageError(f"{taken} is set for each trial; leave it out")
        if not any(name in _LIMITS for name in names):
            raise UsageError("trials without a limit never end; add -runs=N or -max_total_time=S")

    @property
    def seeds(self) -> range:
        """The seeds of libFuzzer, one for each trial."""
        return range(1, self.number + 1)

    def path(self, seed: int) -> Path:
        """Return the run folder of a trial."""
        return self.folder / f"{PREFIX}{seed:03}"

    def is_complete(self, seed: int) -> bool:
        """Return whether a trial has ended by itself."""
        return is_complete(self.path(seed))

    def command(self, seed: int) -> list[str]:
        """Return the command line of a trial."""
        return python.command(*self.program(seed))

    def program(self, seed: int) -> list[str]:
        """Return the arguments of Python for a trial."""
        is_command = any(word.partition("=")[0] == "--command" for word in self.words)
        own = [f"--run-dir={self.path(seed)}", f"-seed={seed}", "--quiet"]
        return ["-m", _COMMAND if is_command else _SPACER, *own, *self.words]


class Runner:
    """Runs trials, `jobs` at a time; `report` receives each trial that has ended, its seed and its exit code.

    If `is_pinned`, each job has a processor of its own, which the processes of its campaigns share.
    """

    def __init__(self, jobs: int, report: Callable[[Trials, int, int], None], *, is_pinned: bool = False) -> None:
        self._jobs = jobs
        self._report = report
        self._processors = itertools.cycle(sorted(os.sched_getaffinity(0)))
        self._is_pinned = is_pinned
        self._lock = threading.Lock()
        self._running: set[ProcessGroup] = set()
        self._is_stopped = False

    def run(self, wanted: Sequence[tuple[Trials, int]]) -> list[int]:
        """Run trials, each given with its seed, and return their exit codes.

        Ctrl-C and SIGTERM stop all of them, and so does one that cannot run or continue: then it raises `UsageError`.
        """
        with (
            _as_ctrl_c(signal.SIGTERM, signal.SIGHUP),
            ThreadPoolExecutor(self._jobs, initializer=self._begin) as threads,
        ):
            futures = [threads.submit(self._run, trials, seed) for trials, seed in wanted]
            try:
                return [future.result() for future in futures]
            except KeyboardInterrupt:
                self._stop()
                raise

    def _begin(self) -> None:
        if self._is_pinned:
            os.sched_setaffinity(0, {next(self._processors)})  # of this thread, and of the processes that it starts

    def _run(self, trials: Trials, seed: int) -> int:
        try:
            return self._run_trial(trials, seed)
        except UsageError:
            self._stop()
            raise

    def _run_trial(self, trials: Trials, seed: int) -> int:
        folder = trials.path(seed)
        with self._lock:
            if self._is_stopped:
                return 0
            if RunFolder(folder).is_running:
                raise UsageError(f"a campaign runs in {str(folder)!r}; wait for its end, or name another --into")
            shutil.rmtree(folder, ignore_errors=True)
            streams = Streams(subprocess.DEVNULL, subprocess.DEVNULL, subprocess.PIPE)
            process = ProcessGroup(trials.command(seed), streams, python.environment())
            self._running.add(process)
        with process:
            _, errors = process.printed()  # as long as the limits of the trial allow
        code = process.close()
        with self._lock:
            self._running.discard(process)
        if not self._is_stopped:
            if code == EXIT_USAGE:
                raise UsageError(f"trial {seed}: {_reason(errors.decode('utf-8', 'replace'))}")
            self._report(trials, seed, code)
        return code

    def _stop(self) -> None:
        with self._lock:
            self._is_stopped = True
            for process in self._running:
                process.signal(signal.SIGTERM)


@contextlib.contextmanager
def _as_ctrl_c(*numbers: signal.Signals) -> Iterator[None]:
    """Let these signals raise KeyboardInterrupt inside the `with`, unless they are ignored, as under nohup."""
    usual = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    for number in usual:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number in usual:
            signal.signal(number, signal.SIG_DFL)


def _reason(errors: str) -> str:
    """Return the latest message of a campaign that ended with an error, and not its summary."""
    lines = [line.removeprefix(_MESSAGE) for line in errors.splitlines() if line.startswith(_MESSAGE)]
    messages = [line for line in lines if line != "summary"]
    return messages[-1] if messages else "it printed no message"


def is_complete(run: Path) -> bool:
    """Return whether the campaign in a run folder has ended by itself."""
    sessions, _ = run_statistics.read(RunFolder(run).statistics)
    end = sessions[-1].end if sessions else None
    return end is not None and end.get("why") in ("done", "time", "goal")


def folders(path: Path) -> list[Path]:
    """Return the run folders in a folder of trials, in the order of their seeds; empty for another folder."""
    return sorted(path.glob(f"{PREFIX}*")) if (path / FILE).is_file() else []
