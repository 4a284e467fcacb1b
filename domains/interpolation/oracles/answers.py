"""Verdicts on the outcomes of several interpolating solvers for one problem.

Each solver's interpolants are checked by themselves; wrong ones of a satisfiable problem are a wrong answer. If one
solver answers sat and another one gives interpolants that hold, the answer sat is suspicious; if the model that comes
with it holds, or Z3 has one, the other answer is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chcfuzz.domains.interpolation.oracles.interpolant import Checker
from chcfuzz.domains.interpolation.solvers.quick_z3 import Queries
from chcfuzz.domains.smt.oracles import errors as smt_errors
from chcfuzz.domains.smt.oracles import model as smt_model
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.oracles.verdict import ANSWERS, MODEL, Verdict, VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status

_MODEL = "there is a model under which every assertion is true"
_MOST_SHOWN = 200  # characters of a model
Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class InterpolationOpinion:
    """The outcome of one solver with the verdict on its interpolants or its model.

    `accuses` puts the solver under test; it is empty if it is.
    """

    name: str
    accuses: Pairs
    outcome: Outcome
    verdict: Verdict

    def about(self, verdict: Verdict) -> Verdict:
        """Return a verdict as one about this solver."""
        seen = self.outcome.status.value if self.accuses else ""
        return replace(verdict, accuses=self.accuses, seen=seen)


def check(problem: Interpolation, outcome: Outcome, tested: str, checker: Checker) -> list[Verdict]:
    """Return the verdicts on all solvers' answers, then on interpolants and models; `tested` names the one under test.

    Only the first finding about a solver is examined, and a wrong answer is the gravest.
    """
    outcomes: list[tuple[str, Pairs, Outcome]] = [(tested, (), outcome)]
    outcomes += [(name, (("solver", name),), other) for name, other in outcome.others]
    opinions = [
        InterpolationOpinion(name, accuses, each, _judged(problem, each, checker)) for name, accuses, each in outcomes
    ]
    own, *others = opinions
    is_satisfied = own.outcome.status is Status.SAT and own.verdict.kind is VerdictKind.PASS
    is_checkable = own.outcome.status is Status.UNSAT or own.outcome.model is not None or is_satisfied
    verdicts = _differing(opinions)
    verdicts += [own.verdict] if is_checkable else []
    for opinion in others:
        found = (smt_errors.check(opinion.outcome), opinion.verdict)
        verdicts += [opinion.about(verdict) for verdict in found if verdict.kind.is_finding]
    return verdicts


def _judged(problem: Interpolation, outcome: Outcome, checker: Checker) -> Verdict:
    if outcome.status is not Status.SAT:
        found = checker.check(problem, outcome)
        is_wrong = found.kind is VerdictKind.WRONG_INTERPOLANT
        is_answer = is_wrong and _satisfied(problem, checker).kind is VerdictKind.PASS
        return Verdict(ANSWERS.name, VerdictKind.WRONG_ANSWER, f"interpolates, and {_MODEL}") if is_answer else found
    return _satisfied(problem, checker) if outcome.model is None else smt_model.check(problem.problem, outcome)


def _satisfied(problem: Interpolation, checker: Checker) -> Verdict:
    """Return PASS with a model of Z3 under which every assertion is true, for an answer sat without a model."""
    answer, model = Queries(checker.watchdog, checker.rlimit).answer(problem.problem)
    if answer != "sat" or smt_model.check_text(problem.problem, model).kind is not VerdictKind.PASS:
        return Verdict(MODEL.name, VerdictKind.UNDECIDED, "no model")
    return Verdict(MODEL.name, VerdictKind.PASS, f"satisfiable: {' '.join(model.split())[:_MOST_SHOWN]}")


def _differing(opinions: Sequence[InterpolationOpinion]) -> list[Verdict]:
    """Return the verdicts on answers that differ."""
    sat, unsat = ([each for each in opinions if each.outcome.status is side] for side in (Status.SAT, Status.UNSAT))
    if not sat or not unsat:
        return []
    right = next((each for each in sat if each.verdict.kind is VerdictKind.PASS), None)
    if right is not None:
        detail = f"interpolates, {right.name} answers sat, and {_MODEL}"
        return [each.about(Verdict(ANSWERS.name, VerdictKind.WRONG_ANSWER, detail)) for each in unsat]
    checked = next((each for each in unsat if each.verdict.kind is VerdictKind.PASS), unsat[0])
    detail = f"answers sat, {checked.name} interpolates"
    return [each.about(Verdict(ANSWERS.name, VerdictKind.DISAGREEMENT, detail)) for each in sat]
