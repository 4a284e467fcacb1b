"""Child processes of chcfuzz: one lifecycle for all of them, and a function that runs in a forked child.

`ChildProcess` starts a Python process of chcfuzz in a process group of its own, waits for it, signals it with all that
it has started, and ends it. `run_in_child` forks, so that a solver crash does not kill the caller.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import FileIO
from typing import IO, Any

from chcfuzz.execution.exit_codes import EXIT_STUCK, Z3_EXITS
from chcfuzz.solvers import python
from chcfuzz.solvers.process import FROM_OUTSIDE, die_with_parent

_TICK = 0.5  # seconds


@dataclass(frozen=True)
class Streams:
    """The standard streams of a child as `subprocess` has them; `inherited` are other descriptors that it gets."""

    stdin: int | None = None
    stdout: int | None = None
    stderr: int | IO[Any] | None = None
    inherited: tuple[int, ...] = ()


_UNCHANGED = Streams()


@dataclass(frozen=True)
class ProcessExit:
    """The end of a process: `code` as `subprocess` has it, negative for a signal."""

    code: int

    @property
    def is_solver_death(self) -> bool:
        """Whether the solver in the process ended it, rather than an internal error."""
        return self.code < 0 or self.code in (EXIT_STUCK, *Z3_EXITS)

    @property
    def is_from_outside(self) -> bool:
        """Whether a signal from outside ended the process, so that the code in it is not to blame."""
        return -self.code in FROM_OUTSIDE

    @property
    def description(self) -> str:
        """A predicate such as "exited with code 7" or "was killed by signal 9 (Killed)"."""
        if self.code >= 0:
            return f"exited with code {self.code}"
        return f"was killed by signal {-self.code} ({signal.strsignal(-self.code)})"

    @property
    def as_death(self) -> str:
        """The description that findings store; its text must not change."""
        return f"it dies of signal {-self.code}" if self.code < 0 else f"it ends the process with exit code {self.code}"


class ChildProcess:
    """A Python process in a process group of its own, to which all that it starts belongs."""

    def __init__(
        self, words: Sequence[str], streams: Streams = _UNCHANGED, environment: Mapping[str, str] | None = None
    ) -> None:
        """Start Python with these words after its name; `environment` is added to this process's."""
        self._process: subprocess.Popen[bytes] = subprocess.Popen(
            python.command(*words),
            env=python.environment(**(environment or {})),
            stdin=streams.stdin,
            stdout=streams.stdout,
            stderr=streams.stderr,
            process_group=0,
            pass_fds=streams.inherited,
        )
        self._descriptor = os.pidfd_open(self._process.pid)
        self._parent = os.getpid()
        self._exit: ProcessExit | None = None

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def lower_priority(self, by: int) -> None:
        """Add to the niceness of the process."""
        with suppress(ProcessLookupError):
            os.setpriority(os.PRIO_PROCESS, self._process.pid, by)

    def has_exited(self, seconds: float = 0.0) -> bool:
        """Wait at most `seconds`; return whether the process has exited. It stays a zombie until `end` is called."""
        return self._exit is not None or bool(exited([self], seconds))

    def signal(self, number: int) -> None:
        """Send a signal to the process and to all that it has started; resume those that are suspended."""
        if self._exit is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)
                os.killpg(self._process.pid, signal.SIGCONT)

    def kill(self) -> None:
        """Kill the process and all that it has started."""
        self.signal(signal.SIGKILL)

    def reap(self) -> ProcessExit:
        """Wait until the process exits by itself, end all that it has started, and return its exit."""
        if self._exit is None:
            exited([self], None)
        return self.end()

    def end(self, grace: float = 0.0) -> ProcessExit:
        """End the process and all that it has started, and return its exit; it has `grace` seconds after SIGTERM."""
        if self._exit is None:
            if grace:
                self.signal(signal.SIGTERM)
                self.has_exited(grace)
            # Before the process is reaped: until then, no other process has its id, which is also its group's.
            self.signal(signal.SIGKILL)
            # A fork cannot wait for it, and does not learn its exit: then it counts as killed from outside.
            self._exit = ProcessExit(self._process.wait() if self._parent == os.getpid() else -signal.SIGKILL)
            os.close(self._descriptor)
        return self._exit

    def fileno(self) -> int:
        """Return a descriptor that is readable once the process has exited."""
        return self._descriptor


def exited(processes: Iterable[ChildProcess], seconds: float | None) -> list[ChildProcess]:
    """Wait at most `seconds`, or without limit, until some processes have exited; return those, in their order."""
    waiting = select.poll()
    by_descriptor = {process.fileno(): process for process in processes}
    for descriptor in by_descriptor:
        waiting.register(descriptor, select.POLLIN)
    ready = {descriptor for descriptor, _ in waiting.poll(None if seconds is None else seconds * 1000)}
    return [process for descriptor, process in by_descriptor.items() if descriptor in ready]


class ChildError(Exception):
    """A forked child that did not return; `code` is its exit code as `subprocess` has it, negative for a signal."""

    def __init__(self, code: int) -> None:
        how = f"dies of signal {-code} ({signal.strsignal(-code)})" if code < 0 else f"ends with exit code {code}"
        super().__init__(how)
        self.code = code


def run_in_child(run: Callable[[], Any]) -> Any:
    """Return the result of `run`, which JSON can hold, from a forked child. Raises `ChildError` if the child dies.

    This process must not have other threads.
    """
    reading, writing = os.pipe()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # until the cleanup below is in place
    child = os.fork()
    if child == 0:
        code = 1
        try:
            die_with_parent()
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            with os.fdopen(writing, "w") as file:
                json.dump(run(), file)
            code = 0
        finally:  # whatever happens, the child must not continue as if it were its parent
            if isinstance(error := sys.exc_info()[1], Exception):
                traceback.print_exception(error)
            os._exit(code)
    finished = False
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.close(writing)
        with os.fdopen(reading, "rb", buffering=0) as file:
            result = _read_all(file)
        finished = True
    finally:
        if not finished:  # interrupted: a solver that ignores signals must not survive
            os.kill(child, signal.SIGKILL)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code != 0:
        raise ChildError(code)
    return json.loads(result)


def _read_all(file: FileIO) -> bytes:
    """Return everything until the other end is closed.

    An interrupt that arrives just before a blocking system call does not end the call; it is handled at the next tick.
    """
    content = bytearray()
    waiting = select.poll()  # select() itself takes no descriptor above 1023
    waiting.register(file, select.POLLIN)
    while True:
        if waiting.poll(int(1000 * _TICK)):
            piece = file.read(1 << 16)
            if not piece:
                return bytes(content)
            content += piece
