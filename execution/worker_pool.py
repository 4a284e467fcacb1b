"""Processes of ours that answer questions about units, so that a solver that dies of one costs that one.

Such a process is a module with a `main`, started as `python -m MODULE FLAGS`, the flags being those of the solver
(`execution.solving`). It begins with `begun`, tells that it is ready, and then reads questions: JSON, a line each. It
answers each in one or more lines. Resource limits end what runs in it; a wall clock is far behind them.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from queue import SimpleQueue
from types import TracebackType
from typing import IO, Any, NoReturn, Self, TypeVar

from chcfuzz.execution.domain import MOST_LOST, load
from chcfuzz.execution.solving import EXIT_STUCK, Z3_EXITS, Solving
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.solvers import python
from chcfuzz.solvers.process import FROM_OUTSIDE

_LOST = "lost"  # in each line: whether Z3 has lost so much memory in the process that another one has to take its place
WALL_FACTOR = 20  # times the wall clock of an execution: a protection, no judgement

Said = dict[str, Any]
Tell = Callable[[Said], None]
T = TypeVar("T")
U = TypeVar("U")


class AnsweringError(ChcfuzzError):
    """A process that fails for another reason than the solver's death."""


def is_death(code: int) -> bool:
    """Whether a process with this exit code was ended by the solver in it, not by an error of ours."""
    return code < 0 or code in (EXIT_STUCK, *Z3_EXITS)


def death(code: int) -> str:
    """A solver's death in words, by the exit code of the process that it took along."""
    return f"it dies of signal {-code}" if code < 0 else f"it ends the process with exit code {code}"


class Answering:
    """Starts the process when it is needed, and anew when it has died. One question at a time."""

    def __init__(self, module: str, solving: Solving, first: Mapping[str, Any] | None = None, fresh: bool = False):
        """`first` is sent before any question. With `fresh`, each question has a process to itself."""
        self.ready: Said = {}  # what a process has told of itself, once one has
        self.complaints = ""  # what the process printed that has ended last
        self._module = module
        self._solving = solving
        self._first = first
        self._fresh = fresh
        self._process: subprocess.Popen[str] | None = None
        self._is_killed = False  # by us
        self._code = 0  # of the process that has ended last
        self._errors: IO[str] | None = None

    def asked(self, question: Mapping[str, Any], last: str) -> Said:
        """All that the process answers, up to the line that holds `last`; `death` in words if it died of it.

        One that somebody else ends is no death of the solver: the question is asked again, once. Raises
        `AnsweringError` where that happens again, or the process fails for another reason than the solver's death.
        """
        said = self._answered(question, last)
        if self._is_ended_from_outside(said):
            said = self._answered(question, last)
            if self._is_ended_from_outside(said):
                raise AnsweringError(f"a process for {self._name} was ended from outside, by signal {-self._code}")
        return said

    def _is_ended_from_outside(self, said: Said) -> bool:
        return "death" in said and -self._code in FROM_OUTSIDE and not self._is_killed

    @property
    def _name(self) -> str:
        return self._module.removeprefix("chcfuzz.")

    def _answered(self, question: Mapping[str, Any], last: str) -> Said:
        self.start()
        process = self._process
        assert process is not None
        said: Said = {}
        with suppress(BrokenPipeError):  # it has died already, which is seen below
            self._send(process, question)
        while last not in said:
            line = self._line(process)
            if line is None:
                return said | {"death": self._death()}
            said |= line
        lost = said.pop(_LOST)
        if self._fresh or lost:
            self.end()
        return said

    def kill(self) -> None:
        """End the process and all that it has started; who waits for its answer sees a death."""
        process, self._is_killed = self._process, True
        if process is not None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

    def end(self) -> None:
        """End the process and all that it has started, when nobody waits for an answer."""
        self.kill()
        if self._process is not None:
            self._closed()

    def start(self) -> None:
        """Start the process, if it is not, and hear what it is; raises as `asked`."""
        if self._process is not None:
            return
        self._is_killed = False
        self._errors = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115  (as long as the process)
        pipe = subprocess.PIPE
        command = python.command("-m", self._module, *self._solving.arguments)
        how: dict[str, Any] = {"text": True, "errors": "replace", "process_group": 0, "env": python.environment()}
        process: subprocess.Popen[str] = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=self._errors, **how)
        self._process = process
        if self._first is not None:
            with suppress(BrokenPipeError):
                self._send(process, self._first)
        ready = self._line(process)
        if ready is None:
            self._failed()
        self.ready = ready

    @staticmethod
    def _send(process: subprocess.Popen[str], said: Mapping[str, Any]) -> None:
        assert process.stdin is not None
        process.stdin.write(json.dumps(said) + "\n")
        process.stdin.flush()

    @staticmethod
    def _line(process: subprocess.Popen[str]) -> Said | None:
        """The next line; None at the end, which may come in the middle of one."""
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line.endswith("\n"):
            return None
        found: Said = json.loads(line)
        return found

    def _death(self) -> str:
        assert self._process is not None
        if not is_death(self._process.wait()):
            self._failed()
        self._code = self._closed()
        return death(self._code)

    def _failed(self) -> NoReturn:
        code = self._closed()
        said = self.complaints.strip().splitlines()[-1:]
        what = said[0].removeprefix("chcfuzz: ") if said else f"it ends with exit code {code}"
        raise AnsweringError(f"a process for {self._name} failed: {what}")

    def _closed(self) -> int:
        process = self._process
        assert process is not None
        assert self._errors is not None
        self._process = None
        with suppress(BrokenPipeError):
            process.communicate()
        code = process.wait()
        self._errors.seek(0)
        self.complaints = self._errors.read()
        self._errors.close()
        return code


class Panel:
    """So many such processes, each free or in use; they are ended with the `with`."""

    def __init__(self, make: Callable[[], Answering], jobs: int) -> None:
        self.jobs = jobs
        self.processes = [make() for _ in range(jobs)]
        self.threads = ThreadPoolExecutor(jobs)
        self._free: SimpleQueue[Answering] = SimpleQueue()
        for process in self.processes:
            self._free.put(process)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.threads.shutdown(wait=False, cancel_futures=True)
        for process in self.processes:
            process.kill()
        self.threads.shutdown()
        for process in self.processes:
            process.end()

    @property
    def complaints(self) -> str:
        """What the first process printed that has ended last."""
        return self.processes[0].complaints

    @property
    def ready(self) -> Mapping[str, Any]:
        """What the processes have told of themselves; empty before the first question."""
        return self.processes[0].ready

    def asked(self, question: Mapping[str, Any], last: str) -> Said:
        """As `Answering.asked`, of a process that is free."""
        process = self._free.get()
        try:
            return process.asked(question, last)
        finally:
            self._free.put(process)

    def each(self, run: Callable[[T], U], given: Iterable[T]) -> Iterator[U]:
        """What `run` gives for each, in their order; side by side where there are several processes."""
        return map(run, given) if self.jobs == 1 else self.threads.map(run, given)


def begun() -> tuple[Solving, Tell]:
    """Make this process what its flags say; gives how the solver is started, and what tells the other end."""
    flags = argparse.ArgumentParser()
    Solving.add_flags(flags)
    given = flags.parse_args()
    solving = Solving.of(given)
    if solving.counts_resources:
        solving = replace(solving, wall_seconds=WALL_FACTOR * solving.wall_seconds)
    try:
        solving.activate()
    except ChcfuzzError as error:
        sys.exit(f"chcfuzz: {error}")
    domain = load(solving.domain)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # where a solver prints to goes nowhere near the answers

    def tell(said: Said) -> None:
        print(json.dumps({**said, _LOST: domain.held_memory() > MOST_LOST}), file=answers, flush=True)

    return solving, tell
