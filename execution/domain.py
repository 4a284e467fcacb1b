"""A problem domain, as the machine sees it: which problems, rows, solvers and oracles it has.

CHC systems are the first domain (`domains.chc`). Every process gets its domain by name, from the flag `--domain`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, cast

from chcfuzz.execution.solver_steps import SolverStepReport
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.problem import BaseProblem, Pairs
from chcfuzz.mutators import roots
from chcfuzz.mutators.chain import Mutant
from chcfuzz.mutators.mutation import Parameter
from chcfuzz.mutators.recipe import decode, encode
from chcfuzz.mutators.registry import Registry
from chcfuzz.mutators.roots import Roots
from chcfuzz.oracles import errors
from chcfuzz.oracles.verdict import Verdict
from chcfuzz.solvers import z3_release
from chcfuzz.solvers.made import MadeProblem
from chcfuzz.solvers.outcome import Outcome
from chcfuzz.solvers.solver import Solver
from chcfuzz.solvers.solver_model import AnyModel
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_release import Release
from chcfuzz.tracing.source import TraceSource

MOST_LOST = 256 << 20  # bytes: a process in which solvers have lost more is replaced; the rest takes up to 230 MB

Solve = Callable[[Mutant], Outcome]


class SecondOpinion(Protocol):
    """Other solvers and checks that cost as much as solving, or more."""

    @property
    def has_others(self) -> bool:
        """Whether the user named other solvers."""

    def verdicts(self, mutant: Mutant, outcome: Outcome) -> tuple[Verdict, ...]:
        """Return the verdicts of all others on an outcome."""

    def of_each(self, mutant: Mutant, outcome: Outcome) -> tuple[Verdict, ...]:
        """Return the verdicts of those that the user wants on each outcome, where `verdicts` is not called."""


class NoSecondOpinion:
    """The second opinion of a domain without other solvers."""

    has_others = False

    def verdicts(self, _mutant: Mutant, _outcome: Outcome) -> tuple[Verdict, ...]:
        """Return no verdicts."""
        return ()

    def of_each(self, _mutant: Mutant, _outcome: Outcome) -> tuple[Verdict, ...]:
        """Return no verdicts."""
        return ()


class Domain(Protocol):
    """A kind of problems, with everything that the machine needs to know about it.

    A domain derives from this class and replaces the methods whose defaults do not fit. Its module must not import a
    solver, because supervisors load it too: methods import what they use.
    """

    @property
    def name(self) -> str:
        """The domain's name in `--domain`."""

    @property
    def roots(self) -> Roots:
        """How roots of recipes are read and printed."""

    @property
    def solver_name(self) -> str:
        """The name of the solver in this process, in reports."""

    def prepared(self, solving: Solving, experimental: bool) -> Solving:
        """Return the flags as campaigns of this domain use them; raises `UsageError` for flags of other domains.

        With `experimental`, the user also wants what maintainers do not support.
        """
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

    def registry(self, solving: Solving) -> Registry:
        """Return the mutations, and the parameters of the solver under test."""

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

    def errors(self, outcome: Outcome) -> Verdict:
        """Return the verdict on the way in which the solver under test ended."""
        return errors.check(outcome)

    def verdicts(self, mutant: Mutant, outcome: Outcome, watchdog: Watchdog, solve: Solve) -> Sequence[Verdict]:
        """Return the verdicts of the oracles that check a witness, or that need nothing but the outcome.

        `solve` runs the solver under test.
        """
        return ()

    def tested(self, solving: Solving, parameters: Pairs) -> Pairs:
        """Return the parameters that choose the solver which is under test with these, if there are several solvers."""
        return ()

    def selected(self, solving: Solving) -> Pairs:
        """Return the parameters that put the solver of `--solver` under test, if there are several solvers.

        Raises `UsageError` for a solver that does not run.
        """
        return ()

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
        return replace(solving, z3=version, z3_library=None), selection

    def against(self, solving: Solving, old: str) -> tuple[Solving, Solving] | None:
        """Return the flags of an old and a new solver to compare; None if the domain has one solver.

        Raises a `ChcfuzzError` if `old` does not name a solver.
        """
        return None

    def runs(self, solving: Solving, parameters: Pairs) -> bool:
        """Return whether the solver that these parameters put under test runs with these flags, in any release."""
        return True

    def inside(self, solving: Solving) -> Pairs:
        """Return the parameters that choose the solver to which a death of the process belongs, if there are several.

        Other solvers run in processes of their own.
        """
        return ()

    def concerns(self, selection: Pairs, name: str) -> bool:
        """Return whether the parameter with this name is an option of the solver that the selection puts under test."""
        return True

    def tried(self, selection: Pairs, parameter: Parameter, problem: BaseProblem) -> Sequence[str]:
        """Return the values of a parameter that the examination of a wrong answer tries alone, one after another."""
        return parameter.values if self.concerns(selection, parameter.name) else ()

    def solver_key(self, solving: Solving, parameters: Pairs, z3: str) -> str:
        """Return the key of the solver without digits (`identity.solver_key`); `z3` is the release of this process."""
        return solving.solver_key(z3)

    def second_opinion(self, solving: Solving, watchdog: Watchdog, solve: Solve) -> SecondOpinion:
        """Return the second opinion on answers of the solver under test, which `solve` runs."""
        return NoSecondOpinion()

    def solver_steps(
        self, solving: Solving, text: str, parameters: Pairs, given: tuple[str, str] | None
    ) -> Sequence[SolverStepReport]:
        """Return the judgements on the solver's steps for a script, or on those in a `given` text with its name.

        Raises a `ChcfuzzError` if the steps of this solver cannot be read or judged.
        """
        raise UsageError("the steps of these solvers are not judged; only those of solvers of CHC systems are")

    def made(self, status: str, choices: Choices, theories: Sequence[str] | None) -> MadeProblem:
        """Return a problem that is made together with the witness of this status, over these theories or drawn ones.

        Raises `UsageError` if the domain does not make such problems.
        """
        raise UsageError(f"{self.name}: no problems are made for an answer; draw them without one")

    def model_text(self, problem: BaseProblem, model: AnyModel) -> str:
        """Return a model as text that a check can read again, with the elements of its sorts."""
        return model.whole


def with_selection(unit: bytes, selection: Pairs) -> bytes:
    """Return the unit with other parameters that choose the solver under test."""
    if not selection:
        return unit
    return encode(decode(unit).selecting(selection))


def load(name: str | None) -> Domain:
    """Return the domain of this name: a module in `domains`, or `module:object`; raises `DomainError`."""
    return cast(Domain, roots.load(name))


def check_flags(solving: Solving) -> None:
    """Raise a `ChcfuzzError` for a flag that names a solver, a release or a build which cannot exist.

    Nothing is fetched or started.
    """
    z3_release.check_named(solving.z3, solving.z3_library)
    load(solving.domain).check_named(solving)
