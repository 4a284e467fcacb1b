"""Processes that this one waits for, each in a process group of its own, to which all that it starts belongs.

A wait has a deadline, and ends early if `kill_all` ends the processes, as the second signal to this process does.
Commands under test run in sessions under more limits (`solvers.process`).
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Self, TypeVar

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.solvers import python

_running: dict[int, ProcessGroup] = {}  # by process id, those that this process has started and not ended


@dataclass(frozen=True)
class Streams:
    """The standard streams of a child as `subprocess` has them; `inherited` are other descriptors that it gets."""

    stdin: int | None = None
    stdout: int | IO[Any] | None = None
    stderr: int | IO[Any] | None = None
    inherited: tuple[int, ...] = ()


P = TypeVar("P", bound="ProcessGroup")
UNCHANGED = Streams()
_CAPTURED = Streams(subprocess.DEVNULL, subprocess.PIPE, subprocess.PIPE)
_REPEAT = 0.02  # seconds after which a signal comes again whose exception Python has dropped


class ProcessGroup:
    """A process that leads a group; leaving the `with` block ends the group."""

    def __init__(
        self,
        words: Sequence[str],
        streams: Streams = UNCHANGED,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> None:
        """Start a program with a complete environment, by default this process's. Raises `OSError`."""
        with _signals.waiting_for(self):
            self._process: subprocess.Popen[bytes] = subprocess.Popen(
                words,
                env=environment,
                cwd=folder,
                stdin=streams.stdin,
                stdout=streams.stdout,
                stderr=streams.stderr,
                process_group=0,
                pass_fds=streams.inherited,
            )
            self._parent = os.getpid()
            self._code: int | None = None
            self._descriptor = os.pidfd_open(self.pid)
            _running[self.pid] = self

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def is_own(self) -> bool:
        """Whether this process has started it, rather than the one that this is a fork of."""
        return self._parent == os.getpid()

    @property
    def output(self) -> IO[bytes]:
        """The end of the pipe to which the process prints."""
        stream = self._process.stdout or self._process.stderr
        assert stream is not None
        return stream

    def fileno(self) -> int:
        """Return a descriptor that is readable once the process has exited."""
        return self._descriptor

    def has_exited(self, seconds: float = 0.0) -> bool:
        """Wait at most `seconds`; return whether the process has exited. It stays a zombie until it is ended."""
        return self._code is not None or bool(exited([self], seconds))

    def wait(self) -> None:
        """Wait until the process has exited by itself."""
        if self._code is None:
            exited([self], None)

    def signal(self, number: int) -> None:
        """Send a signal to the process and to all that it has started; resume those that are suspended."""
        if self._code is None:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, number)
                os.killpg(self.pid, signal.SIGCONT)

    def kill(self) -> None:
        """Kill the process and all that it has started."""
        self.signal(signal.SIGKILL)

    def close(self, grace: float = 0.0) -> int:
        """End the process and all that it has started, and return its exit code as `subprocess` has it.

        It has `grace` seconds after SIGTERM.
        """
        if self._code is None:
            if grace:
                self.signal(signal.SIGTERM)
                self.has_exited(grace)
            # Before the process is reaped: until then, no other process has its id, which is also its group's.
            self.kill()
            # A fork cannot wait for it, and does not learn its exit: then it counts as killed from outside.
            self._code = self._process.wait() if self.is_own else -signal.SIGKILL
            os.close(self._descriptor)
            _running.pop(self.pid, None)
            for stream in (self._process.stdout, self._process.stderr):
                if stream is not None:
                    stream.close()
        return self._code

    def __enter__(self) -> Self:
        """Return the process."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the group at once."""
        self.close()

    def printed(self, seconds: float | None = None) -> tuple[bytes, bytes]:
        """Return the output and the errors until the process ends; raises `subprocess.TimeoutExpired`."""
        return self._process.communicate(timeout=seconds)


def exited(processes: Iterable[P], seconds: float | None) -> list[P]:
    """Wait at most `seconds`, or without limit, until some processes have exited; return those, in their order."""
    waiting = select.poll()
    by_descriptor = {process.fileno(): process for process in processes}
    for descriptor in by_descriptor:
        waiting.register(descriptor, select.POLLIN)
    ready = {descriptor for descriptor, _ in waiting.poll(None if seconds is None else seconds * 1000)}
    return [process for descriptor, process in by_descriptor.items() if descriptor in ready]


def kill_all() -> None:
    """Kill every group that this process has started, so that all waits for them end."""
    for group in list(_running.values()):
        if group.is_own:
            group.kill()


class _Signals:
    """Actions of signals, which wait while the main thread starts a process: an unknown process would survive them."""

    def __init__(self) -> None:
        self._is_starting = False
        self._due: Callable[[], None] | None = None

    @contextmanager
    def waiting_for(self, group: ProcessGroup) -> Iterator[None]:
        """Start a process inside the `with`; an action that has waited for it can end it."""
        if threading.current_thread() is not threading.main_thread():  # which alone receives signals
            yield
            return
        self._is_starting = True
        try:
            yield
        finally:
            self._is_starting = False
            try:
                self.act(self._due)
            except KeyboardInterrupt:
                if group in _running.values():
                    group.close()
                raise

    def act(self, action: Callable[[], None] | None) -> None:
        """Do an action, or let it wait."""
        self._due = action if self._is_starting else None
        if action is not None and not self._is_starting:
            action()


_signals = _Signals()


@contextmanager
def stopped_by_signals() -> Iterator[None]:
    """Let Ctrl-C, SIGTERM and SIGHUP raise KeyboardInterrupt inside the `with`; the second one ends this process.

    All that this process has started ends with it. Signals that are ignored, as under nohup, stay ignored.
    """
    usual = (signal.SIG_DFL, signal.default_int_handler)
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    received: list[int] = []

    def stop(number: int, _frame: object) -> None:
        received.append(number)
        _signals.act(end)

    def end() -> None:
        if len(received) > 1:
            kill_all()
            os._exit(python.INTERRUPTED)
        raise KeyboardInterrupt

    ours = [number for number, handler in handlers.items() if handler in usual]
    if threading.current_thread() is not threading.main_thread():  # which alone may set handlers
        ours = []
    for number in ours:
        signal.signal(number, stop)
    try:
        with _lost_interrupts(received):
            yield
    finally:
        for number in ours:
            signal.signal(number, handlers[number])


@contextmanager
def _lost_interrupts(received: list[int]) -> Iterator[None]:
    """Repeat the last signal if Python drops what its handler raised, as it does inside `__del__` and callbacks."""
    usual, is_over = sys.unraisablehook, threading.Event()

    def repeat(number: int) -> None:
        if not is_over.wait(_REPEAT):
            os.kill(os.getpid(), number)

    def notice(dropped: sys.UnraisableHookArgs) -> None:
        if received and issubclass(dropped.exc_type, KeyboardInterrupt):
            # From another thread and later: here, Python would drop it again.
            threading.Thread(target=repeat, args=(received.pop(),), daemon=True).start()
        else:
            usual(dropped)

    sys.unraisablehook = notice
    try:
        yield
    finally:
        is_over.set()
        sys.unraisablehook = usual


@dataclass(frozen=True)
class Finished:
    """A program that has ended: its exit code, output and errors."""

    code: int
    out: str
    err: str

    @property
    def reason(self) -> str:
        """The last line of its errors, or its exit code."""
        return (self.err.strip().splitlines() or [f"exit code {self.code}"])[-1]


def run_program(
    words: Sequence[str],
    seconds: float,
    failed: Callable[[str], ChcfuzzError],
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Finished:
    """Run a program to its end; nothing that it has started is left.

    Raises `failed`, with a line that names the program, if it has not ended after `seconds`, and `OSError` if it cannot
    be started.
    """
    with ProcessGroup(words, _CAPTURED, environment, folder) as group:
        try:
            out, err = group.printed(seconds)
        except subprocess.TimeoutExpired as error:
            line = f"{Path(words[0]).name} has not ended after {seconds:g} s, and is killed"
            raise failed(f"{line}; try again, or run it by hand: {' '.join(words)}"[:500]) from error
    return Finished(group.close(), out.decode(errors="replace"), err.decode(errors="replace"))
