"""Spacer with one fault of a build of `bench.faults.build`: `--solver=bench.faults.solver:fault_12`.

`fault_0` is plain Spacer. The fault is on only while the solver under test runs: mutations, oracles, printing and the
search for witnesses use the same library without it. `FaultyParts` are the parts of Z3's library in the same way.
"""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from chcfuzz.domains.chc.solvers.spacer import Spacer
from chcfuzz.domains.parts.part_solver import PartSolver
from chcfuzz.domains.parts.solvers.calls import PartQuery, PartReply
from chcfuzz.domains.parts.solvers.child import reply_to
from chcfuzz.domains.parts.solvers.kept_z3 import KeptZ3
from chcfuzz.execution.solving import Solving
from chcfuzz.solvers.outcome import Outcome
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_release import active
from chcfuzz.tracing.solver_statistics import StatisticsSource
from chcfuzz.tracing.source import EventSource, Parameters
from chcfuzz.triage.fix.patch import PatchError

from bench.campaigns import ResultFile
from bench.faults.build import ACTIVE, MOST, REACHED, read_faults
from bench.faults.recording import RECORD, Made

_NAME = re.compile(r"fault_(0|[1-9]\d*)")


class Switch:
    """The memory of the library in this process: the fault that is on, and the sites that have been reached."""

    def __init__(self) -> None:
        """Open the library; raises `PatchError` if it is not a build with faults."""
        library = active().traced
        if library is None:
            raise PatchError("faults need a build: name that of `python -m bench.faults.build` with --z3-library")
        self.number = len(read_faults(library.parent.parent))
        opened: Any = ctypes.CDLL(str(library))
        self._active = ctypes.c_int.in_dll(opened, ACTIVE)
        self._reached = (ctypes.c_ubyte * MOST).in_dll(opened, REACHED)

    def check(self, fault: int) -> None:
        """Raise `PatchError` unless the build has this fault."""
        if not 0 <= fault <= self.number:
            raise PatchError(f"no fault {fault}: the build has {self.number}, from 1 on")

    @contextmanager
    def on(self, fault: int) -> Iterator[None]:
        """Turn a fault on for a block."""
        self._active.value = fault
        try:
            yield
        finally:
            self._active.value = 0

    def clear(self) -> None:
        """Forget which faults were reached."""
        ctypes.memset(self._reached, 0, MOST)

    def reached(self) -> tuple[int, ...]:
        """Return the numbers of the faults whose sites were reached since `clear`, in order."""
        return tuple(map(int, np.flatnonzero(np.ctypeslib.as_array(self._reached))))


class FaultySpacer(Spacer):
    """Spacer with the fault `fault`."""

    fault: ClassVar[int]

    def __init__(self, events: EventSource, watchdog: Watchdog) -> None:
        """Make the solver; raises `PatchError` if the library of this process lacks the fault."""
        super().__init__(events, watchdog)
        self._switch = Switch()
        self._switch.check(self.fault)

    def solve(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        """Solve as `Spacer.solve` does, with the fault."""
        with self._switch.on(self.fault):
            return super().solve(text, parameters, rlimit)


class Recorder(FaultySpacer):
    """Spacer without a fault; appends a line of `Made` for each run to the file that the variable `RECORD` names."""

    fault = 0

    def __init__(self, events: EventSource, watchdog: Watchdog) -> None:
        """Make the solver; raises `PatchError` without the variable."""
        super().__init__(events, watchdog)
        if RECORD not in os.environ:
            raise PatchError(f"the recorder needs a file: name it in the variable {RECORD}")
        self._file = ResultFile(Path(os.environ[RECORD]), Made)
        self._reached: set[int] = set()

    def solve(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        """Solve as `Spacer.solve` does, and write the line."""
        self._switch.clear()
        outcome = super().solve(text, parameters, rlimit)
        first = [fault for fault in self._switch.reached() if fault not in self._reached]
        self._reached.update(first)
        self._file.add(Made(text, tuple(parameters), tuple(first)))
        return outcome


class FaultyParts(PartSolver):
    """The parts in this process, with a fault while one runs; `reached` are the sites of the last question."""

    reached: tuple[int, ...] = ()

    def __init__(self, solving: Solving, fault: int) -> None:
        """Make the solver; raises `PatchError` if the library of this process lacks the fault."""
        super().__init__(solving, StatisticsSource("parts with a fault"))
        self._switch, self._fault, self._no_command = Switch(), fault, KeptZ3("", 0)
        self._switch.check(fault)
        self._within = Watchdog(solving.wall_seconds)

    def reply(self, query: PartQuery) -> PartReply:
        """Run the part of a question with the fault."""
        self._switch.clear()
        with self._switch.on(self._fault):
            reply = reply_to(query, self._within, self._no_command)
        self.reached = self._switch.reached()
        return reply


def __getattr__(name: str) -> type[FaultySpacer]:
    """Return the solver of a name such as `fault_12`."""
    found = _NAME.fullmatch(name)
    if found is None:
        raise AttributeError(f"no solver {name!r}: write fault_N with the number of a fault, or 0 for none")
    return type(name, (FaultySpacer,), {"fault": int(found[1])})
