"""The parameters of SMT solvers that a campaign sets by itself, with the values to try: `parameters.toml`.

`solvers.solver_names` determines those that a recipe, a script or `--solvers` may set.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

SAFE, STABLE = "safe", "stable"  # modes of cvc5


@dataclass(frozen=True)
class SolverParameter:
    """A parameter of a solver: its `default`, and other `values` to try.

    `group` is "usual" or "experimental" for Z3, "common", "regular" or "expert" for cvc5, and "usual" for Bitwuzla.
    `mode` is the strictest mode of cvc5 that allows it, `SAFE` or `STABLE`; else empty.
    """

    solver: str
    group: str
    name: str
    default: str
    values: tuple[str, ...]
    mode: str = ""

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
        SolverParameter(solver, group, name, default, tuple(values), _mode(group, name in tables["modes"][STABLE]))
        for group, rows in tables[solver].items()
        for name, (default, *values) in rows.items()
    )


def _mode(group: str, is_only_stable: bool) -> str:
    return (STABLE if is_only_stable else SAFE) if group in ("common", "regular") else ""
