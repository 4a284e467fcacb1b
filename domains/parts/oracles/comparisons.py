"""Comparisons of a result with the formula of its question, at values at which both are computed or refuted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chcfuzz.domains.parts.oracles.part_case import NEIGHBOURS, PartCase
from chcfuzz.domains.parts.oracles.part_results import names_in
from chcfuzz.domains.parts.oracles.violating_values import Values, at_values, neighbours
from chcfuzz.domains.parts.oracles.violation_scripts import Stated, values_script
from chcfuzz.domains.parts.oracles.violations import PartFault, Violation
from chcfuzz.grammar.terms import Term, negation
from chcfuzz.oracles.verdict import EVALUATOR

_QUERIES = 4  # to a solver, for a result
_TWO_PROJECTS = (EVALUATOR, "Z3", "cvc5")


def false_in_model(case: PartCase, found: Term) -> PartFault | None:
    """Return the fault of a result that is false in the model of the question."""
    if case.in_model.truth(found) is not False:
        return None
    claims = [Stated("the formula is true", "sat", case.problem.formula), Stated("the result is false", "unsat", found)]
    shown = values_script(case.problem, "The result is false in the model of the question.", case.model, claims)
    return PartFault(Violation.FALSE, "the formula is true in it", shown, (EVALUATOR,))


def too_weak(case: PartCase, found: Term) -> PartFault | None:
    """Return the fault of a result that is true at values of the rest without a solution of the formula."""
    rest = weak_values(case, found)
    if rest is None:
        return None
    formula = case.problem.formula
    claims = [Stated("the result is true", "sat", found), Stated("the formula has no solution", "unsat", formula)]
    shown = values_script(case.problem, "The result is true where the formula has no solution.", rest, claims)
    if case.solvers.answers_of_cvc5(shown)[1:] != ("unsat",):
        return None
    return PartFault(Violation.WEAK, "two solvers find no solution", shown, _TWO_PROJECTS)


def weak_values(case: PartCase, found: Term) -> Values | None:
    """Return values of the rest at which a result is true and Z3 finds the formula unsatisfiable; None without any.

    At the values of a query, the result is true. The formula is false there with each solution that was found before:
    a solution gives values to the eliminated constants. Without an answer of Z3, and after the last query, neighbours
    of the model are tried.
    """
    gone = [each for each in case.problem.eliminated if each.name not in names_in(found)]
    solutions = [case.model]
    for _ in range(_QUERIES):
        fixed = ({each.name: values[each.name] for each in gone if each.name in values} for values in solutions)
        differing = case.problem.plain(found, *(negation(at_values(case.problem.formula, each)) for each in fixed))
        answer, model = case.solvers.answer(differing)
        if answer != "sat":
            return None if answer == "unsat" else _weak_neighbour(case, found)
        rest = _rest_of(case, {**case.model, **model})
        if case.at({**case.model, **rest}).truth(found) is not True:
            return _weak_neighbour(case, found)
        instance = case.problem.plain(at_values(case.problem.formula, rest))
        answer, model = case.solvers.answer(instance)
        if answer != "sat":
            return rest if answer == "unsat" else None
        solutions.append(model)
    return _weak_neighbour(case, found)


def _rest_of(case: PartCase, values: Values) -> Values:
    return {function.name: values[function.name] for function in case.rest}


def _weak_neighbour(case: PartCase, found: Term) -> Values | None:
    tried: list[Values] = []
    for values in _weak_candidates(case, found):
        rest = _rest_of(case, values)
        if rest in tried:
            continue
        if case.solvers.is_unsat(case.problem.plain(at_values(case.problem.formula, rest))):
            return rest
        tried.append(rest)
        if len(tried) == _QUERIES:
            return None
    return None


def _weak_candidates(case: PartCase, found: Term) -> Iterator[Values]:
    """Yield values at which a result is true, and the formula is not with the eliminated values of the model."""
    left = tuple(each for each in case.problem.eliminated if each.name in names_in(found))
    for values in neighbours(case.problem, (*case.rest, *left), NEIGHBOURS):
        judgement = case.at(values)
        if judgement.truth(found) is True and judgement.truth(case.problem.formula) is not True:
            yield values


def too_strong(case: PartCase, found: Term) -> PartFault | None:
    """Return the fault of a result that is false at values at which the formula is true."""
    formula = case.problem.formula
    for values in (case.model, *neighbours(case.problem, case.problem.functions, NEIGHBOURS)):
        judgement = case.at(values)
        if judgement.truth(formula) is True and judgement.truth(found) is False:
            claims = [Stated("the formula is true", "sat", formula), Stated("the result is false", "unsat", found)]
            shown = values_script(case.problem, "The result is false where the formula is true.", values, claims)
            return PartFault(Violation.DIFFERENT, "at values of its constants", shown, (EVALUATOR,))
    return None


def too_strong_for_all(case: PartCase, found: Term) -> PartFault | None:
    """Return the fault of a result without a solution for its variables, at values at which the formula has one."""
    formula, queries = case.problem.formula, 0
    for values in known_values(case):
        judgement = case.at(values)
        if judgement.truth(formula) is not True or judgement.truth(found) is not False or queries == _QUERIES:
            continue
        queries += 1
        rest = {function.name: values[function.name] for function in case.rest}
        if case.solvers.is_unsat(case.problem.plain(at_values(found, rest))):
            claims = [
                Stated("the formula has a solution", "sat", at_values(formula, values)),
                Stated("the result has none", "unsat", found),
            ]
            shown = values_script(case.problem, "The result has no solution where the formula has one.", rest, claims)
            if case.solvers.answers_of_cvc5(shown)[1:] == ("unsat",):
                return PartFault(Violation.DIFFERENT, "two solvers find no solution", shown, _TWO_PROJECTS)
    return None


def models_with(case: PartCase, more: Term) -> Iterator[Values]:
    """Yield values that may be a model of the formula and of another one."""
    yield from known_values(case)
    found = case.solvers.model(case.problem.plain(*case.problem.formulas, more))
    if found is not None:
        yield found


def known_values(case: PartCase) -> Sequence[Values]:
    """Return the model of the question, and neighbours of it."""
    return (case.model, *neighbours(case.problem, case.problem.functions, NEIGHBOURS))
