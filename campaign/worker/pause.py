"""The pause of a worker while the first suspicion of a kind is examined.

A user waits for the first finding, and an examination takes some seconds of processor time. On a machine whose
processors are all taken, it would share them with the workers of its own campaign. A pause changes nothing that the
campaign executes.
"""

from __future__ import annotations

import time

from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.worker.context import WorkerContext

MOST_SECONDS = 30.0  # of one pause; an examination may take hours
_TICK = 0.05


class Pause:
    """Lets a worker wait between two units."""

    def __init__(self, context: WorkerContext) -> None:
        self._account = context.account
        self._flag = context.session.examines_first
        self._waited: int | None = None  # when the examination began that this worker has waited for

    def wait(self) -> None:
        """Wait until the first suspicion of a kind is examined, if one is, but at most `MOST_SECONDS`."""
        since = self._flag.since
        if since is None or since == self._waited:
            return
        self._waited = since
        until = time.monotonic() + MOST_SECONDS
        with self._account.charging(Counter.CONFIRM_TIME):
            while self._flag.since == since and time.monotonic() < until:
                time.sleep(_TICK)
