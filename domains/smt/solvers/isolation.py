"""An SMT solver in a child process that is kept alive: its death is its own outcome, and no other process's end.

The next problem after a death gets a new child. Every problem has a fresh context, so no state is lost with a child.
"""

from __future__ import annotations

import signal
import time

from chcfuzz.domains.smt.solvers.child import MODULE, EngineReady, EngineReply, ProblemQuery, Start
from chcfuzz.domains.smt.solvers.deaths import death, is_out_of_memory
from chcfuzz.domains.smt.solvers.engine import OUT_OF_MEMORY, WALL_CLOCK
from chcfuzz.domains.smt.solvers.selection import Selected
from chcfuzz.execution.solving import Solving
from chcfuzz.execution.worker_pool import HelperProcess, KilledError
from chcfuzz.solvers.faults import FaultClass
from chcfuzz.solvers.model_text import TextModel
from chcfuzz.solvers.outcome import Outcome, Status, Texts
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.solver_statistics import trace_of_features, trace_of_keys
from chcfuzz.tracing.source import Parameters

_MOST_KILLED = 3  # consecutive problems whose child something outside kills, each twice
_LARGE_STACK = 64 << 20  # bytes; eight times the usual limit


class Isolated:
    """A solver in a child process. The watchdog kills the child at its wall clock."""

    def __init__(self, one: Selected, solving: Solving, watchdog: Watchdog) -> None:
        """Start the child with the first problem; `solving` has the memory limit."""
        self.name = one.name
        self._watchdog = watchdog
        self._solving = solving
        self._start = Start(one, solving.memory_megabytes << 20)
        self._child = HelperProcess(MODULE, solving, self._start)
        self._query = ProblemQuery("", (), 0)  # the last one
        self._sent = 0.0  # the time at which it was sent
        self._killed = 0  # consecutive problems whose child something outside has killed

    @property
    def version(self) -> str:
        """The version of the solver; starts the child."""
        self._child.start()
        return self._child.ready(EngineReady).version

    @property
    def pid(self) -> int:
        """The id of the child."""
        return self._child.pid

    def solve(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        """Decide a script; see `Engine.solve`. Raises `HelperError` if the child cannot be started, or is killed again.

        A problem whose child something outside kills is not decided; after a few of them, the error is raised.
        """
        self.begin(text, parameters, rlimit)
        return self.finish()

    def begin(self, text: str, parameters: Parameters, rlimit: int) -> None:
        """Let the child begin to decide a script, while this process does something else; see `Concurrent`."""
        self._query = ProblemQuery(text, tuple(parameters), rlimit)
        self._child.start()  # its time is not the solver's
        self._sent = time.perf_counter()
        self._child.send(self._query)

    def finish(self) -> Outcome:
        """Wait for the outcome of the script that `begin` got; the wall clock starts here."""
        try:
            reply = self._received(self._child, self._query)
        except KilledError as error:
            return self._was_killed(error)
        self._killed = 0
        passed = time.perf_counter() - self._sent
        if reply is None:
            return Outcome(Status.HANG, WALL_CLOCK, trace_of_features(()), 0, passed)
        if reply.death:
            return self._died(self._query, passed)
        model = None if reply.model is None else TextModel(reply.model, reply.universes)
        trace = trace_of_keys(reply.keys)
        status, left_out = Status(reply.status), reply.left_out
        extra = Texts(reply.texts) if reply.texts else None
        return Outcome(status, reply.reason, trace, reply.cost, reply.seconds, model, left_out, extra=extra)

    def close(self) -> None:
        """End the child, also one that still solves; the next problem starts another."""
        self._child.end()

    def interrupt(self) -> None:
        """Kill the child: the watchdog calls this at its wall clock."""
        self._child.kill()

    def _received(self, child: HelperProcess, query: ProblemQuery) -> EngineReply | None:
        """Return the reply of a child; None after a wall clock, at which the child is killed."""
        with self._watchdog.guard(self if child is self._child else _Killer(child)):
            reply = child.receive(query, EngineReply)
        if self._watchdog.interrupted:
            child.end()  # it may have been killed after its reply
            return None
        return reply

    def _was_killed(self, error: KilledError) -> Outcome:
        self._killed += 1
        if self._killed == _MOST_KILLED:
            raise error
        passed = time.perf_counter() - self._sent
        return Outcome(Status.HANG, str(error), trace_of_features(()), 0, passed)

    def _died(self, query: ProblemQuery, seconds: float) -> Outcome:
        number, printed = -self._child.last_exit.code, self._child.output
        if is_out_of_memory(printed):
            return Outcome(Status.LIMIT, OUT_OF_MEMORY, trace_of_features(("memory",)), 0, seconds)
        reason = death(number, printed)
        if number == signal.SIGSEGV and self._needs_stack(query):
            reason = FaultClass.STACK_OVERFLOW.value
        return Outcome(Status.CRASH, reason, trace_of_features((reason,)), 0, seconds)

    def _needs_stack(self, query: ProblemQuery) -> bool:
        """Return whether the solver survives the problem with a larger stack."""
        child = HelperProcess(MODULE, self._solving, _with_large_stack(self._start), fresh=True)
        try:
            child.send(query)
            reply = self._received(child, query)
            return reply is None or not reply.death
        finally:
            child.end()


class _Killer:
    """Kills a child in the place of an interrupt."""

    def __init__(self, child: HelperProcess) -> None:
        self._child = child

    def interrupt(self) -> None:
        self._child.kill()


def _with_large_stack(start: Start) -> Start:
    return Start(start.solver, start.memory, _LARGE_STACK)
