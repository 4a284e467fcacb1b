"""The child process of the parts: it loads the solvers once, and forks a worker that answers questions.

A worker that dies costs a fork, and its death is the reply. A worker that has grown ends by itself between questions.
"""

from __future__ import annotations

import mmap
import os
import resource
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import IO

from chcfuzz.domains.parts.solvers import command_calls, other_calls
from chcfuzz.domains.parts.solvers.calls import CallError, PartQuery, PartReply, PartsReady, PartStart
from chcfuzz.domains.parts.solvers.kept_z3 import CommandDeathError, KeptZ3
from chcfuzz.domains.parts.solvers.shared_edges import SentEdges
from chcfuzz.domains.smt.solvers.deaths import death, is_out_of_memory
from chcfuzz.domains.smt.solvers.engine import OUT_OF_MEMORY
from chcfuzz.execution.worker_pool import Helper, helper
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.solvers.process import FROM_OUTSIDE, die_with_parent
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_release import active
from chcfuzz.tracing.traced_library import edges_of

MODULE = "chcfuzz.domains.parts.solvers.child"
# Bytes of its own beyond those of a new worker: then it is replaced. Z3 keeps some 27 MB after its first questions.
# Pages of libraries do not count, since all processes share them.
_MOST_OWN = 48 << 20
_PAGE = resource.getpagesize()
_AGAIN = 3  # the exit code of a worker that has grown


def main() -> None:
    """Answer the questions of the parent process, in workers."""
    own = helper()
    start = own.receive(PartStart)
    try:
        own.solving.activate()
        edges = SentEdges(start.edges, edges_of(active().traced))
    except ChcfuzzError as error:
        sys.exit(f"chcfuzz: {error}")
    import z3
    from chcfuzz.domains.parts.solvers import z3_calls  # noqa: F401  (once, before the forks)

    own.ready(PartsReady(str(z3.get_version_string())))
    while _worker(own, start, edges) != 0:
        pass


def _worker(own: Helper, start: PartStart, edges: SentEdges) -> int:
    """Fork a worker and wait for its end; report its death. Return its exit code, negative for a signal.

    A shared byte is 1 while the worker has a question: a worker that dies without one has nothing to reply to.
    """
    with mmap.mmap(-1, 1) as busy, tempfile.TemporaryFile("w+", errors="replace") as output:
        worker = os.fork()
        if worker == 0:
            _work(own, start, edges, output, busy)
        code = os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])
        output.seek(0)
        printed = output.read()
        if code == 1:
            sys.exit(printed)  # an internal error
        if -code in FROM_OUTSIDE:
            os.kill(os.getpid(), -code)  # the parent sends the question again
        if code not in (0, _AGAIN) and busy[0]:
            own.ready(_death(code, printed))
        return code


def _death(code: int, printed: str) -> PartReply:
    if is_out_of_memory(printed):
        return PartReply("limit", OUT_OF_MEMORY)
    return PartReply("crash", death(max(-code, 0), printed))


def _work(own: Helper, start: PartStart, edges: SentEdges, output: IO[str], busy: mmap.mmap) -> None:
    """Answer questions until the parent ends; this process must never return to its caller."""
    code = 1
    try:
        die_with_parent()
        os.dup2(output.fileno(), sys.stdout.fileno())
        os.dup2(output.fileno(), sys.stderr.fileno())
        _limit(start.memory)
        code = _answer(own, start, edges, busy)
    finally:
        if isinstance(error := sys.exc_info()[1], Exception):
            traceback.print_exception(error)
            sys.stderr.flush()
        os._exit(code)


def _answer(own: Helper, start: PartStart, edges: SentEdges, busy: mmap.mmap) -> int:
    watchdog = Watchdog(own.solving.wall_seconds)
    command = KeptZ3(start.command, own.solving.wall_seconds)
    most = _own_memory() + _MOST_OWN
    for query in own.queries(PartQuery, lambda: False):
        busy[0] = 1
        edges.clear()
        reply = reply_to(query, watchdog, command)
        edges.send()
        busy[0] = 0
        own.send(reply)
        if _own_memory() > most:
            own.ready(PartReply())
            return _AGAIN
    command.close()
    return 0


def reply_to(query: PartQuery, watchdog: Watchdog, command: KeptZ3) -> PartReply:
    """Run the part of a question in this process, or in that of the command."""
    start = time.perf_counter()
    try:
        texts = _called(query, watchdog, command)
    except CommandDeathError as error:
        return _death(error.code, error.printed)
    except CallError as error:
        return PartReply(error.status, error.reason, seconds=time.perf_counter() - start)
    except MemoryError:
        return PartReply("limit", OUT_OF_MEMORY)
    return PartReply("result", "", texts, seconds=time.perf_counter() - start)


def _called(query: PartQuery, watchdog: Watchdog, command: KeptZ3) -> tuple[str, ...]:
    if query.part in command_calls.CALLS:
        return command_calls.CALLS[query.part](query, command)
    if query.part in other_calls.CALLS:
        return other_calls.CALLS[query.part](query)
    from chcfuzz.domains.parts.solvers import z3_calls

    return z3_calls.call(query, watchdog)


def _limit(memory: int) -> None:
    size = int(Path("/proc/self/statm").read_text().split()[0]) * _PAGE
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (size + memory if most < 0 else min(size + memory, most), most))


def _own_memory() -> int:
    """Return the bytes in memory that are not those of a file."""
    _, resident, shared, *_ = Path("/proc/self/statm").read_text().split()
    return (int(resident) - int(shared)) * _PAGE


if __name__ == "__main__":
    main()
