"""From a faulty projection to a CHC system whose answer it makes wrong.

The system has a fact, whose variables are projected, and a query at values of the others. Where the projection is
true without a solution of the formula, the query is unreachable: the system is sat, and a derivation is wrong. Where it
is false in the model, the query is reachable: the system is unsat, and a proof of safety is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping

from chcfuzz.domains.parts.oracles.case import PartCase
from chcfuzz.domains.parts.oracles.contracts import weak_values
from chcfuzz.domains.parts.oracles.results import UnreadError, formula_in, names_in
from chcfuzz.domains.parts.oracles.values import SecondProject
from chcfuzz.domains.parts.question import PartProblem
from chcfuzz.domains.parts.solver import PartSolver
from chcfuzz.execution.solving import DEFAULT_RLIMIT, Solving
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printing.printer import print_problem, print_system, print_term
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.terms import Function, Term
from chcfuzz.solvers.outcome import Status, texts_of
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.solver_statistics import StatisticsSource

PROJECTIONS = ("project", "mbp", "witness")


class NoBridgeError(ChcfuzzError):
    """A question without a system; the message names the reason."""


def system_of(problem: PartProblem) -> str:
    """Return the text of the system of a faulty projection; asks the part again. Raises `NoBridgeError`."""
    if problem.question.part not in PROJECTIONS:
        raise NoBridgeError(f"{problem.question.part} is not a projection; name a question to {', '.join(PROJECTIONS)}")
    if any(function.parameters for function in problem.functions):
        raise NoBridgeError("a formula with functions has no CHC system; replace them with arrays or constants")
    values, status = _query(problem)
    return print_system(parse.parse(_text(problem, values, status), "the system"))


def _query(problem: PartProblem) -> tuple[Mapping[str, Term], str]:
    """Return values of the other variables at which the projection is wrong, and the right answer of the system."""
    solving = Solving(domain="parts")
    solving.activate()
    solver = PartSolver(solving, StatisticsSource("parts"))
    try:
        outcome = solver.solve(_asked(problem), (), DEFAULT_RLIMIT)
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


def _asked(problem: PartProblem) -> str:
    from chcfuzz.domains.parts.question_text import printed

    return printed(problem)


def _text(problem: PartProblem, values: Mapping[str, Term], status: str) -> str:
    rest = [each for each in problem.functions if each not in problem.eliminated]
    predicate = quoted(fresh_name("reached", {*problem.declared_names, *problem.signature}))
    applied = f"({predicate} {' '.join(quoted(each.name) for each in rest)})" if rest else predicate
    at = " ".join(f"(= {quoted(each.name)} {print_term(values[each.name])})" for each in rest)
    declared = print_problem(problem.plain().with_header((), ())).partition("(declare-fun")[0]
    return "\n".join(
        (
            "(set-logic HORN)",
            f"(set-info :status {status})",
            declared.replace("(set-logic ALL)", "").replace("(check-sat)", ""),
            f"(declare-fun {predicate} ({' '.join(str(each.result) for each in rest)}) Bool)",
            f"(assert {_closed(problem.functions, f'(=> {print_term(problem.formula)} {applied})')})",
            f"(assert {_closed(rest, f'(=> (and {applied} {at}) false)')})",
            "(check-sat)",
        )
    )


def _closed(functions: tuple[Function, ...] | list[Function], formula: str) -> str:
    bound = " ".join(f"({quoted(each.name)} {each.result})" for each in functions)
    return f"(forall ({bound}) {formula})" if bound else formula
