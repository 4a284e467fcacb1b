"""Whether a candidate shows the finding that is being reduced: its condition and its cause, established anew.

Cheap questions come first, since most candidates fail: the accused answer, the settings that cure it, then a checked
witness. cvc5, which takes a process, is asked about what has passed all the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from chcfuzz.execution.pipeline import Pipeline
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.printer import print_system
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.oracles import derive, second_solver
from chcfuzz.oracles.evidence import definitions, refutation_script
from chcfuzz.oracles.refutation import print_refutation
from chcfuzz.solvers.cross import CrossSolver
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.z3_parameters import with_transforms_off
from chcfuzz.tracing.progress_log import ProgressLog
from chcfuzz.triage.examine.runs import GIVEN, GIVEN_PLAIN, PLAIN, Run, Runs, portfolio
from chcfuzz.triage.examine.signature import without_numbers
from chcfuzz.triage.examine.witness_search import model_witness
from chcfuzz.triage.reduce.condition import CRASH, WRONG_ANSWER, WRONG_MODEL, WRONG_PROOF, Condition

_MOST_CURES = 5  # settings that are tried on a candidate; the most telling are the first

MODEL, REFUTATION, REFUTATION_SCRIPT, EVIDENCE, STEP = (
    "reduced-model.smt2",
    "reduced-refutation",
    "reduced-refutation.smt2",
    "reduced-evidence.smt2",
    "reduced-step.smt2",
)


@dataclass(frozen=True)
class Judged:
    """`words`: what speaks against the solver here or, unless it `passes`, why this is not the same finding.

    `files` show it, by name; `right` is the answer that is shown to be right. `command` is what was run, where the
    solver is one.
    """

    passes: bool
    words: str
    files: Mapping[str, str] = field(default_factory=dict)
    right: str | None = None
    command: Sequence[str] = ()


class Judge:
    """Judges candidates for one finding; the same candidate alike each time."""

    def __init__(
        self, condition: Condition, pipeline: Pipeline, solving: Solving, others: Sequence[CrossSolver]
    ) -> None:
        """`others` are solvers that may know a model where the one under test answers unsat."""
        self._condition = condition
        self._pipeline = pipeline
        self._rlimit = solving.rlimit
        self._others = others
        self._spacer = None
        if solving.solver is not None or solving.command is not None:  # then Z3's own Spacer is another solver
            genuine = replace(solving, solver=None, command=None)
            self._spacer = Pipeline(genuine, events=ProgressLog())

    def judged(self, recipe: Recipe) -> Judged:
        """Judge the mutant of a recipe under its parameters."""
        runs = self._runs(self._pipeline)
        given = runs.execute(GIVEN, recipe, second=self._condition.others)
        assert given is not None
        if self._condition.kind == WRONG_ANSWER:
            judged = self._answer(runs, given)
        elif self._condition.kind == WRONG_MODEL:
            judged = self._model(runs, given)
        elif self._condition.kind == WRONG_PROOF:
            judged = self._proof(given)
        else:
            judged = self._error(given)
        return replace(judged, command=given.command)

    def _runs(self, pipeline: Pipeline) -> Runs:
        return Runs(pipeline, self._rlimit, (), lambda _said: None)

    # Errors and deaths that the solver's own process survives

    def _error(self, given: Run) -> Judged:
        kind = self._condition.kind
        if not given.shows(kind):
            return Judged(False, f"it answers {given.status.value}, no {kind}")
        detail = given.verdict(kind).detail
        said = detail if kind == CRASH else without_numbers(detail)
        return Judged(said == self._condition.detail, detail)

    # A wrong model

    def _model(self, runs: Runs, given: Run) -> Judged:
        if not given.shows(WRONG_MODEL):
            return Judged(False, f"it answers {given.status.value}, and no model is wrong")
        if self._transforms_spoil_it(runs, given) != self._condition.known:
            return Judged(False, "turning the transforms off changes another thing than it did")
        return self._shown_by_its_model(given)

    def _transforms_spoil_it(self, runs: Runs, given: Run) -> bool:
        if self._pipeline.command is not None:
            return False
        plain = replace(given.recipe, parameters=with_transforms_off(given.recipe.parameters))
        run = runs.execute(PLAIN, plain, second=self._condition.others)
        return run is not None and run.status.is_decided and not run.shows(WRONG_MODEL)

    def _shown_by_its_model(self, given: Run) -> Judged:
        verdict = given.verdict(WRONG_MODEL)
        if "unsat" in second_solver.answers(verdict.evidence):
            return Judged(False, "cvc5 finds true the clause that is false under the model")
        return Judged(True, verdict.detail, {EVIDENCE: verdict.evidence})

    # A wrong derivation

    def _proof(self, given: Run) -> Judged:
        if not given.shows(WRONG_PROOF):
            return Judged(False, f"it answers {given.status.value}, and no derivation is wrong")
        verdict = given.verdict(WRONG_PROOF)
        return Judged(True, verdict.detail, {STEP: verdict.evidence} if verdict.evidence else {})

    # A wrong answer

    def _answer(self, runs: Runs, given: Run) -> Judged:
        if given.status.value != self._condition.seen:
            return Judged(False, f"it answers {given.status.value}, not {self._condition.seen}")
        cured = self._cured(runs, given)
        if self._condition.cures and not cured:
            return Judged(False, "no setting that cured it does so now")
        if given.status is Status.UNSAT:
            return self._shown_by_a_model(given, cured)
        if self._condition.refuted:
            return self._shown_by_a_refutation(given)
        if given.shows(WRONG_MODEL):
            return self._shown_by_its_model(given)
        return Judged(False, "its model is not wrong")

    def _cured(self, runs: Runs, given: Run) -> list[Run]:
        """Runs that are right under settings that cured the finding; none where the transforms did and do not now."""
        right = Status.SAT if given.status is Status.UNSAT else Status.UNSAT
        settings = {setting.name: setting for setting in portfolio(self._pipeline, given.recipe)}
        names = [name for name in self._condition.cures if name in settings]
        needed = [name for name in (PLAIN, GIVEN_PLAIN) if name in names]
        found = []
        for name in (needed or names)[:_MOST_CURES]:
            run = runs.under(settings[name], given.recipe)
            if run is not None and run.status is right:
                found.append(run)
            elif needed:
                return []
            if found and not needed and (right is Status.UNSAT or found[-1].model):
                break  # it cures, and gives what is needed to show it
        return found

    def _shown_by_a_model(self, given: Run, cured: Sequence[Run]) -> Judged:
        for text, words in self._models(given, cured):
            found = model_witness(given.system, text, words, self._pipeline.watchdog)
            if found is not None:
                return Judged(True, f"{words} holds in every clause", {MODEL: found.script}, Status.SAT.value)
        return Judged(False, "no model is known that holds in every clause")

    def _models(self, given: Run, cured: Sequence[Run]) -> Iterator[tuple[str, str]]:
        """Models to be checked, and whose they are."""
        for run in cured:
            if run.model:
                yield run.model, f"the model under {run.name}"
        if self._condition.model:
            yield self._condition.model, "the finding's own model"
        if self._spacer is not None:
            plain = Recipe(print_system(given.system), (), with_transforms_off())
            run_of_spacer = self._runs(self._spacer).execute("Spacer", plain)
            if run_of_spacer is not None and run_of_spacer.model:
                yield run_of_spacer.model, "the model of Z3's own Spacer"
        for other in self._others:
            outcome = other.solve(given.system, self._rlimit)
            if outcome.status is Status.SAT and outcome.model is not None:
                yield "\n".join(definitions(given.system, outcome.model)), f"the model of {other.name}"

    def _shown_by_a_refutation(self, given: Run) -> Judged:
        found = derive.derive(given.system, self._rlimit, self._pipeline.watchdog).refutation
        if found is None:
            return Judged(False, "no refutation is found")
        files = {
            REFUTATION: print_refutation(given.system, found),
            REFUTATION_SCRIPT: refutation_script(given.system, found),
        }
        return Judged(True, f"the system has a refutation of {len(found)} steps", files, Status.UNSAT.value)
