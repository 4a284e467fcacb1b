"""Places where a mutation can rewrite: subterms of clauses or of other assertions, found on demand, and replacement.

Rows that only use this module work on problems of every domain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.draw import UNIFORM, Drawing
from chcfuzz.grammar.drawing.drawing_scope import DrawingScope
from chcfuzz.grammar.occurrences import Occurrences, fallen_into
from chcfuzz.grammar.paths import Link, Path, at, path_of, replace_at
from chcfuzz.grammar.problem import Assertion, BaseProblem
from chcfuzz.grammar.system import Clause
from chcfuzz.grammar.terms import Quantifier, Term, Variable, is_operator, kept

T = TypeVar("T")
P = TypeVar("P", bound=BaseProblem)
Found = Iterable[tuple[Link, Occurrences]]  # parts of a clause's formula, with the matching subterms of each
_MOST_OF_OLD = 4096  # places of a clause's body that choices of format 1 (without a key) distinguish


@dataclass(frozen=True)
class Place:
    """A term inside the assertion with number `clause`, at `path` in its formula."""

    clause: int
    path: Path
    term: Term

    def put(self, problem: P, term: Term) -> P | None:
        """Return the problem with another term here; None if that changes nothing, or a clause is no longer Horn.

        In (not (and body (not head))) the head is a member of the body's conjunction, and a clause has at most
        one head.
        """
        if term is self.term:
            return None
        changed = problem.with_formula(self.clause, replace_at(problem.formulas[self.clause], self.path, term))
        return changed if changed.asserted[self.clause].is_well_formed else None


class Places:
    """All places of a kind in a problem, in order. Their number is cached for each formula under `name`.

    `find` returns the parts of a clause, or of another assertion, to search. Choices of format 1 distinguish only the
    first `most_of_old` places of a clause, if that is given.
    """

    def __init__(
        self, problem: BaseProblem, name: str, find: Callable[[Any], Found], most_of_old: int | None = None
    ) -> None:
        """Count the places in every assertion."""
        self._asserted = problem.asserted
        self._find = find
        self._most_of_old = most_of_old
        key = f"places.{type(problem).__name__}.{name}"
        self._counts = [kept(each.formula, key, _count(each, find)) for each in self._asserted]

    def __bool__(self) -> bool:
        """Return whether there is a place."""
        return any(self._counts)

    def __iter__(self) -> Iterator[Place]:
        """Yield the places in order."""
        for index, each in enumerate(self._asserted):
            for link, occurrences in self._find(each) if self._counts[index] else ():
                for path in occurrences:
                    yield self._place(index, link, path)

    def pick(self, choices: Choices) -> Place:
        """Draw one of the places; there must be at least one."""
        counts = self._counts
        if choices.ends and self._most_of_old is not None:
            counts = [min(count, self._most_of_old) for count in counts]
        index, number = fallen_into(choices.index(sum(counts)), counts)
        found = tuple(self._find(self._asserted[index]))
        root, number = fallen_into(number, (occurrences.number for _, occurrences in found))
        link, occurrences = found[root]
        return self._place(index, link, occurrences.path(number))

    def _place(self, index: int, link: Link, path: Path) -> Place:
        path = (*path_of(link), *path)
        return Place(index, path, at(self._asserted[index].formula, path))


def _count(asserted: Assertion, find: Callable[[Any], Found]) -> Callable[[], int]:
    return lambda: sum(occurrences.number for _, occurrences in find(asserted))


def places(problem: BaseProblem, name: str, matches: Callable[[Term], bool]) -> Places:
    """Return all places in bodies whose term matches, outermost first and left to right; `name` is the cache key."""

    def find(asserted: Assertion) -> Found:
        return ((link, Occurrences(root, matches, _is_formula)) for link, root in asserted.body_roots)

    return Places(problem, name, find, _MOST_OF_OLD)


def _is_formula(term: Term) -> bool:
    return term.sort.name == "Bool"  # only formulas have connectives


def rewrite_one(
    problem: P,
    choices: Choices,
    name: str,
    matches: Callable[[Term], bool],
    rewrite: Callable[[Term, Choices], Term],
) -> P | None:
    """Return the problem with one matching place rewritten; None if nothing matches or changes."""
    found = places(problem, name, matches)
    if not found:
        return None
    place = found.pick(choices)
    return place.put(problem, rewrite(place.term, choices))


def monotone(problem: BaseProblem, name: str, matches: Callable[[Term], bool]) -> Places:
    """Return the matching places in bodies that only conjunctions and disjunctions enclose."""
    return Places(
        problem,
        f"monotone.{name}",
        lambda asserted: ((link, Occurrences(root, matches, is_junction)) for link, root in asserted.body_roots),
    )


def is_junction(term: Term) -> bool:
    """Return whether the term is a conjunction or a disjunction."""
    return is_operator(term, "and") or is_operator(term, "or")


def is_connective(*operators: str, least: int = 2) -> Callable[[Term], bool]:
    """Return a test for these operators with at least `least` members."""
    return lambda term: len(term.children) >= least and any(is_operator(term, operator) for operator in operators)


def rewrite_binder(
    problem: P, choices: Choices, least: int, rewrite: Callable[[Quantifier, Choices], Quantifier]
) -> P | None:
    """Return the problem with one quantifier over `least` or more variables rewritten; None if nothing changes."""
    found = binders(problem, least)
    if not found:
        return None
    place = found.pick(choices)
    assert isinstance(place.term, Quantifier)
    return place.put(problem, rewrite(place.term, choices))


def binders(problem: BaseProblem, least: int = 1) -> Places:
    """Return the places of quantifiers over `least` or more variables, in heads too."""

    def matches(term: Term) -> bool:
        return isinstance(term, Quantifier) and len(term.variables) >= least

    return Places(
        problem, f"binders.{least}", lambda each: ((None, Occurrences(each.formula, matches, _holds_quantifiers)),)
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


def drawing(problem: BaseProblem, number: int, path: Path, weights: Mapping[str, int] = UNIFORM) -> Drawing:
    """Return a drawer of terms for a place in an assertion: over the variables bound there, similar to terms nearby."""
    bound = bound_at(problem.formulas[number], path)
    return Drawing(DrawingScope.within(problem, number, bound), weights)


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
