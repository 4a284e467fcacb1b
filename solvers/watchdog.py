"""The clock behind the resource limits: Z3 only polls its limits, and sometimes not at all.

For Spacer, it counts processor time, which the load of the machine changes less than wall-clock time: beside other
work, an execution that its resource limit ends after one second of processor time may take six of the wall clock. For
a solver that runs in another process, it is the wall clock, because this process only waits.
"""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

TICK = 0.2
GRACE_SECONDS = 5.0
LOAD = 8.0  # seconds of the wall clock count as one of processor time at least, in case the solver waits for something


class Watchdog:
    """Interrupts a Z3 context at its clock; calls `on_stuck` if Z3 has not come back `GRACE_SECONDS` later.

    The wall clock is counted in ticks: while this process is paused, none passes.

    `on_stuck` runs in another thread while Z3 still computes: it can only save what it must and end the process,
    which is the default.
    """

    def __init__(self, seconds: float, on_stuck: Callable[[], None] | None = None) -> None:
        self._seconds = seconds
        self._on_stuck = on_stuck or (lambda: os._exit(70))
        self._lock = threading.Lock()
        self._context: Any = None
        self._ticks = 0  # since what is guarded began
        self._begun: float | None = None  # processor time at that moment, if it counts
        self._patience = 1.0
        self._interrupted = False
        self._thread: threading.Thread | None = None

    @contextmanager
    def guard(self, context: Any, computes: bool = False) -> Iterator[None]:
        """Watch what is done with a Z3 context inside the `with`; not to be nested.

        If this process `computes` it, the seconds are processor time, or the wall clock by `LOAD` if that is more.
        """
        if self._thread is None:
            own = weakref.ref(self)
            self._thread = threading.Thread(target=_watch, args=(own,), name="watchdog", daemon=True)
            self._thread.start()
        with self._lock:
            self._context, self._ticks, self._interrupted = context, 0, False
            self._begun = time.process_time() if computes else None
        try:
            yield
        finally:
            with self._lock:
                self._context = None

    @contextmanager
    def waiting(self, patience: float) -> Iterator[None]:
        """Multiply the seconds of the clock for what is guarded inside the `with`."""
        before, self._patience = self._patience, patience
        try:
            yield
        finally:
            self._patience = before

    @property
    def interrupted(self) -> bool:
        """Whether the clock ended what was last guarded."""
        return self._interrupted

    def tick(self) -> None:
        """Count a tick of the clock, which its own thread does."""
        with self._lock:
            if self._context is None:
                return
            self._ticks += 1
            passed, most = self._ticks * TICK, self._patience * self._seconds
            if self._begun is not None:
                passed = max(time.process_time() - self._begun, passed / LOAD)
            if passed > most:
                self._interrupted = True
                _interrupt(self._context)
            stuck = passed > most + GRACE_SECONDS
        if stuck:
            self._on_stuck()


def _interrupt(context: Any) -> None:
    """Interrupt a context. Z3's bindings then raise the error, if any, of the thread that uses it."""
    import z3

    with suppress(z3.Z3Exception):
        context.interrupt()


def _watch(own: weakref.ref[Watchdog]) -> None:
    """Tick until nothing else refers to the watchdog; what it and its action refer to can then be freed."""
    while True:
        time.sleep(TICK)
        watchdog = own()
        if watchdog is None:
            return
        watchdog.tick()
        del watchdog
