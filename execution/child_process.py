"""Child processes of chcfuzz: one lifecycle for all of them, and a function that runs in a forked child.

`ChildProcess` starts a Python process of chcfuzz in a process group of its own, waits for it, signals it with all that
it has started, and ends it. `run_in_child` forks, so that a solver crash does not kill the caller.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import FileIO
from typing import Any

from chcfuzz.execution.exit_codes import EXIT_STUCK, Z3_EXITS
from chcfuzz.solvers import python
from chcfuzz.solvers.faults import FaultClass
from chcfuzz.solvers.process import FROM_OUTSIDE, die_with_parent
from chcfuzz.solvers.process_group import UNCHANGED, ProcessGroup, Streams

_TICK = 0.5  # seconds
_MOST_NICENESS = 19


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
        """End of a sentence about the process, such as "exited with code 7" or "was killed by signal 9 (Killed)"."""
        if self.code >= 0:
            return f"exited with code {self.code}"
        return f"was killed by signal {-self.code} ({signal.strsignal(-self.code)})"

    @property
    def as_death(self) -> str:
        """The class of the death, which findings store."""
        death = FaultClass.SIGNAL.of(-self.code) if self.code < 0 else FaultClass.EXIT_CODE.of(self.code)
        return FaultClass.DEATH.of(death)


class ChildProcess(ProcessGroup):
    """A Python process in a process group of its own, to which all that it starts belongs."""

    def __init__(
        self, words: Sequence[str], streams: Streams = UNCHANGED, environment: Mapping[str, str] | None = None
    ) -> None:
        """Start Python with these words after its name; `environment` is added to this process's."""
        super().__init__(python.command(*words), streams, python.environment(**(environment or {})))

    def lower_priority(self, by: int) -> None:
        """Add to the niceness of the process."""
        with suppress(ProcessLookupError):
            niceness = os.getpriority(os.PRIO_PROCESS, self.pid) + by
            os.setpriority(os.PRIO_PROCESS, self.pid, min(niceness, _MOST_NICENESS))

    def reap(self) -> ProcessExit:
        """Wait until the process exits by itself, end all that it has started, and return its exit."""
        self.wait()
        return self.end()

    def end(self, grace: float = 0.0) -> ProcessExit:
        """End the process and all that it has started, and return its exit; it has `grace` seconds after SIGTERM."""
        return ProcessExit(self.close(grace))


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
