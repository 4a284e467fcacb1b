"""Check models of SMT problems: our evaluator computes each assertion under the model.

A model is wrong if an assertion is false whatever SMT-LIB leaves open. It is right if all assertions are true for one
choice of what SMT-LIB and the model leave open: then the problem is satisfiable.
"""

from __future__ import annotations

from chcfuzz.domains.smt.oracles.evidence import assertion_script
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.models.printed_models import read_model
from chcfuzz.grammar.models.structures import judge
from chcfuzz.grammar.problem import Problem
from chcfuzz.oracles.verdict import EVALUATOR, MODEL, Verdict, VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status


def check(problem: Problem, outcome: Outcome) -> Verdict:
    """Check the model of an outcome; UNDECIDED without one."""
    if outcome.status is not Status.SAT or outcome.model is None:
        return Verdict(MODEL.name, VerdictKind.UNDECIDED, "no model")
    return check_text(problem, outcome.model.whole)


def holds_anyway(problem: Problem, outcome: Outcome) -> bool:
    """Return whether every assertion is true under an outcome's model, whatever SMT-LIB and the model leave open."""
    if outcome.model is None:
        return False
    try:
        return all(judge(problem, read_model(outcome.model.whole, problem), is_complete=False))
    except ChcfuzzError:
        return False


def check_text(problem: Problem, definitions: str) -> Verdict:
    """Check `define-fun`s from any source, with the `declare-fun`s of the elements of all sorts."""
    try:
        judged = judge(problem, read_model(definitions, problem))
    except ChcfuzzError as error:
        return Verdict(MODEL.name, VerdictKind.UNDECIDED, f"the model is not read: {error}")
    if False in judged:
        number = judged.index(False)
        detail = f"assertion {number + 1} is false under the model"
        script = assertion_script(problem, definitions, number)
        return Verdict(MODEL.name, VerdictKind.WRONG_MODEL, detail, script, (EVALUATOR,))
    if None in judged:
        detail = f"assertion {judged.index(None) + 1} is open under the model"
        return Verdict(MODEL.name, VerdictKind.UNDECIDED, detail)
    return Verdict(MODEL.name, VerdictKind.PASS)
