"""Bitwuzla in this process: a fresh term manager and fresh options for every problem.

Bitwuzla does not count resources. It calls its terminator at regular steps of the search, and the number of these
calls repeats, so it is the limit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import bitwuzla
from chcfuzz.domains.smt.solvers.bitwuzla_steps import BitwuzlaSteps
from chcfuzz.domains.smt.solvers.engine import OUT_OF_MEMORY, Answer, one_line, with_own
from chcfuzz.domains.smt.solvers.lacking import missing
from chcfuzz.domains.smt.solvers.script import steps_of, without_queries
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.solver_names import is_allowed, is_harmless
from chcfuzz.tracing.solver_statistics import Value
from chcfuzz.tracing.source import Parameters

NAME = "bitwuzla"
_VARIABLE = re.compile(r"@bzla\.var_\d+")
# Bars and quotation marks hide words; Bitwuzla's own messages on these theories name the first word that it does not
# know, for example "expected command".
_WORDS = re.compile(
    r'\|[^|]*\||"[^"]*"|(?<![^\s()])'
    r"(declare-datatypes?|define-funs?-rec|Int|Real|String|RegLan|Seq|fp\.to_real|[<>]=?|[-+*/])(?![^\s()])"
)
_REC = "recursive functions"
_LACKING = {"define-fun-rec": _REC, "define-funs-rec": _REC, "declare-datatypes": "datatypes",
            "declare-datatype": "datatypes", "Int": "integers", "Real": "reals",
            "fp.to_real": "reals", "String": "strings", "RegLan": "strings", "Seq": "sequences"}  # fmt: skip
_FRACTION = re.compile(r"(\(\(_ to_fp \d+ \d+\) \S+ )\(/ \d+\.0 \d+\.0\)")  # the only real numbers that it reads
_FORMAT = "experimental floating-point format"
_ARITHMETIC = "arithmetic"  # without a sort of numbers in the text, for example `(< 1 2)`
UNITS_OF_A_CALL = 100  # of `rlimit`, so that its default allows 10,000 calls


class Bitwuzla:
    """Bitwuzla with settings of its own."""

    def __init__(
        self, settings: Sequence[tuple[str, str]] = (), name: str = NAME, has_self_checks: bool = False
    ) -> None:
        """Allow options with which Bitwuzla checks its own results only if `has_self_checks`."""
        self.name = name
        self.version = str(bitwuzla.version())
        self._settings = tuple(settings)
        self._is_settable = is_allowed if has_self_checks else is_harmless

    def solve(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        """Decide a script; see `Engine.solve`."""
        answer = Answer()
        missing = lacking(text)
        if missing:
            answer.ends(Status.UNSUPPORTED, f"no {missing}")
            return answer.outcome
        options = bitwuzla.Options()
        options.set(bitwuzla.Option.PRODUCE_MODELS, True)
        answer.left_out = refused_options(options, with_own(self._settings, parameters), self._is_settable)
        terminator = Terminator(rlimit // UNITS_OF_A_CALL)
        try:
            _run(text, options, terminator, answer)
        except MemoryError:
            answer.ends(Status.LIMIT, OUT_OF_MEMORY)
        answer.cost = terminator.calls * UNITS_OF_A_CALL
        return answer.outcome


def lacking(text: str) -> str:
    """Return the first theory of a script that Bitwuzla does not have; empty if it may read the script."""
    words = _WORDS.finditer(_FRACTION.sub(r"\1", text) if "to_fp" in text else text)
    found = next((_LACKING.get(found[1], _ARITHMETIC) for found in words if found[1]), "")
    return found or missing(text, NAME)


def refused_options(options: Any, parameters: Parameters, is_settable: Callable[[str, str], bool]) -> tuple[str, ...]:
    """Set these options; return the names of those that this Bitwuzla refuses."""
    refused = []
    for name, value in parameters:
        try:
            if not is_settable(name, value):
                raise ValueError(name)
            options.set(name, {"true": True, "false": False}.get(value, int(value) if value.isdecimal() else value))
        except (ValueError, TypeError, bitwuzla.BitwuzlaException):
            refused.append(name)
    return tuple(refused)


class Terminator:
    """A callback that stops the search after a number of calls."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.calls = 0

    def __call__(self) -> bool:
        """Count a call, and return whether the search has to stop."""
        self.calls += 1
        return self.calls > self._most

    @property
    def has_stopped(self) -> bool:
        """Whether the limit is reached."""
        return self.calls > self._most


def _run(text: str, options: Any, terminator: Terminator, answer: Answer) -> None:
    """Read the declarations and assertions of a script, then check."""
    try:
        parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
        steps = steps_of(text)
        parser.parse(without_queries(text) if steps is None else steps.declarations, True, False)
        formulas = [] if steps is None else [parser.parse_term(formula) for formula in steps.formulas]
    except bitwuzla.BitwuzlaException as error:
        answer.ends(Status.UNSUPPORTED, _refusal(one_line(error)))
        return
    try:
        solver = parser.bitwuzla()
        solver.configure_terminator(terminator)
        if steps is None:
            found = solver.check_sat()
        else:
            running = BitwuzlaSteps(solver)
            running.run(steps, formulas)
            found, answer.results = running.found, running.results
        _answer(parser, solver, terminator, answer, found)
    except bitwuzla.BitwuzlaException as error:
        reason = one_line(error)
        answer.ends(Status.UNSUPPORTED if "support" in reason else Status.ERROR, _refusal(reason))


def _refusal(reason: str) -> str:
    """Return a message of Bitwuzla; that on formats is long, and names an option of its build."""
    return "no floating-point formats but the standard ones" if _FORMAT in reason else reason


def _answer(parser: Any, solver: Any, terminator: Terminator, answer: Answer, found: Any) -> None:
    """Collect the answer of a check, its model and its statistics."""
    if found == bitwuzla.Result.SAT:
        answer.ends(Status.SAT)
        answer.model = model_of(parser, solver)
    elif found == bitwuzla.Result.UNSAT:
        answer.ends(Status.UNSAT)
    elif terminator.has_stopped:
        answer.ends(Status.LIMIT, "the limit of calls is reached")
    else:
        answer.ends(Status.UNKNOWN)
    answer.statistics = statistics_of(solver)


def statistics_of(solver: Any) -> dict[str, Value]:
    """Return the statistics of a solver, with numbers where they are numbers."""
    return {name: _value(value) for name, value in solver.statistics().items()}


def model_of(parser: Any, solver: Any) -> str:
    """Return the model of a solver, whose problem the parser has read, as `define-fun`s."""
    return "\n".join(_definition(solver, function) for function in parser.get_declared_funs())


def _definition(solver: Any, function: Any) -> str:
    """Return a function of the model as `define-fun`; Bitwuzla prints its value as nested lambdas."""
    body, sort = solver.get_value(function), function.sort()
    if not sort.is_fun():
        return f"(define-fun {function} () {sort} {body})"
    names: dict[str, str] = {}  # the printed names are numbers of terms
    parameters = []
    for domain in sort.fun_domain():
        variable, body = body.children()
        names[str(variable)] = f"x!{len(names)}"
        parameters.append(f"({names[str(variable)]} {domain})")
    value = _VARIABLE.sub(lambda found: names.get(found[0], found[0]), str(body))
    return f"(define-fun {function} ({' '.join(parameters)}) {sort.fun_codomain()} {value})"


def _value(text: str) -> Value:
    """Return a number, or the text of a time."""
    try:
        return int(text)
    except ValueError:
        return text
