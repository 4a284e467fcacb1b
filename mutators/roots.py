"""Roots of recipes: how the problems of a domain are read and printed, and which ones are always there.

A process works in one domain, as it works with one Z3: `activate` chooses it, else it is that of CHC systems. Recipes,
seeds, chains, seed groups and policies use `active()` and know nothing else about the domain.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from typing import Protocol

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.drawing_limits import USUAL, Limits
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.problem import BaseProblem, Pairs

DEFAULT_DOMAIN = "chc"
DOMAINS = (DEFAULT_DOMAIN, "smt", "interpolation")  # those in `domains`


class DomainError(ChcfuzzError):
    """A domain that cannot be loaded."""


class Roots(Protocol):
    """Reads, prints and compares the problems that recipes of a domain start from."""

    @property
    def noun(self) -> str:
        """The name of a problem in messages, such as "CHC system"."""

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

    @property
    def query_parameters(self) -> tuple[tuple[str, str], ...]:
        """The parameters under which mutations query a solver about a problem."""
        return ()

    def __hash__(self) -> int:
        """Return the identity: texts are cached for each object."""
        return id(self)

    @property
    def selecting(self) -> frozenset[str]:
        """Names of the parameters that choose the solver under test; all other parameters are its options."""
        return frozenset()

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

    def draw(self, choices: Choices, limits: Limits = USUAL) -> BaseProblem:
        """Draw a problem with an unknown answer, else a built-in one; recipes store the text of a drawn root.

        A domain whose problems are larger than that heeds the `limits`.
        """
        return self.parse(choices.pick(self.built_in), "built-in")

    def takes(self, name: str, value: str) -> bool:
        """Return whether a recipe may hold this parameter, in addition to options of Z3's fixedpoint and of commands.

        No parameter may name a file, write or print.
        """
        return False

    def shown_options(self, parameters: Pairs) -> Pairs:
        """Return the parameters that a script for people sets as options."""
        return parameters

    def class_of(self, problem: BaseProblem) -> str:
        """Return the class of a problem, one of `classes`."""
        return self.classes[0]

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

    @property
    def readers(self) -> tuple[str, ...]:
        """The names of the readers that `print_for` knows."""
        return ()

    def print_for(self, problem: BaseProblem, reader: str) -> str:
        """Return the text of a problem for one of `readers`; raises `ChcfuzzError` if that is not possible."""
        return self.print(problem)

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

    @property
    def bridged(self) -> str:
        """The name of the domain to which `bridge` leads; empty without one."""
        return ""

    def bridge(self, problem: BaseProblem, depth: int | None) -> str:
        """Return the text of a problem of the domain `bridged` with the same cause; raises `ChcfuzzError`.

        `depth` bounds the derivations of a system.
        """
        raise ChcfuzzError(f"a {self.noun} has no form in another domain; name a CHC system or an SMT problem")

    def complexity(self, problem: BaseProblem) -> tuple[int, ...]:
        """Return a sort key, from simple to complex problems."""
        return (len(problem.formulas),)


class HasRoots(Protocol):
    """A domain; this layer uses only its roots (`execution.domain` has the rest)."""

    @property
    def roots(self) -> Roots:
        """Roots of the domain."""


def load(name: str | None, recorded: bool = False) -> HasRoots:
    """Return the domain of this name: a module in `domains`, or `module:object`; raises `DomainError`.

    A `recorded` name comes from a file and not from the user, so it does not import a module outside of `domains`.
    """
    module, _, attribute = (name or DEFAULT_DOMAIN).partition(":")
    path = module if attribute else f"chcfuzz.domains.{module}.domain"
    if recorded and attribute and module not in sys.modules:
        raise DomainError(f"a record names the domain {name!r}; to import that module, add --domain {name}")
    try:
        found: HasRoots = getattr(importlib.import_module(path), attribute or "DOMAIN")
    except (ImportError, AttributeError, ValueError, SyntaxError) as error:
        message = f"no domain {name!r}: {error}; write {', '.join(DOMAINS)}, or module:object that Python finds"
        raise DomainError(message) from error
    return found


_active: list[Roots] = []  # at most one


def activate(roots: Roots) -> None:
    """Make these the roots of this process."""
    _active[:] = [roots]


def active() -> Roots:
    """Return the roots of this process."""
    if not _active:
        _active.append(load(None).roots)
    return _active[0]
