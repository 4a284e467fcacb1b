"""The common part of domains in which several solvers get each problem."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from chcfuzz.domains.protocol import Domain
from chcfuzz.execution.seed_answers import Ground, SeedAnswer
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.problem import Pairs
from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers.outcome import Outcome
from chcfuzz.solvers.solver import Solver
from chcfuzz.solvers.watchdog import Watchdog

if TYPE_CHECKING:
    from chcfuzz.domains.smt.releases import Releases
    from chcfuzz.execution.pipeline import Execution


class SeveralSolvers(Domain):
    """A domain whose solvers all get each problem; the parameter `solver` names the one under test."""

    @abstractmethod
    def known_releases(self) -> Releases:
        """Return the releases of the domain's solvers."""

    def tested(self, solving: Solving, parameters: Pairs) -> Pairs:
        """Return the parameter that names the solver under test."""
        from chcfuzz.solvers.solver_names import SOLVER

        return ((SOLVER, dict(parameters).get(SOLVER) or self.known_releases().first(solving)),)

    def project(self, solving: Solving, parameters: Pairs) -> str:
        """Return the project of the solver under test."""
        from chcfuzz.domains.smt.solvers.together import project_of

        ((_, name),) = self.tested(solving, parameters)
        return project_of(name)

    def released(self, selection: Pairs) -> tuple[Sequence[str], Sequence[str]]:
        """Return the releases of the solver under test."""
        return self.known_releases().released(selection)

    def with_release(self, solving: Solving, selection: Pairs, version: str) -> tuple[Solving, Pairs]:
        """Return the flags with another release of the solver under test; see `domains.protocol.Domain`."""
        return self.known_releases().with_release(solving, selection, version)

    def against(self, solving: Solving, old: str) -> tuple[Solving, Solving] | None:
        """Return the flags of one solver alone in two releases or settings; raises `SelectionError`."""
        return self.known_releases().against(solving, old)

    def runs(self, solving: Solving, parameters: Pairs) -> bool:
        """Return whether a release of the solver under test is one of those that run."""
        return self.known_releases().runs(solving, parameters)

    def inside(self, solving: Solving) -> Pairs:
        """Return the parameter that names the first solver in this process."""
        from chcfuzz.solvers.solver_names import SOLVER

        name = self.known_releases().inside(solving)
        return ((SOLVER, name),) if name else ()

    def prepare(self, solver: Solver, afresh: bool = False) -> None:
        """Start the solvers in child processes that do not run."""
        from chcfuzz.domains.smt.solvers.engine import Concurrent
        from chcfuzz.domains.smt.solvers.together import SmtSolvers

        for engine in cast(SmtSolvers, solver).engines:
            if afresh and isinstance(engine, Concurrent):
                engine.close()
            _ = engine.version

    def held_memory(self) -> int:
        """Return the bytes that Z3 holds."""
        from chcfuzz.solvers.z3_errors import held_memory

        return held_memory()

    def seed_evidence(self, execution: Execution, project: str, _watchdog: Watchdog) -> SeedAnswer | None:
        """Return the status that the model of the solver under test shows, or that several projects answer."""
        from chcfuzz.domains.smt.seed_status import of_answers

        outcome = execution.outcome
        if execution.model_verdict is VerdictKind.PASS and outcome.model is not None:
            return SeedAnswer("sat", Ground.WITNESS, self.model_text(execution.mutant.problem, outcome.model))
        return of_answers(((project, outcome), *outcome.others))

    def errors(self, outcome: Outcome) -> Verdict:
        """Return the verdict on a death or an error, by the messages of SMT solvers."""
        from chcfuzz.domains.smt.oracles import errors as smt_errors

        return smt_errors.check(outcome)

    def concerns(self, selection: Pairs, name: str) -> bool:
        """Return whether the parameter is an option of the selected solver; True if none is selected."""
        from chcfuzz.domains.smt.solvers.together import solver_of
        from chcfuzz.solvers.solver_names import SOLVER

        chosen = dict(selection).get(SOLVER)
        return chosen is None or name.partition(".")[0] == solver_of(chosen)
