"""Spacer in this process: a fresh context for every execution, the resource limit first, a wall clock behind it.

`FrontEnds` also has the z3 program; the parameter `solver` of a recipe chooses one of them. The two number terms in
different orders, so a bug may show in one of them alone (Z3 issue 7417).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import z3
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.grammar.solver_options import is_allowed
from chcfuzz.solvers.command import Command
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.solver import Sessions
from chcfuzz.solvers.solver_model import Model
from chcfuzz.solvers.solver_names import SOLVER
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_errors import OUT_OF_RESOURCES, message
from chcfuzz.solvers.z3_globals import has_parameter, set_globally
from chcfuzz.solvers.z3_parameters import fixedpoint_parameters, with_transforms_off
from chcfuzz.solvers.z3_program import LIBRARY, NAME
from chcfuzz.tracing.source import EventSource, Parameters, TraceSource

_MEMORY_MEGABYTES = 2048
_MODULE = "fp."
_KINDS = ("bool", "unsigned int", "symbol")  # of symbols, `is_allowed` takes the engine alone
_NOT_OF_SPACER = ("ctrl_c", "rlimit", "timeout")  # the fixedpoint module lists them, a solver refuses them as `fp.*`


class Spacer:
    """Z3's solver for `(set-logic HORN)`; see the module's docstring. One execution at a time."""

    def __init__(self, events: EventSource, watchdog: Watchdog) -> None:
        self._events = events
        self._watchdog = watchdog
        rows = (row for row in fixedpoint_parameters() if row.kind in _KINDS and row.name not in _NOT_OF_SPACER)
        self._kinds = {f"fp.{row.name}": row.kind for row in rows}
        # One limit for the process: Z3 then raises "out of memory" instead of taking the machine along.
        z3.set_param("memory_max_size", _MEMORY_MEGABYTES)

    name = "Spacer"
    counts_resources = True
    judge = "Z3"
    sessions: Sessions | None = None  # each execution has a context of its own

    @property
    def events(self) -> TraceSource:
        """The source of the traces."""
        return self._events

    @property
    def defaults(self) -> dict[str, str]:
        """The defaults of the parameters of the fixedpoint module, by name."""
        return {f"fp.{row.name}": row.default for row in fixedpoint_parameters()}

    def transforms_off(self, parameters: Parameters) -> tuple[tuple[str, str], ...]:
        """Return these parameters with the transforms off of Z3 issue 7319."""
        return with_transforms_off(parameters)

    def other_front_ends(self, _parameters: Parameters) -> Sequence[tuple[str, Parameters]]:
        """Return nothing: only `FrontEnds` has the z3 program."""
        return ()

    def refused(self, _problem: BaseProblem) -> str:
        """Return no reason: Spacer reads every system, and refuses some while it solves them."""
        return ""

    def solve_afresh(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        """Decide a script as `solve` does: every execution has a fresh context."""
        return self.solve(text, parameters, rlimit)

    def solve(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        """Decide a script of declarations and assertions under `fp.*` parameters, and global ones of other modules.

        Never raises for what Z3 does. Parameters that this release does not have, that take a fraction, or whose value
        is not of their kind, are left out, and named.
        """
        values = [(name, self._value(name, text)) for name, text in parameters if name.startswith(_MODULE)]
        others = [pair for pair in parameters if not pair[0].startswith(_MODULE)]
        usable = [(name, value) for name, value in others if is_allowed(name, value) and has_parameter(name)]
        known = [(name, value) for name, value in values if value is not None]
        left_out = tuple(name for name, value in values if value is None)
        start = time.perf_counter()
        with set_globally(usable) as taken:
            left_out += tuple(name for name, _ in others if name not in taken)
            context = z3.Context()
            with self._events.recording(), self._watchdog.guard(context, computes=True):
                status, reason, cost, model = self._check(context, text, known, rlimit)
        seconds = time.perf_counter() - start
        if self._watchdog.interrupted:
            status, reason, model = Status.HANG, "wall clock", None
        return Outcome(status, reason, self._events.read(), cost, seconds, model, left_out)

    def _check(
        self, context: Any, text: str, parameters: Sequence[tuple[str, Any]], rlimit: int
    ) -> tuple[Status, str, int, Model | None]:
        model = None
        try:
            solver = z3.SolverFor("HORN", ctx=context)
        except z3.Z3Exception as error:
            return *_status_of(error), 0, None
        try:
            solver.set("rlimit", rlimit)
            solver.set("ctrl_c", False)  # the signal is for the campaign
            for name, value in (*parameters, *self._events.options()):
                solver.set(name, value)
            solver.from_string(text)
            answer = solver.check()
            if answer == z3.unknown:
                reason = str(solver.reason_unknown())
                status = Status.LIMIT if reason in OUT_OF_RESOURCES else Status.UNKNOWN
            elif answer == z3.unsat:
                status, reason = Status.UNSAT, ""
            else:
                status, reason = Status.SAT, ""
                model = Model(context, solver.assertions(), solver.model())
        except z3.Z3Exception as error:
            status, reason = _status_of(error)
        try:
            return status, reason, _cost(solver), model
        except z3.Z3Exception as error:  # out of memory: the statistics are not available
            return *_status_of(error), 0, None

    def _value(self, name: str, text: str) -> bool | int | str | None:
        """Return a value as Z3's bindings take it, by the kind of its parameter; None if it does not fit."""
        match self._kinds.get(name) if is_allowed(name, text) else None:
            case None:
                return None
            case "bool":
                return {"true": True, "false": False}.get(text)
            case "unsigned int":
                return int(text) if text.isdecimal() and int(text) < 1 << 32 else None
        return text


class FrontEnds(Spacer):
    """Spacer in this process and the z3 program, which solves without the parameter if `is_program_first`."""

    def __init__(self, events: EventSource, watchdog: Watchdog, program: Command, is_program_first: bool) -> None:
        super().__init__(events, watchdog)
        self._program = program
        self._first = NAME if is_program_first else LIBRARY
        if is_program_first:
            self.name, self.sessions, self.counts_resources = program.name, program.sessions, program.counts_resources

    @property
    def events(self) -> TraceSource:
        """The source of the traces of the front end that solves without the parameter."""
        return self._program.events if self._first == NAME else super().events

    def transforms_off(self, parameters: Parameters) -> tuple[tuple[str, str], ...]:
        """Return the parameters with the transforms off, for the same front end."""
        return tuple(sorted(super().transforms_off(parameters)))

    def other_front_ends(self, parameters: Parameters) -> Sequence[tuple[str, Parameters]]:
        """Return the library if the program is under test, else the program."""
        other = LIBRARY if self._selected(parameters) == NAME else NAME
        return ((other, tuple(sorted((*_without_front_end(parameters), (SOLVER, other))))),)

    def solve(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        """Decide a script with the front end that the parameters select; a selected program is a new process."""
        options = _without_front_end(parameters)
        if self._selected(parameters) == LIBRARY:
            return super().solve(text, options, rlimit)
        is_alive = self._first == NAME and not parameters
        outcome = (self._program.solve if is_alive else self._program.solve_afresh)(text, options, rlimit)
        return replace(outcome, command=())  # it belongs to a Z3, whose release the record has

    def solve_afresh(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        """Decide a script in a new process, or a new context of the library."""
        return self.solve(text, ((SOLVER, self._selected(parameters)), *_without_front_end(parameters)), rlimit)

    def _selected(self, parameters: Parameters) -> str:
        return dict(parameters).get(SOLVER, self._first)


def _without_front_end(parameters: Parameters) -> tuple[tuple[str, str], ...]:
    """Return the parameters of the solver alone."""
    return tuple(pair for pair in parameters if pair[0] != SOLVER)


def _status_of(error: z3.Z3Exception) -> tuple[Status, str]:
    reason = message(error)
    return (Status.LIMIT if reason in OUT_OF_RESOURCES else Status.ERROR), reason


def _cost(solver: Any) -> int:
    statistics = solver.statistics()
    for number in range(len(statistics)):  # of a hundred, it is one of the first
        name, value = statistics[number]
        if name == "rlimit count":
            return int(value)
    return 0
