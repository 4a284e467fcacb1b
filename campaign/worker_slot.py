"""A seat: where one worker of a campaign takes up what the one before it left."""

from __future__ import annotations

import os
import select
import signal
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress


class Seat:
    """One of the workers that run at once. `dead` are the processes of those that sat here before."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.dead: list[int] = []
        self.in_vain = 0  # workers in a row that ended before they executed anything
        self.done_before = 0  # executions of its workers when the latest was started
        self._process: subprocess.Popen[bytes] | None = None
        self._descriptor = -1

    @property
    def is_taken(self) -> bool:
        """Whether a worker runs here, or has ended and is not freed yet."""
        return self._process is not None

    @property
    def worker(self) -> int:
        """The process of the worker."""
        assert self._process is not None
        return self._process.pid

    def start(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        """Start a worker, in a group of processes of its own."""
        self._process = subprocess.Popen(command, env=environment, process_group=0)
        self._descriptor = os.pidfd_open(self._process.pid)

    def signal(self, number: int) -> None:
        """To the worker and to what it has started; one that is paused would not hear it."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)
                os.killpg(self._process.pid, signal.SIGCONT)

    def free(self) -> int:
        """End the worker and all that it has started; its exit code, as `subprocess` has it."""
        assert self._process is not None
        os.close(self._descriptor)
        # Before the process is waited for: until then nobody else has its number, and so its group's.
        self.signal(signal.SIGKILL)
        code = self._process.wait()
        self.dead.append(self._process.pid)
        self._process = None
        return code

    @staticmethod
    def ended(seats: Iterable[Seat], seconds: float) -> list[Seat]:
        """Those whose worker has ended, in their order; none if nobody's has after so long."""
        waiting = select.poll()
        by_descriptor = {seat._descriptor: seat for seat in seats if seat.is_taken}
        for descriptor in by_descriptor:
            waiting.register(descriptor, select.POLLIN)
        found = [by_descriptor[descriptor] for descriptor, _ in waiting.poll(seconds * 1000)]
        return sorted(found, key=lambda seat: seat.number)
