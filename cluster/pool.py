"""Tasks that are submitted to workers; those that were lost are submitted again."""

from __future__ import annotations

import time
import uuid
from asyncio import CancelledError
from collections.abc import Callable, Iterator
from typing import Any, Generic, Protocol, TypeVar

from chcfuzz.cluster.absence import INTERRUPT, Absence
from chcfuzz.cluster.child import LostError
from chcfuzz.cluster.store import StoreError
from chcfuzz.grammar.errors import ChcfuzzError
from distributed import Client, KilledWorker, as_completed

_MOST_TRIES = 5  # each of which Dask gives up after four dead workers
_TICK = 0.1  # seconds between two looks for a result


class Named(Protocol):
    """A task, with the name of the pack that it makes."""

    @property
    def name(self) -> str:
        """The name of the pack."""


T = TypeVar("T", bound=Named)


class Pool(Generic[T]):
    """Runs a function on tasks, each on any worker.

    `report` receives a line on each one that was lost, and on workers that are all gone; `interrupt` describes the
    effect of Ctrl-C.
    """

    def __init__(
        self, client: Client, function: Callable[[T], str], report: Callable[[str], None], interrupt: str = INTERRUPT
    ) -> None:
        self._client = client
        self._function = function
        self._report = report
        self._absence = Absence(client, report, interrupt)
        self._running: Any = as_completed(loop=client.loop, raise_errors=False)
        self._tasks: dict[str, tuple[T, int]] = {}

    @property
    def threads(self) -> int:
        """Number of tasks that the workers run at a time."""
        return self._absence.threads

    def submit(self, task: T, tries: int = 1) -> None:
        """Let a worker run a task, also one that equals an earlier one."""
        key = f"{task.name}-{uuid.uuid4().hex}"
        future = self._client.submit(self._function, task, key=key, pure=False)
        self._tasks[key] = task, tries
        self._running.add(future)

    def results(self) -> Iterator[tuple[T, str]]:
        """Yield each task that has ended with its result, until none is left; more can be submitted meanwhile.

        Raises `ChcfuzzError` for a task that fails, or if the scheduler or all local workers are lost.
        """
        while not self._running.is_empty():
            if not self._running.has_ready():
                self._absence.check()
                time.sleep(_TICK)
                continue
            future = next(self._running)
            task, tries = self._tasks.pop(future.key)
            if future.status == "finished":
                yield task, future.result()
                continue
            error = None if future.status == "cancelled" else future.exception()
            if error is None or isinstance(error, CancelledError):
                raise ChcfuzzError("the scheduler is lost; start it again, and run the same command to continue")
            if not isinstance(error, KilledWorker | LostError | StoreError):
                raise error
            if tries == _MOST_TRIES:
                raise ChcfuzzError(f"{task.name} was lost {tries} times ({error}); see the logs of the workers")
            self._report(f"{task.name} was lost, and is submitted again")
            self.submit(task, tries + 1)
