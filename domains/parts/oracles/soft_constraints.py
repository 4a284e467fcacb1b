"""The contract of soft constraints: the cost is right, and no other choice of assertions costs less."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product

from chcfuzz.domains.parts.oracles.answers import answered
from chcfuzz.domains.parts.oracles.comparisons import known_values
from chcfuzz.domains.parts.oracles.part_case import PartCase
from chcfuzz.domains.parts.oracles.part_results import term_in
from chcfuzz.domains.parts.oracles.violating_values import Values
from chcfuzz.domains.parts.oracles.violation_scripts import Stated, values_script
from chcfuzz.domains.parts.oracles.violations import PartFault, Violation
from chcfuzz.domains.parts.solvers.calls import soft_weights
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.problem import Assertion
from chcfuzz.grammar.terms import Term, disjunction, negation
from chcfuzz.oracles.verdict import EVALUATOR

_BETTER = 8  # choices of assertions that are tried for a lower cost
_MOST_ASSERTIONS = 6  # of which all choices are compared


def soft(case: PartCase) -> PartFault | None:
    """Judge the cost of soft constraints: that of its model, and no other choice of assertions costs less."""
    hard = [disjunction(*pair) for pair in pairwise(case.problem.formulas)]
    of_hard = replace(case, problem=case.problem.with_assertions(tuple(map(Assertion, hard))), texts=case.texts[:2])
    fault = answered(of_hard)
    limit = _number(case, case.texts[2]) if fault is None and case.texts[0] == "sat" else None
    if limit is None:
        return fault
    for values in (*known_values(case), *_cheaper(case, limit)):
        cost = _cost(case, hard, values)
        if cost is not None and cost < limit:
            at = case.at(values)
            claims = [
                Stated("an assertion", "sat" if at.truth(each) else "unsat", each) for each in case.problem.formulas
            ]
            shown = values_script(case.problem, f"The cost is {limit}, and here it is {cost}.", values, claims)
            return PartFault(Violation.OPTIMUM, f"a cost of {cost}, not {limit}", shown, (EVALUATOR,))
    return None


def _number(case: PartCase, text: str) -> int | None:
    """Return the value of a whole number."""
    term = term_in(case.problem, text)
    value = evaluate(term, {}) if isinstance(term, Term) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _cost(case: PartCase, hard: Sequence[Term], values: Values) -> int | None:
    """Return the cost of values; None if a hard constraint is not true, or a truth value is open."""
    judgement = case.at(values)
    truths = [judgement.truth(each) for each in case.problem.formulas]
    if None in truths or any(judgement.truth(each) is not True for each in hard):
        return None
    return _cost_of([bool(truth) for truth in truths])


def _cost_of(truths: Sequence[bool]) -> int:
    """Return the cost of a choice of true assertions: the negation of a true one is violated, and a false one is."""
    return sum(soft_weights(number)[truth] for number, truth in enumerate(truths))


def _cheaper(case: PartCase, limit: int) -> Iterator[Values]:
    """Yield models by Z3 for choices of true assertions that cost less, the cheapest first."""
    formulas = case.problem.formulas
    choices = product((True, False), repeat=len(formulas)) if len(formulas) <= _MOST_ASSERTIONS else ()
    costs = [(_cost_of(truths), truths) for truths in choices if all(a or b for a, b in pairwise(truths))]
    for _, truths in sorted(each for each in costs if each[0] < limit)[:_BETTER]:
        turned = [each if truth else negation(each) for each, truth in zip(formulas, truths, strict=True)]
        found = case.solvers.model(case.problem.plain(*turned))
        if found is not None:
            yield found
