"""The parameters of SMT solvers that a recipe, a script or `--solvers` may set.

They reach solvers in this process and the scripts of findings, so none may name a file, and none may write or print.
`parameters.toml` has those that a campaign sets by itself, with the values to try.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

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


@dataclass(frozen=True)
class SolverParameter:
    """A parameter of a solver: its `default`, and other `values` to try.

    `group` is "usual" or "experimental" for Z3, "common", "regular" or "expert" for cvc5, and "usual" for Bitwuzla.
    """

    solver: str
    group: str
    name: str
    default: str
    values: tuple[str, ...]

    @property
    def is_experimental(self) -> bool:
        """Whether maintainers do not want findings under this parameter at once."""
        return self.group in ("experimental", "expert")

    @property
    def key(self) -> str:
        """The name with its solver, as recipes have it."""
        return f"{self.solver}.{self.name}"


@cache
def parameters(solver: str) -> tuple[SolverParameter, ...]:
    """Return the parameters of a solver, ordered by group and name."""
    tables = tomllib.loads(Path(__file__).with_name("parameters.toml").read_text())
    return tuple(
        SolverParameter(solver, group, name, default, tuple(values))
        for group, rows in tables[solver].items()
        for name, (default, *values) in rows.items()
    )
