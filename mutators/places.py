"""Where a mutation can strike: the terms of a system's bodies, with the way to put a new one in their place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.horn import NotHornError
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import Path, Quantifier, Term, at, is_operator, kept, positions, replace_at

T = TypeVar("T")
_MOST = 4096  # places of a kind in one clause that are told apart


@dataclass(frozen=True)
class Place:
    """A term inside the body of clause number `clause`; `path` leads from the clause's formula to it."""

    clause: int
    path: Path
    term: Term

    def put(self, system: System, term: Term) -> System | None:
        """The system with another term here; None if that is the same term, or the clause no Horn clause any more.

        In (not (and body (not head))) the head is a member of the body's conjunction, and there may not be two.
        """
        if term is self.term:
            return None
        changed = system.with_clause(self.clause, replace_at(system.clauses[self.clause].formula, self.path, term))
        try:
            _ = changed.clauses[self.clause].reading
        except NotHornError:
            return None
        return changed


def places(system: System, name: str, wanted: Callable[[Term], bool]) -> list[Place]:
    """All places whose term is wanted, in order. `name` names the predicate `wanted`: results are kept by it."""
    return [
        Place(index, path, at(clause.formula, path))
        for index, clause in enumerate(system.clauses)
        for path in _paths(clause, name, wanted)
    ]


def _paths(clause: Clause, name: str, wanted: Callable[[Term], bool]) -> tuple[Path, ...]:
    return kept(clause.formula, f"places.{name}", lambda: tuple(_search(clause, wanted))[:_MOST])


def _search(clause: Clause, wanted: Callable[[Term], bool]) -> Iterator[Path]:
    for root in clause.body_paths:
        stack = [(at(clause.formula, root), root)]
        while stack:
            here, path = stack.pop()
            if wanted(here):
                yield path
            if here.sort.name == "Bool":  # connectives stand nowhere else
                stack.extend((child, (*path, i)) for i, child in reversed(list(enumerate(here.children))))


def struck(
    system: System,
    choices: Choices,
    name: str,
    wanted: Callable[[Term], bool],
    rewrite: Callable[[Term, Choices], Term],
) -> System | None:
    """The system with one wanted place rewritten; None where there is none, or nothing changed."""
    found = places(system, name, wanted)
    if not found:
        return None
    place = choices.pick(found)
    return place.put(system, rewrite(place.term, choices))


def is_connective(*operators: str, least: int = 2) -> Callable[[Term], bool]:
    """Whether a term is one of these operators over at least so many members."""
    return lambda term: len(term.children) >= least and any(is_operator(term, operator) for operator in operators)


def rebound(
    system: System, choices: Choices, least: int, rewrite: Callable[[Quantifier, Choices], Quantifier]
) -> System | None:
    """The system with one quantifier over at least so many variables rewritten; None if there is none, or no change."""
    found = binders(system, least)
    if not found:
        return None
    index, path = choices.pick(found)
    formula = system.clauses[index].formula
    old = at(formula, path)
    assert isinstance(old, Quantifier)
    new = rewrite(old, choices)
    return None if new is old else system.with_clause(index, replace_at(formula, path, new))


def binders(system: System, least: int = 1) -> list[tuple[int, Path]]:
    """Where quantifiers over at least so many variables stand: the number of the clause, the path in its formula."""

    def wanted(term: Term) -> bool:
        return isinstance(term, Quantifier) and len(term.variables) >= least

    return [(i, path) for i, clause in enumerate(system.clauses) for path in positions(clause.formula, wanted)]


def swapped(members: Sequence[T], choices: Choices) -> list[T]:
    """Two different members, both chosen, change places; `members` has at least two."""
    first = choices.index(len(members))
    second = (first + 1 + choices.index(len(members) - 1)) % len(members)
    result = list(members)
    result[first], result[second] = result[second], result[first]
    return result
