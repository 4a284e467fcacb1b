"""The contract of each part: a function that returns the first fault of a result, and None if it finds none."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from chcfuzz.domains.parts.oracles import search_contracts
from chcfuzz.domains.parts.oracles.answers import answered, core, decided, equivalent, optimal, with_precision
from chcfuzz.domains.parts.oracles.comparisons import false_in_model, too_strong, too_strong_for_all, too_weak
from chcfuzz.domains.parts.oracles.ground_facts import ground
from chcfuzz.domains.parts.oracles.known_limits import MAY_LEAVE_VARIABLES
from chcfuzz.domains.parts.oracles.pareto_front import pareto
from chcfuzz.domains.parts.oracles.part_case import NEIGHBOURS, PartCase
from chcfuzz.domains.parts.oracles.part_results import UnreadError, formula_in, names_in, term_in
from chcfuzz.domains.parts.oracles.proof_steps import proof
from chcfuzz.domains.parts.oracles.soft_constraints import soft
from chcfuzz.domains.parts.oracles.violating_values import SecondProject, Values, at_values, neighbours
from chcfuzz.domains.parts.oracles.violation_scripts import Stated, script, values_script
from chcfuzz.domains.parts.oracles.violations import PASS, PartFault, Violation, undecided
from chcfuzz.domains.parts.question import PartProblem
from chcfuzz.grammar.terms import FALSE, TRUE, Term, negation
from chcfuzz.oracles.verdict import EVALUATOR, Verdict
from chcfuzz.solvers.outcome import Outcome, Status, texts_of
from chcfuzz.solvers.watchdog import Watchdog

Contract = Callable[[PartCase], PartFault | None]


def judged(problem: PartProblem, outcome: Outcome, watchdog: Watchdog) -> Verdict:
    """Return the verdict on a result; UNDECIDED without one, or if it is not read."""
    if outcome.status is not Status.RESULT:
        return undecided("no result")
    question = problem.question
    try:
        fault = CONTRACTS[question.part](PartCase(problem, texts_of(outcome), SecondProject(watchdog)))
    except UnreadError as error:
        return undecided(f"the result is not read here: {error}")
    return PASS if fault is None else fault.verdict(question.label)


def _projection(case: PartCase) -> PartFault | None:
    """Judge a projection: its value in the model, whether it is too weak, and its symbols."""
    found = formula_in(case.problem, case.texts[0])
    if isinstance(found, PartFault):
        return found
    left = sorted(names_in(found) & {function.name for function in case.problem.eliminated})
    if left and case.problem.question.part in MAY_LEAVE_VARIABLES:
        return None
    wrong = false_in_model(case, found) or too_weak(case, found)
    return wrong or (_left(case, left[0]) if left else None)


def _left(case: PartCase, name: str) -> PartFault:
    shown = script(case.problem, f"The result still has {name}.", [f"(assert {case.texts[0]})"])
    return PartFault(Violation.LEFT, f"`{name}`", shown)


def _witness(case: PartCase) -> PartFault | None:
    """Judge a projection with a witness: the formula stays true in the model with the bindings."""
    bindings = _bindings(case)
    if isinstance(bindings, PartFault):
        return bindings
    bound = at_values(case.problem.formula, bindings)
    if bindings and case.in_model.truth(bound) is False:
        claims = [
            Stated("the formula is true", "sat", case.problem.formula),
            Stated("with the witness", "unsat", bound),
        ]
        words = "The formula is false with the witness, in the model of the question."
        rest = {name: value for name, value in case.model.items() if name not in bindings}
        shown = values_script(case.problem, words, rest, claims)
        return PartFault(Violation.WITNESS, "in the model of the question", shown, (EVALUATOR,))
    return _projection(case)


def _bindings(case: PartCase) -> Values | PartFault:
    """Return the terms that are bound to eliminated variables; empty if one of them has such a variable itself."""
    found: Values = {}
    eliminated = {function.name: function for function in case.problem.eliminated}
    for name, text in zip(case.texts[1::2], case.texts[2::2], strict=True):
        term, plain = term_in(case.problem, text), name.strip("|")
        if isinstance(term, PartFault):
            return term
        if plain in eliminated and term.sort is not eliminated[plain].result:
            return {}
        if plain in eliminated:
            found[plain] = term
    return {} if any(names_in(term) & eliminated.keys() for term in found.values()) else found


def _implicant(case: PartCase) -> PartFault | None:
    """Judge an implicant: true in the model, and it implies the formula."""
    found = formula_in(case.problem, case.texts[0])
    if isinstance(found, PartFault):
        return found
    return false_in_model(case, found) or _not_implied(case, found)


def _not_implied(case: PartCase, found: Term) -> PartFault | None:
    formula = case.problem.formula
    for values in neighbours(case.problem, case.problem.functions, NEIGHBOURS):
        judgement = case.at(values)
        if judgement.truth(found) is True and judgement.truth(formula) is False:
            return _implying_nothing(case, found, values)
    if found in (FALSE, formula) or formula is TRUE:
        return None
    counterexample = case.problem.plain(found, negation(formula))
    model = case.solvers.model(counterexample)
    if model is None:
        return None
    judgement = case.at(model)
    is_shown = judgement.truth(found) is True and judgement.truth(formula) is False
    return _implying_nothing(case, found, model) if is_shown else None


def _implying_nothing(case: PartCase, found: Term, values: Values) -> PartFault:
    claims = [Stated("the result is true", "sat", found), Stated("the formula is false", "unsat", case.problem.formula)]
    shown = values_script(case.problem, "The result is true, and the formula is false.", values, claims)
    return PartFault(Violation.NOT_IMPLIED, "at values of its constants", shown, (EVALUATOR,))


def _elimination(case: PartCase) -> PartFault | None:
    """Judge an elimination of quantifiers: true wherever the formula has a solution, and nowhere else."""
    found = formula_in(case.problem, case.texts[0])
    if isinstance(found, PartFault):
        return found
    left = names_in(found) & {function.name for function in case.problem.eliminated}
    if left:
        return _left(case, min(left))
    return None if found.depth else too_strong(case, found) or too_weak(case, found)


def _best_effort(case: PartCase) -> PartFault | None:
    """Judge an elimination that returns the variables that it leaves: they are still to be eliminated."""
    found = formula_in(case.problem, case.texts[0])
    if isinstance(found, PartFault):
        return found
    left = {text.strip("|") for text in case.texts[1:]}
    unnamed = names_in(found) & {function.name for function in case.problem.eliminated if function.name not in left}
    if unnamed:
        return _left(case, min(unnamed))
    if found.depth:
        return None
    return (too_strong_for_all if left else too_strong)(case, found) or too_weak(case, found)


def _disjunct(case: PartCase) -> PartFault | None:
    """Judge a part of an elimination: it is true only where the formula has a solution."""
    found = formula_in(case.problem, case.texts[0])
    if isinstance(found, PartFault):
        return found
    return None if found.depth else too_weak(case, found)


CONTRACTS: Mapping[str, Contract] = {
    "simplify": equivalent,
    "cvc5-simplify": equivalent,
    "bitwuzla-simplify": equivalent,
    "simplifier": answered,
    "tactic": with_precision,
    "eliminate": _elimination,
    "qe-lite": _best_effort,
    "cvc5-eliminate": _elimination,
    "cvc5-disjunct": _disjunct,
    "optimum": optimal,
    "core": core,
    "push": answered,
    "project": _projection,
    "witness": _witness,
    "mbp": _projection,
    "implicant": _implicant,
    "bitwuzla-check": decided,
    "qsat": search_contracts.qsat,
    "consequences": search_contracts.consequences,
    "cube": search_contracts.cubes,
    "cover": search_contracts.cover,
    "soft": soft,
    "proof": proof,
    "tactic-proof": proof,
    "ground": ground,
    "pareto": pareto,
}
