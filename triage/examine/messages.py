"""Typed messages between the confirming process and its parent, over a channel of their own (`execution.channel`)."""

from __future__ import annotations

from collections.abc import Mapping

from chcfuzz.execution.reports import RunReport, UnitReport
from chcfuzz.triage.examine.conclusion import Conclusion
from msgspec import Struct


class Request(Struct, frozen=True):
    """The suspicion to examine, as its file holds it.

    `without` names the runs to leave out, which killed an earlier process; `full` names the signatures that have enough
    findings.
    """

    suspicion: bytes
    without: tuple[str, ...]
    full: tuple[str, ...]


class Described(Struct, frozen=True, tag="described"):
    """The unit under examination.

    `unsupported` is the part of its system that maintainers do not support. `experimental` is true if it has an
    experimental parameter, and `switches` are the parameters that maintainers count as changed options. `theories` are
    those of its system, sorted. `solver` is the key of the solver. `solvers` are the releases of the solvers by name,
    the one under test first, if there are several; `input` is the text that this one reads in place of the problem.
    `allowed` names the mode of the solver that allows its options.
    """

    unit: UnitReport
    unsupported: str | None
    experimental: bool = False
    switches: tuple[str, ...] = ()
    theories: tuple[str, ...] = ()
    solver: str = ""
    solvers: Mapping[str, str] = {}
    input: str = ""
    allowed: str = ""


class Began(Struct, frozen=True, tag="began"):
    """The start of a run that may kill the process; `unit` is the unit that it executes, None for another check."""

    run: str
    unit: bytes | None = None


class RunFinished(Struct, frozen=True, tag="finished"):
    """The end of a run that the process has survived."""

    run: str


class RunReported(Struct, frozen=True, tag="reported"):
    """Message with the report on an execution, under the name of its run."""

    report: RunReport


class Concluded(Struct, frozen=True, tag="concluded"):
    """The result of the examination; the last message."""

    conclusion: Conclusion


Message = Described | Began | RunFinished | RunReported | Concluded
