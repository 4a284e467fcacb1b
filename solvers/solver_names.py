"""Solvers that users, recipes and records name, with settings as in `z3:sat.euf=true`, or a release as in `z3@5.3.0.0`.

Settings reach solvers in this process and the scripts of findings, so none may name a file, write or print.
"""

from __future__ import annotations

import re
from functools import lru_cache

SOLVER = "solver"  # the parameter of a recipe that names the solver under test, if there are several
ISOLATED = ("cvc5", "bitwuzla")  # their failed assertions abort the process
_VERSION = re.compile(r"\d+(\.\d+){1,3}")
_NAME = re.compile(r"[A-Za-z]\w*(?:[.-]\w+)*", re.ASCII)
_VALUE = re.compile(r"true|false|[0-9]{1,10}|[0-9]{1,4}\.[0-9]{1,9}|[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")
# Parts of the names of parameters that write files or print, whatever their value is, or that end the execution.
_OUTPUT = re.compile(
    r"file|console|dump|output|print|profile|trace|(?<!re)write|channel|verbos|display|debug|json|^aig|stats"
)
_OUTPUT_PARTS = frozenset(
    ("copyright", "ctrl", "err", "help", "in", "jobs", "log", "loglevel", "memory", "out", "plugin", "portfolio")
)
_LIMIT_PARTS = frozenset(("rlimit", "show", "timeout", "tlimit", "version"))
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
    is_output = any(_OUTPUT.search(part) for part in parts) or not (_OUTPUT_PARTS | _LIMIT_PARTS).isdisjoint(parts)
    return _NAME.fullmatch(name) is not None and not is_output and _VALUE.fullmatch(value) is not None


def is_self_check(name: str) -> bool:
    """Return whether a solver with this parameter checks its own results, and may abort the process."""
    return _SELF_CHECKS.fullmatch(name) is not None


def is_harmless(name: str, value: str) -> bool:
    """Return whether a parameter is allowed and cannot abort the process, as a failed self-check does."""
    return is_allowed(name, value) and not is_self_check(name)


def is_version(text: str) -> bool:
    """Return whether a text looks like the version of a release, such as 1.3.2."""
    return _VERSION.fullmatch(text) is not None
