"""The protocol of a domain: everything that the machine and triage know about a kind of problems.

A domain is an object whose class derives from `Domain`, which is the sum of small groups: one group for each thing that
a domain has. The docstring of a member is its contract. A member with a body has a default that fits a domain without
that thing; the others must be written. `docs/adding-a-domain.md` builds a complete domain, group by group.

The module of a domain must not import a solver at its top, because supervisors load it too: members import what they
use. Nothing else may import the domain: `mutators.roots.load` finds it by its name. This module names types of higher
rooms for the type checker alone, so that every room can import it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.drawing_limits import USUAL, Limits
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.problem import BaseProblem, Pairs
from chcfuzz.grammar.reading.commands import LeftOut
from chcfuzz.oracles import outcome_checks
from chcfuzz.oracles.reserve_use import ReserveUse
from chcfuzz.oracles.verdict import Verdict
from chcfuzz.solvers import z3_release
from chcfuzz.solvers.made import MadeProblem
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.solver import Solver
from chcfuzz.solvers.solver_model import AnyModel
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_release import Release
from chcfuzz.tracing.source import TraceSource
from chcfuzz.triage.shrink.result import Mode, Shrunk
from chcfuzz.triage.shrink.search import CandidateCounts, InputTest
from chcfuzz.triage.shrink.size import Size

if TYPE_CHECKING:
    from chcfuzz.execution.pipeline import Execution
    from chcfuzz.execution.seed_answers import SeedAnswer
    from chcfuzz.execution.solver_steps import SolverStepReport, StepJudges
    from chcfuzz.execution.solving import Solving
    from chcfuzz.mutators.chain import Mutant
    from chcfuzz.mutators.mutation import Parameter
    from chcfuzz.mutators.recipe import Recipe
    from chcfuzz.mutators.registry import Registry
    from chcfuzz.triage.examine.conclusion import Witness
    from chcfuzz.triage.examine.runs import Run, RunConfiguration, Runs
    from chcfuzz.triage.examine.shape import SystemShape
    from chcfuzz.triage.findings.record import Record
    from chcfuzz.triage.findings.reproducing import ReleasedRun

Solve = Callable[["Mutant"], Outcome]
OtherModels = Callable[[BaseProblem], Iterator[tuple[str, str]]]  # yields models, each with its source


class RootTexts(Protocol):
    """How problems are read, printed and compared."""

    @property
    def noun(self) -> str:
        """The name of a problem in messages, such as "CHC system"."""

    def parse(self, text: str, name: str) -> BaseProblem:
        """Return the problem that a text states; raises `GrammarError`, which names the place, for anything else."""

    def print(self, problem: BaseProblem) -> str:
        """Return the canonical text of a problem; `parse` of it is the same problem."""

    @property
    def readings(self) -> tuple[str, ...]:
        """The names of other ways in which `parse_all` can read a text."""
        return ()

    def parse_all(self, text: str, name: str, readings: Sequence[str] = ()) -> tuple[BaseProblem, ...]:
        """Return the problems that a text states, for domains whose texts may state several; see `parse`.

        `readings` are some of `self.readings`.
        """
        return (self.parse(text, name),)

    def left_out(self, text: str, name: str) -> Sequence[LeftOut]:
        """Return the commands of a text that no solver gets; raises `GrammarError`, as `parse` does."""
        return ()

    @property
    def readers(self) -> tuple[str, ...]:
        """The names of the readers that `print_for` knows."""
        return ()

    def print_for(self, problem: BaseProblem, reader: str) -> str:
        """Return the text of a problem for one of `readers`; raises `ChcfuzzError` if that is not possible."""
        return self.print(problem)

    def shown_options(self, parameters: Pairs) -> Pairs:
        """Return the parameters that a script for people sets as options."""
        return parameters

    def configured(self, parameters: Pairs) -> Pairs:
        """Return the options that the name of the solver under test sets, which are in force as parameters are."""
        return ()

    def complexity(self, problem: BaseProblem) -> tuple[int, ...]:
        """Return a sort key, from simple to complex problems."""
        return (len(problem.formulas),)

    def __hash__(self) -> int:
        """Return the identity: texts are cached for each object."""
        return id(self)


class Recipes(Protocol):
    """Tables that bytes and stored tallies choose from by position, and the parameters that a recipe may hold."""

    @property
    def built_in(self) -> tuple[str, ...]:
        """Texts that stand for bytes without a readable root. Append only: bytes choose by position."""

    @property
    def entropy_rows(self) -> tuple[str, ...]:
        """Ids of the mutations that plain entropy chooses from, by position; independent of the installed solver."""

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes that policies learn about separately. Append only: stored tallies name them by position."""
        return ("any",)

    def class_of(self, problem: BaseProblem) -> str:
        """Return the class of a problem, one of `classes`."""
        return self.classes[0]

    def takes(self, name: str, value: str) -> bool:
        """Return whether a recipe may hold this parameter, in addition to options of Z3's fixedpoint and of commands.

        No parameter may name a file, write or print.
        """
        return False

    @property
    def selecting(self) -> frozenset[str]:
        """Names of the parameters that choose the solver under test; all other parameters are its options."""
        return frozenset()

    @property
    def query_parameters(self) -> tuple[tuple[str, str], ...]:
        """The parameters under which mutations query a solver about a problem."""
        return ()


class RootDrawing(RootTexts, Recipes, Protocol):
    """New problems, drawn from choices."""

    @property
    def draws(self) -> bool:
        """Whether `draw` makes new problems."""
        return False

    @property
    def takes_models(self) -> bool:
        """Whether rows and `draw` use the model of formulas that is active (`learning.active`)."""
        return False

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of problems that `draw_kind` draws."""
        return ()

    def draw_kind(self, kind: str, choices: Choices) -> BaseProblem:
        """Draw a problem of one of `kinds`."""
        return self.draw(choices)

    def draw(self, choices: Choices, limits: Limits = USUAL, /) -> BaseProblem:
        """Draw a problem with an unknown answer, else a built-in one; recipes store the text of a drawn root.

        A domain whose problems are larger than that heeds the `limits`.
        """
        return self.parse(choices.pick(self.built_in), "built-in")


class Roots(RootDrawing, Protocol):
    """The problems that recipes of a domain start from, and the tables that bytes choose from."""


@dataclass(frozen=True)
class MutantSample:
    """Verdicts of another solver on one mutant in `one_in`, which is a property of the mutant."""

    one_in: int
    verdicts: Callable[[Mutant, Outcome], tuple[Verdict, ...]]

    def takes(self, mutant: Mutant) -> bool:
        """Return whether the mutant is one of the sample."""
        return int.from_bytes(mutant.key[4:8]) % self.one_in == 0


class SecondOpinion(Protocol):
    """Other solvers and checks that cost as much as solving, or more."""

    @property
    def has_others(self) -> bool:
        """Whether the user named other solvers."""

    @property
    def steps(self) -> StepJudges | None:
        """The oracle of solver steps, which starts with the first run; None for a solver without steps to judge."""

    @property
    def reserves(self) -> ReserveUse | None:
        """The use of solvers in reserve so far; None without any."""

    @property
    def samples(self) -> Sequence[MutantSample]:
        """The verdicts that some mutants get in addition, whether `verdicts` is called for them or not."""

    def verdicts(self, mutant: Mutant, outcome: Outcome) -> tuple[Verdict, ...]:
        """Return the verdicts of all others on an outcome."""


class NoSecondOpinion:
    """The second opinion of a domain without other solvers."""

    has_others = False
    steps = None
    reserves: ReserveUse | None = None
    samples: Sequence[MutantSample] = ()

    def verdicts(self, _mutant: Mutant, _outcome: Outcome) -> tuple[Verdict, ...]:
        """Return no verdicts."""
        return ()


class OnlySamples(NoSecondOpinion):
    """A second opinion on some mutants, and on no others."""

    def __init__(self, samples: Sequence[MutantSample], reserves: ReserveUse) -> None:
        self.samples = samples
        self.reserves = reserves


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

    def agreeing(self, run: Run, status: Status) -> Sequence[str]:
        """Return the projects other than the one under test whose solvers give this answer to the problem of a run."""
        return ()

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


class Headline(Protocol):
    """The name of a domain, its problems, its flags, and the first line of its campaigns."""

    @property
    def roots(self) -> Roots:
        """How roots of recipes are read and printed."""

    @property
    def name(self) -> str:
        """The domain's name in `--domain`."""

    @property
    def solver_name(self) -> str:
        """The name of the solver in this process, in reports."""

    def prepared(self, solving: Solving, experimental: bool) -> Solving:
        """Return the flags as campaigns of this domain use them; raises `UsageError` for flags of other domains.

        With `experimental`, the user also wants what maintainers do not support.
        """
        return solving

    def resolved(self, solving: Solving) -> Solving:
        """Return the flags with the front ends and commands that names among them stand for; raises `UsageError`."""
        return solving

    def counts_resources(self, solving: Solving) -> bool:
        """Return whether the solver under test counts its resources, so that the costs of two runs can be compared."""
        return True

    def headline(self, solving: Solving, release: Release) -> str:
        """Return the first line of a campaign: the solvers and the source of features; `release` is the active Z3."""
        return self.solver_name

    def check_named(self, solving: Solving) -> None:
        """Raise a `ChcfuzzError` for a flag that names a solver which does not exist; nothing is fetched or started."""
        return

    def check_usable(self, solving: Solving) -> None:
        """Fetch releases before a campaign begins; raises a `ChcfuzzError` for a flag whose solver cannot be used.

        The Z3 of this process has been activated.
        """
        return

    def optional_parts(self) -> Iterator[tuple[bool, str, str]]:
        """Yield whether each part that a campaign can also use is there, a message on it, and advice if it is not."""
        yield from ()


class MutationRows(Protocol):
    """The rows of a domain, and how maintainers of the solvers see their parameters."""

    def registry(self, solving: Solving) -> Registry:
        """Return the mutations, and the parameters of the solver under test."""

    def tried(self, selection: Pairs, parameter: Parameter, problem: BaseProblem) -> Sequence[str]:
        """Return the values of a parameter that the examination of a wrong answer tries alone, one after another."""
        return parameter.values if self.concerns(selection, parameter.name) else ()

    def concerns(self, selection: Pairs, name: str) -> bool:
        """Return whether the parameter with this name is an option of the solver that the selection puts under test."""
        return True

    def is_experimental(self, parameter: str) -> bool:
        """Return whether maintainers call a parameter of the solver experimental."""
        return False

    def is_switch(self, parameter: str) -> bool:
        """Return whether maintainers count a parameter as a changed option."""
        return True

    def allowed_words(self, parameters: Collection[str]) -> str:
        """Return the mode of the solver that allows all of these changed options, in words; empty without modes."""
        return ""

    def unsupported_in(self, problem: BaseProblem) -> str | None:
        """Return what maintainers call unsupported in a problem; None if there is nothing."""
        return None


class Solvers(Headline, Protocol):
    """The solver under test, or several that all get each problem; the parameters of a recipe then choose one."""

    def trace_source(self, solving: Solving) -> TraceSource:
        """Return the source of traces of the solver under test."""

    def solver(self, solving: Solving, source: TraceSource | None, watchdog: Watchdog) -> Solver:
        """Return the solver under test; without a `source`, it gets one of its own."""

    def prepare(self, solver: Solver, afresh: bool = False) -> None:
        """Start the processes that executions share, so that forked children of this process share them, too.

        With `afresh`, first end those that run: they may still work for a child that has died.
        """
        return

    def held_memory(self) -> int:
        """Return the bytes that solvers in this process hold: between executions, the bytes that they lost."""
        return 0

    def call_if_query_is_stuck(self, action: Callable[[], None]) -> None:
        """Let `action` end this process if a mutation's query to a solver ignores its limits."""
        return

    def solver_key(self, solving: Solving, parameters: Pairs, z3: str) -> str:
        """Return the key of the solver without digits (`identity.solver_key`); `z3` is the release of this process."""
        return solving.solver_key(z3)

    def tested(self, solving: Solving, parameters: Pairs) -> Pairs:
        """Return the parameters that choose the solver which is under test with these, if there are several solvers."""
        return ()

    def project(self, solving: Solving, parameters: Pairs) -> str:
        """Return the name of the project whose solver is under test with these, if there are several solvers."""
        return ""

    def selected(self, solving: Solving) -> Pairs:
        """Return the parameters that put the solver of `--solver` under test, if there are several solvers.

        Raises `UsageError` for a solver that does not run.
        """
        return ()

    def inside(self, solving: Solving) -> Pairs:
        """Return the parameters that choose the solver to which a death of the process belongs, if there are several.

        Other solvers run in processes of their own.
        """
        return ()

    def runs(self, solving: Solving, parameters: Pairs) -> bool:
        """Return whether the solver that these parameters put under test runs with these flags, in any release."""
        return True

    def releases(self, solving: Solving, parameters: Pairs, z3: str) -> Mapping[str, str]:
        """Return the releases of several solvers by name, the one under test first; empty if there is only one.

        `z3` is the release of Z3 in this process.
        """
        return {}

    def released(self, selection: Pairs) -> tuple[Sequence[str], Sequence[str]]:
        """Return the releases of the selected solver that need no download, and those on offer."""
        return z3_release.in_cache(), z3_release.on_offer()

    def with_release(self, solving: Solving, selection: Pairs, version: str) -> tuple[Solving, Pairs]:
        """Return the flags and the selection that test another release of the selected solver, after fetching it.

        Raises `ReleaseError`.
        """
        z3_release.released(version)
        return replace(solving, z3=version, z3_library=None, z3_program=None), selection

    def against(self, solving: Solving, old: str) -> tuple[Solving, Solving] | None:
        """Return the flags of an old and a new solver to compare; None if the domain has one solver.

        Raises a `ChcfuzzError` if `old` does not name a solver.
        """
        return None

    def input_for(self, problem: BaseProblem, solver: str, options: Pairs) -> str:
        """Return the text that a solver reads under these options in place of a problem; empty for the problem."""
        return ""

    def input_in_place(self, problem: BaseProblem, solvers: Iterable[str], parameters: Pairs) -> str:
        """Return the text that the first of several solvers reads under these parameters in place of a problem."""
        tested = next(iter(solvers), None)
        return "" if tested is None else self.input_for(problem, tested, self.roots.shown_options(parameters))

    def model_text(self, problem: BaseProblem, model: AnyModel) -> str:
        """Return a model as text that a check can read again, with the elements of its sorts."""
        return model.whole


class Oracles(Protocol):
    """The verdicts on an outcome. A comparison only makes an answer suspicious; a checked witness decides."""

    def errors(self, outcome: Outcome) -> Verdict:
        """Return the verdict on the way in which the solver under test ended."""
        return outcome_checks.errors(outcome)

    def results(self, problem: BaseProblem, outcome: Outcome) -> Pairs:
        """Return the queries behind the check of a problem, each with the result that the solver under test gave."""
        return ()

    def verdicts(self, mutant: Mutant, outcome: Outcome, watchdog: Watchdog, solve: Solve) -> Sequence[Verdict]:
        """Return the verdicts of the oracles that check a witness, or that need nothing but the outcome.

        `solve` runs the solver under test.
        """
        return ()

    def seed_evidence(self, execution: Execution, project: str, watchdog: Watchdog) -> SeedAnswer | None:
        """Return the status of a seed if an execution shows it by more than the answer of the solver under test.

        That is a checked witness, or the answers of several projects; `project` is that of the solver under test.
        """
        return None

    @property
    def compares_answers(self) -> bool:
        """Whether each execution compares several solvers, so that a smaller problem can show a contradiction again."""
        return False

    @property
    def reserve_budget(self) -> str:
        """The share of the answers that nothing else decides for which solvers in reserve are queried, in words."""
        return ""

    def second_opinion(self, solving: Solving, watchdog: Watchdog, solve: Solve) -> SecondOpinion:
        """Return the second opinion on answers of the solver under test, which `solve` runs."""
        return NoSecondOpinion()

    @property
    def judges_solver_steps(self) -> bool:
        """Whether the steps of the solver in this process can be judged."""
        return False

    def solver_steps(
        self, solving: Solving, text: str, parameters: Pairs, given: tuple[str, str] | None
    ) -> Sequence[SolverStepReport]:
        """Return the judgements on the solver's steps for a script, or on those in a `given` text with its name.

        Raises a `ChcfuzzError` if the steps of this solver cannot be read or judged.
        """
        raise ChcfuzzError("the steps of these solvers are not judged; only those of solvers of CHC systems are")


class Witnesses(Headline, Protocol):
    """The search for checked witnesses, and problems that are made together with one."""

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

    @property
    def seeds(self) -> Path | None:
        """The folder with the project's seeds of this domain, if they are installed."""
        return None

    def made(self, status: str, choices: Choices, theories: Sequence[str] | None) -> MadeProblem:
        """Return a problem that is made together with the witness of this status, over these theories or drawn ones.

        Raises `ChcfuzzError` if the domain does not make such problems.
        """
        raise ChcfuzzError(f"{self.name}: no problems are made for an answer; draw them without one")


class Scripts(Protocol):
    """The scripts and programs in the folder of a finding, which need nothing of chcfuzz."""

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

    def released_runs(self, record: Record, system: str, command: Sequence[str]) -> Sequence[ReleasedRun]:
        """Return the runs of released solvers that may reproduce a finding on the file `system`, the best one first.

        `command` is the command line that ran on this file, empty if the solver is not a command.
        """
        return ()

    def refutation_text(self, text: str) -> str:
        """Return a refutation as people read it."""
        return text

    def reporting_programs(self) -> Mapping[str, Sequence[str]]:
        """Return the command lines of the domain's solvers on which `report --check` can run an issue, by name."""
        return {}


class Passes(Protocol):
    """The reduction of a problem, and the shape of a reduced one, which is part of its bucket."""

    @property
    def modes(self) -> Collection[Mode]:
        """The modes of reductions that `shrink` supports."""
        return (Mode.FINDING,)

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


class Suites(Protocol):
    """Scripts for the regression suites of solvers."""

    @property
    def suites(self) -> tuple[str, ...]:
        """The names of solvers whose regression suites take problems of this domain."""
        return ("z3",)

    def is_for(self, suite: str, problem: BaseProblem) -> bool:
        """Return whether the solver of a suite reads the theories of a problem."""
        return True

    def options_for(self, suite: str, parameters: Pairs) -> Pairs:
        """Return the parameters that a script for the suite of a solver sets as options."""
        return parameters


class Bridges(Headline, Protocol):
    """The same problem in another domain."""

    @property
    def bridged(self) -> str:
        """The name of the domain to which `bridge` leads; empty without one."""
        return ""

    def bridge(self, problem: BaseProblem, depth: int | None) -> str:
        """Return the text of a problem of the domain `bridged` with the same cause; raises `ChcfuzzError`.

        `depth` bounds the derivations of a system.
        """
        raise ChcfuzzError(f"a {self.roots.noun} has no form in another domain; name a CHC system or an SMT problem")


class Domain(MutationRows, Solvers, Oracles, Witnesses, Scripts, Passes, Suites, Bridges, Protocol):
    """A kind of problems: the sum of all groups."""
