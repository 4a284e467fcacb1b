"""CHC systems: data types, predicates, clauses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from chcfuzz.grammar.horn import Reading, Shape, read
from chcfuzz.grammar.sorts import BOOL, Constructor, Datatype, Selector, Sort
from chcfuzz.grammar.terms import (
    Atom,
    Link,
    Path,
    Predicate,
    Quantifier,
    Term,
    Variable,
    kept,
    subterms,
)

__all__ = ["Clause", "Constructor", "Datatype", "Predicate", "Selector", "Shape", "System"]


@dataclass(frozen=True)
class Clause:
    """A Horn clause as it was asserted, its quantifiers included, and the name it was asserted under."""

    formula: Term
    name: str | None = None

    @property
    def reading(self) -> Reading:
        """The clause's parts; raises `horn.NotHornError` for a formula that is none."""
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
        return self.reading.shape

    @property
    def body_roots(self) -> tuple[tuple[Link, Term], ...]:
        """The subterms of `formula` that make up the body, with the links to them."""
        return self.reading.body_roots

    @property
    def body_paths(self) -> tuple[Path, ...]:
        """The paths to the roots of the body."""
        return self.reading.body_paths

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """The atoms of the body, one for each occurrence."""
        return tuple(found for member in self.body for found in _atoms(member))

    @property
    def is_query(self) -> bool:
        """Whether the head holds no predicate: the clause says what must not be reachable."""
        return not isinstance(self.head, Atom)

    @property
    def is_fact(self) -> bool:
        """Whether the body holds no predicate."""
        return not any(member.has_atoms for member in self.body)

    @property
    def is_linear(self) -> bool:
        """Whether the body holds at most one atom."""
        return len(self.atoms) <= 1


def sorts_in(formula: Term) -> tuple[Sort, ...]:
    """The sorts of a formula's subterms and of what its quantifiers bind."""

    def found() -> tuple[Sort, ...]:
        sorts: dict[Sort, None] = {}
        for term in subterms(formula):
            sorts[term.sort] = None
            if isinstance(term, Quantifier):
                sorts.update((variable.sort, None) for variable in term.variables)
        return tuple(sorts)

    return kept(formula, "sorts", found)


def _atoms(term: Term) -> Iterator[Atom]:
    stack = [term]
    while stack:
        here = stack.pop()
        if isinstance(here, Atom):
            yield here
        elif here.has_atoms:
            stack.extend(reversed(here.children))


@dataclass(frozen=True)
class System:
    """A CHC system. `info` and `options` are what `set-info` and `set-option` said, names without the colon.

    `datatypes` come in groups that were declared together; every tuple keeps the order of the text.
    """

    datatypes: tuple[tuple[Datatype, ...], ...]
    predicates: tuple[Predicate, ...]
    clauses: tuple[Clause, ...]
    info: tuple[tuple[str, str], ...] = ()
    options: tuple[tuple[str, str], ...] = ()

    @property
    def status(self) -> str | None:
        """What `set-info` says the answer is: "sat", "unsat", or None."""
        said = dict(self.info).get("status")
        return said if said in ("sat", "unsat") else None

    def with_clauses(self, clauses: Sequence[Clause]) -> System:
        """The same system with other clauses."""
        return replace(self, clauses=tuple(clauses))

    def with_clause(self, index: int, formula: Term) -> System:
        """The same system with the formula of one clause replaced."""
        clause = replace(self.clauses[index], formula=formula)
        return self.with_clauses((*self.clauses[:index], clause, *self.clauses[index + 1 :]))

    def with_predicates(self, predicates: Sequence[Predicate]) -> System:
        """The same system with its predicates declared in another order, or others."""
        return replace(self, predicates=tuple(predicates))

    def with_info(self, info: Sequence[tuple[str, str]]) -> System:
        """The same system with other `set-info`."""
        return replace(self, info=tuple(info))

    @cached_property
    def nodes(self) -> int:
        """The number of nodes of its clauses, as trees."""
        return sum(clause.formula.size for clause in self.clauses)

    @cached_property
    def signature(self) -> dict[str, tuple[tuple[tuple[Sort, ...], Sort], ...]]:
        """Constructors, selectors and testers as `Apply.operator` spells them: which sorts they take, and
        give.

        Selectors of different data types may share a name.
        """
        found: dict[str, list[tuple[tuple[Sort, ...], Sort]]] = {}
        for datatype in (datatype for group in self.datatypes for datatype in group):
            of = datatype.sort
            for constructor in datatype.constructors:
                domain = tuple(selector.sort for selector in constructor.selectors)
                found.setdefault(constructor.operator, []).append((domain, of))
                found.setdefault(constructor.tester, []).append(((of,), BOOL))
                for selector in constructor.selectors:
                    found.setdefault(selector.operator, []).append(((of,), selector.sort))
        return {operator: tuple(overloads) for operator, overloads in found.items()}

    @cached_property
    def partial_selectors(self) -> frozenset[str]:
        """Selectors, as `Apply.operator` spells them, that have no value for some constructor of their data type."""
        return frozenset(
            selector.operator
            for group in self.datatypes
            for datatype in group
            if len(datatype.constructors) > 1
            for constructor in datatype.constructors
            for selector in constructor.selectors
        )

    @cached_property
    def theories(self) -> frozenset[str]:
        """Which theories occur: "LIA", "LRA", "Arrays", "BV", "ADT" (Booleans are in every one).

        The sorts say it, those inside arrays and data types included.
        """
        open_sorts = [sort for predicate in self.predicates for sort in predicate.parameters]
        for clause in self.clauses:
            open_sorts += sorts_in(clause.formula)
        seen: set[Sort] = set()
        while open_sorts:
            sort = open_sorts.pop()
            if sort not in seen:
                seen.add(sort)
                open_sorts += [parameter for parameter in sort.parameters if isinstance(parameter, Sort)]
                for constructor in sort.datatype.constructors if sort.datatype else ():
                    open_sorts += [selector.sort for selector in constructor.selectors]
        names = {"Int": "LIA", "Real": "LRA", "Array": "Arrays", "BitVec": "BV", "Bool": None}
        return frozenset(name for sort in seen if (name := names.get(sort.name, "ADT")))
