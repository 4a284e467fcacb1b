"""The domain of SMT problems: several solvers solve each problem, and their models and answers are compared."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from chcfuzz.domains.protocol import (
    MutantSample,
    OnlySamples,
    OtherModels,
    Refuted,
    SecondOpinion,
    Solve,
    WitnessSearch,
)
from chcfuzz.domains.smt.roots import SmtRoots, as_problem
from chcfuzz.domains.smt.several import SeveralSolvers
from chcfuzz.domains.smt.solvers.alt_ergo import PROGRAM
from chcfuzz.domains.smt.solvers.selection import BITWUZLA, SOLVERS, names_of, of_program
from chcfuzz.execution.seed_answers import Ground, SeedAnswer
from chcfuzz.execution.solving import PROGRAM as FRONT_END
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.problem import BaseProblem, Pairs, Problem
from chcfuzz.grammar.queries import written_query
from chcfuzz.mutators.chain import Mutant
from chcfuzz.mutators.mutation import Parameter
from chcfuzz.mutators.registry import Registry
from chcfuzz.mutators.seeds import packaged
from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers.outcome import Outcome
from chcfuzz.solvers.solver import Solver
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_release import Release
from chcfuzz.tracing.source import TraceSource
from chcfuzz.triage.examine.conclusion import Witness
from chcfuzz.triage.examine.runs import Run, Runs
from chcfuzz.triage.examine.shape import SystemShape
from chcfuzz.triage.findings.record import Record
from chcfuzz.triage.findings.reproducing import ReleasedRun
from chcfuzz.triage.shrink.result import Mode, Shrunk
from chcfuzz.triage.shrink.search import CandidateCounts, InputTest
from chcfuzz.triage.shrink.size import Size

if TYPE_CHECKING:
    from chcfuzz.domains.smt.releases import Releases
    from chcfuzz.execution.pipeline import Execution

NAME = "smt"
_OF_BITWUZLA = frozenset(("BV", "FP", "Arrays", "UF", "Bool"))


class SmtDomain(SeveralSolvers):
    """SMT problems; see `domains.protocol.Domain`."""

    name = NAME
    solver_name = "SMT solvers"
    roots = SmtRoots()
    suites = SOLVERS
    bridged = "chc"
    compares_answers = True

    @property
    def seeds(self) -> Path | None:
        """The seeds of SMT problems; see `domains.protocol.Domain`."""
        return packaged("corpus-smt")

    def prepared(self, solving: Solving, _experimental: bool) -> Solving:
        """Ensure that no flags name the solvers of other domains."""
        if solving.solver is not None:
            raise UsageError("--solver names a class in the place of Spacer; here --solvers names the solvers")
        return self.resolved(solving)

    def resolved(self, solving: Solving) -> Solving:
        """Return the flags with Z3's program in the place of its library; `alt-ergo` among the solvers is a command."""
        if solving.command is not None:
            raise UsageError("--command is for fuzz_targets/chc_command.py; here --solvers names the solvers")
        if solving.front_end == FRONT_END:
            solving = replace(solving, solvers=tuple(map(of_program, names_of(solving.solvers))))
        named = solving.solvers or ()
        if PROGRAM in named:  # it is a command: --solvers only gives its name
            others = tuple(name for name in named if name != PROGRAM)
            if not others:
                raise UsageError(f"--solvers {PROGRAM}: name another solver first, for example z3,{PROGRAM}")
            return replace(solving, solvers=others, cross=(*solving.cross, PROGRAM))
        return solving

    def headline(self, solving: Solving, release: Release) -> str:
        """Return the names and releases of all solvers."""
        from chcfuzz.domains.smt.campaign_solvers import described

        return f"{described(solving, release.version)}; features from their statistics"

    def check_named(self, solving: Solving) -> None:
        """Ensure that every solver in the flags exists; raises `SelectionError` and `CommandError`."""
        from chcfuzz.domains.smt.solvers.solver_engines import check_named

        check_named(solving)

    def check_usable(self, solving: Solving) -> None:
        """Ensure that every solver in the flags can be used; raises a `ChcfuzzError`."""
        from chcfuzz.domains.smt.solvers.solver_engines import check_usable

        check_usable(solving)

    def registry(self, solving: Solving) -> Registry:
        """Return all families, and the parameters of the solvers."""
        from chcfuzz.domains.smt.campaign_solvers import parameters
        from chcfuzz.domains.smt.rows.registry import registry

        return registry(parameters(solving))

    def trace_source(self, solving: Solving) -> TraceSource:
        """Return the statistics of all solvers."""
        from chcfuzz.domains.smt.solvers.solver_engines import trace_source

        return trace_source(solving)

    def solver(self, solving: Solving, _source: TraceSource | None, watchdog: Watchdog) -> Solver:
        """Return the solvers of `--solvers` and `--cross` as one; they have a source of their own."""
        from chcfuzz.domains.smt.solvers.solver_engines import smt_solvers

        return smt_solvers(solving, watchdog)

    def results(self, problem: BaseProblem, outcome: Outcome) -> Pairs:
        """Return the queries behind the last check, each with its result."""
        from chcfuzz.domains.smt.oracles.query_results import results

        found = results(as_problem(problem), outcome)
        return tuple((written_query(query, print_term), " ".join(result.split())) for query, result in found if result)

    def verdicts(self, mutant: Mutant, outcome: Outcome, _watchdog: Watchdog, solve: Solve) -> Sequence[Verdict]:
        """Return the verdicts on all models, and on answers that differ."""
        from chcfuzz.domains.smt.campaign_solvers import tested
        from chcfuzz.domains.smt.oracles import answers as smt_answers

        def again(problem: Problem) -> Outcome:
            return solve(replace(mutant, problem=problem))

        name = tested(mutant.parameters)
        return smt_answers.check(as_problem(mutant.problem), mutant.promised_to, outcome, name, again)

    def seed_evidence(self, execution: Execution, project: str, watchdog: Watchdog) -> SeedAnswer | None:
        """Return the status that a model of any solver shows, or that several projects answer."""
        from chcfuzz.domains.smt.oracles import model as smt_model

        problem = as_problem(execution.mutant.problem)
        for outcome in (execution.outcome, *(outcome for _, outcome in execution.outcome.others)):
            if outcome.model is not None and smt_model.check(problem, outcome).kind is VerdictKind.PASS:
                return SeedAnswer("sat", Ground.WITNESS, outcome.model.whole)
        return super().seed_evidence(execution, project, watchdog)

    def runs(self, solving: Solving, parameters: Pairs) -> bool:
        """Return whether the solver under test runs, the z3 program beside the others included."""
        from chcfuzz.domains.smt.campaign_solvers import is_program_beside

        return super().runs(solving, parameters) or is_program_beside(solving, parameters)

    def known_releases(self) -> Releases:
        """Return the releases of SMT solvers."""
        from chcfuzz.domains.smt.releases import RELEASES

        return RELEASES

    def selected(self, solving: Solving) -> Pairs:
        """Return the parameter that names the solver of `--solver`; raises `UsageError` if it does not run."""
        from chcfuzz.domains.smt.campaign_solvers import selection

        return selection(solving)

    def solver_key(self, solving: Solving, parameters: Pairs, z3: str) -> str:
        """Return the name and the release of the solver under test."""
        from chcfuzz.domains.smt.campaign_solvers import key

        ((_, name),) = self.tested(solving, parameters)
        return key(name, z3)

    def releases(self, solving: Solving, parameters: Pairs, z3: str) -> dict[str, str]:
        """Return the releases of the solvers by name, the one under test first."""
        from chcfuzz.domains.smt.campaign_solvers import names, releases

        ((_, name),) = self.tested(solving, parameters)
        return releases((name, *names(solving)), z3)

    def is_experimental(self, parameter: str) -> bool:
        """Return whether the table of parameters calls this one experimental, or for experts."""
        from chcfuzz.domains.smt.campaign_solvers import is_experimental

        return is_experimental(parameter)

    def allowed_words(self, parameters: Collection[str]) -> str:
        """Return the mode of cvc5 that allows these options, in words."""
        from chcfuzz.domains.smt.campaign_solvers import allowed_words

        return allowed_words(parameters)

    def tried(self, selection: Pairs, parameter: Parameter, problem: BaseProblem) -> Sequence[str]:
        """Return one value of a parameter that concerns the problem."""
        from chcfuzz.domains.smt.portfolio import tried

        return tried(parameter, as_problem(problem)) if self.concerns(selection, parameter.name) else ()

    @property
    def programs(self) -> Mapping[str, str]:
        """The program that runs an SMT solver."""
        from chcfuzz.domains.smt.finding_script import ASK_SMT

        return {"ask_smt.py": ASK_SMT}

    def is_for(self, suite: str, problem: BaseProblem) -> bool:
        """Return whether the solver of a suite reads the theories of a problem."""
        return suite != BITWUZLA or _OF_BITWUZLA.issuperset(problem.theories)

    def input_for(self, problem: BaseProblem, solver: str, options: Pairs) -> str:
        """Return the text with Z3's names for finite sets, if Z3 reads a problem with them."""
        from chcfuzz.domains.smt.solvers.lacking import has_other_words
        from chcfuzz.domains.smt.solvers.together import project_of

        stated, reader = problem.with_header((), options), project_of(solver)
        return self.roots.print_for(stated, reader) if has_other_words(self.roots.print(stated), reader) else ""

    def options_for(self, suite: str, parameters: Pairs) -> Pairs:
        """Return the options of the solver of a suite."""
        from chcfuzz.domains.smt.solvers.together import own

        return own(suite, parameters)

    def bridge(self, problem: BaseProblem, depth: int | None) -> str:
        """Return the text of a CHC system that has the opposite status; raises `BridgeError`."""
        from chcfuzz.grammar.interpolation import bridge
        from chcfuzz.grammar.printing.printer import print_system

        if depth is not None:
            raise bridge.BridgeError(f"--depth {depth}: an SMT problem has no derivations; leave the flag out")
        return print_system(bridge.system_of(as_problem(problem)))

    def script(self, record: Record, names: Set[str], reduced: Mapping[str, Sequence[str]]) -> str:
        """Return the script that runs all solvers on the problem and the evidence."""
        from chcfuzz.domains.smt.finding_script import script
        from chcfuzz.triage.findings.folder import result_of, several, summary_of

        found = several(record, reduced)
        return script(found, summary_of(record), result_of(record), names) if record.releases else ""

    def commands(
        self, record: Record, names: Set[str], system: str, reduced: Mapping[str, Sequence[str]]
    ) -> Sequence[str]:
        """Return the commands that install the solvers and run them."""
        from chcfuzz.domains.smt.finding_script import commands
        from chcfuzz.triage.findings.folder import several

        return commands(several(record, reduced), system, names)

    def released_runs(self, record: Record, system: str, command: Sequence[str]) -> Sequence[ReleasedRun]:
        """Return the runs of the accused solver's program and package, or of the command."""
        from chcfuzz.domains.smt.finding_script import released_runs

        return released_runs(record, system, command)

    def reporting_programs(self) -> Mapping[str, Sequence[str]]:
        """Return the command line of Bitwuzla."""
        from chcfuzz.domains.smt.finding_script import ASK_SMT
        from chcfuzz.solvers import python

        return {"bitwuzla": python.command("-c", ASK_SMT, "bitwuzla")}

    @property
    def reserve_budget(self) -> str:
        """One answer in some that only one project gives."""
        from chcfuzz.domains.smt.reserves import ONE_IN

        return f"one in {ONE_IN}"

    def second_opinion(self, solving: Solving, watchdog: Watchdog, solve: Solve) -> SecondOpinion:
        """Return the opinion of solvers in reserve, where only one project answers, and of the z3 program."""
        from chcfuzz.domains.smt import compared_program, reserves
        from chcfuzz.domains.smt.solvers.solver_engines import has_program_beside, program_beside

        reserve = reserves.ReserveOpinion(reserves.Reserves(solving, watchdog), self.known_releases().first(solving))
        samples = [MutantSample(1, reserve.verdicts)]  # it counts all answers that only one project gives
        if has_program_beside(solving):
            program = compared_program.ProgramOpinion(lambda: program_beside(solving), solving.rlimit, solve)
            samples.append(MutantSample(compared_program.ONE_IN, program.verdicts))
        return OnlySamples(samples, reserve.reserves)

    def witness_search(self, runs: Runs, solving: Solving, seed: SeedAnswer | None) -> WitnessSearch:
        """Return the search among the models of all solvers, and of those in reserve."""
        from chcfuzz.domains.smt.reserves import Reserves
        from chcfuzz.domains.smt.witness_search import SmtWitnessSearch

        return SmtWitnessSearch(runs, seed, Reserves(solving, runs.pipeline.watchdog))

    def model_witness(self, problem: BaseProblem, text: str, words: str, _watchdog: Watchdog) -> Witness | None:
        """Return a model as a witness if our evaluator finds each assertion true, with fixed values for open terms."""
        from chcfuzz.domains.smt.witness_search import closed_witness, model_witness

        return model_witness(as_problem(problem), text, words) or closed_witness(as_problem(problem), text, words)

    def refute(
        self, problem: BaseProblem, rlimit: int, watchdog: Watchdog, accused: Run | None = None
    ) -> Refuted | None:
        """Return the agreement of two solvers on unsat, if the model of the accused one is wrong."""
        from chcfuzz.domains.smt.witness_search import refuted

        return refuted(as_problem(problem), rlimit, watchdog, accused)

    def other_models(self, solving: Solving) -> OtherModels:
        """Return a function that yields the models of all solvers under their default options."""
        from chcfuzz.domains.smt.witness_search import other_models

        return other_models(solving)

    def shape(self, problem: BaseProblem) -> SystemShape:
        """Return the theories and the classes of operators of a problem."""
        from chcfuzz.domains.smt.shape import shape_of

        return shape_of(as_problem(problem))

    def size(self, problem: BaseProblem) -> Size:
        """Return the size of a problem."""
        from chcfuzz.domains.smt.passes import size

        return size(as_problem(problem))

    def shrink(
        self,
        problem: BaseProblem,
        test: InputTest[BaseProblem],
        _mode: Mode,
        on_progress: Callable[[CandidateCounts], None],
    ) -> Iterator[Shrunk[BaseProblem]]:
        """Yield ever smaller problems."""
        from chcfuzz.domains.smt.passes import shrink

        return shrink(as_problem(problem), cast("InputTest[Problem]", test), on_progress)

    def single_edits(self, problem: BaseProblem) -> Iterator[tuple[str, BaseProblem]]:
        """Yield problems after single edits of the reduction's passes."""
        from chcfuzz.domains.smt.passes import single_edits

        return single_edits(as_problem(problem))

    def variants(self, problem: BaseProblem) -> Iterator[tuple[str, BaseProblem]]:
        """Yield problems with other names of functions, and with other orders of assertions."""
        from chcfuzz.domains.smt.passes import is_sound, variants

        return variants(as_problem(problem), is_sound)


DOMAIN = SmtDomain()
