"""One way from bytes to verdicts, the same for a campaign, a replay and the confirmation of a finding."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from chcfuzz.execution.cached_outcome import Setting
from chcfuzz.execution.domain import load
from chcfuzz.execution.identity import Identity
from chcfuzz.execution.reports import RunReport, StepReport, UnitReport, VerdictReport
from chcfuzz.execution.seed_answers import Ground, SeedAnswer, SeedAnswers
from chcfuzz.execution.solver_steps import SolverStepReport, first_wrong
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.problem import Pairs
from chcfuzz.mutators.chain import AppliedStep, Chains, Mutant
from chcfuzz.mutators.mutation import Promise
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.mutators.seeds import read_seed
from chcfuzz.oracles import outcome_checks
from chcfuzz.oracles.verdict import ANSWER, MODEL, PROOF, Oracle, Verdict, VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_release import active
from chcfuzz.tracing.source import TraceSource
from chcfuzz.tracing.trace import NOTHING
from msgspec import UNSET

_MOST_PATIENCE = 4.0  # times the wall clock of an execution; Z3 takes some seconds for forty times the default limit


@dataclass(frozen=True)
class Execution:
    """A mutant, the solver's outcome, and the verdicts of the oracles.

    `verdicts` ends with the second opinions, `second`, if there are any. `check_seconds` is the time of the oracles,
    for statistics only. The outcome's model is valid as long as this object exists.
    """

    mutant: Mutant
    outcome: Outcome
    verdicts: tuple[Verdict, ...]
    second: tuple[Verdict, ...]
    check_seconds: float

    @property
    def finding(self) -> Verdict | None:
        """The first verdict, in the order of the oracles, that is a finding; None without one."""
        return next((verdict for verdict in self.verdicts if verdict.kind.is_finding), None)

    @property
    def model_verdict(self) -> VerdictKind | None:
        """Verdict of the model's oracle; None without a model."""
        return self._kind_by(MODEL)

    @property
    def proof_verdict(self) -> VerdictKind | None:
        """Verdict of the derivation's oracle; None without a derivation."""
        return self._kind_by(PROOF)

    def _kind_by(self, oracle: Oracle) -> VerdictKind | None:
        return next((verdict.kind for verdict in self.verdicts if verdict.oracle == oracle.name), None)


class Pipeline:
    """Makes mutants, solves them and runs every oracle. Needs `z3_release.activate` before."""

    def __init__(
        self,
        solving: Solving,
        on_stuck: Callable[[], None] | None = None,
        events: TraceSource | None = None,
        answers: SeedAnswers | None = None,
        judges_steps: bool = False,
    ) -> None:
        """Prepare to execute mutants; `answers` holds the answers of seeds whose text does not declare a status.

        Without `events`, the solver gets a source of its own. With `judges_steps`, an execution with second
        opinions judges the steps of the solver, too, as the examination of a wrong step needs. Raises `CommandError`
        for a command that cannot be started, and `UsageError` for a solver that does not exist.
        """
        self.domain = load(solving.domain)
        self.chains = Chains(self.domain.registry(solving), roots=self.domain.roots)
        self.answers = answers or SeedAnswers()
        self._rlimit = solving.rlimit
        self._solving = solving
        self._judges_steps = judges_steps
        self._one_in = solving.second_opinion
        self.watchdog = Watchdog(solving.wall_seconds, on_stuck)
        self.solver = self.domain.solver(solving, events, self.watchdog)
        self.second_opinion = self.domain.second_opinion(solving, self.watchdog, self._solve_again)

    @property
    def setting(self) -> Setting:
        """Configuration key of this pipeline's outcomes."""
        return Setting(Identity.of(self._solving).key(), self.solver.events.name, self._rlimit)

    def mutant(self, recipe: Recipe) -> Mutant:
        """Apply the chain without solving; the expected answer follows from the seed's answer."""
        mutant = self.chains.apply(recipe)
        known = self.answers.of(recipe.seed)
        if known is None:
            return mutant if mutant.expected is None else replace(mutant, expected=None)
        expected = mutant.promise.expected(known.status)
        is_declared = known.ground is Ground.DECLARED
        if is_declared and expected == mutant.expected:
            return mutant
        backing, projects = known.backing, known.projects
        return replace(mutant, expected=expected, backing=backing, is_declared=is_declared, promised_by=projects)

    def promised(self, mutant: Mutant) -> str | None:
        """Return the answer of the solver under test that a mutant promises."""
        return mutant.promised_to(self.domain.project(self._solving, mutant.parameters)) if mutant.expected else None

    def seed_answer(self, execution: Execution) -> SeedAnswer:
        """Return the status of a seed that its execution shows, and the ground for it."""
        project = self.domain.project(self._solving, execution.mutant.parameters)
        shown = self.domain.seed_evidence(execution, project, self.watchdog)
        return shown or self.hope(execution.outcome.status, execution.mutant.parameters)

    def hope(self, status: Status, parameters: Pairs = ()) -> SeedAnswer:
        """Return the status of a seed that only an answer of the solver under test shows."""
        project = self.domain.project(self._solving, parameters)
        if not status.is_decided:
            return SeedAnswer(None, Ground.NONE)
        return SeedAnswer(status.value, Ground.ANSWER, projects=(project,) if project else ())

    def solve(self, text: str, parameters: tuple[tuple[str, str], ...], rlimit: int | None = None) -> Outcome:
        """Solve in a new context, within this resource limit or the campaign's, without oracles."""
        with self.watchdog.waiting(self._patience(rlimit)):
            return self.solver.solve(text, parameters, rlimit or self._rlimit)

    def _refused(self, mutant: Mutant) -> Outcome | None:
        """Return an UNSUPPORTED outcome for a mutant that the solver is known not to read, without running it."""
        why = self.solver.refused(mutant.problem)
        return Outcome(Status.UNSUPPORTED, why, NOTHING, 0, 0.0) if why else None

    def solve_afresh(self, text: str, parameters: tuple[tuple[str, str], ...], rlimit: int | None = None) -> Outcome:
        """Solve in a process, or a context, that has solved nothing before."""
        with self.watchdog.waiting(self._patience(rlimit)):
            return self.solver.solve_afresh(text, parameters, rlimit or self._rlimit)

    def _patience(self, rlimit: int | None) -> float:
        """Return how many times as long as usual the wall clock waits: a larger resource limit takes longer."""
        return min(_MOST_PATIENCE, max(1.0, (rlimit or 0) / self._rlimit))

    def is_for_second_opinion(self, mutant: Mutant) -> bool:
        """Return whether this mutant is the one in N that gets a second opinion, which is a property of the mutant."""
        return self._one_in > 0 and int.from_bytes(mutant.key[:4]) % self._one_in == 0

    def first_wrong_step(self, mutant: Mutant) -> SolverStepReport | None:
        """Judge the solver's steps in another run of a mutant; return the first wrong one, None without one.

        Raises a `ChcfuzzError` if the steps of this solver cannot be read or judged.
        """
        return first_wrong(self.domain.solver_steps(self._solving, mutant.text, mutant.parameters, None))

    def _solve_again(self, mutant: Mutant) -> Outcome:
        return self.solve(mutant.text, mutant.parameters)

    def execute(
        self,
        mutant: Mutant,
        rlimit: int | None = None,
        seed_cost: int | None = None,
        second: bool | None = None,
        fresh: bool = False,
    ) -> Execution:
        """Solve the mutant, within this resource limit or the campaign's, and run every oracle.

        With `seed_cost`, the cost of its seed under the same parameters, the mutant's cost is judged too. `second`
        decides whether to get a second opinion; None: for one mutant in N. With `fresh`, a command that stays alive
        solves in a new process.
        """
        solve = self.solve_afresh if fresh else self.solve
        outcome = self._refused(mutant) or solve(mutant.text, mutant.parameters, rlimit)
        start = time.perf_counter()
        verdicts = [
            self.domain.errors(outcome),
            outcome_checks.answer(self.promised(mutant), outcome.status),
            outcome_checks.resources(outcome, max(rlimit or 0, self._rlimit)),
        ]
        verdicts += self.domain.verdicts(mutant, outcome, self.watchdog, self._solve_again)
        if outcome.status.is_decided and outcome.reason:
            verdicts = [verdict.with_complaint(outcome.reason) for verdict in verdicts]
        if seed_cost is not None and mutant.promise is Promise.EQUIVALENT:
            verdicts.append(outcome_checks.cost(outcome, seed_cost))
        judges = self.second_opinion.steps if self._judges_steps and second is not False else None
        if second is None:
            contradicts = any(verdict.oracle == ANSWER.name and verdict.kind.is_finding for verdict in verdicts)
            second = (contradicts and self.second_opinion.has_others) or self.is_for_second_opinion(mutant)
        others = self.second_opinion.verdicts(mutant, outcome) if second else ()
        for sample in self.second_opinion.samples:
            if sample.takes(mutant):
                others += sample.verdicts(mutant, outcome)
        if judges is not None and outcome.status.is_decided:
            others = (*others, judges.check(mutant, outcome).verdict)
        return Execution(mutant, outcome, (*verdicts, *others), others, time.perf_counter() - start)


def event_source(solving: Solving) -> TraceSource:
    """Return the source of traces of the solver under test."""
    return load(solving.domain).trace_source(solving)


def describe(recipe: Recipe, mutant: Mutant) -> UnitReport:
    """Return the report on a unit: its seed, its mutant and its chain."""
    seed = read_seed(recipe.seed, mutant.roots)
    assert seed is not None
    return UnitReport(
        active().version,
        mutant.roots.print(seed),
        mutant.script(),
        mutant.text,
        mutant.parameters,
        mutant.promise.value,
        mutant.expected,
        tuple(_step_report(applied) for applied in mutant.steps),
    )


def _step_report(applied: AppliedStep) -> StepReport:
    step = applied.step
    return StepReport(step.mutation, step.choices.hex(), step.key.hex(), applied.changed, applied.description)


def report(execution: Execution) -> RunReport:
    """Return an execution as records and messages hold it, without model and derivation."""
    outcome = execution.outcome
    return RunReport(
        status=outcome.status.value,
        reason=outcome.reason,
        verdicts=tuple(map(VerdictReport.of, execution.verdicts)),
        model_holds=execution.model_verdict is VerdictKind.PASS,
        trace_hash=f"{outcome.trace.hash:016x}",
        events=outcome.trace.length,
        cost=outcome.cost,
        command=outcome.command,
        others={name: other.status.value for name, other in outcome.others} or UNSET,
        left_out=_left_out(outcome) or UNSET,
    )


def _left_out(outcome: Outcome) -> tuple[str, ...]:
    of_others = (f"{name}: {parameter}" for name, other in outcome.others for parameter in other.left_out)
    return (*outcome.left_out, *of_others)
