"""What a mutation is: a rewrite of systems, what it promises, and how far its findings are in scope."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.system import System
from chcfuzz.mutators.rewriting.model_converter import SAME, Carry


class Promise(enum.Enum):
    """What holds between a system and its mutant."""

    EQUIVALENT = "equivalent"  # the same models
    EQUISATISFIABLE = "equisatisfiable"  # the same answer
    SAT_PRESERVING = "sat-preserving"  # a sat system stays sat; unsat may change
    UNSAT_PRESERVING = "unsat-preserving"  # the reverse
    NOTHING = "nothing"

    def weakest(self, other: Promise) -> Promise:
        """What two steps in a row still promise."""
        kept = _KEEPS[self] & _KEEPS[other]
        return next(promise for promise in Promise if _KEEPS[promise] == kept)

    def expected(self, status: str | None) -> str | None:
        """The answer that a mutant of a seed with this status must get; None where nothing is promised."""
        return status if status in _KEEPS[self] else None


_KEEPS: dict[Promise, frozenset[str]] = {
    Promise.EQUIVALENT: frozenset({"models", "sat", "unsat"}),
    Promise.EQUISATISFIABLE: frozenset({"sat", "unsat"}),
    Promise.SAT_PRESERVING: frozenset({"sat"}),
    Promise.UNSAT_PRESERVING: frozenset({"unsat"}),
    Promise.NOTHING: frozenset(),
}


class Scope(enum.Enum):
    """What Spacer's maintainers say of findings made with it (Z3 issues 3781, 3842, 3892, 4121, 7319)."""

    DEFAULT = "default"  # wanted
    SINGLE_SWITCH = "single-switch"  # a switch that users do set; on its own wanted, in combinations less so
    EXPERIMENTAL = "experimental"  # hidden, internal or experimental: to be justified before it is reported


class Kind(enum.Enum):
    """HornFuzz's three kinds, and what HornGator does; chosen with equal likelihood."""

    OWN = "own"
    REWRITE = "rewrite"
    PARAMETER = "parameter"
    INTERROGATION = "interrogation"  # each asks the solver first, which costs as much as an execution


@dataclass(frozen=True)
class Mutation:
    """A row of the registry. `id` stands in people's corpora: never renamed, never used again.

    `applies` is cheap and may be wrong in saying yes. `rewrite` gives None where there is nothing to do, and never a
    system equal to its argument; it draws every decision from its `Choices`. `carry` is what it makes of witnesses.
    Where `takes_system`, the bytes of its choices are the text of a second system.
    """

    id: str
    promise: Promise
    summary: str
    source: str
    rewrite: Callable[[System, Choices], System | None]
    applies: Callable[[System], bool]
    scope: Scope = Scope.DEFAULT
    kind: Kind = Kind.OWN
    carry: Carry = SAME
    takes_system: bool = False

    @property
    def family(self) -> str:
        """The part of the id before its first dot: the module where it lives."""
        return self.id.partition(".")[0]


@dataclass(frozen=True)
class Parameter:
    """A solver parameter that a recipe may set: `values` are texts other than the `default`."""

    name: str
    default: str
    values: tuple[str, ...]
    scope: Scope
    source: str

    @property
    def id(self) -> str:
        return f"parameter.{self.name}"


@dataclass(frozen=True)
class Configuration:
    """Parameters that are set at once: `settings` are their names and values, none of them a default.

    In a recipe they are parameters like any others, so that triage leaves out those that a finding does not need.
    """

    name: str
    settings: tuple[tuple[str, str], ...]
    scope: Scope
    source: str

    @property
    def id(self) -> str:
        return f"configuration.{self.name}"
