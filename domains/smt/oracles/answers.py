"""Compare the answers of several SMT solvers to one problem.

A model under which our evaluator finds every assertion true convicts each answer unsat. Where none decides, the
disagreement is a suspicion, and its examination searches for witnesses. Solvers may differ in the operators that
SMT-LIB leaves partly open, so one of them must still answer sat, or its model hold, once these have a fixed value
everywhere. That contradicts unsat, which is an answer for every value, unless the same solver answers both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from chcfuzz.domains.smt.oracles import errors as smt_errors
from chcfuzz.domains.smt.oracles import model as smt_model
from chcfuzz.domains.smt.oracles import query_results
from chcfuzz.domains.smt.solvers.together import project_of
from chcfuzz.grammar.problem import Problem
from chcfuzz.oracles import left_open, outcome_checks
from chcfuzz.oracles.verdict import ANSWER, ANSWERS, Verdict, VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status

Pairs = tuple[tuple[str, str], ...]
Promised = Callable[[str], str | None]  # the answer that the solver of a project must give
Solve = Callable[[Problem], Outcome]  # runs all solvers on another problem, the same one under test


@dataclass(frozen=True)
class SmtOpinion:
    """The outcome of one solver and the verdicts on its model and on the results of queries.

    `accuses` puts it under test; empty if it is.
    """

    name: str
    accuses: Pairs
    outcome: Outcome
    model: Verdict
    results: Verdict | None = None

    def accused(self, kind: VerdictKind, detail: str, evidence: str = "", oracle: str = ANSWERS.name) -> Verdict:
        """Return a verdict about this solver."""
        seen = self.outcome.status.value if self.accuses else ""
        return Verdict(oracle, kind, detail, evidence, accuses=self.accuses, seen=seen)


def check(problem: Problem, promised: Promised, outcome: Outcome, tested: str, solve: Solve) -> list[Verdict]:
    """Return the verdicts on the models, errors and answers of all solvers; `tested` names the one under test.

    `promised` returns the answer that the solver of a project is expected to give, None if it may give any.

    Those on answers come first: only the first finding about a solver is examined, and a wrong answer is graver
    than the wrong model that comes with it.
    """
    opinions = _opinions(problem, outcome, tested)
    opinions = [replace(each, results=query_results.check(problem, each.outcome, solve)) for each in opinions]
    own, *others = opinions
    verdicts = _disagreement(problem, opinions, solve) or _unexpected(promised, own, others)
    verdicts += [own.model] if own.outcome.model is not None else []
    verdicts += [own.results] if own.results is not None else []
    for opinion in others:
        failed = smt_errors.check(opinion.outcome)
        if failed.kind.is_finding:
            verdicts.append(opinion.accused(failed.kind, failed.detail, oracle=failed.oracle))
        if opinion.model.kind.is_finding:
            verdicts.append(opinion.accused(opinion.model.kind, opinion.model.detail, opinion.model.evidence))
        if opinion.results is not None and opinion.results.kind.is_finding:
            verdicts.append(replace(opinion.results, accuses=opinion.accuses, seen=opinion.outcome.status.value))
    return verdicts


def _opinions(problem: Problem, outcome: Outcome, tested: str) -> list[SmtOpinion]:
    found: list[tuple[str, Pairs, Outcome]] = [(tested, (), outcome)]
    found += [(name, (("solver", name),), other) for name, other in outcome.others]
    return [SmtOpinion(name, accuses, each, smt_model.check(problem, each)) for name, accuses, each in found]


def _disagreement(problem: Problem, opinions: Sequence[SmtOpinion], solve: Solve) -> list[Verdict]:
    sat, unsat = _sides(opinions)
    if not sat or not unsat:
        return []
    open_terms = left_open.in_terms(*problem.formulas)
    certain = [each for each in sat if not open_terms or smt_model.holds_anyway(problem, each.outcome)]
    convicted = _convicted(certain, unsat)
    if convicted:
        return convicted
    if open_terms:
        closed = left_open.closed_problem(problem)
        again, _ = _sides(_opinions(closed, solve(closed), opinions[0].name))
        turned = {opinion.name for opinion in again}
        unsat = [opinion for opinion in unsat if opinion.name not in turned]
        holding = [each for each in sat if smt_model.check(closed, each.outcome).kind is VerdictKind.PASS]
        if not unsat or not (again or holding):
            ended = f"they do not differ once {', '.join(open_terms)} has a value wherever SMT-LIB leaves it open"
            return [Verdict(ANSWERS.name, VerdictKind.UNDECIDED, f"{_answers(opinions)}; {ended}")]
        convicted = _convicted([*holding, *again], unsat)
        if convicted:
            return convicted
    return [
        opinion.accused(VerdictKind.DISAGREEMENT, f"{_answers(opinions)}{_about(opinion)}", opinion.model.evidence)
        for opinion in _suspects(sat, unsat)
    ]


def _sides(opinions: Sequence[SmtOpinion]) -> tuple[list[SmtOpinion], list[SmtOpinion]]:
    sides = (Status.SAT, Status.UNSAT)
    sat, unsat = ([each for each in opinions if each.outcome.status is side] for side in sides)
    return sat, unsat


def _convicted(sat: Sequence[SmtOpinion], unsat: Sequence[SmtOpinion]) -> list[Verdict]:
    """Return wrong answers of the solvers that answer unsat, if a model of another one is right."""
    right = next((opinion for opinion in sat if opinion.model.kind is VerdictKind.PASS), None)
    if right is None:
        return []
    detail = f"answers unsat, {right.name} sat with a model under which every assertion is true"
    return [opinion.accused(VerdictKind.WRONG_ANSWER, detail) for opinion in unsat]


def _suspects(sat: Sequence[SmtOpinion], unsat: Sequence[SmtOpinion]) -> Sequence[SmtOpinion]:
    """Return the solvers to suspect: those with a wrong model, else the side of fewer projects.

    If the sides are equal, one suspicion is enough: its examination accuses a solver only for more evidence.
    """
    wrong = [opinion for opinion in sat if opinion.model.kind.is_finding]
    if wrong:
        return wrong
    more = _projects(sat) - _projects(unsat)
    return sat[:1] if more == 0 else unsat if more > 0 else sat


def _projects(opinions: Sequence[SmtOpinion]) -> int:
    return len({project_of(opinion.name) for opinion in opinions})


def _unexpected(promised: Promised, own: SmtOpinion, others: Sequence[SmtOpinion]) -> list[Verdict]:
    """Return wrong answers of other solvers where the one under test does not decide."""
    if own.outcome.status.is_decided:
        return []
    found = ((other, outcome_checks.answer(promised(project_of(other.name)), other.outcome.status)) for other in others)
    return [
        other.accused(verdict.kind, verdict.detail, oracle=ANSWER.name)
        for other, verdict in found
        if verdict.kind.is_finding
    ]


def _answers(opinions: Sequence[SmtOpinion]) -> str:
    decided = [
        f"{opinion.name} {opinion.outcome.status.value}" for opinion in opinions if opinion.outcome.status.is_decided
    ]
    return f"the answers differ: {', '.join(decided)}"


def _about(opinion: SmtOpinion) -> str:
    return f"; its model is wrong: {opinion.model.detail}" if opinion.model.kind.is_finding else ""
