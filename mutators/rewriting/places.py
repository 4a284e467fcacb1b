"""Places where a mutation can rewrite: subterms of clauses, found on demand, and their replacement."""

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
Found = Iterable[tuple[Link, Occurrences]]  # parts of a clause's formula, with the matching subterms of each
_MOST_OF_OLD = 4096  # places of a clause's body that choices of format 1 (without a key) distinguish


@dataclass(frozen=True)
class Place:
    """A term inside the clause with number `clause`, at `path` in the clause's formula."""

    clause: int
    path: Path
    term: Term

    def put(self, system: System, term: Term) -> System | None:
        """Return the system with another term here; None if that changes nothing, or the clause is no longer Horn.

        In (not (and body (not head))) the head is a member of the body's conjunction, and a clause has at most
        one head.
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
    """All places of a kind in a system, in order. Their number is cached for each formula under `name`.

    `find` returns the parts of a clause to search. Choices of format 1 distinguish only the first `most_of_old`
    places of a clause, if that is given.
    """

    def __init__(
        self, system: System, name: str, find: Callable[[Clause], Found], most_of_old: int | None = None
    ) -> None:
        """Count the places in every clause."""
        self._system = system
        self._find = find
        self._most_of_old = most_of_old
        self._counts = [kept(clause.formula, f"places.{name}", _count(clause, find)) for clause in system.clauses]

    def __bool__(self) -> bool:
        """Return whether there is a place."""
        return any(self._counts)

    def __iter__(self) -> Iterator[Place]:
        """Yield the places in order."""
        for index, clause in enumerate(self._system.clauses):
            for link, occurrences in self._find(clause) if self._counts[index] else ():
                for path in occurrences:
                    yield self._place(index, link, path)

    def pick(self, choices: Choices) -> Place:
        """Draw one of the places; there must be at least one."""
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


def places(system: System, name: str, matches: Callable[[Term], bool]) -> Places:
    """Return all places in bodies whose term matches, outermost first and left to right; `name` is the cache key."""

    def find(clause: Clause) -> Found:
        return ((link, Occurrences(root, matches, _is_formula)) for link, root in clause.body_roots)

    return Places(system, name, find, _MOST_OF_OLD)


def _is_formula(term: Term) -> bool:
    return term.sort.name == "Bool"  # only formulas have connectives


def rewrite_one(
    system: System,
    choices: Choices,
    name: str,
    matches: Callable[[Term], bool],
    rewrite: Callable[[Term, Choices], Term],
) -> System | None:
    """Return the system with one matching place rewritten; None if nothing matches or changes."""
    found = places(system, name, matches)
    if not found:
        return None
    place = found.pick(choices)
    return place.put(system, rewrite(place.term, choices))


def monotone(system: System, name: str, matches: Callable[[Term], bool]) -> Places:
    """Return the matching places in bodies that only conjunctions and disjunctions enclose."""
    return Places(
        system,
        f"monotone.{name}",
        lambda clause: ((link, Occurrences(root, matches, is_junction)) for link, root in clause.body_roots),
    )


def is_junction(term: Term) -> bool:
    """Return whether the term is a conjunction or a disjunction."""
    return is_operator(term, "and") or is_operator(term, "or")


def is_connective(*operators: str, least: int = 2) -> Callable[[Term], bool]:
    """Return a test for these operators with at least `least` members."""
    return lambda term: len(term.children) >= least and any(is_operator(term, operator) for operator in operators)


def rewrite_binder(
    system: System, choices: Choices, least: int, rewrite: Callable[[Quantifier, Choices], Quantifier]
) -> System | None:
    """Return the system with one quantifier over `least` or more variables rewritten; None if nothing changes."""
    found = binders(system, least)
    if not found:
        return None
    place = found.pick(choices)
    assert isinstance(place.term, Quantifier)
    return place.put(system, rewrite(place.term, choices))


def binders(system: System, least: int = 1) -> Places:
    """Return the places of quantifiers over `least` or more variables, in heads too."""

    def matches(term: Term) -> bool:
        return isinstance(term, Quantifier) and len(term.variables) >= least

    return Places(
        system, f"binders.{least}", lambda clause: ((None, Occurrences(clause.formula, matches, _holds_quantifiers)),)
    )


def _holds_quantifiers(term: Term) -> bool:
    return term.depth > 0


def bound_at(formula: Term, path: Path) -> tuple[Variable, ...]:
    """Return the variables that quantifiers above a path bind; of equal names only the innermost."""
    bound: dict[str, Variable] = {}
    for index in path:
        if isinstance(formula, Quantifier):
            bound.update((variable.name, variable) for variable in formula.variables)
        formula = formula.children[index]
    return tuple(bound.values())


def drawing(system: System, clause: int, path: Path) -> Drawing:
    """Return a drawer of terms for a place in a clause: over the variables bound there, similar to terms nearby."""
    formulas = [each.formula for each in system.clauses]
    return Drawing(Scope.of(formulas, clause, bound_at(formulas[clause], path)))


def holds_a_value(term: Term) -> bool:
    """Return whether only a value may be below the term: cvc5 requires this of constant arrays."""
    return getattr(term, "operator", "").startswith("(as const ")


def matrix(clause: Clause) -> tuple[Link, Term]:
    """Return the formula below a clause's outer universal quantifiers, and the link to it."""
    link: Link = None
    term = clause.formula
    while isinstance(term, Quantifier) and term.kind == "forall":
        link, term = (link, 0), term.body
    return link, term


def swapped(members: Sequence[T], choices: Choices) -> list[T]:
    """Return the members with two drawn ones exchanged; there must be at least two."""
    first = choices.index(len(members))
    second = (first + 1 + choices.index(len(members) - 1)) % len(members)
    result = list(members)
    result[first], result[second] = result[second], result[first]
    return result
