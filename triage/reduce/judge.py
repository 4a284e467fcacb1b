"""Whether a candidate shows the finding that is being reduced: its condition and its cause, established again.

Cheap checks come first, because most candidates fail: the accused answer, then the configurations that cure it, then a
checked witness. cvc5 runs in a process of its own, so it only sees candidates that passed everything else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import msgspec
from chcfuzz.execution.domain import load
from chcfuzz.execution.pipeline import Pipeline
from chcfuzz.execution.solving import Solving
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.oracles import second_solver
from chcfuzz.oracles.verdict import Subject, VerdictKind, facts_of
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.z3_parameters import with_off
from chcfuzz.triage.examine.runs import GIVEN, Run, Runs, doubt_of_fault, portfolio
from chcfuzz.triage.examine.signature import GIVEN_PLAIN, PLAIN, SWITCHED_OFF, without_addresses, without_numbers
from chcfuzz.triage.reduce.condition import Condition
from chcfuzz.triage.reduce.messages import Judgement

_CONTRADICTING = (VerdictKind.DISAGREEMENT, VerdictKind.WRONG_ANSWER)
_WRONG_MODEL = VerdictKind.WRONG_MODEL.value
_MAX_CURES = 5  # configurations that are tried on a candidate; the most informative ones come first

MODEL, REFUTATION, REFUTATION_SCRIPT, CORE, EVIDENCE, STEP = (
    "model.smt2",
    "refutation",
    "refutation.smt2",
    "core.smt2",
    "evidence.smt2",
    "step.smt2",
)


class Judge:
    """Judge of the candidates for one finding. Judging a candidate twice gives the same result."""

    def __init__(self, condition: Condition, pipeline: Pipeline, solving: Solving) -> None:
        """Prepare to judge the candidates of a reduction."""
        self._condition = condition
        self._pipeline = pipeline
        self._rlimit = solving.rlimit
        self._domain = load(solving.domain)
        self._other_models = self._domain.other_models(solving)

    def judge(self, recipe: Recipe) -> Judgement:
        """Judge the mutant of a recipe under its parameters."""
        runs = self._runs(self._pipeline)
        given = runs.execute(GIVEN, recipe, second=self._condition.asks_others)
        assert given is not None
        match self._condition.subject:
            case Subject.ANSWER:
                judgement = self._answer(runs, given)
            case Subject.MODEL:
                judgement = self._model(runs, given)
            case Subject.OUTPUT:
                judgement = self._output(given)
            case _:
                judgement = self._error(given)
        return msgspec.structs.replace(judgement, command=given.command)

    def _runs(self, pipeline: Pipeline) -> Runs:
        return Runs(pipeline, self._rlimit, (), lambda _message: None)

    # Errors, and crashes of a solver that runs in a process of its own

    def _error(self, given: Run) -> Judgement:
        kind = self._condition.kind
        if not given.shows(kind):
            return Judgement(False, f"the solver answers {given.status.value} without a verdict {kind!r}")
        verdict = given.verdict(kind)
        seen = (without_addresses if self._condition.subject is Subject.DEATH else without_numbers)(verdict.fault)
        return Judgement(seen == self._condition.fault, verdict.detail)

    # A wrong model

    def _model(self, runs: Runs, given: Run) -> Judgement:
        if not given.shows(_WRONG_MODEL):
            return Judgement(False, f"the solver answers {given.status.value} and its model is not wrong")
        if self._is_by_transforms(runs, given) != self._condition.by_transforms:
            return Judgement(False, "disabling the transforms no longer has the same effect")
        for name in filter(SWITCHED_OFF.__contains__, self._condition.cures):
            parameters = with_off(given.recipe.parameters, SWITCHED_OFF[name])
            if not self._is_cured(runs, name, replace(given.recipe, parameters=parameters)):
                return Judgement(False, f"{name} no longer cures it, so the cause may be another one")
        return self._shown_by_its_model(given)

    def _is_by_transforms(self, runs: Runs, given: Run) -> bool:
        parameters = self._pipeline.solver.transforms_off(given.recipe.parameters)
        return parameters is not None and self._is_cured(runs, PLAIN, replace(given.recipe, parameters=parameters))

    def _is_cured(self, runs: Runs, name: str, recipe: Recipe) -> bool:
        """Determine whether a model is right in this configuration."""
        run = runs.execute(name, recipe, second=self._condition.asks_others)
        return run is not None and run.status.is_decided and not run.shows(_WRONG_MODEL)

    def _shown_by_its_model(self, given: Run) -> Judgement:
        verdict = given.verdict(_WRONG_MODEL)
        cvc5 = second_solver.answers(verdict.evidence) if verdict.evidence else ()
        doubt = doubt_of_fault(verdict, cvc5, self._pipeline.solver.judge)
        if doubt:
            return Judgement(False, doubt)
        return Judgement(True, verdict.detail, {EVIDENCE: verdict.evidence})

    # A wrong proof or interpolant, and a malformed model

    def _output(self, given: Run) -> Judgement:
        if not given.shows(self._condition.kind):
            return Judgement(
                False, f"the solver answers {given.status.value} without a verdict {self._condition.kind!r}"
            )
        verdict = given.verdict(self._condition.kind)
        facts = facts_of(self._condition.kind)
        if facts.keeps_class and verdict.fault != self._condition.fault:
            return Judgement(False, f"another fault: {verdict.detail}")
        if facts.keeps_answer and given.status.value != self._condition.answer:
            return Judgement(False, f"the solver answers {given.status.value}, not {self._condition.answer}")
        return Judgement(True, verdict.detail, {facts.evidence: verdict.evidence} if verdict.evidence else {})

    # A wrong answer

    def _answer(self, runs: Runs, given: Run) -> Judgement:
        if given.status.value != self._condition.answer:
            return Judgement(False, f"the solver answers {given.status.value}, not {self._condition.answer}")
        cured = self._cured(runs, given)
        if self._condition.cures and not cured:
            return Judgement(False, "no configuration that cured the finding cures it now")
        if self._condition.is_open:
            return self._contradicted(given)
        if given.status is Status.UNSAT:
            return self._shown_by_a_model(given, cured)
        return self._shown_by_a_refutation(given)

    def _contradicted(self, given: Run) -> Judgement:
        """Judge a contradiction: the other solvers still answer otherwise, and the same one is accused."""
        found = next((verdict for verdict in given.verdicts if verdict.kind in _CONTRADICTING), None)
        if found is None:
            return Judgement(False, f"no other solver makes the answer {given.status.value} of this one suspicious")
        return Judgement(True, found.detail)

    def _cured(self, runs: Runs, given: Run) -> list[Run]:
        """Return right runs under configurations that cured the finding.

        The list is empty if disabling the transforms cured the finding and does not cure this candidate.
        """
        right = Status.SAT if given.status is Status.UNSAT else Status.UNSAT
        settings = {setting.name: setting for setting in portfolio(self._pipeline, given.recipe)}
        names = [name for name in self._condition.cures if name in settings]
        needed = [name for name in (PLAIN, GIVEN_PLAIN) if name in names]
        found = []
        for name in (needed or names)[:_MAX_CURES]:
            run = runs.under(settings[name], given.recipe)
            if run is not None and run.status is right:
                found.append(run)
            elif needed:
                return []
            if found and not needed and (right is Status.UNSAT or found[-1].model):
                break  # it cures, and has the witness that is needed
        return found

    def _shown_by_a_model(self, given: Run, cured: Sequence[Run]) -> Judgement:
        for text, source in self._models(given, cured):
            found = self._domain.model_witness(given.problem, text, source, self._pipeline.watchdog)
            if found is not None:
                return Judgement(True, f"{source} holds in every clause", {MODEL: found.script}, Status.SAT.value)
        return Judgement(False, "no known model holds in every clause")

    def _models(self, given: Run, cured: Sequence[Run]) -> Iterator[tuple[str, str]]:
        """Yield models to check, each with its source."""
        for run in cured:
            if run.model:
                yield run.model, f"the model under {run.name}"
        if self._condition.model:
            yield self._condition.model, "the finding's own model"
        yield from self._other_models(given.problem)

    def _shown_by_a_refutation(self, given: Run) -> Judgement:
        found = self._domain.refute(given.problem, self._rlimit, self._pipeline.watchdog, given)
        if found is None:
            return Judgement(False, "no refutation was found")
        files = (
            {REFUTATION: self._domain.refutation_text(found.text), REFUTATION_SCRIPT: found.script}
            if found.text
            else {CORE: found.script}
        )
        return Judgement(True, found.words, files, Status.UNSAT.value)
