"""The tempering of models in a campaign: all workers credit temperatures and uniform shares as they credit rows."""

from __future__ import annotations

import os

import numpy as np
from chcfuzz.campaign.session.counters import Counter, WorkerCounters, worker_file
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.session.shared import mapped
from chcfuzz.learning import active
from chcfuzz.learning.tempering import count, nothing_tried
from chcfuzz.mutators.recipe import Recipe

_TABLE = "temperings"
_LEARN_EVERY = 50  # credits of a worker


class TemperingCredits:
    """The tallies of this worker. They last for the session."""

    def __init__(self, session: Session, counters: WorkerCounters) -> None:
        self._session = session
        self._counters = counters
        empty = nothing_tried()
        self._own = mapped(worker_file(session.folder, os.getpid(), _TABLE), np.int64, empty.size).reshape(empty.shape)
        self._credits = 0
        self._learn()

    def credit(self, before: Recipe, after: Recipe, opened: bool) -> None:
        """Credit the temperings of the texts that a recipe has in addition to the one before, and count its root."""
        if after.seed != before.seed:
            self._counters.add(Counter.OTHER_ROOTS)
            self._counters.add(Counter.MODEL_ROOTS, bool(active.temperings.rows_of(after.seed.encode())))
        known = {before.seed.encode(), *(step.choices for step in before.steps)}
        for text in dict.fromkeys((after.seed.encode(), *(step.choices for step in after.steps))):
            rows = active.temperings.rows_of(text)
            if rows and text not in known:
                count(self._own, rows, opened)
                self._credits += 1
                if self._credits % _LEARN_EVERY == 0:
                    self._learn()

    def _learn(self) -> None:
        empty = nothing_tried()
        active.temperings.learn(self._session.counters.sum_of(_TABLE, empty.size).reshape(empty.shape))
