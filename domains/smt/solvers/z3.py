"""Z3 as an SMT solver in this process: a fresh context for every problem, and the watchdog behind its resource limit.

Parameters such as `smt.arith.solver` and `sat.euf` are global in Z3: `Solver.set` knows only those of the solver that
it has, and silently ignores others. They are set before the context is made, as `z3 NAME=VALUE file` does, and
restored afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from decimal import Decimal
from typing import Any

import z3
from chcfuzz.domains.smt.solvers.engine import WALL_CLOCK, Answer, with_own
from chcfuzz.domains.smt.solvers.script import ASSERT, POP, PUSH, Steps, steps_of
from chcfuzz.solvers.model_text import standard
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.solver_names import is_allowed, is_harmless
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_errors import OUT_OF_RESOURCES, message
from chcfuzz.tracing.solver_statistics import Value, merged
from chcfuzz.tracing.source import EventSource, Parameters
from chcfuzz.tracing.trace import Trace

NAME = "z3"
_MEMORY_MEGABYTES = 2048
_NUMBER = re.compile(r"\d+(\.\d+)?")
_WITH_EXPONENT = re.compile(r"\d+(\.\d+)?e[-+]?\d+")
_STATISTIC = re.compile(r":(\S+)\s+(-?\d+(?:\.\d+)?)")


class Z3:
    """Z3 with settings of its own; see the module's docstring. One execution at a time."""

    def __init__(
        self,
        watchdog: Watchdog,
        settings: Sequence[tuple[str, str]] = (),
        name: str = NAME,
        events: EventSource | None = None,
        has_self_checks: bool = False,
    ) -> None:
        """Read the `events` of a traced build too; allow checks of Z3's own results only if `has_self_checks`."""
        self.name = name
        self.version = str(z3.get_version_string())
        self._watchdog = watchdog
        self._settings = tuple(settings)
        self._events = events
        self._is_settable = is_allowed if has_self_checks else is_harmless
        z3.set_param("memory_max_size", _MEMORY_MEGABYTES)

    def solve(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        """Decide a script of declarations and assertions; see `Engine.solve`."""
        wanted = with_own(self._settings, parameters)
        known = [(name, value) for name, value in wanted if self._is_settable(name, value) and has_parameter(name)]
        answer = Answer()
        recording = nullcontext() if self._events is None else self._events.recording()
        with recording, _set_globally(known) as taken:
            answer.left_out = tuple(name for name, _ in wanted if name not in taken)
            context = z3.Context()
            with self._watchdog.guard(context):
                _check(context, text, rlimit, answer)
        if self._watchdog.interrupted:
            answer.ends(Status.HANG, WALL_CLOCK)
        return answer.outcome if self._events is None else _with_events(answer.outcome, self._events.read())


def has_parameter(name: str) -> bool:
    """Return whether this Z3 has a parameter; Z3 itself only warns on the standard error."""
    try:
        z3.get_param(name)
    except z3.Z3Exception:
        return False
    return True


def _with_events(outcome: Outcome, events: Trace) -> Outcome:
    """Return an outcome with the transitions of a traced build among its features."""
    if outcome.status is Status.HANG:
        return outcome
    return replace(outcome, trace=merged({"statistics": outcome.trace, "events": events}))


@contextmanager
def _set_globally(parameters: Sequence[tuple[str, str]]) -> Iterator[frozenset[str]]:
    """Set parameters and restore their values: after `reset_params`, Z3 5.4 may have lost the module `rewriter`.

    The result has the names of those whose value Z3 takes; for others, it only warns on the standard error.
    """
    before = {name: _without_exponent(z3.get_param(name)) for name, _ in parameters}
    for name, value in parameters:
        z3.set_param(name, value)
    try:
        yield frozenset(name for name, value in parameters if _has_taken(name, value, before[name]))
    finally:
        for name, value in before.items():
            z3.set_param(name, value)


def _without_exponent(value: str) -> str:
    """Return a value as Z3 reads it: it prints the number 1e-05, and refuses it."""
    return f"{Decimal(value):f}" if _WITH_EXPONENT.fullmatch(value) else value


def _has_taken(name: str, value: str, before: str) -> bool:
    """Return whether Z3 has taken a value: the parameter has changed, or the value is that of before."""
    has_changed = _without_exponent(z3.get_param(name)) != before
    are_numbers = all(map(_NUMBER.fullmatch, (value, before)))
    return has_changed or value == before or (are_numbers and float(value) == float(before))


def _check(context: Any, text: str, rlimit: int, answer: Answer) -> None:
    solver = z3.Solver(ctx=context)
    steps = steps_of(text)
    try:
        solver.set("rlimit", rlimit)
        solver.set("ctrl_c", False)  # the signal is for the campaign
        formulas = [] if steps is None else _formulas(context, steps)
        if steps is None:
            solver.from_string(text)
    except z3.Z3Exception as error:
        _fails(answer, Status.UNSUPPORTED, error)
        return
    try:
        found = solver.check() if steps is None else _last_check(solver, steps, formulas)
        if found == z3.unsat:
            answer.ends(Status.UNSAT)
        elif found == z3.sat:
            answer.ends(Status.SAT)
            answer.model = standard(solver.model().sexpr())
        else:
            reason = str(solver.reason_unknown())
            answer.ends(Status.LIMIT if reason in OUT_OF_RESOURCES else Status.UNKNOWN, reason)
        answer.statistics = _statistics(context, solver)
        answer.cost = int(answer.statistics.get("rlimit-count", 0))  # type: ignore[arg-type]
    except z3.Z3Exception as error:
        _fails(answer, Status.ERROR, error)


def _formulas(context: Any, steps: Steps) -> list[Any]:
    """Return the asserted formulas of a script; they are read at once, since a reader forgets its declarations.

    A solver reads them, because `parse_smt2_string` has sorts of its own, `List` among them.
    """
    asserted = "\n".join(f"(assert {formula})" for formula in steps.formulas)
    reader = z3.Solver(ctx=context)
    reader.from_string(f"{steps.declarations}\n{asserted}")
    found = list(reader.assertions())
    if len(found) != len(steps.formulas):
        raise z3.Z3Exception(f"{len(found)} of {len(steps.formulas)} assertions are read".encode())
    return found


def _last_check(solver: Any, steps: Steps, formulas: Sequence[Any]) -> Any:
    """Run the steps of a script; return the result of the last check."""
    found, left = z3.unknown, iter(formulas)
    for step in steps.steps:
        if step.kind == ASSERT:
            solver.add(next(left))
        elif step.kind == PUSH:
            solver.push()
        elif step.kind == POP:
            solver.pop()
        else:
            found = solver.check(*(z3.Bool(name.strip("|"), solver.ctx) for name in step.assumptions))
    return found


def _fails(answer: Answer, status: Status, error: z3.Z3Exception) -> None:
    reason = message(error)
    answer.ends(Status.LIMIT if reason in OUT_OF_RESOURCES else status, reason)


def _statistics(context: Any, solver: Any) -> dict[str, Value]:
    """Return the statistics from their text: one call, where each of the single values takes four."""
    text = z3.Z3_stats_to_string(context.ref(), solver.statistics().stats)
    return {name: float(value) if "." in value else int(value) for name, value in _STATISTIC.findall(text)}
