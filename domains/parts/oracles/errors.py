"""Deaths and exceptions of parts: each but a documented limit is a finding, under the name of its part."""

from __future__ import annotations

import re

from chcfuzz.domains.parts.oracles.known_limits import explains_exception
from chcfuzz.oracles.verdict import ERRORS, Verdict, VerdictKind
from chcfuzz.solvers.faults import FaultClass
from chcfuzz.solvers.outcome import Outcome, Status

_PLACE = re.compile(r"File: \S*/")
_SORT = re.compile(r"\(Array (?:[^()]|\([^()]*\))*\)|\(_ BitVec \d+\)|\b(Int|Real|Bool)\b")


def check(part: str, outcome: Outcome) -> Verdict:
    """Return the verdict on the way in which a part ended."""
    if outcome.status is Status.CRASH:
        reason = _PLACE.sub("File: ", outcome.reason)
        fault = f"{part}: {FaultClass.DEATH.of(reason)}"
        return Verdict(ERRORS.name, VerdictKind.CRASH, f"{part}: it {reason}", fault=fault)
    if outcome.status is not Status.ERROR:
        return Verdict(ERRORS.name, VerdictKind.PASS)
    kind = VerdictKind.UNDECIDED if explains_exception(part, outcome.reason) else VerdictKind.EXCEPTION
    fault = f"{part}: {FaultClass.RAISES.of(_SORT.sub('S', outcome.reason))}"
    return Verdict(ERRORS.name, kind, f"{part}: it raises: {outcome.reason}", fault=fault)
