"""The parameters of SMT solvers that a recipe, a script or `--solvers` may set.

They reach solvers in this process and the scripts of findings, so none may name a file, and none may write or print.
"""

from __future__ import annotations

import re
from functools import lru_cache

_NAME = re.compile(r"[A-Za-z]\w*(?:[.-]\w+)*", re.ASCII)
_VALUE = re.compile(r"true|false|[0-9]{1,10}|[0-9]{1,4}\.[0-9]{1,9}|[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")
# Parts of the names of parameters that write files or print, whatever their value is, or that end the execution.
_OUTPUT = re.compile(r"file|console|dump|output|print|profile|trace|write|channel|verbos|display|debug|json|^aig|stats")
_OUTPUT_PARTS = frozenset(("log", "loglevel", "plugin", "timeout", "tlimit", "rlimit", "memory", "ctrl"))

_SELF_CHECKS = re.compile(
    r"(dbg-|debug-)?check-(models?|proofs|unsat-cores?|interpolants?)|check-proof-steps|check-proofs-complete"
    r"|model_validate|smt\.(core|arith)\.validate"
)


@lru_cache(maxsize=4096)
def is_allowed(name: str, value: str) -> bool:
    """Return whether a parameter changes only how a problem is solved: a truth value, a number or a word."""
    if is_self_check(name):
        return value in ("true", "false")
    parts = re.split(r"[._-]", name.lower())
    is_output = any(_OUTPUT.search(part) for part in parts) or not _OUTPUT_PARTS.isdisjoint(parts)
    return _NAME.fullmatch(name) is not None and not is_output and _VALUE.fullmatch(value) is not None


def is_self_check(name: str) -> bool:
    """Return whether a solver with this parameter checks its own results, and may abort the process."""
    return _SELF_CHECKS.fullmatch(name) is not None


def is_harmless(name: str, value: str) -> bool:
    """Return whether a parameter is allowed and cannot abort the process, as a failed self-check does."""
    return is_allowed(name, value) and not is_self_check(name)
