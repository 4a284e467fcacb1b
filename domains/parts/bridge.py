"""From a faulty projection to a CHC system whose answer it makes wrong.

The system has a rule, whose variables are projected, and a query at values of the others. Where the projection is
true without a solution of the formula, the query is unreachable: the system is sat, and a derivation is wrong. Where it
is false in the model, the query is reachable: the system is unsat, and a proof of safety is wrong.

Preprocessing solves a single rule without a projection, so the search tries several forms of the system, and prefers
one that Spacer answers wrongly under default parameters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from chcfuzz.domains.parts.assignments import some_value
from chcfuzz.domains.parts.oracles.comparisons import weak_values
from chcfuzz.domains.parts.oracles.part_case import PartCase
from chcfuzz.domains.parts.oracles.part_results import UnreadError, formula_in, names_in
from chcfuzz.domains.parts.oracles.violating_values import SecondProject
from chcfuzz.domains.parts.part_solver import PartSolver
from chcfuzz.domains.parts.question import PartProblem
from chcfuzz.domains.parts.question_text import printed
from chcfuzz.domains.parts.solvers.calls import CallError
from chcfuzz.domains.parts.solvers.kept_z3 import CommandDeathError, KeptZ3
from chcfuzz.execution.solving import DEFAULT_RLIMIT, Solving
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printing.printer import print_datatypes, print_system, print_term
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.terms import Function, Term
from chcfuzz.solvers.outcome import Status, texts_of
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_release import active
from chcfuzz.tracing.solver_statistics import StatisticsSource

_OPPOSITE = {"sat": "unsat", "unsat": "sat"}
_SECONDS = 10.0  # for each form
PROJECTIONS = ("project", "mbp", "witness")


class NoBridgeError(ChcfuzzError):
    """A question without a system; the message names the reason."""


def system_of(problem: PartProblem) -> str:
    """Return the text of the system of a faulty projection, after a comment with the answer of Z3's command.

    Runs the part again. Raises `NoBridgeError`.
    """
    if problem.question.part not in PROJECTIONS:
        raise NoBridgeError(f"{problem.question.part} is not a projection; name a question to {', '.join(PROJECTIONS)}")
    if any(function.parameters for function in problem.functions):
        raise NoBridgeError("a formula with functions has no CHC system; replace them with arrays or constants")
    solving = Solving(domain="parts")
    solving.activate()
    values, status = _query(problem, solving)
    forms = [system_in(problem, values, status, form) for form in FORMS]
    wrong = next((text for text in forms if _answer(text) == _OPPOSITE[status]), "")
    if wrong:
        return f"; z3 {active().version} answers {_OPPOSITE[status]}, which is wrong: the answer is {status}\n{wrong}"
    return f"; z3 {active().version} answers none of {len(FORMS)} forms of this system wrongly\n{forms[0]}"


def _answer(system: str) -> str:
    """Return the answer of z3's command to a system; empty without one."""
    executable = active().executable
    command = KeptZ3("" if executable is None else str(executable), _SECONDS)
    try:
        return command.output(system, DEFAULT_RLIMIT)[0]
    except (CallError, CommandDeathError, IndexError):
        return ""
    finally:
        command.close()


def _query(problem: PartProblem, solving: Solving) -> tuple[Mapping[str, Term], str]:
    """Return values of the other variables at which the projection is wrong, and the right answer of the system."""
    solver = PartSolver(solving, StatisticsSource("parts"))
    try:
        outcome = solver.solve(printed(problem), (), DEFAULT_RLIMIT)
    finally:
        solver.close()
    if outcome.status is not Status.RESULT:
        raise NoBridgeError(f"the part answers {outcome.status.value}; only a wrong projection has a system")
    case = PartCase(problem, texts_of(outcome), SecondProject(Watchdog(solving.wall_seconds)))
    try:
        found = formula_in(problem, case.texts[0])
    except UnreadError as error:
        raise NoBridgeError(f"the projection is not read: {error}") from error
    if not isinstance(found, Term) or names_in(found) & {function.name for function in problem.eliminated}:
        raise NoBridgeError("the projection is not a formula over the other variables")
    if case.in_model.truth(found) is False:
        return case.model, "unsat"
    values = weak_values(case, found)
    if values is None:
        raise NoBridgeError("no values are found at which the projection is wrong")
    return values, "sat"


@dataclass(frozen=True)
class SystemForm:
    """A form of a system: rules for the eliminated variables, another state before that of the query, a second rule.

    Spacer projects when it derives a state. The one before the query's is that of the model, or any state, so the
    formula that it keeps for this state answers for that of the query, too. A second rule stops inlining.
    """

    has_source: bool
    has_any_state: bool
    has_second_rule: bool


FORMS = tuple(SystemForm(*switches) for switches in product((False, True), repeat=3))


def system_in(problem: PartProblem, values: Mapping[str, Term], status: str, form: SystemForm) -> str:
    """Return the text of a system in a form."""
    gone, rest = problem.eliminated, [each for each in problem.functions if each not in problem.eliminated]
    taken = {*problem.declared_names, *problem.signature}
    reached, source, tag = (fresh_name(name, taken) for name in ("reached", "source", "n"))
    model = dict(problem.question.model)

    def state(number: str, texts: Sequence[str]) -> str:
        return _applied(reached, [number, *texts])

    wrong = [print_term(values[each.name]) for each in rest]
    known = [print_term(model[each.name]) for each in rest]
    body = [print_term(problem.formula)]
    lines = [f"(declare-fun {reached} ({' '.join(('Int', _sorts(rest)))}) Bool)"]
    if form.has_source:
        first = _applied(source, [print_term(some_value(each.result) or model[each.name]) for each in gone])
        body.insert(0, _applied(source, _names(gone)))
        lines += [
            f"(declare-fun {source} ({_sorts(gone)}) Bool)",
            f"(assert (forall (({tag} Int)) (=> (> {tag} 0) {first})))",
            f"(assert {_closed(gone, f'(=> {first} {body[0]})')})",
        ]
    rule = f"(=> (and {' '.join(body)}) {state('0', _names(rest))})"
    lines.append(f"(assert {_closed(problem.functions, rule)})")
    if form.has_second_rule:
        lines.append(f"(assert (forall (({tag} Int)) (=> (> {tag} 0) {state(tag, wrong)})))")
    before = state("0", _names(rest) if form.has_any_state else known)
    query = f"(=> (and {before} {state('0', wrong)}) false)"
    lines += [f"(assert {_closed(rest, query)})", "(check-sat)"]
    declared = "".join(map(print_datatypes, problem.datatypes))
    text = "\n".join(["(set-logic HORN)", f"(set-info :status {status})", declared, *lines])
    return print_system(parse.parse(text, "the system"))


def _names(functions: Sequence[Function]) -> list[str]:
    return [quoted(function.name) for function in functions]


def _sorts(functions: Sequence[Function]) -> str:
    return " ".join(str(function.result) for function in functions)


def _applied(predicate: str, arguments: Sequence[str]) -> str:
    return f"({predicate} {' '.join(arguments)})" if arguments else predicate


def _closed(functions: Sequence[Function], formula: str) -> str:
    bound = " ".join(f"({quoted(each.name)} {each.result})" for each in functions)
    return f"(forall ({bound}) {formula})" if bound else formula
