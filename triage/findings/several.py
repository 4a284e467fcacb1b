"""Solvers that got the same problem, for the scripts in a finding's folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

PACKAGES = {"z3": "z3-solver", "spacer": "z3-solver", "instances": "cvc5"}  # on PyPI, where the name differs


@dataclass(frozen=True)
class Several:
    """Solvers that got the same problem: their releases by name, the one under test first, and the release of Z3.

    `command` is the command line of the solver under test if it is a command, `reduced` those for reduced problems, by
    the names of the files with these problems.
    """

    releases: Mapping[str, str]
    z3: str = ""
    command: Sequence[str] = ()
    reduced: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def tested(self) -> tuple[str, str]:
        """The name and the release of the solver under test."""
        return next(iter(self.releases.items()))

    def command_on(self, system: str) -> Sequence[str]:
        """Return the command line of the solver under test on a file; empty if it is not a command."""
        return self.reduced.get(system) or self.command


def requirements(solvers: Mapping[str, str]) -> tuple[str, ...]:
    """Return the packages of the solvers with their releases, without those of commands."""
    found = ((name.partition(":")[0], release) for name, release in solvers.items() if release)
    return tuple(dict.fromkeys(f"{PACKAGES.get(solver, solver)}=={release}" for solver, release in found))
