"""The dialects of command-line solvers, by name. Those of a domain are in its modules, which are loaded by name."""

from __future__ import annotations

import functools
import importlib
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from chcfuzz.solvers import solver_session
from chcfuzz.solvers.dialect import Dialect

_MODULES = ("chcfuzz.domains.chc.solvers.eldarica", "chcfuzz.domains.chc.solvers.golem")  # each has a `DIALECT`


def _loaded(module: str) -> Dialect:
    found: Dialect = importlib.import_module(module).DIALECT
    return found


DIALECTS = {
    dialect.name: dialect
    for dialect in (
        Dialect("plain"),
        *map(_loaded, _MODULES),
        # Both run as `java -jar`, so --dialect names them: theta-xcfa-cli with --chc, and Ultimate's TreeAutomizer.
        Dialect(
            "theta",
            answers=(("(SafetyResult Safe", "sat"), ("(SafetyResult Unsafe", "unsat")),
            refusals=re.compile(r"mismatched input|no viable alternative at input"),
        ),
        Dialect(
            "ultimate",
            answers=(
                ("The given horn clause set is SAT", "sat"),
                ("The given horn clause set is UNSAT", "unsat"),
            ),
        ),
        Dialect("z3", programs=("z3",), get_model=True, resource_limit="rlimit=", protocol=solver_session.SMT_LIB),
    )
}


@functools.lru_cache(maxsize=4096)  # for each parameter of each recipe
def is_dialect_option(parameter: str) -> bool:
    """Return whether a parameter's name is an option of some command."""
    return any(dialect.knows(parameter) for dialect in DIALECTS.values())


def dialect_of(words: Sequence[str]) -> Dialect:
    """Return the dialect of a command by the name of its program; the plain one for unknown programs."""
    program = Path(words[0]).name
    return next((dialect for dialect in DIALECTS.values() if program in dialect.programs), DIALECTS["plain"])


def on_path(dialect: Dialect) -> str | None:
    """Return the program of a solver that is on PATH; None if it is not there."""
    return next(filter(None, map(shutil.which, dialect.programs)), None)
