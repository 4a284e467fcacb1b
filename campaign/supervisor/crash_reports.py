"""Units that killed a worker: denied to all workers, and reported as suspicions."""

from __future__ import annotations

from collections.abc import Iterable

from chcfuzz.campaign.session.session import Session
from chcfuzz.execution.identity import solver_key
from chcfuzz.execution.solving import Solving
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings.confirmation_queue import ConfirmationQueue


class CrashReports:
    """Reports the deaths of one campaign's workers; `solving` is their solver. `number` counts crashes."""

    def __init__(self, session: Session, queue: ConfirmationQueue, solving: Solving) -> None:
        self._denylist = session.denylist
        self._queue = queue
        self._solving = solving
        self.number = 0
        self.has_any = False  # including units on which the solver ignored its limits

    def collect(self, units: Iterable[bytes]) -> None:
        """Deny these units and report them. Raises `FindingsError` if the findings folder cannot be written."""
        flags = self._solving.arguments
        for unit in units:
            self.has_any = True
            self._denylist.add(unit)
            if self._denylist.was_stuck(unit):
                self._queue.store.put_aside(Suspicion(unit, "stuck", solving=flags))
            else:
                self.number += 1
                self._queue.add(Suspicion(unit, "crash", solving=flags, solver=solver_key(self._solving)))
