"""The child process of an isolated SMT solver: it solves one problem after another, each in a fresh context.

The process prints what the solver prints, so that its parent knows the last message of a solver that aborts.
"""

from __future__ import annotations

import importlib
import resource
import sys
from dataclasses import replace
from pathlib import Path

import msgspec
from chcfuzz.domains.smt.solvers import releases, selection
from chcfuzz.domains.smt.solvers.engine import OUT_OF_MEMORY, Engine, Pairs
from chcfuzz.domains.smt.solvers.selection import Selected
from chcfuzz.execution.solving import Solving
from chcfuzz.execution.worker_pool import helper
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.solvers.model_text import TextModel
from chcfuzz.solvers.outcome import texts_of
from chcfuzz.solvers.watchdog import Watchdog

MODULE = "chcfuzz.domains.smt.solvers.child"
_MOST_RESIDENT = 64 << 20  # bytes beyond those of a new process: then it is replaced
_PAGE = resource.getpagesize()


class Start(msgspec.Struct, frozen=True):
    """The solver of a child process, and its limits in bytes; `stack` 0 leaves the limit of the system."""

    solver: Selected
    memory: int
    stack: int = 0


class EngineReady(msgspec.Struct, frozen=True):
    """The version of the solver, once the process can solve."""

    version: str = ""


class ProblemQuery(msgspec.Struct, frozen=True):
    """Request to solve a script under parameters."""

    text: str
    parameters: Pairs
    rlimit: int


class EngineReply(msgspec.Struct, frozen=True, omit_defaults=True):
    """An outcome, with the features of its trace as `keys`; `death` if the solver ended the process."""

    status: str = ""
    reason: str = ""
    model: str | None = None
    texts: tuple[str, ...] = ()
    keys: tuple[int, ...] = ()
    cost: int = 0
    left_out: tuple[str, ...] = ()
    death: str = ""
    universes: str = ""  # of the model
    seconds: float = 0.0  # of the solver


def main() -> None:
    """Solve the problems of the parent process."""
    own = helper()
    start = own.receive(Start)
    try:
        _import_from(start.solver, own.solving)
        engine = _engine(start.solver, Watchdog(own.solving.wall_seconds))
    except ChcfuzzError as error:
        sys.exit(f"chcfuzz: {error}")
    _limit(start)
    own.ready(EngineReady(engine.version))
    memory = _Memory()
    for query in own.queries(ProblemQuery, memory.is_lost):
        outcome = engine.solve(query.text, query.parameters, query.rlimit)
        memory.was_exhausted = outcome.reason == OUT_OF_MEMORY
        model = outcome.model if isinstance(outcome.model, TextModel) else None
        keys = tuple(outcome.trace.keys.tolist())
        own.send(
            EngineReply(
                outcome.status.value,
                outcome.reason,
                model.definitions if model else None,
                texts_of(outcome),
                keys,
                outcome.cost,
                outcome.left_out,
                universes=model.universes if model else "",
                seconds=outcome.seconds,
            )
        )


def _engine(one: Selected, watchdog: Watchdog) -> Engine:
    engine: Engine = importlib.import_module(one.builder).build(one, watchdog)
    return engine


def _import_from(one: Selected, solving: Solving) -> None:
    """Let imports in this process find the release of the solver; raises `ReleaseError`."""
    if one.release:
        folder = releases.fetched(one.solver, one.release)
        solving = replace(solving, z3=one.release, z3_library=None)
        sys.path[:0] = [] if folder is None else [str(folder)]
    if one.solver == selection.Z3:
        solving.activate()


class _Memory:
    """The memory of this process: one that has grown much, or was exhausted, is replaced by a new process."""

    def __init__(self) -> None:
        self._at_start = _resident()
        self.was_exhausted = False

    def is_lost(self) -> bool:
        return self.was_exhausted or _resident() > self._at_start + _MOST_RESIDENT


def _limit(start: Start) -> None:
    """Limit the memory that the solver may take beyond that of this process, and its stack."""
    size = int(Path("/proc/self/statm").read_text().split()[0]) * _PAGE
    _lower(resource.RLIMIT_AS, size + start.memory)
    if start.stack:
        _lower(resource.RLIMIT_STACK, start.stack)


def _lower(kind: int, wanted: int) -> None:
    most = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (wanted if most == resource.RLIM_INFINITY else min(wanted, most), most))


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE


if __name__ == "__main__":
    main()
