"""Z3 as an SMT solver in this process: a fresh context for every problem, and the watchdog behind its resource limit.

A script is solved by the solver that Z3's command makes for its logic; parameters are global (`solvers.z3_globals`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import z3
from chcfuzz.domains.smt.solvers.engine import WALL_CLOCK, Answer, with_own
from chcfuzz.domains.smt.solvers.lacking import has_other_words, in_our_words, in_own_words, missing
from chcfuzz.domains.smt.solvers.script import logic_of, options_of, steps_of, without_queries
from chcfuzz.domains.smt.solvers.z3_steps import Z3Steps, formulas_of
from chcfuzz.grammar.form import ALL
from chcfuzz.solvers.model_text import standard
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.solver_names import is_allowed, is_harmless
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_errors import OUT_OF_RESOURCES, message
from chcfuzz.solvers.z3_globals import has_parameter, set_globally
from chcfuzz.tracing.solver_statistics import Value, merged
from chcfuzz.tracing.source import EventSource, Parameters
from chcfuzz.tracing.trace import Trace

NAME = "z3"
_MEMORY_MEGABYTES = 2048
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
        lacking = missing(text, NAME) or _missing_from_old_releases(text)
        if lacking:
            answer.ends(Status.UNSUPPORTED, f"no {lacking}")
            return answer.outcome
        recording = nullcontext() if self._events is None else self._events.recording()
        with recording, set_globally(known) as taken:
            answer.left_out = tuple(name for name, _ in wanted if name not in taken)
            context = z3.Context(proof=True) if _has(text, "produce-proofs") else z3.Context()
            with self._watchdog.guard(context):
                _check(context, in_own_words(text, NAME), rlimit, answer)
        if self._watchdog.interrupted:
            answer.ends(Status.HANG, WALL_CLOCK)
        return answer.outcome if self._events is None else _with_events(answer.outcome, self._events.read())


def _missing_from_old_releases(text: str) -> str:
    """Return the theory that Z3 has since 5.0 alone, if a script has it."""
    return "sets" if z3.get_version() < (5,) and has_other_words(text, NAME) else ""


def _with_events(outcome: Outcome, events: Trace) -> Outcome:
    """Return an outcome with the transitions of a traced build among its features."""
    if outcome.status is Status.HANG:
        return outcome
    return replace(outcome, trace=merged({"statistics": outcome.trace, "events": events}))


def _check(context: Any, text: str, rlimit: int, answer: Answer) -> None:
    steps = steps_of(text)
    solver = _solver(context, text)
    try:
        solver.set("rlimit", rlimit)
        solver.set("ctrl_c", False)  # the signal is for the campaign
        if _has(text, "produce-unsat-cores"):
            solver.set("unsat_core", True)
        formulas = [] if steps is None else formulas_of(context, steps)
        if steps is None:
            solver.from_string(without_queries(text))
    except z3.Z3Exception as error:
        _fails(answer, Status.UNSUPPORTED, error)
        return
    try:
        if steps is None:
            found = solver.check()
        else:
            running = Z3Steps(solver, _has(text, "produce-unsat-cores"))
            running.run(steps, formulas)
            found, answer.results = running.found, running.results
        if found == z3.unsat:
            answer.ends(Status.UNSAT)
        elif found == z3.sat:
            answer.ends(Status.SAT)
            answer.model = in_our_words(standard(solver.model().sexpr()), NAME)
        else:
            reason = str(solver.reason_unknown())
            answer.ends(Status.LIMIT if reason in OUT_OF_RESOURCES else Status.UNKNOWN, reason)
        answer.statistics = _statistics(context, solver)
        answer.cost = int(answer.statistics.get("rlimit-count", 0))  # type: ignore[arg-type]
    except z3.Z3Exception as error:
        _fails(answer, Status.ERROR, error)


def _has(text: str, option: str) -> bool:
    return options_of(text).get(option) == "true"


def _solver(context: Any, text: str) -> Any:
    """Return the solver that Z3's command makes for the logic of a script; it ignores a logic that it does not know."""
    logic = logic_of(text)
    try:
        return z3.Solver(ctx=context) if logic in (None, ALL) else z3.SolverFor(logic, ctx=context)
    except z3.Z3Exception:
        return z3.Solver(ctx=context)


def _fails(answer: Answer, status: Status, error: z3.Z3Exception) -> None:
    reason = message(error)
    answer.ends(Status.LIMIT if reason in OUT_OF_RESOURCES else status, reason)


def _statistics(context: Any, solver: Any) -> dict[str, Value]:
    """Return the statistics from their text: one call, where each of the single values takes four."""
    text = z3.Z3_stats_to_string(context.ref(), solver.statistics().stats)
    return {name: float(value) if "." in value else int(value) for name, value in _STATISTIC.findall(text)}
