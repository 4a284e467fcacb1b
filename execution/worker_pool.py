"""Helper processes that answer queries about units, and pools of them, so that a solver crash costs one query.

A helper process is a module with a `main`, started as `python -m MODULE FLAGS` with the flags of the solver
(`execution.solving`). Its `main` calls `begin`, sends a first message with `Helper.ready`, and then answers queries.
Resource limits end the executions in it; the wall clock is only a safety net.

A reply is a struct whose fields have defaults that are not sent (`omit_defaults`). A helper may send it in parts, so
that its parent knows the first parts even if the solver kills the process. The field `death` describes such an end.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from queue import SimpleQueue
from types import TracebackType
from typing import IO, Any, NoReturn, Self, TypeVar

import msgspec
from chcfuzz.execution.channel import Channel, NewChannel
from chcfuzz.execution.child_process import ChildProcess, ProcessExit
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.solvers.process import die_with_parent
from chcfuzz.solvers.process_group import Streams

WALL_FACTOR = 20  # times the wall clock of an execution

T = TypeVar("T")
U = TypeVar("U")


class HelperError(ChcfuzzError):
    """A helper process that fails for another reason than a solver crash."""


class KilledError(HelperError):
    """A helper process that something outside has killed twice with the same query."""


class _Part(msgspec.Struct, frozen=True):
    """A part of a reply. The last one reports whether the process must be replaced because Z3 has leaked memory."""

    fields: dict[str, Any]
    is_last: bool = False
    has_lost_memory: bool = False


@dataclass
class _Running:
    """A helper process that runs; it prints to `output`."""

    process: ChildProcess
    channel: Channel
    output: IO[str]


class HelperProcess:
    """A helper process, started when it is needed, and again after its death. It answers one query at a time."""

    def __init__(self, module: str, solving: Solving, first: object = None, fresh: bool = False) -> None:
        """Send `first`, if it is given, before any query. With `fresh`, each query has a process of its own."""
        self.output = ""  # that the process printed which has ended last
        self._module = module
        self._solving = solving
        self._first = first
        self._fresh = fresh
        self._running: _Running | None = None
        self._is_killed = False  # by `kill`
        self._exit = ProcessExit(0)  # of the process that has ended last
        self._ready: dict[str, Any] = {}

    def ready(self, kind: type[T]) -> T:
        """Return the first message of the process; a message of defaults before it was started."""
        return msgspec.convert(self._ready, kind)

    @property
    def pid(self) -> int:
        """The id of the process; starts it if it does not run."""
        self._started()
        assert self._running is not None
        return self._running.process.pid

    @property
    def last_exit(self) -> ProcessExit:
        """Exit of the process that ended last, by which callers distinguish a crash from a kill."""
        return self._exit

    def request(self, query: object, kind: type[T]) -> T:
        """Return the reply to a query, which holds `death` if the solver killed the process.

        A process that is killed from outside is not a solver crash: the query is sent again, once. Raises `KilledError`
        if that happens again, and `HelperError` if the process fails for another reason.
        """
        self.send(query)
        return self.receive(query, kind)

    def send(self, query: object) -> None:
        """Send a query without waiting for its reply, which `receive` must return before the next query."""
        self.start()
        channel = self._started()
        with suppress(OSError):  # a process that has died already is detected by `receive`
            channel.send(query)

    def receive(self, query: object, kind: type[T]) -> T:
        """Return the reply to the query that was sent; see `request`."""
        parts = self._reply()
        if self._is_killed_from_outside(parts):
            self.send(query)
            parts = self._reply()
            if self._is_killed_from_outside(parts):
                raise KilledError(
                    f"the helper process {self._name} {self._exit.description}, from outside, and again with the same"
                    " query; if the kernel did that, free memory, or lower --memory-megabytes or --workers"
                )
        return msgspec.convert(parts, kind, str_keys=True)

    def start(self) -> None:
        """Start the process unless it runs, and wait until it is ready; raises as `request`."""
        if self._running is not None and self._running.process.has_exited():  # perhaps a query of a fork killed it
            self._closed()
        self._started()

    def kill(self) -> None:
        """Kill the process and all that it has started; a thread that waits for its reply sees a death."""
        running, self._is_killed = self._running, True
        if running is not None:
            running.process.kill()

    def end(self) -> None:
        """End the process and all that it has started, when no thread waits for a reply."""
        self.kill()
        if self._running is not None:
            self._closed()

    @property
    def _name(self) -> str:
        return self._module.removeprefix("chcfuzz.")

    def _is_killed_from_outside(self, parts: dict[str, Any]) -> bool:
        return "death" in parts and self._exit.is_from_outside and not self._is_killed

    def _reply(self) -> dict[str, Any]:
        channel = self._started()
        parts: dict[str, Any] = {}
        while (part := channel.receive(_Part)) is not None:
            parts |= part.fields
            if part.is_last:
                if self._fresh or part.has_lost_memory:
                    self.end()
                return parts
        return parts | {"death": self._death()}

    def _started(self) -> Channel:
        if self._running is not None:
            return self._running.channel
        self._is_killed = False
        output = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115  (it lives as long as the process)
        new = NewChannel()
        streams = Streams(subprocess.DEVNULL, output.fileno(), output.fileno(), (new.descriptor,))
        process = ChildProcess(["-m", self._module, *self._solving.arguments], streams, new.environment)
        channel = new.started()
        self._running = _Running(process, channel, output)
        if self._first is not None:
            with suppress(OSError):
                channel.send(self._first)
        ready = channel.receive(_Part)
        if ready is None:
            self._fail()
        self._ready = ready.fields
        return channel

    def _death(self) -> str:
        self._exit = self._closed()
        if not self._exit.is_solver_death:
            self._fail()
        return self._exit.as_death

    def _fail(self) -> NoReturn:
        if self._running is not None:
            self._exit = self._closed()
        lines = self.output.strip().splitlines()[-1:]
        reason = lines[0].removeprefix("chcfuzz: ") if lines else f"it {self._exit.description}"
        raise HelperError(f"the helper process {self._name} failed: {reason}")

    def _closed(self) -> ProcessExit:
        running, self._running = self._running, None
        assert running is not None
        running.channel.close()
        ended = running.process.reap()
        running.output.seek(0)
        self.output = running.output.read()
        running.output.close()
        return ended


class ProcessPool:
    """Pool of `jobs` helper processes; leaving the `with` block ends them."""

    def __init__(self, make: Callable[[], HelperProcess], jobs: int) -> None:
        self.jobs = jobs
        self.processes = [make() for _ in range(jobs)]
        self.threads = ThreadPoolExecutor(jobs)
        self._free: SimpleQueue[HelperProcess] = SimpleQueue()
        for process in self.processes:
            self._free.put(process)

    def __enter__(self) -> Self:
        """Return the pool; its processes start with their first queries."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        """End all processes."""
        self.threads.shutdown(wait=False, cancel_futures=True)
        for process in self.processes:
            process.kill()
        self.threads.shutdown()
        for process in self.processes:
            process.end()

    @property
    def output(self) -> str:
        """The text that the first process printed, after it has ended."""
        return self.processes[0].output

    def ready(self, kind: type[T]) -> T:
        """Return the first message of the processes; a message of defaults before the first query."""
        return self.processes[0].ready(kind)

    def request(self, query: object, kind: type[T]) -> T:
        """Return the reply of a free process; see `HelperProcess.request`."""
        process = self._free.get()
        try:
            return process.request(query, kind)
        finally:
            self._free.put(process)

    def each(self, run: Callable[[T], U], given: Iterable[T]) -> Iterator[U]:
        """Yield the results of `run` in the order of `given`; runs in parallel if there are several processes."""
        return map(run, given) if self.jobs == 1 else self.threads.map(run, given)


class Helper:
    """The other end, in the helper process; `solving` is the configuration of the solver."""

    def __init__(self, solving: Solving, channel: Channel) -> None:
        self.solving = solving
        self._channel = channel

    def receive(self, kind: type[T]) -> T:
        """Wait for the first message of the parent; exit if the parent has ended."""
        message = self._channel.receive(kind)
        if message is None:
            sys.exit()
        return message

    def ready(self, message: object) -> None:
        """Send a whole message: the first one, or a reply in one piece."""
        self._channel.send(_Part(msgspec.to_builtins(message), is_last=True))

    def send(self, part: object) -> None:
        """Send a part of a reply."""
        self._channel.send(_Part(msgspec.to_builtins(part, str_keys=True)))

    def queries(self, kind: type[T], has_lost_memory: Callable[[], bool] | None = None) -> Iterator[T]:
        """Yield the queries, until the parent closes the channel; the reply ends when the next query is fetched.

        The process is replaced if it `has_lost_memory`; by default, if the domain's solvers hold too much.
        """
        has_lost = has_lost_memory or self._has_lost_memory
        while (query := self._channel.receive(kind)) is not None:
            yield query
            self._channel.send(_Part({}, is_last=True, has_lost_memory=has_lost()))

    def _has_lost_memory(self) -> bool:
        from chcfuzz.execution.domain import MOST_LOST, load  # not every helper has units

        return load(self.solving.domain).held_memory() > MOST_LOST


def helper() -> Helper:
    """Return this helper process without a Z3 or a domain; it ends with its parent, whatever it does then."""
    die_with_parent()
    return Helper(configured(), Channel.inherited())


def begin() -> Helper:
    """Set this helper process up according to its flags; it ends with its parent, whatever it does then."""
    die_with_parent()
    solving = configured()
    try:
        solving.activate()
    except ChcfuzzError as error:
        sys.exit(f"chcfuzz: {error}")
    return Helper(solving, Channel.inherited())


def configured() -> Solving:
    """Return the solver of this process's flags; its wall clock is a safety net only if it counts resources."""
    flags = argparse.ArgumentParser()
    Solving.add_flags(flags)
    solving = Solving.of(flags.parse_args())
    if not solving.counts_resources:  # the wall clock is the only limit
        return solving
    return replace(solving, wall_seconds=WALL_FACTOR * solving.wall_seconds)
