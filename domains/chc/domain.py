"""The domain of Constrained Horn Clauses: Spacer, a class in its place, or any CHC solver as a command."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from chcfuzz.domains.chc.program import checked_path, program
from chcfuzz.domains.chc.roots import ChcRoots
from chcfuzz.domains.chc.solvers.verbose_output import verbose_output
from chcfuzz.domains.protocol import Domain, MutantSample, OtherModels, Refuted, SecondOpinion, Solve, WitnessSearch
from chcfuzz.execution.seed_answers import Ground, SeedAnswer
from chcfuzz.execution.solver_steps import STANDARD_ERROR, SolverStepReport
from chcfuzz.execution.solving import BOTH, PROGRAM, Solving, UsageError
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printable import counted
from chcfuzz.grammar.problem import BaseProblem, Pairs
from chcfuzz.grammar.system import System, as_system
from chcfuzz.mutators.chain import Mutant
from chcfuzz.mutators.mutation import Scope
from chcfuzz.mutators.registry import Registry
from chcfuzz.mutators.roots import DEFAULT_DOMAIN
from chcfuzz.mutators.seeds import own_seeds
from chcfuzz.oracles.verdict import MODEL, PROOF, Verdict, VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.process import cut_after
from chcfuzz.solvers.solver import Solver
from chcfuzz.solvers.solver_model import AnyModel
from chcfuzz.solvers.solver_names import SOLVER
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_program import NAME
from chcfuzz.solvers.z3_release import Release, active
from chcfuzz.tracing.progress_log import ProgressLog
from chcfuzz.tracing.source import EventSource, TraceSource
from chcfuzz.tracing.traced_library import TracedLibrary
from chcfuzz.triage.examine.conclusion import Witness
from chcfuzz.triage.examine.runs import Run, Runs
from chcfuzz.triage.examine.shape import SystemShape
from chcfuzz.triage.findings.record import Record
from chcfuzz.triage.findings.reproducing import ReleasedRun
from chcfuzz.triage.shrink.result import Mode, Shrunk
from chcfuzz.triage.shrink.search import CandidateCounts, InputTest
from chcfuzz.triage.shrink.size import Size

if TYPE_CHECKING:
    from chcfuzz.domains.chc.generation.transitions import Generated
    from chcfuzz.domains.chc.solvers.spacer import Spacer
    from chcfuzz.execution.pipeline import Execution


class ChcDomain(Domain):
    """CHC systems; see `domains.protocol.Domain`."""

    name = DEFAULT_DOMAIN
    modes = tuple(Mode)
    solver_name = "Spacer"
    roots = ChcRoots()
    bridged = "smt"

    @property
    def seeds(self) -> Path:
        """The seeds of CHC systems; see `domains.protocol.Domain`."""
        return own_seeds()

    def prepared(self, solving: Solving, _experimental: bool) -> Solving:
        """Ensure that one solver is named, and that a command exists."""
        if solving.command is not None and solving.solver is not None:
            raise UsageError("--solver names a class in the place of Spacer; here --command is under test")
        command = solving.solver_command()  # reports a missing program before anything begins
        if command is not None and solving.z3_program is not None:
            raise UsageError("--z3-program is a front end of Z3; here --command is under test")
        return solving

    def counts_resources(self, solving: Solving) -> bool:
        """Return whether Spacer is under test: a command does not count resources."""
        return solving.command is None

    def headline(self, solving: Solving, release: Release) -> str:
        """Return the release of Z3 and its events, or the command and its answer to a small system."""
        from chcfuzz.domains.chc.headline import headline

        return headline(solving, release)

    def check_named(self, solving: Solving) -> None:
        """Ensure that commands exist and that releases have versions; raises `CommandError` and `ReleaseError`."""
        from chcfuzz.solvers.other_solvers import check_named

        solving.solver_command()
        checked_path(solving)
        check_named(solving.cross, solving.cross_z3, solving.wall_seconds)

    def check_usable(self, solving: Solving) -> None:
        """Ensure that every command and release can be started, and that the solver's class exists.

        Raises `CommandError`, `ReleaseError` and `UsageError`.
        """
        from chcfuzz.solvers.other_solvers import cross_solvers

        cross_solvers(solving.cross, solving.cross_z3, solving.wall_seconds, under_test=solving.solver_command())
        if solving.solver is not None:
            solver_class(solving.solver)

    def registry(self, solving: Solving) -> Registry:
        """Return all families, and the parameters of Spacer or the options of the command."""
        from chcfuzz.domains.chc.rows.registry import registry

        dialect = solving.command_dialect
        return registry(None if dialect is None else dialect.name)

    def trace_source(self, solving: Solving) -> TraceSource:
        """Return the best source that the Z3 of this process has, or the output of the command or the program."""
        command = solving.solver_command() or (program(solving) if solving.front_end == PROGRAM else None)
        return _events_of_z3(solving) if command is None else command.events

    def solver(self, solving: Solving, source: TraceSource | None, watchdog: Watchdog) -> Solver:
        """Return the command, or Spacer as a library, as the z3 program, or as both."""
        command, beside = solving.solver_command(), program(solving)
        if command is not None or beside is None:
            return command or _spacer(solving, source, watchdog)
        from chcfuzz.domains.chc.solvers.spacer import FrontEnds

        is_program_first = solving.front_end == PROGRAM
        events = _events_of_spacer(solving, None if is_program_first else source)
        return FrontEnds(events, watchdog, beside, is_program_first)

    def tested(self, solving: Solving, parameters: Pairs) -> Pairs:
        """Return the parameter that puts the z3 program under test, if it is."""
        named = dict(parameters).get(SOLVER)
        is_program = named == NAME or (named is None and solving.front_end == PROGRAM)
        return ((SOLVER, NAME),) if is_program else ()

    def solver_key(self, solving: Solving, parameters: Pairs, z3: str) -> str:
        """Return the name and release of the front end of Z3, or the command."""
        return f"{NAME} {z3}" if self.tested(solving, parameters) else solving.solver_key(z3)

    @property
    def judges_solver_steps(self) -> bool:
        """Whether steps can be judged: those of Spacer."""
        return True

    def solver_steps(
        self, solving: Solving, text: str, parameters: Pairs, given: tuple[str, str] | None
    ) -> Sequence[SolverStepReport]:
        """Return the judgements on Spacer's steps for a script, or on those in a `given` text with its name."""
        from chcfuzz.domains.chc.solver_steps.text_format import check_end, own_lines
        from chcfuzz.domains.chc.solver_steps.worker import judged_once

        if given is None and solving.command is not None:
            raise UsageError("the steps of a command are those that it prints; add --solver-steps-from FILE or stderr")
        if given is not None and given[0] == STANDARD_ERROR:
            given = (STANDARD_ERROR, own_lines(given[1], STANDARD_ERROR))
        elif given is not None:
            check_end(given[1], given[0])
        reply = judged_once(solving, text, parameters, given)
        if reply.error or reply.death:
            raise UsageError(reply.error or f"the steps are not judged: {reply.death}")
        return reply.steps

    def held_memory(self) -> int:
        """Return the bytes that Z3 holds."""
        from chcfuzz.solvers.z3_errors import held_memory

        return held_memory()

    def call_if_query_is_stuck(self, action: Callable[[], None]) -> None:
        """Set the action for mutations that query Spacer."""
        from chcfuzz.domains.chc.oracles import witnesses

        witnesses.call_if_stuck(action)

    def verdicts(self, mutant: Mutant, outcome: Outcome, watchdog: Watchdog, _solve: Solve) -> Sequence[Verdict]:
        """Return the verdicts on the model, on an answer sat whose model is undecided, and on the derivation."""
        from chcfuzz.domains.chc.oracles import model, plain_smt, proof

        system = as_system(mutant.problem)
        verdicts = []
        if outcome.status is Status.SAT and outcome.model is not None:
            verdicts.append(model.check(system, outcome, watchdog))
            if verdicts[0].kind is VerdictKind.UNDECIDED and not verdicts[0].left_out:
                verdicts.append(plain_smt.check(system))
        if outcome.is_cut:
            oracle = MODEL if outcome.status is Status.SAT else PROOF
            detail = f"the output is incomplete, or longer than {cut_after()}, so no witness is read"
            verdicts.append(Verdict(oracle.name, VerdictKind.UNDECIDED, detail))
        if outcome.extra is not None:
            verdicts.append(proof.check(system, outcome, watchdog))
        return verdicts

    def seed_evidence(self, execution: Execution, _project: str, watchdog: Watchdog) -> SeedAnswer | None:
        """Return the status that a model or a derivation of the solver shows, if cvc5 does not contradict it."""
        from chcfuzz.domains.chc.witness_search import outcome_witness

        if VerdictKind.PASS not in (execution.model_verdict, execution.proof_verdict):
            return None
        found = outcome_witness(as_system(execution.mutant.problem), execution.outcome, watchdog)
        return None if found is None else SeedAnswer(found.status.value, Ground.WITNESS, found.text)

    @property
    def reserve_budget(self) -> str:
        """Each answer, but only in a second opinion."""
        return "all in second opinions"

    def second_opinion(self, solving: Solving, watchdog: Watchdog, solve: Solve) -> SecondOpinion:
        """Return the opinions of a search for refutations, of cvc5, of Z3's other engines and of other CHC solvers."""
        from chcfuzz.domains.chc import compared_program
        from chcfuzz.domains.chc.second_opinion import ChcSecondOpinion

        spacer = None
        if solving.command is not None:
            spacer = _spacer(replace(solving, command=None), None, watchdog)
        beside = program(solving) if solving.front_end == BOTH else None
        checks = () if beside is None else (compared_program.FrontEndOracle(beside, solving.rlimit).check,)
        samples = tuple(MutantSample(compared_program.ONE_IN, check) for check in checks)
        return ChcSecondOpinion(solving, watchdog, solve, spacer, samples)

    def is_experimental(self, parameter: str) -> bool:
        """Return whether the table of parameters calls this one experimental."""
        from chcfuzz.domains.chc.rows.parameters import scope_of

        return scope_of(parameter) is Scope.EXPERIMENTAL

    def is_switch(self, parameter: str) -> bool:
        """Return whether the table of parameters calls this one a switch; `fp.engine` is not."""
        from chcfuzz.domains.chc.rows.parameters import scope_of

        return scope_of(parameter) is not Scope.DEFAULT

    def unsupported_in(self, problem: BaseProblem) -> str | None:
        """Return what Spacer's maintainers call unsupported in a system."""
        from chcfuzz.domains.chc.unsupported import unsupported_in

        return unsupported_in(as_system(problem))

    def witness_search(self, runs: Runs, solving: Solving, seed: SeedAnswer | None) -> WitnessSearch:
        """Return the search along the chain, in other configurations, with other solvers, and by unrolling."""
        from chcfuzz.domains.chc.witness_search import ChcWitnessSearch, other_solvers

        command = solving.solver_command()
        project = "z3" if command is None else command.project
        return ChcWitnessSearch(runs, runs.pipeline.watchdog, seed, other_solvers(solving), project)

    def model_witness(self, problem: BaseProblem, text: str, words: str, watchdog: Watchdog) -> Witness | None:
        """Return a model as a witness if each clause is proved under it, and cvc5 finds no clause false."""
        from chcfuzz.domains.chc.witness_search import model_witness

        return model_witness(as_system(problem), text, words, watchdog)

    def refute(
        self, problem: BaseProblem, rlimit: int, watchdog: Watchdog, _accused: Run | None = None
    ) -> Refuted | None:
        """Search a refutation whose steps the evaluator confirms; cvc5 is queried unless Spacer also answers sat."""
        from chcfuzz.domains.chc.oracles import plain_smt
        from chcfuzz.domains.chc.oracles.derive import derive
        from chcfuzz.domains.chc.oracles.evidence import refutation_script
        from chcfuzz.domains.chc.oracles.refutation_text import print_refutation

        system = as_system(problem)
        search = derive(system, rlimit, watchdog)
        found = search.refutation
        if found is None and search.status is not Status.SAT:
            found = plain_smt.ask(system).refutation
        if found is None:
            return None
        words = f"the system has a refutation of {counted(len(found), 'step')}"
        return Refuted(words, print_refutation(system, found), refutation_script(system, found))

    def other_models(self, solving: Solving) -> OtherModels:
        """Return the models of Z3's own Spacer, if another solver is under test, and of other CHC solvers."""
        from chcfuzz.domains.chc.other_models import other_models

        return other_models(solving)

    def shape(self, problem: BaseProblem) -> SystemShape:
        """Return the theories, the kind of rules and the classes of operators of a system."""
        from chcfuzz.domains.chc.shape import shape_of

        return shape_of(as_system(problem))

    def size(self, problem: BaseProblem) -> Size:
        """Return the size of a system."""
        from chcfuzz.triage.shrink.passes import measured

        return measured(as_system(problem))

    def shrink(
        self,
        problem: BaseProblem,
        test: InputTest[BaseProblem],
        mode: Mode,
        on_progress: Callable[[CandidateCounts], None],
    ) -> Iterator[Shrunk[BaseProblem]]:
        """Yield ever smaller systems; Z3 proves clauses equivalent if the mode requires that."""
        from chcfuzz.triage.shrink.passes import shrink
        from chcfuzz.triage.shrink.proof import proves_equivalent

        system = as_system(problem)
        same = proves_equivalent(system) if mode is Mode.EQUIVALENT else None
        return shrink(system, cast("InputTest[System]", test), mode=mode, same=same, on_progress=on_progress)

    def single_edits(self, problem: BaseProblem) -> Iterator[tuple[str, BaseProblem]]:
        """Yield systems after single edits of the reduction's passes."""
        from chcfuzz.triage.shrink.passes import PASSES, is_sound
        from chcfuzz.triage.shrink.search import edits_in_turns

        return edits_in_turns(as_system(problem), PASSES, is_sound)

    def variants(self, problem: BaseProblem) -> Iterator[tuple[str, BaseProblem]]:
        """Yield systems with other names of predicates, and with other orders of clauses."""
        from chcfuzz.triage.shrink.variants import variants_of_system

        return variants_of_system(as_system(problem))

    def made(self, status: str, choices: Choices, theories: Sequence[str] | None) -> Generated:
        """Return a system with a model, or with a refutation."""
        from chcfuzz.domains.chc.generation.generate import generated

        return generated(status, choices, theories)

    def bridge(self, problem: BaseProblem, depth: int | None) -> str:
        """Return the text of an SMT problem whose functions are the predicates, or of an unrolling."""
        from chcfuzz.grammar.interpolation import bridge
        from chcfuzz.grammar.printing.printer import print_problem

        return print_problem(bridge.problem_of(as_system(problem), depth))

    def script(self, record: Record, names: Set[str], reduced: Mapping[str, Sequence[str]]) -> str:
        """Return the script that runs Z3 or the command, and checks the witnesses with Z3 and cvc5."""
        from chcfuzz.domains.chc.finding_script import script

        return script(record, names, reduced)

    def released_runs(self, record: Record, system: str, command: Sequence[str]) -> Sequence[ReleasedRun]:
        """Return the runs of the z3 program and of the library, or of the command."""
        from chcfuzz.domains.chc.finding_script import released_runs

        return released_runs(record, system, command)

    def refutation_text(self, text: str) -> str:
        """Return a refutation with steps and clauses that are counted from 1."""
        from chcfuzz.domains.chc.oracles.refutation_text import counted_from_1

        return counted_from_1(text)

    def model_text(self, problem: BaseProblem, model: AnyModel) -> str:
        """Return the `define-fun`s of a model."""
        from chcfuzz.domains.chc.oracles.evidence import definitions

        return "\n".join(definitions(as_system(problem), model))


def _events_of_z3(solving: Solving) -> EventSource:
    traced = active().traced
    return ProgressLog(verbose_output()) if traced is None else TracedLibrary(traced, solving.trace_tags)


def _events_of_spacer(solving: Solving, source: TraceSource | None) -> EventSource:
    return cast(EventSource, source) if source is not None else _events_of_z3(solving)


def _spacer(solving: Solving, source: TraceSource | None, watchdog: Watchdog) -> Spacer:
    return solver_class(solving.solver)(_events_of_spacer(solving, source), watchdog)


def solver_class(name: str | None) -> type[Spacer]:
    """Return Spacer, or a class derived from it as `module:class`; raises `UsageError`."""
    from chcfuzz.domains.chc.solvers.spacer import Spacer  # not at the top: it imports z3, which slows a start

    if name is None:
        return Spacer
    module, _, cls = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), cls)
    except (ImportError, AttributeError, ValueError, SyntaxError) as error:
        raise UsageError(f"no solver {name!r}: {error}; write module:class, and see that Python finds it") from error
    if not (isinstance(found, type) and issubclass(found, Spacer)):
        raise UsageError(f"{name!r} is not a class derived from chcfuzz.domains.chc.solvers.spacer.Spacer")
    return found


DOMAIN = ChcDomain()
