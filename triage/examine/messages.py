"""Typed messages from the confirming process to its parent, one line of JSON each.

A solver in the confirming process may print to the same standard output. Lines that are not messages are ignored.
"""

from __future__ import annotations

from collections.abc import Iterator

from chcfuzz.execution.codec import CodecError, from_json, to_json
from chcfuzz.execution.reports import RunReport, UnitReport
from chcfuzz.triage.examine.conclusion import Conclusion
from msgspec import Struct


class Described(Struct, frozen=True, tag="described"):
    """The unit under examination; `unsupported` is the part of its system that maintainers do not support."""

    unit: UnitReport
    unsupported: str | None


class Began(Struct, frozen=True, tag="began"):
    """The start of a run that may kill the process; `unit` is the unit that it executes, None for another check."""

    run: str
    unit: bytes | None = None


class Finished(Struct, frozen=True, tag="finished"):
    """The end of a run that the process has survived."""

    run: str


class Reported(Struct, frozen=True, tag="reported"):
    """The report on an execution."""

    report: RunReport


class Concluded(Struct, frozen=True, tag="concluded"):
    """The result of the examination; the last message."""

    conclusion: Conclusion


Message = Described | Began | Finished | Reported | Concluded


def line(message: Message) -> str:
    """Return the message as a line without its end."""
    return to_json(message).decode().rstrip("\n")


def messages(output: str) -> Iterator[Message]:
    """Yield the messages in the output of a confirming process."""
    for text in output.splitlines():
        if text.startswith("{"):
            try:
                yield from_json(text, Message)  # type: ignore[arg-type]  # a union is a type to msgspec
            except CodecError:
                continue
