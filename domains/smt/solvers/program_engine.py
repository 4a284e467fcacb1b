"""The z3 program as one of several SMT solvers, `z3-program` in `--solvers`, beside Z3's library or in its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chcfuzz.domains.smt.solvers.engine import with_own
from chcfuzz.domains.smt.solvers.selection import Selected, SelectionError
from chcfuzz.domains.smt.solvers.smt_command import CommandEngine
from chcfuzz.execution.solving import Solving
from chcfuzz.solvers.command import Command
from chcfuzz.solvers.outcome import Outcome
from chcfuzz.solvers.solver_names import is_harmless
from chcfuzz.solvers.z3_program import version_of, z3_program
from chcfuzz.solvers.z3_release import released
from chcfuzz.tracing.source import Parameters


class ProgramEngine(CommandEngine):
    """The z3 program with settings of its own. One process solves the problems without options."""

    def __init__(self, command: Command, name: str, settings: Sequence[tuple[str, str]]) -> None:
        """Run this command on each problem."""
        super().__init__(command)
        self.name = name
        self.version = version_of(command.words[0])
        self._settings = tuple(settings)

    def _run(self, command: Command, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        """Run the program: in a new process if there are options, which outlive `(reset)`."""
        wanted = with_own(self._settings, parameters)
        is_alone = bool(wanted) or "(set-option" in text
        solve = command.solve_afresh if is_alone else command.solve
        return replace(solve(text, wanted, rlimit), command=())  # it belongs to a Z3, whose release the record has


def program_engine(one: Selected, solving: Solving) -> ProgramEngine:
    """Return the engine of a selected program; raises `SelectionError` if it is missing, and `ReleaseError`."""
    path = released(one.release).executable if one.release else solving.program()
    if path is None:
        raise SelectionError(f"{one.name!r}: this Z3 has no z3 program; name one with --z3-program FILE")
    limits = (solving.wall_seconds, solving.memory_megabytes, solving.requests)
    return ProgramEngine(z3_program(path, is_harmless, *limits), one.name, one.settings)
