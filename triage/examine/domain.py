"""A problem domain, as triage sees it: witnesses, reduction, and the rules of the maintainers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from chcfuzz.execution.domain import Domain, load
from chcfuzz.execution.seed_answers import SeedAnswer
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.problem import BaseProblem, Pairs
from chcfuzz.mutators import roots
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.triage.examine.conclusion import Witness
from chcfuzz.triage.examine.runs import Run, RunConfiguration, Runs
from chcfuzz.triage.examine.shape import SystemShape
from chcfuzz.triage.shrink.result import Mode, Shrunk
from chcfuzz.triage.shrink.search import CandidateCounts, InputTest
from chcfuzz.triage.shrink.size import Size

if TYPE_CHECKING:
    from chcfuzz.triage.findings.record import Record

OtherModels = Callable[[BaseProblem], Iterator[tuple[str, str]]]  # yields models, each with its source


@dataclass(frozen=True)
class Standoff:
    """Two answers of several solvers, with as many projects for one as for the other.

    `between` names the solvers of both answers; it is empty if `words` are evidence against the one under examination.
    `suspect` is the recipe that puts another solver under test, with its answer, which is to be examined instead.
    """

    between: tuple[str, ...] = ()
    words: str = ""
    suspect: tuple[Recipe, str] | None = None


class WitnessSearch(Protocol):
    """The search for a checked witness that decides which of two answers is right."""

    @property
    def answers(self) -> Mapping[str, str]:
        """The answers of other solvers, by name, as far as they were run."""
        return {}

    @property
    def plain_configurations(self) -> Sequence[RunConfiguration]:
        """The configurations under which a seed is most likely to be solved correctly."""
        return ()

    def witness(self, run: Run, status: Status, places: Sequence[Run]) -> Witness | None:
        """Return a checked witness that the problem of a run has this status; None if the search finds none.

        `places` are runs of the same problem, of its chain's prefixes, and of its seed.
        """

    def contradicted(self, run: Run, witness: Witness) -> Sequence[Pairs]:
        """Return the selections of the other solvers under test whose answer to the problem of a run is wrong."""
        return ()

    def standoff(self, run: Run) -> Standoff | None:
        """Return the standoff in which the answer of a run is one side; None if more projects contradict it."""
        return None

    def doubt(self, run: Run) -> str:
        """Return a reason to doubt the answer of a run whose witness is wrong; empty without a reason.

        The reason is cheap to find and need not be checked, because the answer is examined next.
        """
        return ""


@dataclass(frozen=True)
class Refuted:
    """A checked refutation of a problem: a summary in `words`, its text, and SMT-LIB that any solver can check.

    Without a text, solvers agree on the script.
    """

    words: str
    text: str
    script: str


class TriageDomain(Domain, Protocol):
    """A domain with what triage needs to know; every domain derives from this class."""

    @property
    def compares_answers(self) -> bool:
        """Whether each execution compares several solvers, so that a smaller problem can show a contradiction again."""
        return False

    @property
    def modes(self) -> Collection[Mode]:
        """The modes of reductions that `shrink` supports."""
        return (Mode.FINDING,)

    @property
    def programs(self) -> Mapping[str, str]:
        """The programs that scripts of findings about several solvers run, by the names of their files."""
        return {}

    def script(self, record: Record, names: Set[str], reduced: Mapping[str, Sequence[str]]) -> str:
        """Return show.sh of a finding; empty without a script of this domain.

        `names` are the files in the finding's folder, `reduced` the command lines that ran on reduced problems, by the
        names of their files.
        """
        return ""

    def commands(
        self, record: Record, names: Set[str], system: str, reduced: Mapping[str, Sequence[str]]
    ) -> Sequence[str]:
        """Return the shell commands that install several solvers and run them on the problem in the file `system`."""
        return ()

    def refutation_text(self, text: str) -> str:
        """Return a refutation as people read it."""
        return text

    def reporting_programs(self) -> Mapping[str, Sequence[str]]:
        """Return the command lines of the domain's solvers on which `report --check` can run an issue, by name."""
        return {}

    @property
    def seeds(self) -> Path | None:
        """The folder with the project's seeds of this domain, if they are installed."""
        return None

    def input_for(self, problem: BaseProblem, solver: str, options: Pairs) -> str:
        """Return the text that a solver reads under these options in place of a problem; empty for the problem."""
        return ""

    def input_in_place(self, problem: BaseProblem, solvers: Iterable[str], parameters: Pairs) -> str:
        """Return the text that the first of several solvers reads under these parameters in place of a problem."""
        tested = next(iter(solvers), None)
        return "" if tested is None else self.input_for(problem, tested, self.roots.shown_options(parameters))

    def is_experimental(self, parameter: str) -> bool:
        """Return whether maintainers call a parameter of the solver experimental."""
        return False

    def is_switch(self, parameter: str) -> bool:
        """Return whether maintainers count a parameter as a changed option."""
        return True

    def unsupported_in(self, problem: BaseProblem) -> str | None:
        """Return what maintainers call unsupported in a problem; None if there is nothing."""
        return None

    def witness_search(self, runs: Runs, solving: Solving, seed: SeedAnswer | None) -> WitnessSearch:
        """Return the search for an examination; `seed` is the known answer of the seed."""

    def model_witness(self, problem: BaseProblem, text: str, words: str, watchdog: Watchdog) -> Witness | None:
        """Return a model as a witness for sat; None if a check does not confirm it."""

    def refute(
        self, problem: BaseProblem, rlimit: int, watchdog: Watchdog, accused: Run | None = None
    ) -> Refuted | None:
        """Search a refutation of a problem and check it; None if the search finds none.

        `accused` is the run of the solver that answers sat, if there is one.
        """
        return None

    def other_models(self, solving: Solving) -> OtherModels:
        """Return a function that yields the models of all solvers but the one under test."""
        return lambda _problem: iter(())

    def shape(self, problem: BaseProblem) -> SystemShape:
        """Return the properties of a reduced problem that its cause determines."""

    def size(self, problem: BaseProblem) -> Size:
        """Return the size that a reduction decreases."""

    def shrink(
        self,
        problem: BaseProblem,
        test: InputTest[BaseProblem],
        mode: Mode,
        on_progress: Callable[[CandidateCounts], None],
    ) -> Iterator[Shrunk[BaseProblem]]:
        """Yield ever smaller problems that pass the test, the given one first and a minimal one last."""

    def single_edits(self, problem: BaseProblem) -> Iterator[tuple[str, BaseProblem]]:
        """Yield problems that differ from this one by a single edit, each with the name of the edit."""
        return iter(())

    def variants(self, problem: BaseProblem) -> Iterator[tuple[str, BaseProblem]]:
        """Yield problems that differ in names or in the order of assertions alone, each with its name."""
        return iter(())


def triage_domain(solving: Solving) -> TriageDomain:
    """Return the domain of these flags; raises `DomainError`."""
    return cast(TriageDomain, load(solving.domain))


def recorded_domain(words: Sequence[str]) -> TriageDomain:
    """Return the domain in recorded flags; raises `DomainError` for one that the user has not named."""
    return cast(TriageDomain, roots.load(Solving.parsed(words).domain, recorded=True))
