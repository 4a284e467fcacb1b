"""The domain of questions to parts of solvers, whose results are judged by the contracts of the parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING, cast

from chcfuzz.domains.parts.roots import PartRoots, as_question
from chcfuzz.domains.protocol import Domain, Solve, WitnessSearch
from chcfuzz.execution.seed_answers import SeedAnswer
from chcfuzz.execution.solving import Solving, UsageError
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
from chcfuzz.triage.examine.runs import Runs
from chcfuzz.triage.examine.shape import SystemShape
from chcfuzz.triage.findings.record import Record
from chcfuzz.triage.shrink.result import Mode, Shrunk
from chcfuzz.triage.shrink.search import CandidateCounts, InputTest
from chcfuzz.triage.shrink.size import Size

if TYPE_CHECKING:
    from chcfuzz.domains.parts.question import PartProblem

NAME = "parts"


class PartDomain(Domain):
    """Questions to parts of solvers; see `domains.protocol.Domain`."""

    name = NAME
    solver_name = "parts of solvers"
    roots = PartRoots()
    bridged = "chc"

    @property
    def seeds(self) -> Path | None:
        """The seeds of questions to parts of solvers; see `domains.protocol.Domain`."""
        return packaged("corpus-parts")

    def prepared(self, solving: Solving, _experimental: bool) -> Solving:
        """Ensure that no flags name the solvers of other domains."""
        if solving.command is not None:
            raise UsageError("--command is for fuzz_targets/chc_command.py; here --part names the parts")
        if solving.solver is not None or solving.solvers is not None:
            raise UsageError("--solver and --solvers are for other targets; here --part names the parts")
        return solving

    def headline(self, solving: Solving, release: Release) -> str:
        """Return the parts and the release of Z3."""
        parts = ", ".join(chosen(solving)) or "all parts"
        return f"{parts} of Z3 {release.version}; features from the shapes of results"

    def check_named(self, solving: Solving) -> None:
        """Ensure that every part in the flags exists; raises `UsageError`."""
        from chcfuzz.domains.parts.question import PARTS

        for part in chosen(solving):
            if part not in PARTS:
                raise UsageError(f"--part {part}: there is no such part; name some of {', '.join(PARTS)}")

    def optional_parts(self) -> Iterator[tuple[bool, str, str]]:
        """Yield the command z3, which the part `mbp` needs, and whether it is installed."""
        from chcfuzz.solvers.z3_release import chosen as release_of

        release = release_of(None, None)
        is_there = release is not None and release.executable is not None
        message = "the command z3 for the part mbp" if is_there else "no command z3 for the part mbp"
        yield is_there, message, "pip install z3-solver brings it"

    def registry(self, solving: Solving) -> Registry:
        """Return all families."""
        from chcfuzz.domains.parts.rows.registry import registry

        return registry(chosen(solving))

    def trace_source(self, solving: Solving) -> TraceSource:
        """Return the features of results; a traced build has edges, too."""
        from chcfuzz.solvers.z3_release import active
        from chcfuzz.tracing.solver_statistics import StatisticsSource
        from chcfuzz.tracing.traced_library import edges_of

        return StatisticsSource(f"statistics:parts {' '.join(chosen(solving))}".rstrip(), edges_of(active().traced))

    def solver(self, solving: Solving, _source: TraceSource | None, _watchdog: Watchdog) -> Solver:
        """Return all parts as one solver; it has a source of its own."""
        from chcfuzz.domains.parts.part_solver import PartSolver
        from chcfuzz.tracing.solver_statistics import StatisticsSource

        return PartSolver(solving, cast(StatisticsSource, self.trace_source(solving)), chosen(solving))

    def prepare(self, solver: Solver, afresh: bool = False) -> None:
        """Start the child."""
        from chcfuzz.domains.parts.part_solver import PartSolver

        assert isinstance(solver, PartSolver)
        if afresh:
            solver.close()
        _ = solver.version

    def held_memory(self) -> int:
        """Return the bytes that Z3 holds in this process."""
        from chcfuzz.solvers.z3_errors import held_memory

        return held_memory()

    def solver_key(self, _solving: Solving, _parameters: Pairs, z3: str) -> str:
        """Return the release of Z3 whose parts are under test."""
        return f"z3 {z3}"

    def releases(self, _solving: Solving, _parameters: Pairs, z3: str) -> Mapping[str, str]:
        """Return the release of Z3."""
        return {"z3": z3}

    def errors(self, outcome: Outcome) -> Verdict:
        """Return the verdict on a death or an exception, under the name of the part."""
        from chcfuzz.domains.parts.oracles import errors
        from chcfuzz.domains.parts.part_solver import PartTexts

        part = outcome.extra.part if isinstance(outcome.extra, PartTexts) else ""
        return errors.check(part, outcome)

    def verdicts(self, mutant: Mutant, outcome: Outcome, watchdog: Watchdog, _solve: Solve) -> Sequence[Verdict]:
        """Return the verdict on the result by the contract of the part."""
        from chcfuzz.domains.parts.oracles.contracts import judged

        return (judged(as_question(mutant.problem), outcome, watchdog),)

    def input_for(self, problem: BaseProblem, _solver: str, _options: Pairs) -> str:
        """Return the script for z3's own command; empty for a part that it does not offer."""
        from chcfuzz.domains.parts.finding_script import command_script

        return command_script(as_question(problem))

    @property
    def programs(self) -> Mapping[str, str]:
        """The programs that call a part, and that run Z3 on the evidence."""
        from chcfuzz.domains.parts.finding_script import ASK_PART, RUNNER
        from chcfuzz.domains.smt.finding_script import ASK_SMT

        return {"ask_smt.py": ASK_SMT, RUNNER: ASK_PART}

    def script(self, record: Record, names: Set[str], _reduced: Mapping[str, Sequence[str]]) -> str:
        """Return the script that calls the part, and runs Z3 on the evidence."""
        from chcfuzz.domains.parts.finding_script import script
        from chcfuzz.triage.findings.folder import result_of, summary_of

        return script(record.releases["z3"], summary_of(record), result_of(record), names) if record.releases else ""

    def commands(
        self, record: Record, names: Set[str], system: str, _reduced: Mapping[str, Sequence[str]]
    ) -> Sequence[str]:
        """Return the commands that install Z3 and call the part."""
        from chcfuzz.domains.parts.finding_script import commands

        return commands(record.releases.get("z3", record.z3), system, names)

    def witness_search(self, _runs: Runs, _solving: Solving, _seed: SeedAnswer | None) -> WitnessSearch:
        """Return a search without witnesses: results are judged by contracts."""
        from chcfuzz.domains.parts.witness_search import NoWitnesses

        return NoWitnesses()

    def model_witness(self, _problem: BaseProblem, _text: str, _words: str, _watchdog: Watchdog) -> Witness | None:
        """Return None: the contract of a part needs no witness for an answer."""
        return None

    def bridge(self, problem: BaseProblem, depth: int | None) -> str:
        """Return the text of a CHC system that a faulty projection makes wrong; raises a `ChcfuzzError`."""
        from chcfuzz.domains.parts.bridge import NoBridgeError, system_of

        if depth is not None:
            raise NoBridgeError(f"--depth {depth}: a question has no derivations; leave the flag out")
        return system_of(as_question(problem))

    def shape(self, problem: BaseProblem) -> SystemShape:
        """Return the part, the theories and the classes of operators of a problem."""
        from chcfuzz.domains.parts.shape import shape_of

        return shape_of(as_question(problem))

    def size(self, problem: BaseProblem) -> Size:
        """Return the size of a problem."""
        from chcfuzz.domains.parts.passes import measure

        return measure(as_question(problem))

    def shrink(
        self,
        problem: BaseProblem,
        test: InputTest[BaseProblem],
        _mode: Mode,
        on_progress: Callable[[CandidateCounts], None],
    ) -> Iterator[Shrunk[BaseProblem]]:
        """Yield ever smaller problems."""
        from chcfuzz.domains.parts.passes import shrink

        return shrink(as_question(problem), cast("InputTest[PartProblem]", test), on_progress)

    def single_edits(self, problem: BaseProblem) -> Iterator[tuple[str, BaseProblem]]:
        """Yield problems after single edits of the reduction's passes."""
        from chcfuzz.domains.parts.passes import single_edits

        return single_edits(as_question(problem))


def chosen(solving: Solving) -> tuple[str, ...]:
    """Return the parts of `--part`; empty for all."""
    return solving.part


DOMAIN = PartDomain()
