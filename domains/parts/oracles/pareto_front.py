"""The contract of Pareto fronts: no known model is better than a point, and each is at most as good as some point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from chcfuzz.domains.parts.oracles.answers import answered, refuted
from chcfuzz.domains.parts.oracles.comparisons import known_values
from chcfuzz.domains.parts.oracles.part_case import PartCase
from chcfuzz.domains.parts.oracles.violating_values import Values, values_in
from chcfuzz.domains.parts.oracles.violation_scripts import Stated, values_script
from chcfuzz.domains.parts.oracles.violations import PartFault, Violation
from chcfuzz.domains.parts.solvers.calls import PARETO_BOUND
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.sorts import BOOL, INT, REAL
from chcfuzz.oracles.verdict import EVALUATOR

Point = tuple[Any, ...]


def pareto(case: PartCase) -> PartFault | None:
    """Judge the points of a front, whose last answer is unsat if it is whole; the first fault wins."""
    answer, *models = case.texts
    if not models:
        return refuted(case) if answer == "unsat" and _point(case, case.model) is not None else None
    for model in models:
        fault = answered(replace(case, texts=("sat", model)))
        if fault is not None:
            return fault
    found = [values_in(case.problem.problem, model) for model in models]
    points = [_point(case, each) for each in found]
    if None in points or any(each.result is BOOL for each in case.problem.eliminated):
        return None
    return _fault(case, [point for point in points if point is not None], answer == "unsat", found)


def _fault(case: PartCase, points: Sequence[Point], is_whole: bool, found: Sequence[Values]) -> PartFault | None:
    """Return the fault that known models show: one is better than a point, or than all of a whole front."""
    values = [each for each in (*found, *known_values(case)) if case.at(each).truth(case.problem.formula) is True]
    known = [(each, here) for each in values if (here := _point(case, each)) is not None]
    for each, here in known:
        if any(_reaches(case, here, point) and here != point for point in points):
            return _shown(case, Violation.OPTIMUM, each, "These values are better than a point of the front: sat.")
    for each, here in known if is_whole else ():
        if not any(_reaches(case, point, here) for point in points):
            return _shown(case, Violation.FRONT, each, "No point of the front is as good as these values: sat.")
    return None


def _reaches(case: PartCase, one: Point, other: Point) -> bool:
    """Return whether the first point is at least as good in each objective."""
    is_least = dict(case.problem.question.options).get("direction") == "minimize"
    return all(a <= b if is_least else a >= b for a, b in zip(one, other, strict=True))


def _point(case: PartCase, values: Values) -> Point | None:
    """Return the values of the objectives; None if one is open, or beyond the bound of numbers."""
    objectives = case.problem.eliminated
    if not all(each.name in values for each in objectives):
        return None
    point = tuple(evaluate(values[each.name], {}) for each in objectives)
    sizes = (value for each, value in zip(objectives, point, strict=True) if each.result in (INT, REAL))
    return point if all(-PARETO_BOUND <= size <= PARETO_BOUND for size in sizes) else None  # type: ignore[operator]


def _shown(case: PartCase, violation: Violation, values: Values, words: str) -> PartFault:
    at = " ".join(print_term(values[function.name]) for function in case.problem.eliminated)
    shown = values_script(case.problem, words, values, [Stated("the formula is true", "sat", case.problem.formula)])
    return PartFault(violation, at, shown, (EVALUATOR,))
