"""cvc5 in this process: a fresh solver and a fresh term manager for every problem.

An internal error of cvc5 aborts the process, so campaigns run it in a child process.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib import metadata
from typing import Any

import cvc5
from chcfuzz.domains.smt.solvers.engine import OUT_OF_MEMORY, Answer, one_line, with_own
from chcfuzz.domains.smt.solvers.lacking import missing
from chcfuzz.domains.smt.solvers.script import CHECK, PUSH, Steps, steps_of
from chcfuzz.grammar.queries import GET, JUDGED, MODEL
from chcfuzz.solvers.model_text import error_text
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.solver_names import is_allowed, is_harmless
from chcfuzz.tracing.solver_statistics import Value
from chcfuzz.tracing.source import Parameters

NAME = "cvc5"
_MOST_RESULT = 1_000_000  # characters
_SETTINGS = (("produce-models", "true"), ("incremental", "false"))  # the latter as the program has for one check
_LIMITS = ("RESOURCEOUT", "TIMEOUT", "MEMOUT", "INTERRUPTED")
_CARDINALITY = re.compile(r"^; cardinality of (\|[^|]*\||\S+) is (\d+)$", re.MULTILINE)
_ELEMENT = re.compile(r"^; rep: \(as (\|[^|]*\||\S+) (\|[^|]*\||[^\s()]+)\)$", re.MULTILINE)
_CONSTANT_ARRAY = "term of kind STORE_ALL"  # needs the expert option `arrays-exp`
_CARDINAL = "--sets-exp"  # the expert option for sizes of sets over finite sorts
_FORMAT = "supported in default mode"  # needs the expert option `fp-exp`
_REFUSALS = {
    _CONSTANT_ARRAY: "no constant arrays",
    _CARDINAL: "no sizes of sets over finite sorts",
    _FORMAT: "no floating-point formats but Float32 and Float64",
}
_UNSUPPORTED = (
    *_REFUSALS.values(),
    "unsupported",
    "not supported",
    "doesn't support",
    "does not support",
    "logic",
    "unimplemented",
    "cannot handle",
    "constant string term in regexp range",
)


class Cvc5:
    """cvc5 with settings of its own."""

    def __init__(
        self, settings: Sequence[tuple[str, str]] = (), name: str = NAME, has_self_checks: bool = False
    ) -> None:
        """Allow options with which cvc5 checks its own results only if `has_self_checks`."""
        self.name = name
        self.version = str(getattr(cvc5, "__version__", metadata.version("cvc5")))
        self._settings = (*_SETTINGS, *settings)
        self._is_settable = is_allowed if has_self_checks else is_harmless

    def solve(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        """Decide a script; see `Engine.solve`. `rlimit` is cvc5's own count, which stops later than Z3's."""
        answer = Answer()
        lacking = missing(text, NAME)
        if lacking:
            answer.ends(Status.UNSUPPORTED, f"no {lacking}")
            return answer.outcome
        solver = fresh_solver()
        answer.left_out = self.set_options(solver, with_own(self._settings, parameters))
        solver.setOption("rlimit", str(rlimit))
        try:
            _run(solver, text, answer)
            answer.statistics = _statistics(solver)
            answer.cost = int(answer.statistics.get("resource::resourceUnitsUsed", 0))  # type: ignore[arg-type]
        except RuntimeError as error:  # cvc5 raises no more specific class
            reason = _in_short(one_line(error))
            answer.ends(Status.UNSUPPORTED if is_refused(reason) else Status.ERROR, reason)
        except MemoryError:
            answer.ends(Status.LIMIT, OUT_OF_MEMORY)
        return answer.outcome

    def set_options(self, solver: Any, parameters: Parameters) -> tuple[str, ...]:
        """Set these options; return the names of those that this cvc5 refuses."""
        refused = []
        for name, value in parameters:
            try:
                if not self._is_settable(name, value):
                    raise RuntimeError(name)
                solver.setOption(name, value)
            except RuntimeError:
                refused.append(name)
        return tuple(refused)


def fresh_solver() -> Any:
    """Return a new solver, also of releases before 1.2, where term managers are missing."""
    return cvc5.Solver(cvc5.TermManager()) if hasattr(cvc5, "TermManager") else cvc5.Solver()


def _in_short(reason: str) -> str:
    """Return the short form of a reason why cvc5 refuses a problem, if there is one."""
    return next((short for part, short in _REFUSALS.items() if part in reason), reason)


def is_refused(reason: str) -> bool:
    """Return whether a message of cvc5 states that it does not support a part of a problem."""
    return any(part.lower() in reason.lower() for part in _UNSUPPORTED)


def _run(solver: Any, text: str, answer: Answer) -> None:
    """Run the declarations and assertions of a script, then check, and run the queries behind that."""
    parser = cvc5.InputParser(solver)
    steps = steps_of(text)
    checks = 1 if steps is None else steps.checks
    results: list[str] = []
    try:
        if steps is not None and (steps.checks > 1 or PUSH in {step.kind for step in steps.steps}):
            solver.setOption("incremental", "true")
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "script")
        symbols = parser.getSymbolManager()
        while (command := parser.nextCommand()) is not None and not command.isNull():
            if command.getCommandName() in ("check-sat", "check-sat-assuming"):
                checks -= 1
                if checks <= 0:
                    break
            elif command.getCommandName().startswith(GET):
                results.append(_result(command, solver, symbols))
                continue
            printed = str(command.invoke(solver, symbols)).strip()
            if printed.startswith("(error"):
                answer.ends(Status.UNSUPPORTED, _in_short(printed))
                return
    except RuntimeError as error:
        answer.ends(Status.UNSUPPORTED, one_line(error))
        return
    found = solver.checkSat() if steps is None else _last_check(solver, steps, symbols)
    answer.results = [*results, *_results(parser, solver, symbols)]
    if found.isSat():
        answer.ends(Status.SAT)
        printed = _model(solver, symbols).strip()[1:-1]  # without its parentheses, which may begin with a comment
        answer.model = f"{_universes(printed)}\n{printed}"
    elif found.isUnsat():
        answer.ends(Status.UNSAT)
    else:
        why = found.getUnknownExplanation().name
        answer.ends(Status.LIMIT if why in _LIMITS else Status.UNKNOWN, why.lower())


def _results(parser: Any, solver: Any, symbols: Any) -> Iterator[str]:
    """Yield the results of the queries behind the last check."""
    try:
        while (command := parser.nextCommand()) is not None and not command.isNull():
            yield _result(command, solver, symbols)
    except RuntimeError as error:  # the rest is not read
        yield error_text(one_line(error))


def _result(command: Any, solver: Any, symbols: Any) -> str:
    """Return the result of a query that is judged, or an error; the model is read elsewhere."""
    if command.getCommandName() == MODEL:
        return ""
    try:
        result = str(command.invoke(solver, symbols)).strip()[:_MOST_RESULT]
    except RuntimeError as error:
        return error_text(one_line(error))
    return result if command.getCommandName() in JUDGED or result.startswith("(error") else ""


def _last_check(solver: Any, steps: Steps, symbols: Any) -> Any:
    """Return the result of the last check of a script."""
    assumptions = [step.formulas for step in steps.steps if step.kind == CHECK][-1]
    if not assumptions:
        return solver.checkSat()
    parser = cvc5.InputParser(solver, symbols)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, " ".join(assumptions), "assumptions")
    return solver.checkSatAssuming(*(parser.nextTerm() for _ in assumptions))


def _model(solver: Any, symbols: Any) -> str:
    if hasattr(symbols, "getDeclaredTerms"):
        return _text(solver.getModel(symbols.getDeclaredSorts(), symbols.getDeclaredTerms()))
    parser = cvc5.InputParser(solver, symbols)  # of a release before 1.1
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, "(get-model)", "model")
    return _text(parser.nextCommand().invoke(solver, symbols))


def _universes(model: str) -> str:
    """Return the elements of uninterpreted sorts as declarations; cvc5 prints them, and their number, as comments."""
    numbers = {sort: int(number) for sort, number in _CARDINALITY.findall(model)}
    found: dict[str, list[str]] = {}
    for name, sort in _ELEMENT.findall(model):
        found.setdefault(sort, []).append(f"(declare-fun {name} () {sort})")
    return "\n".join(line for sort, lines in found.items() if len(lines) == numbers.get(sort) for line in lines)


def _text(printed: object) -> str:
    return printed.decode("utf-8", "replace") if isinstance(printed, bytes) else str(printed)


def _statistics(solver: Any) -> dict[str, Value]:
    """Return the statistics that have changed; a loop over all of them takes longer than most problems."""
    return {name: entry["value"] for name, entry in solver.getStatistics().get(True, False).items()}
