"""The contracts of parts that search: eliminations by qsat, consequences, cubes, and covers of Spacer."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from chcfuzz.domains.parts.oracles.answers import decided, refuted
from chcfuzz.domains.parts.oracles.comparisons import models_with, too_strong, too_weak
from chcfuzz.domains.parts.oracles.part_case import NEIGHBOURS, PartCase
from chcfuzz.domains.parts.oracles.part_results import UnreadError, formula_in, names_in
from chcfuzz.domains.parts.oracles.violating_values import at_values, neighbours
from chcfuzz.domains.parts.oracles.violation_scripts import Stated, refuting_script, values_script
from chcfuzz.domains.parts.oracles.violations import PartFault, Violation
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.sorts import BOOL
from chcfuzz.grammar.terms import Call, Term, apply, disjunction, negation
from chcfuzz.oracles.verdict import EVALUATOR

_INSTANCES = 6  # of a formula under a universal quantifier
_TWO = ("Z3", "cvc5")


def qsat(case: PartCase) -> PartFault | None:
    """Judge an answer about the formula with its variables bound by a quantifier."""
    if dict(case.problem.question.options).get("bound") != "forall":
        return decided(case)
    if case.texts[0] == "sat":
        return _has_no_state(case)
    return _has_state(case) if case.texts[0] == "unsat" else None


def _has_no_state(case: PartCase) -> PartFault | None:
    """Return the fault of an answer sat to a universal formula whose instances are unsatisfiable together."""
    names = [each.name for each in case.problem.eliminated]
    values = [case.model, *neighbours(case.problem, case.problem.eliminated, _INSTANCES)]
    instances = [
        at_values(case.problem.formula, {name: each[name] for name in names if name in each}) for each in values
    ]
    problem = case.problem.plain(*dict.fromkeys(instances))
    shown = refuting_script(case.problem, "Instances of the formula that is true for all values", problem.formulas)
    if not case.solvers.is_unsat(problem) or case.solvers.answers_of_cvc5(shown) != ("unsat",):
        return None
    return PartFault(Violation.SAT, "two solvers refute instances", shown, _TWO)


def _has_state(case: PartCase) -> PartFault | None:
    """Return the fault of an answer unsat to a universal formula that is true at some values of the rest."""
    against = negation(case.problem.formula)
    for values in islice((case.model, *neighbours(case.problem, case.rest, NEIGHBOURS)), _INSTANCES):
        rest = {each.name: values[each.name] for each in case.rest if each.name in values}
        if len(rest) < len(case.rest) or not case.solvers.is_unsat(case.problem.plain(at_values(against, rest))):
            continue
        claims = [Stated("the formula is false for some values", "unsat", against)]
        shown = values_script(case.problem, "The formula is true for all values of the variables.", rest, claims)
        if case.solvers.answers_of_cvc5(shown) == ("unsat",):
            return PartFault(Violation.UNSAT, "two solvers prove it at values of the rest", shown, _TWO)
    return None


def consequences(case: PartCase) -> PartFault | None:
    """Judge the literals that fix variables: the formula implies each, and they fix each variable that it fixes."""
    if case.texts[0] == "unsat":
        return refuted(case)
    if case.texts[0] != "sat":
        return None
    found = [formula_in(case.problem, text) for text in case.texts[1:]]
    for each in found:
        fault = each if isinstance(each, PartFault) else _not_implied(case, each)
        if fault is not None:
            return fault
    fixed = {name for each in found if isinstance(each, Term) for name in names_in(each)}
    return _missing(case, fixed)


def _not_implied(case: PartCase, literal: Term) -> PartFault | None:
    """Return the fault of a literal that is false in a model of the formula."""
    formula = case.problem.formula
    for values in models_with(case, negation(literal)):
        if case.at(values).truth(formula) is True and case.at(values).truth(literal) is False:
            claims = [
                Stated("the formula is true", "sat", formula),
                Stated("the consequence is false", "unsat", literal),
            ]
            shown = values_script(case.problem, "A model in which a consequence is false.", values, claims)
            return PartFault(Violation.NOT_CONSEQUENCE, f"`{print_term(literal)[:80]}`", shown, (EVALUATOR,))
    return None


def _missing(case: PartCase, fixed: set[str]) -> PartFault | None:
    """Return the fault of a Boolean without a consequence, if two solvers find that it has one value in all models."""
    for function in case.problem.eliminated if case.model else ():
        if function.result is not BOOL or function.name in fixed:
            continue
        other = apply("=", Call(function), negation(case.model[function.name]))
        problem = case.problem.plain(*case.problem.formulas, other)
        if not case.solvers.is_unsat(problem):
            continue
        shown = refuting_script(case.problem, f"{function.name} has one value in all models", problem.formulas)
        if case.solvers.answers_of_cvc5(shown) == ("unsat",):
            return PartFault(Violation.MISSING, f"`{function.name}`", shown, _TWO)
    return None


def cubes(case: PartCase) -> PartFault | None:
    """Judge cubes: one of them is true in each model of the formula."""
    found = [formula_in(case.problem, text) for text in case.texts]
    whole = disjunction(*(each for each in found if isinstance(each, Term)))
    if any(isinstance(each, PartFault) for each in found):
        raise UnreadError("a cube has symbols of the solver's own")
    formula = case.problem.formula
    for values in models_with(case, negation(whole)):
        if case.at(values).truth(formula) is True and case.at(values).truth(whole) is False:
            claims = [Stated("the formula is true", "sat", formula), Stated("a cube is true", "unsat", whole)]
            shown = values_script(case.problem, "A model of the formula outside of all cubes.", values, claims)
            return PartFault(Violation.CUBES, f"{len(found)} cubes", shown, (EVALUATOR,))
    return None


def cover(case: PartCase) -> PartFault | None:
    """Judge Spacer's answer about a rule, its cover and the states that it has reached.

    The rule derives each state at which its body has a solution: the cover has them all, and no other one is reached.
    """
    return (
        _unreached(case)
        or _about_states(case, case.texts[1], too_strong)
        or _about_states(case, case.texts[2], too_weak)
    )


def _unreached(case: PartCase) -> PartFault | None:
    """Return the fault of an answer unsat where the rule derives a state of the query."""
    if case.texts[0] != "unsat":
        return None
    formula = case.problem.formula
    query = negation(at_values(formula, {each.name: case.model[each.name] for each in case.problem.eliminated}))
    for values in models_with(case, query):
        if case.at(values).truth(formula) is True and case.at(values).truth(query) is True:
            claims = [
                Stated("the rule derives the state", "sat", formula),
                Stated("the state is in the query", "sat", query),
            ]
            shown = values_script(case.problem, "A state of the query that the rule derives.", values, claims)
            return PartFault(Violation.UNSAT, "the rule derives a state of the query", shown, (EVALUATOR,))
    return None


def _about_states(case: PartCase, text: str, judge: Callable[[PartCase, Term], PartFault | None]) -> PartFault | None:
    found = formula_in(case.problem, text)
    return found if isinstance(found, PartFault) else judge(case, found)
