"""What a libFuzzer process does with a unit: the pipeline, its counters, its findings. Knows nothing of Atheris."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable
from functools import cached_property, partial
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple, NoReturn

import numpy as np
from chcfuzz.campaign import corpus_folder
from chcfuzz.campaign.background_triage import Triaging
from chcfuzz.campaign.caches import Memory
from chcfuzz.campaign.in_flight import Door
from chcfuzz.campaign.internal_errors import OURS, Boundary
from chcfuzz.campaign.learning import Learning
from chcfuzz.campaign.memory_guard import Ballast
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.outcomes import Outcomes, Shown
from chcfuzz.campaign.refusals import Refusals
from chcfuzz.campaign.run_folder import build_info, build_of
from chcfuzz.campaign.session import Counter, Session, Worker
from chcfuzz.campaign.tallies import COST, OUTCOME, STEP, Tallies
from chcfuzz.execution.cached_outcome import outcome_in
from chcfuzz.execution.pipeline import Execution, Pipeline, event_source
from chcfuzz.execution.seed_answers import Ground, SeedAnswer, SeedAnswers
from chcfuzz.execution.solving import EXIT_LARGE, EXIT_STUCK, EXIT_USAGE, UsageError
from chcfuzz.grammar.system import as_system
from chcfuzz.mutators.chain import Mutant
from chcfuzz.mutators.custom import Mutator, added_rows, chance
from chcfuzz.mutators.groups import Groups
from chcfuzz.mutators.mutation import Scope
from chcfuzz.mutators.policy import context_of
from chcfuzz.mutators.power_schedule import Thrift
from chcfuzz.mutators.recipe import Recipe, canonical, decode, digest, encode, read, text_of
from chcfuzz.mutators.registry import Registry
from chcfuzz.mutators.roots import active as active_roots
from chcfuzz.mutators.seeds import is_built_in
from chcfuzz.oracles import answer, carry_over
from chcfuzz.oracles.evidence import definitions
from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.session import Request
from chcfuzz.solvers.z3_release import active
from chcfuzz.tracing.counters import Counters
from chcfuzz.tracing.output import OutputEvents
from chcfuzz.tracing.stability import Reservoir
from chcfuzz.tracing.steps import WithSteps
from chcfuzz.tracing.trace import Trace
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings.confirmation_queue import ConfirmationQueue
from chcfuzz.triage.findings.record import FolderName
from chcfuzz.triage.findings.store import FindingsError, FindingStore
from numpy.typing import NDArray

_LEAST_LIMIT = 50_000  # of a mutant, however cheap its seed is
_HEADER = 1 << 16  # bytes of a unit that may hold what an import remembered
_STATUS_COUNTER = {
    Status.SAT: Counter.SAT,
    Status.UNSAT: Counter.UNSAT,
    Status.UNKNOWN: Counter.UNKNOWN,
    Status.LIMIT: Counter.LIMIT,
    Status.HANG: Counter.HANG,
    Status.ERROR: Counter.ERROR,
    Status.CRASH: Counter.ERROR,
    Status.UNSUPPORTED: Counter.UNSUPPORTED,
}
_ANSWER = {Status.SAT: 1, Status.UNSAT: 2, Status.UNKNOWN: 3, Status.ERROR: 4, Status.CRASH: 5}


class _Last(NamedTuple):
    """The unit that was executed last: what it showed, if it was solved, with the edges that it reached."""

    unit: bytes
    opened: bool = False
    shown: Shown | None = None
    edges: NDArray[np.uint8] | None = None


Solved = tuple[Recipe, int, Status]  # with its resource limit, and how it ended


class SolverFinding(Exception):  # noqa: N818  (libFuzzer prints the name: it is the solver's fault, no error of ours)
    """Raised out of a fuzz target with --stop-on-finding, so that libFuzzer keeps the unit as a crash."""


def raise_as(finding: str) -> NoReturn:
    """Raise `SolverFinding` out of a function that is named after it.

    ClusterFuzz tells crashes apart by the functions of a traceback alone: it would take all findings for one.
    """

    def named() -> NoReturn:
        raise SolverFinding(finding)

    named.__code__ = named.__code__.replace(co_name=re.sub(r"\W", "_", finding))
    named()


def _family(mutant: Mutant) -> str:
    """The family of the last step that changed something; "parameter" for parameters alone, else "seed"."""
    changed = [applied.step.mutation for applied in mutant.steps if applied.changed]
    if changed:
        return changed[-1].partition(".")[0]
    return "parameter" if mutant.parameters else "seed"


class Target:
    """A fuzz target without its engine: call `test_one_input` with bytes, and read `counters` afterwards.

    An undecided unit leaves every counter at zero, so that libFuzzer does not keep it; it is counted all the same. A
    command alone shows what it refuses and how: it has no other trace than its output. What its limits end stays out.
    """

    def __init__(self, options: Options, session: Session) -> None:
        self.counters = Counters()
        source = event_source(options.solving)
        self._events = source if isinstance(source, OutputEvents) else WithSteps(source)
        self._edges = self._events.edges
        self._is_command = isinstance(source, OutputEvents)
        self._options = options
        self._session = session
        self._worker = Worker(session)
        self._tallies = Tallies(session)
        self._edges_seen = session.edges_seen(len(self._edges.counters)) if len(self._edges.counters) else None
        store = FindingStore(options.findings, options.per_bucket, options.triage)
        self._triaging = Triaging(options.findings, options.triage_tests, options.per_bucket)
        self._queue = ConfirmationQueue(store, self.answers, session.mark_finding)
        self._boundary = Boundary(options.findings, session, self._worker, self._forget_execution)
        self._door = Door(self._worker.unit, session.poisoned)
        self._memory = Memory()
        self._reservoir: Reservoir[Solved] = Reservoir()
        self._groups = None if options.heuristic == "none" else Groups(options.heuristic)
        self._thrift = Thrift() if options.prices == "count" else None
        self._grown = options.grown
        self._last: _Last | None = None  # if made here
        self._ballast = Ballast()
        self._start = 0
        self._has_read = False
        self._refusals = Refusals(options.inputs)
        self._bucket = ""  # of the finding that this process ends with
        if options.rows != Options.rows:
            _ = self.rows  # a pattern that matches none is told before anything runs

    @property
    def regions(self) -> list[tuple[NDArray[np.uint8], NDArray[np.uintp]]]:
        """What libFuzzer shall watch: our counters, and the edges of a traced solver."""
        ours = (self.counters.counters, self.counters.pcs)
        with_edges = len(self._edges.counters) and self._options.features != "traces"
        return [ours, (self._edges.counters, self._edges.pcs)] if with_edges else [ours]

    @cached_property
    def pipeline(self) -> Pipeline:
        """Made at first use: the process that only watches over `-fork` children never needs it."""
        given = self._options
        self._start = time.perf_counter_ns()
        return Pipeline(given.solving, self._leave_stuck, self._events, self.answers)

    @cached_property
    def rows(self) -> Registry:
        """What this campaign mutates with. Raises `UsageError` for a pattern that matches no row."""
        given = self._options
        without = () if given.experimental else (Scope.EXPERIMENTAL,)
        try:
            return self.pipeline.chains.registry.limited(given.kinds, without, given.rows)
        except ValueError as error:
            raise UsageError(f"--rows: {error}; `chcfuzz mutations` lists them") from error

    @cached_property
    def learning(self) -> Learning:
        """What this campaign's processes have learned."""
        return Learning(self._options.policy, self.rows, self._session)

    @cached_property
    def setting(self) -> str:
        """All that an outcome depends on, but the unit."""
        given = [version("chcfuzz"), active().version, build_info(), *self._options.solving.arguments]
        return " ".join([*given, str(self._options.limit_factor)])

    @cached_property
    def _build(self) -> str:
        return build_of(self._options.solving)

    @cached_property
    def outcomes(self) -> Outcomes:
        """What this and other processes have seen under the same setting."""
        size = partial(corpus_folder.size, self._options.inputs)
        return Outcomes(self._options.findings, self.setting, self._edges, size)

    @cached_property
    def answers(self) -> SeedAnswers:
        """What this and other processes know of the answers of seeds."""
        return SeedAnswers(self._options.findings, self.setting)

    @cached_property
    def mutator(self) -> Mutator:
        """What libFuzzer's custom mutator and crossover are."""
        return Mutator(self.pipeline.chains, self.learning.policy, self._memory.shown, self._memory.seeds)

    def test_one_input(self, data: bytes) -> None:
        """Execute a unit. Raises only `SolverFinding`, and only with --stop-on-finding."""
        self._read_with_others()
        self.counters.clear()
        self._between_units()
        if self._door.is_shut_for(data):
            return
        if data in self._memory.origins:  # not from a corpus
            self._last = _Last(data)
        finding = self._run(data, always_kept=self._options.merges)  # what a merge leaves out may be cheaper
        if finding is not None and self._options.stop_on_finding:
            raise_as(self._bucket or finding)

    def _run(self, data: bytes, always_kept: bool = False) -> str | None:
        """Execute a unit, whatever comes of it; the kind of the finding, if it is one."""
        otherwise: str | None = OURS
        self._worker.unit.begin(data)
        finding = self._boundary.run(
            data, "executing it", lambda: self._execute(data, self.pipeline, always_kept), otherwise
        )
        self._worker.unit.done()
        if self._ballast.has_grown_by_it():
            self._session.poison(data)  # the worker that takes over must not lose as much again
        self._worker.counters[Counter.IDLE] = self.pipeline.chains.idle
        self._worker.counters[Counter.WALL_TIME] = time.perf_counter_ns() - self._start
        return finding

    def _read_with_others(self) -> None:
        """Where several workers read one corpus: before libFuzzer does, execute what no other one has begun with.

        libFuzzer then finds what all of them have seen in the table of outcomes.
        """
        if self._has_read or not self._session.is_read_by_several:
            return
        self._has_read = True
        for unit in corpus_folder.units(self._options.inputs):
            self._between_units()
            if self._session.claim(unit) and not self._door.is_shut_for(unit):
                self._run(unit, always_kept=True)
        self._edges.clear()

    def _between_units(self) -> None:
        """Nothing of ours is needed now: give memory back, and see what libFuzzer has written of the last unit.

        That is what opened a trace, and now and then a shorter unit than the one it has.
        """
        self._ballast.drop()
        last, self._last = self._last, None
        if last is not None and (grown := self._grown) is not None:
            kept = self._boundary.run(last.unit, "keeping it", lambda: self._kept(last, grown), False)
            if last.opened:
                self._session.see_opened(last.unit, grown)
            elif kept and last.shown is not None and last.edges is not None:
                self._edges.restore(last.edges)
                self.outcomes.put(digest(last.unit), last.shown)
                self._edges.clear()
        if self._ballast.is_too_much and self._session.replaces_workers:
            os._exit(EXIT_LARGE)  # a new one reads the same corpus

    def _kept(self, last: _Last, grown: Path) -> bool:
        """See that what libFuzzer has kept is whole; whether it has kept the unit."""
        return corpus_folder.see_kept(grown, last.unit, self._options.findings, last.opened)

    def mutate(self, data: bytes, max_size: int, seed: int, byte_mutate: Callable[[bytes, int], bytes]) -> bytes:
        """libFuzzer's custom mutator; half the time, another unit than libFuzzer's is mutated: the heuristic's."""
        doing = f"mutating it, libFuzzer's seed being {seed}"
        return self._boundary.run(
            data, doing, lambda: self._mutated(data, max_size, seed, byte_mutate), data[:max_size]
        )

    def _mutated(self, data: bytes, max_size: int, seed: int, byte_mutate: Callable[[bytes, int], bytes]) -> bytes:
        start = time.perf_counter_ns()
        if self._groups is not None and seed & 1:
            data = self._groups.pick() or data
        data = self._affordable(data, seed)
        mutated = self._door.ask(data, lambda: self.mutator.mutate(data, max_size, seed, byte_mutate), data[:max_size])
        self._memory.origins.made(mutated, data)
        self._worker.count(Counter.MUTATE_TIME, time.perf_counter_ns() - start)
        return mutated

    def _affordable(self, data: bytes, seed: int) -> bytes:
        return data if self._thrift is None else self._thrift.choose(data, chance(data + b"price", seed))

    def crossover(self, first: bytes, second: bytes, max_size: int, seed: int) -> bytes:
        """libFuzzer's custom crossover. What came out of two recipes tells a policy nothing about one row."""
        doing = f"crossing it with {digest(second)}, libFuzzer's seed being {seed}"
        return self._boundary.run(first, doing, lambda: self._crossed(first, second, max_size, seed), first[:max_size])

    def _crossed(self, first: bytes, second: bytes, max_size: int, seed: int) -> bytes:
        start = time.perf_counter_ns()
        first, second = self._affordable(first, seed), self._affordable(second, seed)
        crossed = self._door.ask(first, lambda: self.mutator.crossover(first, second, max_size, seed), first[:max_size])
        self._memory.origins.made_of_two(crossed)
        self._worker.count(Counter.MUTATE_TIME, time.perf_counter_ns() - start)
        return crossed

    def _forget_execution(self) -> None:
        """After an error in the midst of it: nothing is shown of it, and no row is credited with it."""
        self.counters.clear()
        self._edges.clear()
        self._memory.origins.forget()

    def _execute(self, data: bytes, pipeline: Pipeline, always_kept: bool = False) -> str | None:
        """Execute a unit and show its features; the kind of the finding, if it is one.

        What it showed is kept for others if it opened a trace or is a seed, or always. Where a known one is executed
        for libFuzzer's corpus alone, only those edges are shown that change something there. The empty unit is executed
        for nothing: libFuzzer begins with it, and looks at no counter afterwards.
        """
        count = self._worker.count
        start = time.perf_counter_ns()
        count(Counter.EXECUTIONS)
        known = self._imported(data, pipeline) or self._known(data, None if always_kept or not data else len(data))
        if known is not None:
            count(Counter.REPEATED)
            self._credit(data, self._tell(data, known))
            return None if self._options.triage else known.finding  # an earlier one has looked into it
        unit = read(data)
        if unit.fault is not None:
            self._worker.count(Counter.REFUSED)
            self._refusals.tell(data, unit.fault)
            return None
        recipe = canonical(unit.recipe)
        self._offer_seed(data, recipe.seed)
        if recipe.steps or recipe.parameters:
            self._answer_of_seed(recipe)
        decoded = time.perf_counter_ns()
        mutant = pipeline.mutant(recipe)
        applied = time.perf_counter_ns()
        key = mutant.key
        count(Counter.DECODE_TIME, decoded - start)
        count(Counter.APPLY_TIME, applied - decoded)
        count(Counter.PRINT_TIME, time.perf_counter_ns() - applied)

        shown = self._memory.shown.get(key)
        if shown is not None:
            count(Counter.REPEATED)
            self._edges.clear()  # of what the mutation, or solving the seed, has reached
            self._show(shown)
            return shown.finding or self._compare(recipe, mutant, shown.status)
        limit = self._limit(recipe)
        seed_cost = self._cost_of_seed(recipe) if self._options.performance else None
        self._edges.clear()  # of what the mutation, or solving the seed, has reached
        execution = pipeline.execute(mutant, limit, seed_cost)
        outcome = execution.outcome
        self._count(execution)
        if not recipe.steps and not recipe.parameters:
            self._learn_of_seed(recipe, execution)
        reached = self._edges.saved()
        finding = self._suspected(recipe, execution)
        shown = Shown(key, recipe.seed, outcome.status, outcome.trace, outcome.cost, finding)
        if outcome.status is not Status.HANG:
            self._memory.shown.put(key, shown)
        if outcome.trace.complete and outcome.status not in (Status.HANG, Status.UNSUPPORTED):  # it has to come again
            self._recheck(pipeline, (recipe, limit, outcome.status), outcome.trace)
        self._edges.restore(reached)
        opened = self._tell(data, shown)
        if self._last is not None:
            self._last = _Last(data, opened, shown, reached)
            if opened:
                self._session.keep_opened(data)
        if opened or always_kept or not (recipe.steps or recipe.parameters):
            self.outcomes.put(digest(data), shown)
        self._credit(data, opened)
        return finding

    def _tell(self, data: bytes, shown: Shown) -> bool:
        """Show libFuzzer, the groups and the prices what became of a unit; whether it opened a trace.

        The same whether it was solved or known: what is remembered must not change what a campaign does.
        """
        decided = shown.status.is_decided
        opened = self._show(shown) and decided
        if self._groups is not None:
            found = shown.finding is not None
            self._groups.executed(shown.seed, data, shown.trace, shown.cost, decided, found, opened)
        if self._thrift is not None:
            self._thrift.executed(data, shown.cost, opened or (decided and data not in self._memory.origins))
        return opened

    def _credit(self, data: bytes, opened: bool) -> None:
        """Tell the policy what became of the rows that made this unit, if it was made here just now."""
        origin = self._memory.origins.of(data)
        self._memory.origins.forget()
        if origin is None:
            return
        chains, before, recipe = self.pipeline.chains, decode(origin), canonical(decode(data))
        context = context_of(chains.apply(before).problem, before, chains.registry)
        self.learning.credit(context, added_rows(before, recipe, chains.registry), opened)

    def _imported(self, data: bytes, pipeline: Pipeline) -> Shown | None:
        """What an import remembered of this unit's execution: its text need not even be parsed.

        Nothing where edges count, which no import remembers.
        """
        if len(self._edges.counters) or b":chcfuzz-outcome" not in data[:_HEADER]:
            return None
        known = outcome_in(data[:_HEADER].decode("utf-8", "replace"), pipeline.setting)
        text = text_of(data)
        if known is None or text is None:
            return None
        self._offer_seed(data, text)
        status, cost, trace = known
        self._memory.costs.put(text, cost)
        return Shown(b"", text, status, trace, cost)

    def _known(self, data: bytes, size: int | None) -> Shown | None:
        """What another process, or an earlier campaign, saw of this unit; with its size, of edges only what is news."""
        shown = self.outcomes.get(digest(data), size)
        if shown is None:
            return None
        self._memory.shown.put(shown.key, shown)
        self._offer_seed(data, shown.seed)
        if text_of(data) is not None:
            self._memory.costs.put(shown.seed, shown.cost)
            self._note(shown.seed, shown.status, Ground.ANSWER)
        return shown

    def _offer_seed(self, data: bytes, seed: str) -> None:
        """Others may be exchanged for the seed of a unit from now on; for a built-in one only where it is a text."""
        if is_built_in(seed) and text_of(data) is None:
            return
        if seed not in self._memory.seeds:
            self._session.count_seed(seed, self.answers.of(seed))
        self._memory.seeds.use(seed)

    def _count(self, execution: Execution) -> None:
        count, outcome = self._worker.count, execution.outcome
        count(_STATUS_COUNTER[outcome.status])
        expected = execution.mutant.expected
        count(Counter.CONTRADICTING, outcome.status.is_decided and expected not in (None, outcome.status.value))
        count(Counter.SOLVER_TIME, int(outcome.seconds * 1e9))
        count(Counter.CHECK_TIME, int(execution.check_seconds * 1e9))
        count(Counter.CUT_TRACES, not outcome.trace.complete)
        count(Counter.MODELS, execution.model_verdict is not None)
        count(Counter.MODELS_UNDECIDED, execution.model_verdict is VerdictKind.UNDECIDED)
        count(Counter.PROOFS, execution.proof_verdict is not None)
        count(Counter.PROOFS_UNDECIDED, execution.proof_verdict is VerdictKind.UNDECIDED)
        count(Counter.SECOND_OPINIONS, len(execution.second))
        count(Counter.SECOND_UNDECIDED, sum(verdict.kind is VerdictKind.UNDECIDED for verdict in execution.second))
        theory = active_roots().class_of(execution.mutant.problem)
        self._tallies.count((OUTCOME, theory, _family(execution.mutant), outcome.status.value))
        self._tallies.count((COST, outcome.status.value, str(outcome.cost.bit_length())))

    def _show(self, shown: Shown) -> bool:
        """Set the counters; whether the trace is new to this campaign."""
        start = time.perf_counter_ns()
        if shown.status.is_decided or (self._is_command and shown.status in _ANSWER):
            self._record(shown.trace, _ANSWER[shown.status])
        else:
            self._edges.clear()
        if self._edges_seen is not None:
            first = self._edges.counters > self._edges_seen
            if first.any():  # only what is new is written, so that no other worker's is written over
                self._edges_seen[first] = 255
        new = self._session.traces.add([shown.trace.hash]) > 0
        if new:  # else its transitions are known too
            self._session.transitions.add(shown.trace.keys.tolist())
            if isinstance(self._events, WithSteps):
                for before, after in self._events.take(shown.trace):
                    self._tallies.count((STEP, self._build, before, after))
        self._worker.count(Counter.TRACE_TIME, time.perf_counter_ns() - start)
        return new

    def _record(self, trace: Trace, answer: int) -> None:
        if self._options.features == "all":
            self.counters.record(trace, answer)
        elif self._options.features != "edges":
            self.counters.record_trace(trace)

    def _limit(self, recipe: Recipe) -> int:
        """The resource limit of a recipe: so many times what its seed costs."""
        full, factor = self._options.solving.rlimit, self._options.limit_factor
        if not factor or not (recipe.steps or recipe.parameters):
            return full
        cost = self._cost_of_seed(recipe)
        return full if cost is None else min(full, max(_LEAST_LIMIT, factor * cost))

    def _cost_of_seed(self, recipe: Recipe) -> int | None:
        """What a recipe's seed costs under its own parameters; it is solved once if need be. None if that kills."""
        if recipe.seed not in self._memory.costs:
            self._solve_seed(recipe)
        return self._memory.costs.get(recipe.seed)

    def _answer_of_seed(self, recipe: Recipe) -> None:
        """See that the answer of a recipe's seed is known, or that it has none."""
        if self.answers.of(recipe.seed) is None:
            self._solve_seed(recipe)

    def _solve_seed(self, recipe: Recipe) -> None:
        alone = Recipe(recipe.seed)
        unit = encode(alone)
        known = self.outcomes.get(digest(unit))
        if known is not None:  # an earlier process, or campaign, has solved it
            self._memory.costs.put(alone.seed, known.cost)
            if self.answers.of(alone.seed) is not None:
                return
        mutant = self.pipeline.mutant(alone)
        self._edges.clear()
        execution = self._door.run(unit, lambda: self.pipeline.execute(mutant, second=False), None)
        if execution is None:
            return
        outcome = execution.outcome
        if execution.finding is None and outcome.status is not Status.HANG:  # else it is looked into as a unit
            self.outcomes.put(digest(unit), Shown(mutant.key, alone.seed, outcome.status, outcome.trace, outcome.cost))
        self._worker.count(Counter.SOLVER_TIME, int(execution.outcome.seconds * 1e9))
        self._worker.count(Counter.CHECK_TIME, int(execution.check_seconds * 1e9))
        self._learn_of_seed(alone, execution)

    def _learn_of_seed(self, seed: Recipe, execution: Execution) -> None:
        """Take note of what a seed costs, and of its answer, with the model if it holds in every clause."""
        outcome = execution.outcome
        self._memory.costs.put(seed.seed, outcome.cost)
        holds = execution.model_verdict is VerdictKind.PASS and outcome.model is not None
        witness = (
            "\n".join(definitions(as_system(execution.mutant.problem), outcome.model))
            if holds and outcome.model
            else ""
        )
        self._note(seed.seed, outcome.status, Ground.WITNESS if holds else Ground.ANSWER, witness)

    def _note(self, seed: str, status: Status, ground: Ground, witness: str = "") -> None:
        """Note a seed's own answer if its text declares none; the confirmation queue corrects a declared one."""
        if self.answers.of(seed) is not None:
            return
        known = SeedAnswer(status.value, ground, witness) if status.is_decided else SeedAnswer(None, Ground.NONE)
        self._session.count_seed(seed, self.answers.note(seed, known))

    def _recheck(self, pipeline: Pipeline, execution: Solved, trace: Trace) -> None:
        """Every so often, run an earlier execution again and compare; one that a clock ends says nothing."""
        earlier = self._reservoir.offer(execution, trace.hash)
        if earlier is None:
            return
        (recipe, limit, status), trace_hash = earlier

        def solved() -> tuple[Mutant, Outcome]:
            mutant = pipeline.mutant(recipe)  # which may ask Spacer
            return mutant, pipeline.solve_afresh(mutant.text, mutant.parameters, limit)

        done = self._door.run(encode(recipe), solved, None)
        if done is None:
            return
        mutant, again = done
        self._worker.count(Counter.SOLVER_TIME, int(again.seconds * 1e9))
        if again.status is not Status.HANG and again.trace.complete:
            self._worker.count(Counter.RECHECKED)
            self._worker.count(Counter.STABLE, again.trace.hash == trace_hash)
        if again.status is not status:
            self._see_carry_over(pipeline, recipe, mutant, limit, again)

    def _see_carry_over(self, pipeline: Pipeline, recipe: Recipe, mutant: Mutant, limit: int, fresh: Outcome) -> None:
        """Something else came of it when it was first solved: does that depend on what the process solved before?"""
        if pipeline.command is None or not pipeline.command.stays_alive:
            return
        before = pipeline.command.history(mutant.parameters, limit)
        now = self._door.run(encode(recipe), lambda: pipeline.solve(mutant.text, mutant.parameters, limit), None)
        if now is None:
            return
        verdict = carry_over.compared(fresh.status, now.status, len(before))
        if verdict.kind.is_finding:
            self._suspect(recipe, mutant, verdict, now.status, before)

    def _suspected(self, recipe: Recipe, execution: Execution) -> str | None:
        """Write a suspicious verdict down; its kind."""
        verdict = execution.finding
        if verdict is None:
            return None
        return self._suspect(recipe, execution.mutant, verdict, execution.outcome.status)

    def _compare(self, recipe: Recipe, mutant: Mutant, status: Status) -> str | None:
        """What the answer oracle says of a mutant that was executed as another recipe's: its promise may be another."""
        verdict = answer.compared(mutant.expected, status)
        self._worker.count(Counter.CONTRADICTING, verdict.kind.is_finding)
        return self._suspect(recipe, mutant, verdict, status) if verdict.kind.is_finding else None

    def _suspect(
        self, recipe: Recipe, mutant: Mutant, verdict: Verdict, status: Status, before: tuple[Request, ...] = ()
    ) -> str | None:
        start = time.perf_counter_ns()
        kind, known = verdict.kind.value, self.answers.look_again(recipe.seed)
        self._worker.count(Counter.CONTRADICTING_SUSPECTED, verdict.oracle == "answer")
        if known is not None and verdict.oracle == "answer" and mutant.promise.expected(known.status) == status.value:
            return None  # a witness has since shown that the seed has the other status
        self._worker.count(Counter.SUSPICIONS)
        unit = encode(recipe)
        how = self._options.solving.arguments
        seen = Suspicion(unit, kind, verdict.oracle, status.value, mutant.expected, verdict.detail, known, how, before)
        try:
            if not self._queue.add(seen):
                self._worker.count(Counter.ALIKE)
            elif self._options.stop_on_finding:
                with self._worker.unit.paused():
                    found = self._queue.process(seen.name)
                if not self._is_news(found):
                    return None
                self._bucket = FolderName.parse(found.name).signature if found else ""
            return kind
        except FindingsError as error:
            print(f"chcfuzz: {error}", file=sys.stderr, flush=True)
            os._exit(EXIT_USAGE)  # libFuzzer would call an exception a crash of the target
        finally:
            self._worker.count(Counter.CONFIRM_TIME, time.perf_counter_ns() - start)

    def _is_news(self, finding: Path | None) -> bool:
        """Whether a finding is there, and with --triage its bucket was not."""
        return finding is not None and not (self._options.triage and self._triaging.is_known(finding))

    def _leave_stuck(self) -> None:
        """Called beside a solver that does not come back: note the unit and leave as libFuzzer does after a timeout."""
        self._worker.count(Counter.HANG)
        self._session.mark_stuck(self._worker.unit.current or b"")
        os._exit(EXIT_STUCK)
