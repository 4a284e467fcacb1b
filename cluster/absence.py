"""The time in which no worker is connected: it is reported, and ends a job whose workers all ran on this machine."""

from __future__ import annotations

import time
from collections.abc import Callable

from chcfuzz.cluster.connection import worker_advice
from chcfuzz.grammar.errors import ChcfuzzError
from distributed import Client, LocalCluster

CHECK_SECONDS, FIRST_SECONDS, MORE_SECONDS = 5.0, 30.0, 600.0  # between checks, until the first line, between lines
_DEAD_CHECKS = 12  # one after another without a process of a local worker; on a busy machine, a new one takes long
INTERRUPT = "press Ctrl-C"


class Absence:
    """Watches the workers of a client. `report` receives lines; `interrupt` describes the effect of Ctrl-C."""

    def __init__(self, client: Client, report: Callable[[str], None], interrupt: str = INTERRUPT) -> None:
        self._client = client
        self._report = report
        self._interrupt = interrupt
        self._next_check = 0.0
        self._since: float | None = None
        self._dead_checks = 0
        self._next_line = FIRST_SECONDS  # seconds of absence

    @property
    def threads(self) -> int:
        """Number of tasks that the connected workers run at a time."""
        return sum(self._client.nthreads().values())

    def check(self) -> None:
        """Report that no worker is connected, if that has lasted. Raises `ChcfuzzError` if none can come back."""
        now = time.monotonic()
        if now < self._next_check:
            return
        self._next_check = now + CHECK_SECONDS
        try:
            is_present = bool(self.threads)
        except OSError:  # the scheduler is lost, which its futures report
            return
        if is_present:
            self._end()
            return
        self._since = self._since or now
        seconds = now - self._since
        self._dead_checks = 0 if self._any_lives else self._dead_checks + 1
        if seconds >= FIRST_SECONDS and self._dead_checks >= _DEAD_CHECKS:
            raise ChcfuzzError("all local workers are dead, and none could be started again; run the command again")
        if seconds >= self._next_line:
            self._next_line = seconds + MORE_SECONDS
            self._report(self._described(seconds))

    def _end(self) -> None:
        """Forget the absence, with a line if it was reported."""
        if self._next_line != FIRST_SECONDS:
            self._report("a worker is connected again; the tasks continue")
        self._since, self._next_line, self._dead_checks = None, FIRST_SECONDS, 0

    @property
    def _is_local(self) -> bool:
        return isinstance(self._client.cluster, LocalCluster)

    @property
    def _any_lives(self) -> bool:
        """Whether a worker may come: one elsewhere, or a local one whose process lives."""
        return not self._is_local or any(nanny.is_alive() for nanny in self._client.cluster.workers.values())

    def _described(self, seconds: float) -> str:
        if self._is_local:
            return f"no local worker has been connected for {seconds:.0f} s; waiting; they may need longer to start"
        waiting = f"no worker has been connected to {self._client.scheduler.address} for {seconds:.0f} s; waiting"
        return f"{waiting}; {worker_advice(self._client)}, or {self._interrupt}"
