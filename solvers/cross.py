"""Other solvers that are asked beside the one under test, each in processes of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chcfuzz.solvers.command import DEFAULT_MEMORY_MEGABYTES, Command
from chcfuzz.solvers.outcome import Outcome
from chcfuzz.solvers.z3_release import ReleaseError, active, installed, released


@dataclass(frozen=True)
class CrossSolver:
    """Another solver, under the name that a verdict calls it by."""

    name: str
    command: Command

    def solve(self, text: str, rlimit: int) -> Outcome:
        """Decide a script; `rlimit` holds for a Z3 alone, everybody has the wall clock behind it."""
        return self.command.solve(text, (), rlimit)


def cross_solvers(
    commands: Sequence[str],
    z3_versions: Sequence[str],
    wall_seconds: float,
    memory_megabytes: int = DEFAULT_MEMORY_MEGABYTES,
) -> tuple[CrossSolver, ...]:
    """The solvers that these commands and released versions of Z3 name, in this order; releases are fetched.

    Raises `CommandError` for a command that cannot be started, and `ReleaseError` for a release that cannot be had.
    """
    named = [Command.of(text, wall_seconds, memory_megabytes) for text in commands]
    asked = [CrossSolver(command.text, command) for command in named]
    for version in z3_versions:
        release = released(version)
        if release.executable is None:
            raise ReleaseError(f"the wheel of z3-solver {release.version} for this machine holds no z3 command")
        command = Command.of([str(release.executable)], wall_seconds, memory_megabytes)
        asked.append(CrossSolver(f"Z3 {release.version}", command))
    return tuple(asked)


def installed_z3(
    wall_seconds: float, memory_megabytes: int = DEFAULT_MEMORY_MEGABYTES, is_under_test: bool = True
) -> tuple[CrossSolver, ...]:
    """The installed z3-solver as another solver; nothing where it is the one under test.

    That is another release or a build where this process has one, or, if `is_under_test` says no, a command.
    """
    release = installed()
    if release is None or (is_under_test and release == active()) or release.executable is None:
        return ()
    command = Command.of([str(release.executable)], wall_seconds, memory_megabytes)
    return (CrossSolver(f"Z3 {release.version}", command),)
