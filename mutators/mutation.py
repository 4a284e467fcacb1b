"""Rows of the registry: mutations with their promises, solver parameters, and the scope of findings made with them."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.grammar.printing.witness import Facts, Meanings
from chcfuzz.grammar.problem import BaseProblem, Problem
from chcfuzz.grammar.system import System

P = TypeVar("P", bound=BaseProblem)


@dataclass(frozen=True)
class Need(Generic[P]):
    """The part of a problem that a row uses; its type is that of the problems that have the part."""

    name: str


class Needs:
    """The needs of rows. A domain takes the rows whose need its problems offer."""

    FORMULAS: Need[BaseProblem] = Need("formulas")  # formulas alone, which every problem has
    CLAUSES: Need[System] = Need("clauses")  # clauses, bodies, heads or predicates
    ASSERTIONS: Need[Problem] = Need("assertions")  # assertions and declared functions
    CHECK_SAT: Need[Problem] = Need("check-sat")  # the form of a script, or an answer to it
    GROUPS: Need[Interpolation] = Need("groups")  # assertions in groups, with cuts between them


GivenProblem = Any  # a problem that offers the need of a row: `Mutation` checks that when the row is made


class Promise(enum.Enum):
    """The relation between a problem and its mutant."""

    EQUIVALENT = "equivalent"  # the same models
    EQUISATISFIABLE = "equisatisfiable"  # the same answer
    SAT_PRESERVING = "sat-preserving"  # a sat problem stays sat; unsat may change
    UNSAT_PRESERVING = "unsat-preserving"  # the reverse
    NOTHING = "nothing"

    def weakest(self, other: Promise) -> Promise:
        """Return the promise of two steps in a row."""
        kept = _KEEPS[self] & _KEEPS[other]
        return next(promise for promise in Promise if _KEEPS[promise] == kept)

    def expected(self, status: str | None) -> str | None:
        """Return the answer that a mutant of a seed with this status must get; None without a promise for it."""
        return status if status in _KEEPS[self] else None


_KEEPS: dict[Promise, frozenset[str]] = {
    Promise.EQUIVALENT: frozenset({"models", "sat", "unsat"}),
    Promise.EQUISATISFIABLE: frozenset({"sat", "unsat"}),
    Promise.SAT_PRESERVING: frozenset({"sat"}),
    Promise.UNSAT_PRESERVING: frozenset({"unsat"}),
    Promise.NOTHING: frozenset(),
}


class Scope(enum.Enum):
    """How maintainers treat findings made with a row (for Spacer: Z3 issues 3781, 3842, 3892, 4121, 7319)."""

    DEFAULT = "default"  # wanted
    SINGLE_SWITCH = "single-switch"  # a switch that users set; wanted on its own, less so in combinations
    EXPERIMENTAL = "experimental"  # hidden, internal or experimental: needs a justification in a report


class Kind(enum.Enum):
    """HornFuzz's three kinds and HornGator's; each is chosen with equal probability."""

    OWN = "own"
    REWRITE = "rewrite"
    PARAMETER = "parameter"
    INTERROGATION = "interrogation"  # runs the solver first, which costs as much as an execution


@dataclass(frozen=True)
class Move:
    """A step of a chain with the problems before and after it, which are equal if it changed nothing.

    An unknown step has a `row` of None. The row's choices were read from the bytes `data` and `key`.
    """

    before: GivenProblem
    after: GivenProblem
    row: Mutation | None
    data: bytes = b""
    key: bytes = b""

    @property
    def choices(self) -> Choices:
        """The choices that the row had, to be read once more."""
        return Choices(self.data, self.key)


@dataclass(frozen=True)
class ModelConverter:
    """Converts witnesses of the system before a step into witnesses of the system after it; None if it cannot.

    `meanings`: each predicate of the system after, over the predicates of the one before. `facts`: from the facts of a
    refutation, in the order of their derivation, those of a refutation of the system after, in such an order.
    """

    meanings: Callable[[Move], Meanings | None]
    facts: Callable[[Move, Facts], Facts | None]


@dataclass(frozen=True)
class Mutation:
    """A row of the registry: a rewrite of problems with its promise.

    `id` is stored in corpora, so it is never renamed and never used again. `source` names the paper, or the file
    of the solver, that the rule comes from.

    `applies` decides quickly whether the row may change a problem. It may wrongly return True, because `rewrite`
    may still decline; it must not wrongly return False, or the row never runs on such a problem. It must not
    compute the mutant or run a solver: policies call it for every row that they draw, before most executions. The
    row `unfolding.fold`, for example, only tests whether some body has a part that could become a predicate, which
    a cached count of terms answers. Whether the mutant would be Horn and small enough is left to `rewrite`.

    `rewrite` returns None if it finds nothing to change, and otherwise a problem that differs from its argument and
    keeps the promise. It draws every decision from its `Choices`, so equal choices give equal mutants in every
    process, and it must not change its argument.

    `converter` converts witnesses; None means the usual converter of the domain. If `takes_system`, the bytes of
    the choices are the text of a second problem. `data_for` draws the bytes of the choices of a new step, which then
    hold everything that was drawn; None if it draws nothing for a problem. If `permutes`, the row only changes the
    order or the names of clauses, declarations or variables. If `light`, it changes one small thing, so that
    neighbourhoods use it although it may promise nothing. `needs` is the part of a problem that it uses: only domains
    whose problems have that part take the row.
    """

    id: str
    promise: Promise
    summary: str
    source: str
    rewrite: Callable[[GivenProblem, Choices], GivenProblem | None]
    applies: Callable[[GivenProblem], bool]
    scope: Scope = Scope.DEFAULT
    kind: Kind = Kind.OWN
    converter: ModelConverter | None = None
    takes_system: bool = False
    data_for: Callable[[GivenProblem, Choices], bytes | None] | None = None
    permutes: bool = False
    light: bool = False
    needs: Need[Any] = Needs.FORMULAS

    if TYPE_CHECKING:  # a row without `needs` takes every problem, and the type of any other row is that of its needs

        @overload
        def __init__(
            self,
            id: str,
            promise: Promise,
            summary: str,
            source: str,
            rewrite: Callable[[BaseProblem, Choices], BaseProblem | None],
            applies: Callable[[BaseProblem], bool],
            *,
            scope: Scope = ...,
            kind: Kind = ...,
            converter: ModelConverter | None = ...,
            takes_system: bool = ...,
            data_for: Callable[[BaseProblem, Choices], bytes | None] | None = ...,
            permutes: bool = ...,
            light: bool = ...,
        ) -> None: ...

        @overload
        def __init__(
            self,
            id: str,
            promise: Promise,
            summary: str,
            source: str,
            rewrite: Callable[[P, Choices], P | None],
            applies: Callable[[P], bool],
            *,
            scope: Scope = ...,
            kind: Kind = ...,
            converter: ModelConverter | None = ...,
            takes_system: bool = ...,
            data_for: Callable[[P, Choices], bytes | None] | None = ...,
            permutes: bool = ...,
            light: bool = ...,
            needs: Need[P],
        ) -> None: ...

        def __init__(self, *_args: Any, **_kwargs: Any) -> None: ...

    @property
    def family(self) -> str:
        """The part of the id before its first dot, which is also the name of the row's module."""
        return self.id.partition(".")[0]


@dataclass(frozen=True)
class Parameter:
    """A solver parameter that a recipe may set: `values` are texts other than the `default`.

    If `needs` is not empty, the parameter changes nothing without what it names, for example another parameter. If
    `usual` is given, the parameter changes nothing of other problems than those that it accepts, and most of their
    mutants set it.
    """

    name: str
    default: str
    values: tuple[str, ...]
    scope: Scope
    source: str
    needs: str = ""
    usual: Callable[[GivenProblem], bool] | None = None

    @property
    def id(self) -> str:
        """Name of the row in policies and statistics; recipes store the parameters themselves."""
        return f"parameter.{self.name}"


@dataclass(frozen=True)
class Configuration:
    """Parameters that are set together: `settings` are names and values, none of them a default.

    In a recipe they are ordinary parameters, so that triage removes those that a finding does not need.
    """

    name: str
    settings: tuple[tuple[str, str], ...]
    scope: Scope
    source: str

    @property
    def id(self) -> str:
        """Name of the row in policies and statistics; recipes store the parameters themselves."""
        return f"configuration.{self.name}"
