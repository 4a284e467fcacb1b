"""A solver under test, as the machine sees it: a class in this process, or a command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.solvers.outcome import Outcome
from chcfuzz.solvers.solver_session import Request
from chcfuzz.tracing.source import Parameters, TraceSource


class Sessions(Protocol):
    """The processes of a solver that stay alive: each answers many requests, in order."""

    @property
    def has_server(self) -> bool:
        """Whether the processes are servers of their own protocol; else they read scripts."""

    def history(self, parameters: Parameters, rlimit: int) -> tuple[Request, ...]:
        """Return the requests so far of the process that would solve a problem under these parameters."""

    def start(self, parameters: Parameters, rlimit: int) -> tuple[str, ...]:
        """Return the command line that starts such a process."""

    def request(self, text: str, parameters: Parameters, rlimit: int) -> Request:
        """Return the request for a problem."""

    def solve_after(self, before: Sequence[Request], text: str, parameters: Parameters, rlimit: int) -> Outcome:
        """Solve a problem in a process that has answered these requests and no other."""


class Solver(Protocol):
    """Decides problems, one at a time. Never raises for what the solver does: every way to end is an `Outcome`.

    A solver derives from this class, or has the same members. The defaults fit a simple solver in this process.
    """

    @property
    def name(self) -> str:
        """The solver's name in messages."""

    @property
    def events(self) -> TraceSource:
        """The source of the traces."""

    @property
    def counts_resources(self) -> bool:
        """Whether limits and costs are resource counts of the solver, which repeat, and not clocks."""
        return False

    @property
    def defaults(self) -> Mapping[str, str]:
        """The defaults of the parameters that have one, by name."""
        return {}

    @property
    def sessions(self) -> Sessions | None:
        """The solver's processes that stay alive; None if every execution starts from scratch."""
        return None

    @property
    def judge(self) -> str:
        """The name in `Verdict.judges` of the engine that this solver belongs to; empty if it judges nothing."""
        return ""

    def transforms_off(self, parameters: Parameters) -> tuple[tuple[str, str], ...] | None:
        """Return these parameters with the preprocessing off that breaks witnesses; None if none is known."""
        return None

    def other_front_ends(self, parameters: Parameters) -> Sequence[tuple[str, Parameters]]:
        """Return the other front ends of the solver that these parameters put under test, each with its parameters."""
        return ()

    def refused(self, problem: BaseProblem) -> str:
        """Return the part of a problem that the solver is known not to read, in words; else nothing."""
        return ""

    def solve(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        """Decide a script of declarations and assertions; unknown parameters are left out, and named in the outcome."""

    def solve_afresh(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        """Decide a script as `solve` does, in a process or a context that has solved nothing before."""
        return self.solve(text, parameters, rlimit)
