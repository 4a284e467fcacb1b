"""Where a mutation can strike: the terms of a system's bodies, with the way to put a new one in their place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.draw import Drawing, Scope
from chcfuzz.grammar.horn import NotHornError
from chcfuzz.grammar.occurrences import Occurrences, fallen_into
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import Link, Path, Quantifier, Term, Variable, at, is_operator, kept, path_of, replace_at

T = TypeVar("T")
Found = Iterable[tuple[Link, Occurrences]]  # in a clause's formula: where to look, and what is wanted there
_MOST_OF_OLD = 4096  # places of a clause's body that choices without a key, those of format 1, tell apart


@dataclass(frozen=True)
class Place:
    """A term inside clause number `clause`; `path` leads from the clause's formula to it."""

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


class Places:
    """All places of a kind in a system, in order: counted once for each formula, under `name`, and walked to if picked.

    `find` says where in a clause to look. Choices that end tell the first `most_of_old` of each clause apart, if that
    is given.
    """

    def __init__(
        self, system: System, name: str, find: Callable[[Clause], Found], most_of_old: int | None = None
    ) -> None:
        self._system = system
        self._find = find
        self._most_of_old = most_of_old
        self._counts = [kept(clause.formula, f"places.{name}", _count(clause, find)) for clause in system.clauses]

    def __bool__(self) -> bool:
        return any(self._counts)

    def __iter__(self) -> Iterator[Place]:
        for index, clause in enumerate(self._system.clauses):
            for link, occurrences in self._find(clause) if self._counts[index] else ():
                for path in occurrences:
                    yield self._place(index, link, path)

    def pick(self, choices: Choices) -> Place:
        """One of the places, of which there must be some."""
        counts = self._counts
        if choices.ends and self._most_of_old is not None:
            counts = [min(count, self._most_of_old) for count in counts]
        index, number = fallen_into(choices.index(sum(counts)), counts)
        found = tuple(self._find(self._system.clauses[index]))
        root, number = fallen_into(number, (occurrences.number for _, occurrences in found))
        link, occurrences = found[root]
        return self._place(index, link, occurrences.path(number))

    def _place(self, index: int, link: Link, path: Path) -> Place:
        path = (*path_of(link), *path)
        return Place(index, path, at(self._system.clauses[index].formula, path))


def _count(clause: Clause, find: Callable[[Clause], Found]) -> Callable[[], int]:
    return lambda: sum(occurrences.number for _, occurrences in find(clause))


def places(system: System, name: str, wanted: Callable[[Term], bool]) -> Places:
    """All places in bodies whose term is wanted, outermost first, left to right. `name` names what is wanted."""

    def find(clause: Clause) -> Found:
        return ((link, Occurrences(root, wanted, _is_formula)) for link, root in clause.body_roots)

    return Places(system, name, find, _MOST_OF_OLD)


def _is_formula(term: Term) -> bool:
    return term.sort.name == "Bool"  # connectives stand nowhere else


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
    place = found.pick(choices)
    return place.put(system, rewrite(place.term, choices))


def monotone(system: System, name: str, wanted: Callable[[Term], bool]) -> Places:
    """Places in bodies above which are conjunctions and disjunctions alone, as `places` gives them."""
    return Places(
        system,
        f"monotone.{name}",
        lambda clause: ((link, Occurrences(root, wanted, is_junction)) for link, root in clause.body_roots),
    )


def is_junction(term: Term) -> bool:
    """Whether it is a conjunction or a disjunction."""
    return is_operator(term, "and") or is_operator(term, "or")


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
    place = found.pick(choices)
    assert isinstance(place.term, Quantifier)
    return place.put(system, rewrite(place.term, choices))


def binders(system: System, least: int = 1) -> Places:
    """Where quantifiers over at least so many variables stand, in heads, too."""

    def wanted(term: Term) -> bool:
        return isinstance(term, Quantifier) and len(term.variables) >= least

    return Places(
        system, f"binders.{least}", lambda clause: ((None, Occurrences(clause.formula, wanted, _holds_quantifiers)),)
    )


def _holds_quantifiers(term: Term) -> bool:
    return term.depth > 0


def bound_at(formula: Term, path: Path) -> tuple[Variable, ...]:
    """The variables that quantifiers above a path bind, the innermost of each name."""
    bound: dict[str, Variable] = {}
    for index in path:
        if isinstance(formula, Quantifier):
            bound.update((variable.name, variable) for variable in formula.variables)
        formula = formula.children[index]
    return tuple(bound.values())


def drawing(system: System, clause: int, path: Path) -> Drawing:
    """What draws terms for a place in a clause: over the variables that are bound there, like terms around it."""
    formulas = [each.formula for each in system.clauses]
    return Drawing(Scope.of(formulas, clause, bound_at(formulas[clause], path)))


def holds_a_value(term: Term) -> bool:
    """Whether nothing but a value may stand below: in a constant array, says cvc5."""
    return getattr(term, "operator", "").startswith("(as const ")


def matrix(clause: Clause) -> tuple[Link, Term]:
    """What stands below a clause's outer universal quantifiers, and the link to it."""
    link: Link = None
    term = clause.formula
    while isinstance(term, Quantifier) and term.kind == "forall":
        link, term = (link, 0), term.body
    return link, term


def swapped(members: Sequence[T], choices: Choices) -> list[T]:
    """Two different members, both chosen, change places; `members` has at least two."""
    first = choices.index(len(members))
    second = (first + 1 + choices.index(len(members) - 1)) % len(members)
    result = list(members)
    result[first], result[second] = result[second], result[first]
    return result
