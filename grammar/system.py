"""CHC systems: data types, predicates, clauses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from chcfuzz.grammar.horn import HornReading, NotHornError, Shape, Visits, read
from chcfuzz.grammar.paths import Link, Path
from chcfuzz.grammar.problem import Assertion, BaseProblem
from chcfuzz.grammar.sorts import Constructor, Datatype, Selector, Sort
from chcfuzz.grammar.terms import Atom, Predicate, Term, Variable, kept, nodes

__all__ = ["Clause", "Constructor", "Datatype", "Predicate", "Selector", "Shape", "System", "as_system"]


@dataclass(frozen=True)
class Clause(Assertion):
    """A Horn clause as it was asserted, its quantifiers included, and the name it was asserted under."""

    @property
    def reading(self) -> HornReading:
        """The clause's parts; raises `horn.NotHornError` if the formula is not a Horn clause."""
        return kept(self.formula, "reading", lambda: read(self.formula))

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The universally quantified variables, in order."""
        return self.reading.variables

    @property
    def body(self) -> tuple[Term, ...]:
        """The members of the body's conjunction."""
        return self.reading.body

    @property
    def head(self) -> Term:
        """An atom, `false`, or a formula without predicates."""
        return self.reading.head

    @property
    def shape(self) -> Shape:
        """The way in which the formula is written as a clause."""
        return self.reading.shape

    @property
    def body_roots(self) -> tuple[tuple[Link, Term], ...]:
        """The subterms of `formula` that make up the body, with the links to them."""
        return self.reading.body_roots

    @property
    def is_well_formed(self) -> bool:
        """Whether the formula is a Horn clause."""
        try:
            _ = self.reading
        except NotHornError:
            return False
        return True

    @property
    def body_paths(self) -> tuple[Path, ...]:
        """The paths to the roots of the body."""
        return self.reading.body_paths

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """The atoms of the body, one for each occurrence that `horn.Visits` counts."""
        return tuple(_atoms(self.body, Visits(self.formula)))

    @property
    def predicate_names(self) -> set[str]:
        """The names of the predicates in it."""
        return {atom.predicate.name for atom in (*self.atoms, self.head) if isinstance(atom, Atom)}

    @property
    def is_query(self) -> bool:
        """Whether the head is without predicates: the clause states an unreachable condition."""
        return not isinstance(self.head, Atom)

    @property
    def is_fact(self) -> bool:
        """Whether the body holds no predicate."""
        return not any(member.has_atoms for member in self.body)

    @property
    def is_linear(self) -> bool:
        """Whether the body holds at most one atom."""
        return len(self.atoms) <= 1


def _atoms(members: Sequence[Term], visits: Visits) -> Iterator[Atom]:
    stack = list(reversed(members))
    while stack:
        here = stack.pop()
        if not visits.is_new(here):
            continue
        if isinstance(here, Atom):
            yield here
        elif here.has_atoms:
            stack.extend(reversed(here.children))


@dataclass(frozen=True)
class System(BaseProblem):
    """A CHC system. The predicates are its only uninterpreted symbols."""

    datatypes: tuple[tuple[Datatype, ...], ...]
    predicates: tuple[Predicate, ...]
    clauses: tuple[Clause, ...]
    info: tuple[tuple[str, str], ...] = ()
    options: tuple[tuple[str, str], ...] = ()

    @property
    def asserted(self) -> tuple[Clause, ...]:
        """The clauses, in order."""
        return self.clauses

    @property
    def declared_names(self) -> Iterable[str]:
        """The names of the predicates."""
        return (predicate.name for predicate in self.predicates)

    @property
    def declared_sorts(self) -> Iterable[Sort]:
        """The sorts of the predicates' parameters."""
        return (sort for predicate in self.predicates for sort in predicate.parameters)

    @cached_property
    def nodes(self) -> int:
        """The number of nodes of the clauses, as `terms.nodes` counts them."""
        return sum(map(nodes, self.formulas))

    def with_clauses(self, clauses: Sequence[Clause]) -> System:
        """Return the same system with other clauses."""
        return replace(self, clauses=tuple(clauses))

    def with_formula(self, index: int, formula: Term) -> System:
        """Return the same system with the formula of one clause replaced."""
        clause = replace(self.clauses[index], formula=formula)
        return self.with_clauses((*self.clauses[:index], clause, *self.clauses[index + 1 :]))

    def with_predicates(self, predicates: Sequence[Predicate]) -> System:
        """Return the same system with other predicates, or in another order."""
        return replace(self, predicates=tuple(predicates))

    def with_header(self, info: Sequence[tuple[str, str]], options: Sequence[tuple[str, str]]) -> System:
        """Return the same system with other `set-info` and `set-option`."""
        return replace(self, info=tuple(info), options=tuple(options))


def as_system(problem: BaseProblem | None) -> System:
    """Return a problem of the domain of CHC systems with its type."""
    assert isinstance(problem, System)
    return problem
