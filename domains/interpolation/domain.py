"""The domain of interpolation problems: interpolating solvers, whose formulas are checked by the definition."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING, cast

from chcfuzz.domains.interpolation.roots import InterpolationRoots, as_interpolation
from chcfuzz.domains.protocol import OtherModels, Refuted, SecondOpinion, Solve, WitnessSearch
from chcfuzz.domains.smt.several import SeveralSolvers
from chcfuzz.execution.seed_answers import SeedAnswer
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.grammar.problem import BaseProblem, Pairs
from chcfuzz.mutators.chain import Mutant
from chcfuzz.mutators.registry import Registry
from chcfuzz.mutators.seeds import packaged
from chcfuzz.oracles.verdict import Verdict
from chcfuzz.solvers.outcome import Outcome
from chcfuzz.solvers.solver import Solver
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_release import Release
from chcfuzz.tracing.source import TraceSource
from chcfuzz.triage.examine.conclusion import Witness
from chcfuzz.triage.examine.runs import Run, Runs
from chcfuzz.triage.examine.shape import SystemShape
from chcfuzz.triage.findings.record import Record
from chcfuzz.triage.shrink.result import Mode, Shrunk
from chcfuzz.triage.shrink.search import CandidateCounts, InputTest
from chcfuzz.triage.shrink.size import Size

if TYPE_CHECKING:
    from chcfuzz.domains.smt.releases import Releases

NAME = "interpolation"


class InterpolationDomain(SeveralSolvers):
    """Interpolation problems; see `domains.protocol.Domain`."""

    name = NAME
    solver_name = "interpolating solvers"
    roots = InterpolationRoots()
    bridged = "chc"

    @property
    def seeds(self) -> Path | None:
        """The seeds of interpolation problems; see `domains.protocol.Domain`."""
        return packaged("corpus-itp")

    def prepared(self, solving: Solving, experimental: bool) -> Solving:
        """Return the flags with the solver of `--solver` among the solvers: findings record only their names."""
        from chcfuzz.domains.interpolation.campaign_solvers import prepared

        return prepared(solving, experimental)

    def headline(self, solving: Solving, release: Release) -> str:
        """Return the names and releases of all solvers."""
        from chcfuzz.domains.interpolation.campaign_solvers import described

        return f"{described(solving, release.version)}; features from their interpolants and steps"

    def check_named(self, solving: Solving) -> None:
        """Ensure that every solver in the flags exists; raises `SelectionError` and `CommandError`."""
        from chcfuzz.domains.interpolation.solvers.interpolating_engines import check_named

        check_named(solving)

    def check_usable(self, solving: Solving) -> None:
        """Ensure that every solver in the flags can be used; raises a `ChcfuzzError`."""
        from chcfuzz.domains.interpolation.solvers.interpolating_engines import check_usable

        check_usable(solving)

    def optional_parts(self) -> Iterator[tuple[bool, str, str]]:
        """Yield whether Java and the jars of SMTInterpol and Princess are there."""
        from chcfuzz.domains.interpolation.solvers.jars import optional_parts

        return optional_parts()

    def registry(self, solving: Solving) -> Registry:
        """Return all families, and the parameters of the solvers."""
        from chcfuzz.domains.interpolation.campaign_solvers import parameters
        from chcfuzz.domains.interpolation.rows.registry import registry

        return registry(parameters(solving))

    def trace_source(self, solving: Solving) -> TraceSource:
        """Return the features of all solvers and their interpolants."""
        from chcfuzz.domains.interpolation.solvers.interpolating_engines import trace_source

        return trace_source(solving)

    def solver(self, solving: Solving, _source: TraceSource | None, watchdog: Watchdog) -> Solver:
        """Return all solvers as one; they have a source of their own."""
        from chcfuzz.domains.interpolation.solvers.interpolating_engines import interpolating_solvers

        return interpolating_solvers(solving, watchdog)

    def verdicts(self, mutant: Mutant, outcome: Outcome, watchdog: Watchdog, _solve: Solve) -> Sequence[Verdict]:
        """Return the verdicts on all interpolants, and on answers that differ."""
        from chcfuzz.domains.interpolation.oracles import answers as interpolation_answers
        from chcfuzz.domains.interpolation.oracles.interpolant import Checker
        from chcfuzz.domains.smt import campaign_solvers as engines

        problem = as_interpolation(mutant.problem)
        return interpolation_answers.check(problem, outcome, engines.tested(mutant.parameters), Checker(watchdog))

    def second_opinion(self, _solving: Solving, watchdog: Watchdog, _solve: Solve) -> SecondOpinion:
        """Return the opinion of cvc5 on interpolants."""
        from chcfuzz.domains.interpolation.second_opinion import InterpolationSecondOpinion

        return InterpolationSecondOpinion(watchdog)

    def known_releases(self) -> Releases:
        """Return the releases of interpolating solvers."""
        from chcfuzz.domains.interpolation.releases import RELEASES

        return RELEASES

    def selected(self, solving: Solving) -> Pairs:
        """Return the parameter that names the solver of `--solver`."""
        from chcfuzz.domains.interpolation.solvers.interpolating_engines import running
        from chcfuzz.solvers.solver_names import SOLVER

        return () if solving.solver is None else ((SOLVER, running(solving)[0]),)

    def solver_key(self, solving: Solving, parameters: Pairs, z3: str) -> str:
        """Return the name and the release of the solver under test."""
        from chcfuzz.domains.interpolation.campaign_solvers import key

        ((_, name),) = self.tested(solving, parameters)
        return key(name, z3)

    def releases(self, solving: Solving, parameters: Pairs, z3: str) -> dict[str, str]:
        """Return the releases of the solvers by name, the one under test first."""
        from chcfuzz.domains.interpolation.campaign_solvers import releases

        ((_, name),) = self.tested(solving, parameters)
        return releases(name, solving, z3)

    def input_for(self, problem: BaseProblem, solver: str, options: Pairs) -> str:
        """Return the Horn system for Spacer, or the script for a command or cvc5; empty if the solver cannot get it."""
        from chcfuzz.domains.interpolation.solvers.inputs import input_for
        from chcfuzz.grammar.errors import ChcfuzzError

        try:
            return input_for(as_interpolation(problem), solver, options)
        except ChcfuzzError:
            return ""

    def is_experimental(self, parameter: str) -> bool:
        """Return whether the table of parameters calls this one experimental."""
        from chcfuzz.domains.interpolation.campaign_solvers import is_experimental

        return is_experimental(parameter)

    @property
    def programs(self) -> Mapping[str, str]:
        """The programs that interpolate and check interpolants, and that run an SMT solver on the evidence."""
        from chcfuzz.domains.interpolation.finding_script import ASK_ITP, RUNNER
        from chcfuzz.domains.smt.finding_script import ASK_SMT

        return {"ask_smt.py": ASK_SMT, RUNNER: ASK_ITP}

    def bridge(self, problem: BaseProblem, depth: int | None) -> str:
        """Return the text of the CHC system whose model are interpolants; raises `ChcfuzzError`."""
        from chcfuzz.grammar.interpolation.cuts_as_horn import to_system
        from chcfuzz.grammar.printing.printer import print_system

        if depth is not None:
            raise ChcfuzzError(f"--depth {depth}: an {self.roots.noun} has no derivations; leave the flag out")
        system = to_system(as_interpolation(problem))
        opposite = {"unsat": "sat", "sat": "unsat"}.get(dict(problem.info).get("status", ""))
        return print_system(system.with_header((("status", opposite),) if opposite else (), ()))

    def script(self, record: Record, names: Set[str], reduced: Mapping[str, Sequence[str]]) -> str:
        """Return the script that runs the solver under test, and checks its interpolants."""
        from chcfuzz.domains.interpolation.finding_script import script
        from chcfuzz.triage.findings.folder import result_of, several, summary_of

        found = several(record, reduced)
        return script(found, summary_of(record), result_of(record), names) if record.releases else ""

    def commands(
        self, record: Record, names: Set[str], system: str, reduced: Mapping[str, Sequence[str]]
    ) -> Sequence[str]:
        """Return the commands that install the solvers and interpolate."""
        from chcfuzz.domains.interpolation.finding_script import commands
        from chcfuzz.triage.findings.folder import several

        return commands(several(record, reduced), system, names)

    def reporting_programs(self) -> Mapping[str, Sequence[str]]:
        """Return the command lines of the interpolating solvers whose jars are in the cache."""
        from chcfuzz.domains.interpolation.solvers import jars

        return {name: shlex.split(jars.command_line(name)) for name in jars.PROGRAMS if jars.is_cached(name)}

    def witness_search(self, runs: Runs, solving: Solving, _seed: SeedAnswer | None) -> WitnessSearch:
        """Return the search with SMT solvers."""
        from chcfuzz.domains.interpolation.witness_search import InterpolationWitnessSearch

        return InterpolationWitnessSearch(runs, solving)

    def model_witness(self, problem: BaseProblem, text: str, words: str, _watchdog: Watchdog) -> Witness | None:
        """Return a model as a witness if our evaluator finds each assertion true."""
        from chcfuzz.domains.smt.witness_search import model_witness

        return model_witness(as_interpolation(problem).problem, text, words)

    def refute(
        self, problem: BaseProblem, rlimit: int, watchdog: Watchdog, _accused: Run | None = None
    ) -> Refuted | None:
        """Return the agreement of two SMT solvers on unsat."""
        from chcfuzz.domains.smt.witness_search import refuted

        return refuted(as_interpolation(problem).problem, rlimit, watchdog, None)

    def other_models(self, solving: Solving) -> OtherModels:
        """Return a function that yields the models of SMT solvers."""
        from chcfuzz.domains.smt.witness_search import other_models

        models = other_models(Solving(rlimit=solving.rlimit, wall_seconds=solving.wall_seconds))
        return lambda problem: models(as_interpolation(problem).problem)

    def shape(self, problem: BaseProblem) -> SystemShape:
        """Return the theories, the classes of operators and the kind of a problem."""
        from chcfuzz.domains.interpolation.shape import shape_of

        return shape_of(as_interpolation(problem))

    def size(self, problem: BaseProblem) -> Size:
        """Return the size of a problem."""
        from chcfuzz.domains.interpolation.passes import measure

        return measure(as_interpolation(problem))

    def shrink(
        self,
        problem: BaseProblem,
        test: InputTest[BaseProblem],
        _mode: Mode,
        on_progress: Callable[[CandidateCounts], None],
    ) -> Iterator[Shrunk[BaseProblem]]:
        """Yield ever smaller problems."""
        from chcfuzz.domains.interpolation.passes import shrink

        return shrink(as_interpolation(problem), cast("InputTest[Interpolation]", test), on_progress)

    def single_edits(self, problem: BaseProblem) -> Iterator[tuple[str, BaseProblem]]:
        """Yield problems after single edits of the reduction's passes."""
        from chcfuzz.domains.interpolation.passes import single_edits

        return single_edits(as_interpolation(problem))

    def variants(self, problem: BaseProblem) -> Iterator[tuple[str, BaseProblem]]:
        """Yield problems with other names of functions, and with other orders of assertions."""
        from chcfuzz.domains.interpolation.passes import is_sound
        from chcfuzz.domains.smt.passes import variants

        return variants(as_interpolation(problem), is_sound)


DOMAIN = InterpolationDomain()
