"""From a faulty projection to a CHC system whose answer it makes wrong.

Where the projection is true without a solution of the formula, the query of the system is unreachable: it is sat, and a
derivation is wrong. Where it is false in the model, the query is reachable: the system is unsat, and a proof of safety
is wrong. The search prefers a form of the system that Spacer answers wrongly under default parameters.
"""

from __future__ import annotations

from collections.abc import Mapping

from chcfuzz.domains.chc.generation.projecting_rule import FORMS, ProjectingRule
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
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.terms import Term
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
    model = dict(problem.question.model)
    rule = ProjectingRule(problem, problem.eliminated, model)
    forms = [print_system(rule.system(values, status, form)) for form in FORMS]
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
