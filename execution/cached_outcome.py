"""The outcome of an imported seed, stored in its text, so that a campaign need not solve it at the start.

It is one line of the file, which all solvers skip::

    (set-info :chcfuzz-outcome "3 0c1e9ab3f2d45768 progress-log 1000000 3f9a05c2... sat 28467 eNpjYGBg...")

The fields are: format, identity, source of events, resource limit, signature, status, cost, and the trace (hash,
length, transitions with their counts) as compressed little-endian numbers. It is valid only for the same text, solver
and chcfuzz (`execution.identity`), source and limit. The signature of all other fields and of the rest of the text
needs a secret of this user (`execution.own_secret`): an outcome from somebody else could hide a wrong answer.
Otherwise, or if it is damaged, the seed is solved again.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import re
import zlib
from dataclasses import dataclass

import numpy as np
from chcfuzz.execution.own_secret import signature
from chcfuzz.execution.seed_answers import GROUND_INFO, Ground, SeedAnswer
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.tracing.trace import Trace

_FORMAT = "3"
_LINE = re.compile(r'\(set-info :chcfuzz-outcome "([^"]*)"\)\n?')
_COST = re.compile(r"[0-9]{1,20}")
_LOGIC = re.compile(r"^\(set-logic \w+\)\n", re.MULTILINE)


@dataclass(frozen=True)
class Setting:
    """Configuration key of an outcome: it is valid for this identity, source of events and limit only."""

    identity: str
    source: str
    rlimit: int

    def __str__(self) -> str:
        return f"{self.identity} {self.source} {self.rlimit}"


def with_outcome(text: str, outcome: Outcome, setting: Setting, shown: SeedAnswer | None = None) -> str:
    """Return the system's text with its status, the ground of the status, and its outcome in `set-info`.

    Without `shown`, the text declares the status. If only the solver under test answers it, the text lacks it. A
    comment names a checked witness, but no reader believes it: only the process that checks one knows that.
    """
    status = outcome.status.value
    informed = f"(set-info :status {status})\n"
    if shown is not None:
        backed = f"; The ground of the status: {shown.backing}.\n{informed}" if shown.backing else ""
        agreed = f'(set-info :{GROUND_INFO} "{" ".join(shown.projects)}")\n' if shown.ground is Ground.AGREED else ""
        informed = backed + agreed
    rest = _LOGIC.sub(lambda logic: logic[0] + informed, text, count=1)
    trace = base64.b64encode(pack_trace(outcome.trace)).decode()
    content = f"{status} {outcome.cost} {trace}"
    line = f"{_FORMAT} {setting} {_signed(setting, content, rest)} {content}"
    known = f'(set-info :chcfuzz-outcome "{line}")\n'
    return _LOGIC.sub(lambda logic: logic[0] + informed + known, text, count=1)  # the rest, and one line


def outcome_in(text: str, setting: Setting) -> tuple[Status, int, Trace] | None:
    """Return the status, cost and trace that the text stores for this configuration key, or None."""
    found = _LINE.search(text)
    if found is None:
        return None
    under = f"{_FORMAT} {setting} "
    if not found[1].startswith(under):
        return None
    signed, _, content = found[1].removeprefix(under).partition(" ")
    if not hmac.compare_digest(signed, _signed(setting, content, text.replace(found[0], "", 1))):
        return None
    fields = content.split()
    if len(fields) != 3 or fields[0] not in ("sat", "unsat") or not _COST.fullmatch(fields[1]):
        return None
    try:
        trace = unpack_trace(base64.b64decode(fields[2], validate=True))
    except binascii.Error:
        return None
    return None if trace is None else (Status(fields[0]), int(fields[1]), trace)


def _signed(setting: Setting, content: str, rest: str) -> str:
    """Return the signature of an outcome and of the text to which it belongs."""
    return signature(f"{_FORMAT} {setting} {content}\n{rest}")


def pack_trace(trace: Trace) -> bytes:
    """Compress a complete trace to some hundred bytes."""
    header = np.array([trace.hash, trace.length], dtype="<u8").tobytes()
    return zlib.compress(header + np.concatenate([trace.keys, trace.counts]).astype("<u4").tobytes(), 9)


def unpack_trace(packed: bytes) -> Trace | None:
    """Return the trace that `pack_trace` compressed; None for other bytes."""
    try:
        data = zlib.decompress(packed)
    except zlib.error:
        return None
    if len(data) < 16 or len(data) % 8:
        return None
    hashed, length = int.from_bytes(data[:8], "little"), int.from_bytes(data[8:16], "little")
    keys, counts = np.frombuffer(data, dtype="<u4", offset=16).reshape(2, -1)
    return Trace(hash=hashed, length=length, keys=keys, counts=counts, complete=True)
