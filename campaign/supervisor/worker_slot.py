"""A worker slot: where one worker of a campaign continues the work of the one before it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from chcfuzz.execution.child_process import ChildProcess
from chcfuzz.solvers.process_group import exited


class WorkerSlot:
    """One of the workers that run at the same time. `dead` are the process ids of the earlier workers of this slot."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.dead: list[int] = []
        self.idle_exits = 0  # consecutive workers that exited before they executed anything
        self.done_before = 0  # executions of the slot's workers when the latest one was started
        self.process: ChildProcess | None = None

    @property
    def is_taken(self) -> bool:
        """Whether a worker runs here, or has exited and was not freed."""
        return self.process is not None

    @property
    def worker(self) -> int:
        """The process id of the worker."""
        assert self.process is not None
        return self.process.pid

    def start(self, words: Sequence[str], **environment: str) -> None:
        """Start a worker: Python with these words after its name."""
        self.process = ChildProcess(words, environment=environment)

    def signal(self, number: int) -> None:
        """Send a signal to the worker and to all that it has started."""
        if self.process is not None:
            self.process.signal(number)

    def free(self) -> int:
        """End the worker and all that it has started, and return its exit code as `subprocess` has it."""
        assert self.process is not None
        process, self.process = self.process, None
        self.dead.append(process.pid)
        return process.end().code

    @staticmethod
    def ended(slots: Iterable[WorkerSlot], seconds: float) -> list[WorkerSlot]:
        """Return the slots whose worker has exited, ordered by number; empty after `seconds` without an exit."""
        by_process = {slot.process: slot for slot in slots if slot.process is not None}
        return sorted((by_process[process] for process in exited(by_process, seconds)), key=lambda slot: slot.number)
