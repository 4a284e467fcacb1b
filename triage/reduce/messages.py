"""The messages between a reduction and the processes that judge its candidates."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec


class Judgement(msgspec.Struct, frozen=True):
    """Judgement on one candidate of a reduction: whether it shows the same finding.

    Attributes:
        passes: Whether the candidate shows the same finding.
        message: The evidence against the solver, or the reason why this is not the same finding.
        files: Files that show the finding, by name, without the prefix of the reduction.
        right_answer: The answer that the files prove.
        command: The command line that was run, if the solver is a command.
    """

    passes: bool
    message: str
    files: Mapping[str, str] = {}
    right_answer: str | None = None
    command: tuple[str, ...] = ()


class Candidate(msgspec.Struct, frozen=True):
    """Request to judge a unit."""

    unit: bytes


class JudgeReady(msgspec.Struct, frozen=True):
    """First message of a process: the default of each solver parameter."""

    defaults: dict[str, str] = {}


class JudgeReply(msgspec.Struct, frozen=True, omit_defaults=True):
    """Reply to a candidate: the text of its mutant, then the judgement.

    If the solver kills the process, `death` describes how, and the rest is missing.
    """

    system: str = ""
    judgement: Judgement | None = None
    death: str | None = None
