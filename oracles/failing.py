"""A clause that a solver finds false under a model: at which values, and who says so besides.

A false alarm costs more than a missed bug. So the solver has to find the clause false as plain SMT-LIB too, and to give
the values: of the clause's variables, and of all that a quantifier says to exist, in the clause and in the model. Our
own evaluator then has the last word wherever it can tell. It cannot where a quantifier over too many values is left,
where it does not read the model, and where the value of a term is left open: nobody may choose that, so Z3 has to find
the clause false whatever it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import z3
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.evaluate import Ground, as_term
from chcfuzz.grammar.parse import parse_definitions
from chcfuzz.grammar.printer import print_term
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import FALSE, Variable, conjunction, implication, negation, substitute
from chcfuzz.grammar.witness import Meanings, plugged
from chcfuzz.oracles import left_open, second_solver
from chcfuzz.oracles.counterexample import completed, meanings, truth, values_of, words
from chcfuzz.oracles.evidence import apart, clause_script, constants, definitions, names, values_script
from chcfuzz.oracles.refutation import Opened, without_exists
from chcfuzz.solvers.model import AnyModel
from chcfuzz.solvers.model_text import model_in, symbols_of
from chcfuzz.solvers.spacer import message
from chcfuzz.solvers.watchdog import Watchdog

EVALUATOR = "our evaluator"

# A solver: its answer to a script with one `check-sat`; if that is sat, values of constants by name (None: unread).
Ask = Callable[[str], tuple[str, "Mapping[str, str] | None"]]


@dataclass(frozen=True)
class Failing:
    """What came out. `answer` is the solver's, to `script`; the rest is there where that is sat.

    `holds` is what our evaluator says of the clause at the values, None where it cannot tell. `open_term` is the
    operator on whose open value it depends whether the clause is false there; empty if on none.
    """

    answer: str
    script: str
    where: str = ""
    holds: bool | None = None
    open_term: str = ""

    def judges(self, solver: str) -> tuple[str, ...]:
        """Who finds the clause false, with the solver that was asked."""
        return (EVALUATOR, solver) if self.holds is False else (solver,)


def look(system: System, model: AnyModel, number: int, ask: Ask, settle: Ask) -> Failing:
    """Ask about clause `number` under the model, and evaluate it at the values that come out.

    `settle` is asked whether it fails at these values whatever is left open.
    """
    script = clause_script(system, model, number)
    answer, named = ask(script)
    if answer != "sat":
        return Failing(answer, script)
    clause = constants(system, model, system.clauses[number])
    values = None if named is None else completed(system, clause.variables, named)
    where = words(values) if values else ""
    read = meanings(system, definitions(system, model))
    if read is None:
        holds, open_terms = None, left_open.in_symbols(system, symbols_of(script))
    else:
        negated = _negated(system, clause, read)
        everything = values if negated.variables == clause.variables else _values(system, negated, ask)
        holds = None if everything is None else truth({}, negated, everything)
        open_terms = left_open.in_terms(*negated.body)
    if holds is not None or not open_terms:
        return Failing(answer, script, where, holds)
    settled = values is not None and _fails_anyway(system, model, clause, values, settle)
    return Failing(answer, script, where, open_term="" if settled else open_terms[0])


def _negated(system: System, clause: Opened, model: Meanings) -> Opened:
    """The clause as the model reads it, without a quantifier that has to hold for some values only."""
    variables = list(clause.variables)
    said = (*clause.body, negation(clause.head))
    body = tuple(without_exists(plugged(member, model), variables) for member in said)
    return apart(Opened(tuple(variables), body, FALSE), names(system))


def _values(system: System, negated: Opened, ask: Ask) -> dict[Variable, Ground] | None:
    answer, named = ask(values_script(system, (), negated.variables, negated.body))
    return completed(system, negated.variables, named) if answer == "sat" and named is not None else None


def _fails_anyway(
    system: System, model: AnyModel, clause: Opened, values: Mapping[Variable, Ground], settle: Ask
) -> bool:
    """Whether no value of what SMT-LIB leaves open makes the clause true at these values of its variables."""
    put_in = {variable: as_term(value, variable.sort) for variable, value in values.items()}
    instance = substitute(implication(conjunction(*clause.body), clause.head), put_in)
    return settle(values_script(system, definitions(system, model), (), [instance]))[0] == "unsat"


def z3_asked(rlimit: int, watchdog: Watchdog) -> Ask:
    """Z3's SMT solver, in a fresh context each time; an error of Z3's is an answer."""

    def ask(script: str) -> tuple[str, Mapping[str, str]]:
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

    return ask


def cvc5_asked(system: System) -> Ask:
    """cvc5, in a process of its own; its values are over the data types of the system."""

    def ask(script: str) -> tuple[str, Mapping[str, str] | None]:
        said = second_solver.output(script)
        answer = next(iter(second_solver.answers_in(said)), "unknown")
        found = model_in(said)
        if answer != "sat" or found is None:
            return answer, None
        try:
            read = parse_definitions(found.definitions, system, "cvc5")
        except ChcfuzzError:
            return answer, None
        return answer, {name: print_term(definition.body) for name, definition in read.items()}

    return ask
