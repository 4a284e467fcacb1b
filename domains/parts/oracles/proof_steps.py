"""The contract of proofs: they conclude false, leaves are assertions, and simple steps follow from their premises."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from chcfuzz.domains.interpolation.solvers.quick_z3 import conjuncts
from chcfuzz.domains.parts.oracles.answers import decided, refuted
from chcfuzz.domains.parts.oracles.part_case import PartCase
from chcfuzz.domains.parts.oracles.part_results import UnreadError, formula_in
from chcfuzz.domains.parts.oracles.violating_values import Values, neighbours
from chcfuzz.domains.parts.oracles.violation_scripts import Stated, script, values_script
from chcfuzz.domains.parts.oracles.violations import PartFault, Violation
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.terms import Term
from chcfuzz.oracles.verdict import EVALUATOR

_VALUES_OF_STEPS = 12  # at which each step of a proof is computed
_FOLLOWING = (  # rules whose conclusion follows from the premises; others hold up to satisfiability, or assume
    *("mp", "refl", "symm", "trans", "monotonicity", "distributivity", "and-elim", "not-or-elim", "rewrite"),
    *("commutativity", "def-axiom", "unit-resolution", "iff-true", "iff-false", "th-lemma", "hyper-res"),
)


def proof(case: PartCase) -> PartFault | None:
    """Judge a proof: it concludes false, its leaves are among the assertions, and simple steps follow."""
    if case.texts[0] != "unsat":
        return decided(case)
    if case.texts[1] != "false":
        lines = [*(f"(assert {print_term(each)})" for each in case.problem.formulas), "(check-sat)", "(get-proof)"]
        shown = script(case.problem, f"The proof concludes {case.texts[1][:80]}.", lines)
        return PartFault(Violation.STEP, f"it concludes {case.texts[1][:80]}", shown, about="conclusion")
    fault = refuted(case)
    for rule, text in zip(case.texts[2::2], case.texts[3::2], strict=True):
        judge = _JUDGES_OF_STEPS.get(rule)
        found = _formula_of_step(case, text) if fault is None and judge is not None else None
        fault = judge(case, rule, found) if judge is not None and found is not None else fault
    return fault


def _formula_of_step(case: PartCase, text: str) -> Term | None:
    """Return the formula of a step; None for an equality up to satisfiability, or with a symbol of the proof's own."""
    try:
        found = formula_in(case.problem, text)
    except UnreadError:
        return None
    return found if isinstance(found, Term) else None


def _follows(case: PartCase, rule: str, found: Term) -> PartFault | None:
    """Return the fault of a step whose premises do not imply its conclusion."""
    for values in _tried(case):
        if case.at(values).truth(found) is False:
            claims = [Stated(f"its premises imply its conclusion ({rule})", "unsat", found)]
            shown = values_script(case.problem, "Values at which a step of the proof is wrong.", values, claims)
            return PartFault(Violation.STEP, f"a step of {rule}", shown, (EVALUATOR,), about=rule)
    return None


def _is_given(case: PartCase, rule: str, found: Term) -> PartFault | None:
    """Return the fault of a leaf that differs from each assertion, and from each of their conjuncts, at some values."""
    values = [case.at(each) for each in _tried(case)]
    of_leaf = [each.truth(found) for each in values]
    for given in dict.fromkeys((*case.problem.formulas, *conjuncts(case.problem.formulas))):
        truths = [each.truth(given) for each in values]
        if not any(None not in pair and pair[0] is not pair[1] for pair in zip(truths, of_leaf, strict=True)):
            return None
    differs = [
        f"(push)\n(assert (distinct {print_term(each)} {print_term(found)}))\n(check-sat)\n(pop)"
        for each in case.problem.formulas
    ]
    shown = script(case.problem, "A leaf of the proof differs from each assertion: sat.", differs)
    return PartFault(Violation.STEP, "a leaf that is not an assertion", shown, (EVALUATOR,), about=rule)


def _tried(case: PartCase) -> list[Values]:
    return [case.model, *neighbours(case.problem, case.problem.functions, _VALUES_OF_STEPS)]


_JUDGES_OF_STEPS: Mapping[str, Callable[[PartCase, str, Term], PartFault | None]] = {
    "asserted": _is_given,
    **dict.fromkeys(_FOLLOWING, _follows),
}
