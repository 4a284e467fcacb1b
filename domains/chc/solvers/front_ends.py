"""Z3 as a library and as the z3 program, in one solver: the parameter `solver` of a recipe chooses one of them.

The two number terms in different orders, so a bug may show in one of them alone (Z3 issue 7417).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.solvers.command import Command
from chcfuzz.solvers.outcome import Outcome
from chcfuzz.solvers.solver import Sessions, Solver
from chcfuzz.solvers.solver_names import SOLVER
from chcfuzz.solvers.z3_program import LIBRARY, NAME
from chcfuzz.tracing.source import Parameters, TraceSource


class FrontEnds(Solver):
    """The library and the program of one Z3. Without the parameter, the program solves if `is_program_first`."""

    def __init__(self, library: Solver, program: Command, is_program_first: bool) -> None:
        self._library = library
        self._program = program
        self._first: Solver | Command = program if is_program_first else library
        self._first_name = NAME if is_program_first else LIBRARY

    @property
    def name(self) -> str:
        """The name of the first solver."""
        return self._first.name

    @property
    def events(self) -> TraceSource:
        """The source of the first solver's traces."""
        return self._first.events

    @property
    def counts_resources(self) -> bool:
        """Whether the first solver counts resources."""
        return self._first.counts_resources

    @property
    def defaults(self) -> Mapping[str, str]:
        """The defaults of the parameters."""
        return self._library.defaults

    @property
    def sessions(self) -> Sessions | None:
        """The processes of the first solver that stay alive."""
        return self._first.sessions

    @property
    def judge(self) -> str:
        """The engine of both."""
        return self._library.judge

    def transforms_off(self, parameters: Parameters) -> tuple[tuple[str, str], ...] | None:
        """Return the parameters with the transforms off, for the same front end."""
        found = self._library.transforms_off(without_front_end(parameters))
        selection = (pair for pair in parameters if pair[0] == SOLVER)
        return None if found is None else tuple(sorted((*found, *selection)))

    def other_front_ends(self, parameters: Parameters) -> Sequence[tuple[str, Parameters]]:
        """Return the library if the program is under test, else the program."""
        other = LIBRARY if self._selected(parameters) == NAME else NAME
        return ((other, tuple(sorted((*without_front_end(parameters), (SOLVER, other))))),)

    def refused(self, problem: BaseProblem) -> str:
        """Return the part of a problem that the library is known not to read."""
        return self._library.refused(problem)

    def solve(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        """Decide a script with the front end that the parameters select; a selected program is a new process."""
        options = without_front_end(parameters)
        if self._selected(parameters) == LIBRARY:
            return self._library.solve(text, options, rlimit)
        is_alive = self._first is self._program and not parameters
        outcome = (self._program.solve if is_alive else self._program.solve_afresh)(text, options, rlimit)
        return replace(outcome, command=())  # it belongs to a Z3, whose release the record has

    def solve_afresh(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        """Decide a script in a new process, or a new context of the library."""
        return self.solve(text, ((SOLVER, self._selected(parameters)), *without_front_end(parameters)), rlimit)

    def _selected(self, parameters: Parameters) -> str:
        return dict(parameters).get(SOLVER, self._first_name)


def without_front_end(parameters: Parameters) -> tuple[tuple[str, str], ...]:
    """Return the parameters of the solver alone."""
    return tuple(pair for pair in parameters if pair[0] != SOLVER)
