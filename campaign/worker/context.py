"""Everything that the parts of one worker share: options, the session, caches, the solver and its tables."""

from __future__ import annotations

import os
from functools import cached_property, partial
from typing import NoReturn

from chcfuzz.campaign import corpus_folder
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session.counters import Counter, WorkerCounters
from chcfuzz.campaign.session.in_flight import CrashGuard
from chcfuzz.campaign.session.marks import CONTRADICTION
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.session.tallies import Tallies
from chcfuzz.campaign.worker.caches import Caches
from chcfuzz.campaign.worker.outcomes import CachedOutcome, OutcomeTable
from chcfuzz.campaign.worker.time_account import TimeAccount
from chcfuzz.execution.console import print_error
from chcfuzz.execution.exit_codes import EXIT_STUCK, EXIT_USAGE
from chcfuzz.execution.identity import Identity
from chcfuzz.execution.pipeline import Pipeline, event_source
from chcfuzz.execution.seed_answers import SeedAnswers
from chcfuzz.execution.solving import UsageError
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.learning import active as learned
from chcfuzz.mutators.budget import Pairs, ParameterStanding, standing_of
from chcfuzz.mutators.mutation import Scope
from chcfuzz.mutators.recipe import Unit
from chcfuzz.mutators.registry import Registry
from chcfuzz.solvers.outcome import Outcome
from chcfuzz.tracing.steps import with_steps

_TIME_OF = {ParameterStanding.DEFAULT: Counter.DEFAULT_TIME, ParameterStanding.SWITCH: Counter.SWITCH_TIME}


class WorkerContext:
    """The state of one worker; what is expensive is made at first use."""

    def __init__(self, options: Options, session: Session) -> None:
        self.options = options
        self.session = session
        self.counters = WorkerCounters(session.folder)
        self.in_flight = session.in_flight.of_this_worker()
        self.guard = CrashGuard(self.in_flight, session.denylist.digests)
        self.caches = Caches()
        self.tallies = Tallies(session)
        self.events = with_steps(event_source(options.solving))
        self.edges = self.events.edges
        self.account = TimeAccount(self.counters)

    @cached_property
    def pipeline(self) -> Pipeline:
        """The pipeline; a process that only supervises `-fork` jobs never needs it."""
        try:
            pipeline = Pipeline(self.options.solving, self._exit_stuck, self.events, self.answers)
        except ChcfuzzError as error:  # the class of --solver may refuse what it is given
            self.leave(str(error))
        pipeline.domain.call_if_query_is_stuck(self._exit_stuck)
        pipeline.chains.end_of = lambda recipe: self.outcomes.end_of(recipe.unit.digest)
        self.account.start()
        return pipeline

    @cached_property
    def rows(self) -> Registry:
        """The mutations of this campaign. Raises `UsageError` for a pattern that matches no row."""
        without = () if self.options.experimental else (Scope.EXPERIMENTAL,)
        registry = self.pipeline.chains.registry
        if self.options.model == learned.NONE and not self.options.learn:
            registry = registry.without_models()
        try:
            return registry.limited(self.options.kinds, without, self.options.rows)
        except ValueError as error:
            raise UsageError(f"--rows: {error}; `chcfuzz mutations` lists them") from error

    @cached_property
    def _identity(self) -> Identity:
        return Identity.of(self.options.solving)

    @cached_property
    def configuration_key(self) -> str:
        """Key of everything except the unit that an outcome and its verdict depend on."""
        options = self.options
        limits = options.limit_factor, options.most_rlimit
        return self._identity.key(*options.solving.arguments, *limits, options.performance)

    @cached_property
    def outcomes(self) -> OutcomeTable:
        """Outcomes that any process has seen under the same configuration key."""
        size = partial(corpus_folder.size, self.options.inputs)
        session = self.session.folder.name if self.options.solving.counts_resources else ""
        return OutcomeTable(self.options.findings, self.configuration_key, self.edges, size, session)

    @cached_property
    def answers(self) -> SeedAnswers:
        """Answers of seeds that any process has seen under the same configuration key."""
        return SeedAnswers(self.options.findings, self.configuration_key)

    def solved(self, parameters: Pairs, outcome: Outcome) -> None:
        """Charge an outcome's time to the solver, and to the scope of the parameters that it was solved under."""
        self.account.solved(outcome)
        part = _TIME_OF.get(standing_of(parameters, self.pipeline.chains.registry))
        if part is not None:
            self.counters.add(part, int(outcome.seconds * 1e9))

    def store(self, unit: Unit, outcome: CachedOutcome) -> None:
        """Store the outcome of a unit, and the end of its chain if that is cheaper to read than to make again."""
        self.outcomes.put(unit.digest, outcome, self.pipeline.chains.end_text(unit.canonical))

    def count_contradiction(self, contradicts: bool) -> None:
        """Count an answer that contradicts the expected one, if this one does."""
        self.counters.add(Counter.CONTRADICTING, contradicts)
        if contradicts:
            self.session.first.mark(CONTRADICTION)

    def update_totals(self) -> None:
        """Update the numbers that are totals of this process, not sums of its executions."""
        chains, count = self.pipeline.chains, self.counters.set
        count(Counter.IDLE, chains.idle)
        count(Counter.STEPS, chains.steps)
        count(Counter.READ, chains.read)
        self.account.update()

    def leave(self, reason: str) -> NoReturn:
        """End this worker with one line for a reason from outside, after which the campaign cannot continue."""
        self.session.exit_reason.write(reason)
        print_error(f"chcfuzz: {reason}")
        self._exit(EXIT_USAGE)

    def leave_to_another_worker(self, code: int) -> NoReturn:
        """End this worker because Z3 holds too much memory in it; a new one continues."""
        self._exit(code)

    def _exit(self, code: int) -> NoReturn:
        """End this worker; its exit is not the fault of the unit that it executes, if it executes one."""
        self.in_flight.clear()
        os._exit(code)

    def _exit_stuck(self) -> None:
        """Exit as libFuzzer does after a timeout; called by the watchdog when the solver ignores its limits."""
        self.counters.add(Counter.HANG)
        self.session.denylist.mark_stuck(self.in_flight.current or b"")
        os._exit(EXIT_STUCK)
