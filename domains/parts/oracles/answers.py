"""The contracts of parts that answer sat or unsat: models, cores and bounds; the formula of the question decides."""

from __future__ import annotations

from dataclasses import replace

from chcfuzz.domains.parts.oracles.known_limits import WITHOUT_CORES
from chcfuzz.domains.parts.oracles.part_case import NEIGHBOURS, PartCase
from chcfuzz.domains.parts.oracles.part_results import formula_in, term_in
from chcfuzz.domains.parts.oracles.violating_values import Values, neighbours
from chcfuzz.domains.parts.oracles.violation_scripts import Stated, equation, refuting_script, script, values_script
from chcfuzz.domains.parts.oracles.violations import PartFault, Violation
from chcfuzz.domains.parts.solvers.calls import CORE_OPTION
from chcfuzz.domains.smt.oracles import model as smt_model
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.small_formulas.assignments import some_value
from chcfuzz.grammar.sorts import BOOL
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.terms import Term
from chcfuzz.oracles.verdict import EVALUATOR, VerdictKind
from chcfuzz.solvers.model_text import TextModel

_PRECISE, _UNDER, _OVER = "0", "1", "2"  # of goals: with UNDER only sat counts, with OVER only unsat


def equivalent(case: PartCase) -> PartFault | None:
    """Judge a simplified formula: equal to the formula at all values that are tried."""
    found = formula_in(case.problem, case.texts[0])
    if isinstance(found, PartFault):
        return found
    formula = case.problem.formula
    for values in (case.model, *neighbours(case.problem, case.problem.functions, NEIGHBOURS)):
        judgement = case.at(values)
        here, there = judgement.truth(formula), judgement.truth(found)
        if here is not None and there is not None and here is not there:
            true, false = (formula, found) if here else (found, formula)
            claims = [Stated("one side is true", "sat", true), Stated("the other side is false", "unsat", false)]
            shown = values_script(case.problem, "The result differs from the formula.", values, claims)
            return PartFault(Violation.DIFFERENT, "at values of its constants", shown, (EVALUATOR,))
    return None


def answered(case: PartCase) -> PartFault | None:
    """Judge an answer: a model makes every assertion true, and only an unsatisfiable formula lacks one."""
    answer, model = case.texts[0], case.texts[1]
    if answer == "sat":
        return _wrong_model(case, model)
    return refuted(case) if answer == "unsat" else None


def decided(case: PartCase) -> PartFault | None:
    """Judge an answer without a model."""
    if case.texts[0] == "unsat":
        return refuted(case)
    return _unsatisfiable(case) if case.texts[0] == "sat" else None


def with_precision(case: PartCase) -> PartFault | None:
    """Judge the answer after tactics, or its core; pass where an approximation by a tactic may have changed it."""
    answer, precision = case.texts[0], case.texts[2]
    counts = {"sat": (_PRECISE, _UNDER), "unsat": (_PRECISE, _OVER)}
    if precision not in counts.get(answer, ()):
        return None
    question = case.problem.question
    is_tracked = dict(question.options).get(CORE_OPTION) == "true" and not WITHOUT_CORES.intersection(question.subjects)
    return core(replace(case, texts=(*case.texts[:2], *case.texts[3:]))) if is_tracked else answered(case)


def _wrong_model(case: PartCase, model: str) -> PartFault | None:
    """Return the fault of a model in which an assertion is false; a wrong answer if the formula is unsatisfiable."""
    verdict = smt_model.check_text(case.problem.problem, _completed(case, model))
    if verdict.kind is not VerdictKind.WRONG_MODEL:
        return None
    wrong = PartFault(Violation.MODEL, verdict.detail, verdict.evidence, (EVALUATOR,))
    return _unsatisfiable(case) or wrong


def _unsatisfiable(case: PartCase) -> PartFault | None:
    """Return the fault of an answer sat if two solvers find the formula unsatisfiable."""
    problem = case.problem.problem
    shown = refuting_script(case.problem, "The formula is unsatisfiable", problem.formulas)
    if case.solvers.is_unsat(problem) and case.solvers.answers_of_cvc5(shown) == ("unsat",):
        return PartFault(Violation.SAT, "two solvers answer unsat", shown, ("Z3", "cvc5"))
    return None


def _completed(case: PartCase, model: str) -> str:
    """Add default values of the constants that a model leaves out, by which it claims that any value does."""
    defined = TextModel(model).defined
    missing = [each for each in case.problem.functions if each.name not in defined and not each.parameters]
    lines = [
        f"(define-fun {quoted(each.name)} () {each.result} {print_term(value)})"
        for each in missing
        if (value := some_value(each.result)) is not None
    ]
    return "\n".join([model, *lines])


def refuted(case: PartCase) -> PartFault | None:
    """Return the fault of an answer unsat if the formula has a model: that of the question, or one by Z3."""
    values = case.model or _model_by_z3(case)
    formula = case.problem.formula
    if not values or case.at(values).truth(formula) is not True:
        return None
    claims = [Stated("the formula is true", "sat", formula)]
    shown = values_script(case.problem, "The formula has a model.", values, claims)
    return PartFault(Violation.UNSAT, "our evaluator finds every assertion true", shown, (EVALUATOR,))


def _model_by_z3(case: PartCase) -> Values:
    return case.solvers.model(case.problem.plain(*case.problem.formulas)) or {}


def core(case: PartCase) -> PartFault | None:
    """Judge a core: unsatisfiable alone."""
    fault = answered(replace(case, texts=case.texts[:2]))
    if fault is not None or case.texts[0] != "unsat":
        return fault
    members = [case.problem.formulas[int(number)] for number in case.texts[2:]]
    problem = case.problem.plain(*members)
    model = case.solvers.model(problem)
    if model is None:
        return None
    shown = script(case.problem, "The core is satisfiable.", [f"(assert {print_term(each)})" for each in members])
    return PartFault(Violation.CORE, f"{len(members)} of {len(case.problem.formulas)} assertions", shown, (EVALUATOR,))


def optimal(case: PartCase) -> PartFault | None:
    """Judge an optimum: its model is right, and no known model has a better value."""
    fault = answered(replace(case, texts=case.texts[:2]))
    if fault is not None or case.texts[0] != "sat":
        return fault
    variable = case.problem.eliminated[0]
    bound = term_in(case.problem, case.texts[2]) if "oo" not in case.texts[2] else None
    if not isinstance(bound, Term) or variable.result is BOOL or bound.sort is not variable.result:
        return None
    is_least = dict(case.problem.question.options).get("direction") == "minimize"
    limit = evaluate(bound, {})
    for values in (case.model, *neighbours(case.problem, case.problem.functions, NEIGHBOURS)):
        value = evaluate(values[variable.name], {}) if variable.name in values else limit
        is_better = value < limit if is_least else value > limit  # type: ignore[operator]
        if is_better and case.at(values).truth(case.problem.formula) is True:
            lines = [equation(function, values[function.name]) for function in case.problem.functions]
            lines += [f"(assert {print_term(case.problem.formula)})", "(check-sat)"]
            shown = script(case.problem, f"The bound is {case.texts[2]}; here is a better value: sat.", lines)
            return PartFault(Violation.OPTIMUM, f"{print_term(values[variable.name])}", shown, (EVALUATOR,))
    return None
