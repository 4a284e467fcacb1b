"""Classes of faults in derivations, interpolants and models: what all faults of one kind share."""

from __future__ import annotations

import re

ILL_SORTED = "the interpolant is not read: it is ill-sorted"
_KNOWN = (
    "the instance still has",
    "follows from no clause",
    "follows from itself",
    "there is no step",
    "interpolants instead of",
    "with other sorts than declared",
)
_OWN_SYMBOL = "a symbol of the solver's own, `"
_ILL_SORTED = re.compile(r"the interpolant is not read: .* (is not defined on|takes) \(")
# The message of a check that names its condition; other messages, such as a signal, do not name a cause.
_FAILED_CHECK = re.compile(r"[Aa]ssertion ['`]|Failed to verify: |Check failure|panicked at ")


def fault_class(detail: str) -> str:
    """Return the part of a verdict's detail that all wrong derivations or interpolants of the same kind share.

    It names a symbol of the solver's own, without its numbers.
    """
    if detail.startswith("step t"):
        return re.sub(r"\bt\d+|/?\d+", "0", detail)
    if not detail.startswith("cut "):
        return next((text for text in _KNOWN if text in detail), "a step at its values")
    fault = re.sub(r"^cut \d+ of \d+: ", "", detail)
    if _ILL_SORTED.search(fault):
        return ILL_SORTED
    if _OWN_SYMBOL in fault:
        return re.sub(r"\d+", "0", fault)
    return re.sub(r" (by|the) (A$|its|side|last).*|, `[^`]*`", "", fault)


def names_cause(message: str) -> bool:
    """Return whether a class, or the message of a failed check, names the cause, whatever the problem is about."""
    return message == ILL_SORTED or _OWN_SYMBOL in message or _FAILED_CHECK.search(message) is not None
