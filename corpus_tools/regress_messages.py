"""The messages between `chcfuzz regress` and the processes that run its units."""

from __future__ import annotations

import msgspec
from chcfuzz.execution.reports import RunReport


class RegressReady(msgspec.Struct, frozen=True):
    """First message of a process: the name of its solver."""

    solver: str = ""


class UnitQuery(msgspec.Struct, frozen=True):
    """Request to execute a unit whose promised answer is `expected`, or to `make` its mutant."""

    unit: bytes
    make: bool
    expected: str | None = None


class MadeMutant(msgspec.Struct, frozen=True):
    """A mutant as a unit without a chain, and the answer that its chain promises."""

    unit: bytes
    expected: str | None


class Ran(msgspec.Struct, frozen=True):
    """An execution, and the solver's seconds."""

    report: RunReport
    seconds: float


class RegressReply(msgspec.Struct, frozen=True, omit_defaults=True):
    """Reply to a query: the mutant or the execution. `death` describes how the solver killed the process."""

    made: MadeMutant | None = None
    ran: Ran | None = None
    death: str = ""
