"""A clause that a solver finds false under a model: at which values, and who confirms it.

A false alarm costs more than a missed bug. So the solver must find the clause false as plain SMT-LIB too, and give the
values of its variables and of all existential quantifiers in the clause and in the model. Our own evaluator then
decides wherever it can. It cannot decide if a quantifier over too many values remains, if it does not read the model,
or if SMT-LIB leaves the value of a term open. No checker may choose an open value, so Z3 must find the clause false for
all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import z3
from chcfuzz.domains.chc.oracles.counterexample import completed, description, holds, meanings, values_of
from chcfuzz.domains.chc.oracles.evidence import ClauseUnderModel, apart, names, under_model, values_script
from chcfuzz.domains.chc.oracles.refutation import PrenexClause, without_exists
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.evaluation.values import Ground, as_term
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.printing.witness import Meanings, plugged
from chcfuzz.grammar.reading.parse import parse_definitions
from chcfuzz.grammar.substitution import substitute
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import FALSE, Variable, conjunction, implication, negation
from chcfuzz.oracles import left_open, second_solver
from chcfuzz.oracles.verdict import EVALUATOR
from chcfuzz.solvers.model_text import model_in, symbols_of
from chcfuzz.solvers.solver_model import AnyModel
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_errors import message

# A solver's answer to a script with one `check-sat`, and if it is sat, values of constants by name (None: unreadable).
Query = Callable[[str], tuple[str, "Mapping[str, str] | None"]]


@dataclass(frozen=True)
class Failing:
    """The result for one clause: the solver's `answer` to `script`, and details if that is sat.

    `holds` is our evaluator's result for the clause at the values, None if it cannot decide. `open_term` is an
    operator whose open value decides whether the clause is false there, or empty.
    """

    answer: str
    script: str
    where: str = ""
    holds: bool | None = None
    open_term: str = ""

    def judges(self, solver: str) -> tuple[str, ...]:
        """Return who finds the clause false: our evaluator if it does, and the solver of this name."""
        return (EVALUATOR, solver) if self.holds is False else (solver,)


def confirm(system: System, model: AnyModel, number: int, query: Query, settle: Query) -> Failing:
    """Query whether clause `number` is false under the model, and evaluate it at the values found.

    `settle` is queried whether it is false at these values regardless of open values.
    """
    failing = under_model(system, model, number)
    script, clause = failing.script(), failing.clause
    answer, named = query(script)
    if answer != "sat":
        return Failing(answer, script)
    values = None if named is None else completed(system, clause.variables, named)
    where = description(values) if values else ""
    read = meanings(system, failing.definitions)
    if read is None:
        result, open_terms = None, left_open.in_symbols(system, symbols_of(script))
    else:
        negated = _negated(system, clause, read)
        everything = values if negated.variables == clause.variables else _values(system, negated, query)
        result = None if everything is None else holds({}, negated, everything)
        open_terms = left_open.in_terms(*negated.body)
    if result is not None or not open_terms:
        return Failing(answer, script, where, result)
    settled = values is not None and _fails_anyway(failing, values, settle)
    return Failing(answer, script, where, open_term="" if settled else open_terms[0])


def _negated(system: System, clause: PrenexClause, model: Meanings) -> PrenexClause:
    """Return the negation of the clause under the model, with existential quantifiers replaced by variables."""
    variables = list(clause.variables)
    members = (*clause.body, negation(clause.head))
    body = tuple(without_exists(plugged(member, model), variables) for member in members)
    return apart(PrenexClause(tuple(variables), body, FALSE), names(system))


def _values(system: System, negated: PrenexClause, query: Query) -> dict[Variable, Ground] | None:
    answer, named = query(values_script(system, (), negated.variables, negated.body))
    return completed(system, negated.variables, named) if answer == "sat" and named is not None else None


def _fails_anyway(failing: ClauseUnderModel, values: Mapping[Variable, Ground], settle: Query) -> bool:
    """Return whether the clause is false at these values for every choice of the values that SMT-LIB leaves open."""
    clause = failing.clause
    put_in = {variable: as_term(value, variable.sort) for variable, value in values.items()}
    instance = substitute(implication(conjunction(*clause.body), clause.head), put_in)
    return settle(values_script(failing.system, failing.definitions, (), [instance]))[0] == "unsat"


def z3_query(rlimit: int, watchdog: Watchdog) -> Query:
    """Return queries to Z3's SMT solver, in a fresh context each time; an error of Z3 is an answer."""

    def query(script: str) -> tuple[str, Mapping[str, str]]:
        context = z3.Context()
        solver = z3.Solver(ctx=context)
        with watchdog.guard(context):
            try:
                solver.set("rlimit", rlimit)
                solver.from_string(script)
                answer = solver.check()
                return str(answer), values_of(solver.model()) if answer == z3.sat else {}
            except z3.Z3Exception as error:
                return f"an error: {message(error)}", {}

    return query


def cvc5_query(system: System) -> Query:
    """Return queries to cvc5 in a child process; its values are over the data types of the system."""

    def query(script: str) -> tuple[str, Mapping[str, str] | None]:
        printed = second_solver.output(script)
        answer = next(iter(second_solver.answers_in(printed)), "unknown")
        found = model_in(printed)
        if answer != "sat" or found is None:
            return answer, None
        try:
            read = parse_definitions(found.definitions, system, "cvc5")
        except ChcfuzzError:
            return answer, None
        return answer, {name: print_term(definition.body) for name, definition in read.items()}

    return query
