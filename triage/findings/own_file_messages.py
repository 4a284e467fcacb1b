"""Messages between a command and the process that executes a user's own problem once."""

from __future__ import annotations

from chcfuzz.execution.reports import RunReport, UnitReport
from msgspec import Struct


class FileReady(Struct, frozen=True):
    """First message: the key of the solver to which a death of the process belongs."""

    solver: str = ""


class FileQuery(Struct, frozen=True):
    """Request to execute a unit."""

    unit: bytes


class FileReply(Struct, frozen=True, omit_defaults=True):
    """Reply: the unit, the report on its execution, and the suspicions of it as their files hold them.

    `doubt` is the suspicion to examine if nothing has shown yet that the answer is right.
    """

    described: UnitReport | None = None
    solver: str = ""
    report: RunReport | None = None
    suspicions: tuple[bytes, ...] = ()
    doubt: bytes = b""
    death: str | None = None
