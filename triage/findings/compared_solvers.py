"""Solvers that got the same problem, for the scripts in a finding's folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from chcfuzz.solvers.solver_names import is_allowed, is_version

PACKAGES = {
    "z3": "z3-solver",
    "z3-program": "z3-solver",
    "spacer": "z3-solver",
    "instances": "cvc5",
    "cvc5": "cvc5",
    "bitwuzla": "bitwuzla",
}
"""The packages on PyPI, by solver."""

_MODULES = {"z3-solver": "z3", "cvc5": "cvc5", "bitwuzla": "bitwuzla"}  # of packages


def is_known(name: str, release: str) -> bool:
    """Return whether this is a solver in a package, with settings that are passed to it, and a version of it.

    The names and releases of a record that comes from somebody else choose packages that a script installs. A solver
    without a release is a command, whose name is text.
    """
    solver, *settings = name.split(":")
    pairs = (setting.partition("=")[::2] for setting in settings)
    return solver in PACKAGES and is_version(release) and all(is_allowed(*pair) for pair in pairs)


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
    return tuple(dict.fromkeys(f"{PACKAGES[solver]}=={release}" for solver, release in found))


def modules(packages: Sequence[str]) -> str:
    """Return the Python modules of packages, as the words of an import."""
    return ", ".join(_MODULES[package.partition("==")[0]] for package in packages)
