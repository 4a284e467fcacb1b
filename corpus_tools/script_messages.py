"""The messages between `chcfuzz try-fix` and the processes that run SMT-LIB files as they are."""

from __future__ import annotations

import msgspec
from chcfuzz.grammar.problem import Pairs


class ScriptQuery(msgspec.Struct, frozen=True):
    """Request to run a script under parameters."""

    text: str
    parameters: Pairs


class ScriptReady(msgspec.Struct, frozen=True):
    """First message of a process."""


class ScriptReply(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that Z3 prints for a script. `death` describes how it killed the process."""

    output: str = ""
    death: str = ""
