"""Classes of faults in messages that older versions stored, as in suspicions without the field `fault`.

This is the only place that reads a message of chcfuzz itself. It reads messages as they were worded until verdicts had
a class of their own, and is never extended: rewording a message of today changes nothing here.
"""

from __future__ import annotations

import re

from chcfuzz.oracles.verdict import Subject, facts_of
from chcfuzz.solvers.faults import FaultClass

_OF_DERIVATIONS = (
    FaultClass.INSTANCE,
    FaultClass.NO_CLAUSE,
    FaultClass.CIRCLE,
    FaultClass.NO_STEP,
    FaultClass.NUMBER,
    FaultClass.OTHER_SORTS,
)
_ILL_SORTED = re.compile(r"the interpolant is not read: .* (is not defined on|takes) \(")
_OWN_SYMBOL = "a symbol of the solver's own, `"


def fault_in(kind: str, detail: str) -> str:
    """Return the class of the fault that the detail of a verdict of an older version describes."""
    match facts_of(kind).subject:
        case Subject.MODEL:
            return detail.partition("; it complains: ")[2]
        case Subject.OUTPUT:
            return _in_output(detail)
    return detail


def _in_output(detail: str) -> str:
    if detail.startswith("step t"):
        return re.sub(r"\bt\d+|/?\d+", "0", detail)
    if not detail.startswith("cut "):
        return next((each for each in _OF_DERIVATIONS if each in detail), FaultClass.STEP)
    fault = re.sub(r"^cut \d+ of \d+: ", "", detail)
    if _ILL_SORTED.search(fault):
        return FaultClass.ILL_SORTED
    if _OWN_SYMBOL in fault:
        return re.sub(r"\d+", "0", fault)
    return re.sub(r" (by|the) (A$|its|side|last).*|, `[^`]*`", "", fault)
