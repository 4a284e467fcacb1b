"""Other solvers that solve the same systems as the solver under test, each in separate processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.system import System
from chcfuzz.solvers import z3_release
from chcfuzz.solvers.command import DEFAULT_MEMORY_MEGABYTES, Command
from chcfuzz.solvers.dialects import DIALECTS, on_path
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.z3_release import ReleaseError, active, released
from chcfuzz.tracing.trace import NOTHING

AUTO = "auto"
_REQUESTS = 200  # systems that a live process solves before it is restarted


@dataclass(frozen=True)
class CrossSolver:
    """Another solver, with its name in verdicts."""

    name: str
    command: Command

    @property
    def project(self) -> str:
        """The name of the solver, without its release and options."""
        return self.command.project

    def solve(self, system: System, rlimit: int) -> Outcome:
        """Solve a system that the solver accepts; only Z3 has the resource limit `rlimit`, all have a wall clock."""
        why = self.command.dialect.refused(system)
        if why:
            return Outcome(Status.UNSUPPORTED, why, NOTHING, 0, 0.0)
        return self.command.solve(print_system(system), (), rlimit)


def cross_solvers(
    commands: Sequence[str],
    z3_versions: Sequence[str],
    wall_seconds: float,
    memory_megabytes: int = DEFAULT_MEMORY_MEGABYTES,
    under_test: Command | None = None,
) -> tuple[CrossSolver, ...]:
    """Return the solvers of these commands and released versions of Z3, in this order; download the releases.

    The command `AUTO` means all solvers on PATH that have a dialect with a website, except the one `under_test`. Raises
    `CommandError` for a command that cannot be started, and `ReleaseError` for a release that is not available.
    """
    others = []
    for text in commands:
        if text == AUTO:
            found = _on_path(under_test)
            others += [
                CrossSolver(name, Command.of([program], wall_seconds, memory_megabytes, name, _REQUESTS))
                for name, program in found
            ]
        else:
            command = Command.of(text, wall_seconds, memory_megabytes, requests=_REQUESTS)
            others.append(CrossSolver(command.text, command))
    for version in z3_versions:
        release = released(version)
        if release.executable is None:
            raise ReleaseError(f"the wheel of z3-solver {release.version} for this machine holds no z3 command")
        command = Command.of([str(release.executable)], wall_seconds, memory_megabytes)
        others.append(CrossSolver(f"Z3 {release.version}", command))
    return tuple(others)


def check_named(commands: Sequence[str], z3_versions: Sequence[str], wall_seconds: float) -> None:
    """Raise `CommandError` or `ReleaseError` for a program or a version that cannot exist; nothing is fetched."""
    for text in commands:
        if text != AUTO:
            Command.of(text, wall_seconds)
    for version in z3_versions:
        z3_release.check_named(version, None)


def _on_path(under_test: Command | None) -> list[tuple[str, str]]:
    """Return the names of the dialects whose solver is on PATH, each with its program."""
    found = []
    for dialect in DIALECTS.values():
        if not dialect.website or (under_test is not None and under_test.dialect is dialect):
            continue
        program = on_path(dialect)
        if program is not None:
            found.append((dialect.name, program))
    return found


def installed_z3(
    wall_seconds: float, memory_megabytes: int = DEFAULT_MEMORY_MEGABYTES, is_under_test: bool = True
) -> tuple[CrossSolver, ...]:
    """Return the installed z3-solver as another solver; empty if it is the solver under test.

    The solver under test is the Z3 of this process, which may be another release or a build; if not `is_under_test`, it
    is a command.
    """
    release = z3_release.installed()
    if release is None or (is_under_test and release == active()) or release.executable is None:
        return ()
    command = Command.of([str(release.executable)], wall_seconds, memory_megabytes)
    return (CrossSolver(f"Z3 {release.version}", command),)
