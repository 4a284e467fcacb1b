"""The contract of ground answers: the rule derives the state of each fact, in the answer and in the refutation."""

from __future__ import annotations

from chcfuzz.domains.parts.oracles.answers import refuted
from chcfuzz.domains.parts.oracles.part_case import PartCase
from chcfuzz.domains.parts.oracles.part_results import formula_in
from chcfuzz.domains.parts.oracles.violation_scripts import script
from chcfuzz.domains.parts.oracles.violations import PartFault, Violation
from chcfuzz.grammar.printing.printer import print_term

_TWO = ("Z3", "cvc5")


def ground(case: PartCase) -> PartFault | None:
    """Judge facts: for each, values of the variables exist with which the formula is true at its state."""
    if case.texts[0] == "unsat":
        return refuted(case)
    facts = zip(case.texts[1::2], case.texts[2::2], strict=True)
    faults = (_underived(case, source, text) for source, text in facts)
    return next((fault for fault in faults if fault is not None), None)


def _underived(case: PartCase, source: str, text: str) -> PartFault | None:
    """Return the fault of a fact whose state the formula excludes, if two solvers find that."""
    found = formula_in(case.problem, text)
    if isinstance(found, PartFault):
        return found
    if case.in_model.truth(found) is True:
        return None
    problem = case.problem.plain(*case.problem.formulas, found)
    if not case.solvers.is_unsat(problem):
        return None
    lines = [*(f"(assert {print_term(each)})" for each in problem.formulas), "(check-sat)"]
    shown = script(case.problem, f"The formula with a state of the {source}: unsat.", lines)
    if case.solvers.answers_of_cvc5(shown) != ("unsat",):
        return None
    return PartFault(Violation.GROUND, f"`{text[:80]}` in the {source}", shown, _TWO, about=source)
