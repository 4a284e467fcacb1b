"""The places of terms in a problem, and rewriting at several places.

A place is the number of a node in its formula as a tree, where each node comes before its children. Paths would be as
long as a term is deep, so all places of a deep term would take quadratic space.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from chcfuzz.grammar.errors import SortError
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.grammar.terms import Apply, Quantifier, Term, Variable, free_variables, is_small_as_a_tree
from chcfuzz.grammar.theory import operators

P = TypeVar("P", bound=BaseProblem)


def least_reduced(term: Apply) -> int | None:
    """Return the number of arguments that an application may be reduced to; None if it needs all of them."""
    operator = operators().get(term.operator)
    return operator.least_reduced if operator else None


@dataclass(frozen=True)
class Occurrence:
    """A subterm at its place: `number` counts nodes from the root, which has number 0 and no `parent`."""

    number: int
    term: Term
    parent: Term | None


@dataclass(frozen=True)
class TermSite:
    """An occurrence in clause number `clause`."""

    clause: int
    number: int
    term: Term
    parent: Term | None

    def put(self, new: Term | None, *fresh: Variable) -> Edit:
        """Return the edit that puts another term here; None removes this member from its operator."""
        return Edit(self.clause, self.number, new, fresh)


@dataclass(frozen=True)
class Edit:
    """A new term at a site; the clause has to quantify the variables `fresh` that occur in it."""

    clause: int
    number: int
    new: Term | None
    fresh: tuple[Variable, ...] = ()


def occurrences(formula: Term) -> Iterator[Occurrence]:
    """Yield every node of a term as a tree, each before its children, from left to right.

    Nothing is yielded for a term that is not small as a tree: `terms.with_shared` makes it smaller first.
    """
    if not is_small_as_a_tree(formula):
        return
    stack: list[tuple[Term, Term | None]] = [(formula, None)]
    number = 0
    while stack:
        here, parent = stack.pop()
        yield Occurrence(number, here, parent)
        number += 1
        stack.extend((child, here) for child in reversed(here.children))


def sites(problem: BaseProblem) -> Iterator[TermSite]:
    """Yield every node of every clause or other assertion."""
    for index, formula in enumerate(problem.formulas):
        for here in occurrences(formula):
            yield TermSite(index, here.number, here.term, here.parent)


def edited(problem: P, edits: Sequence[Edit]) -> P | None:
    """Return the problem after all of the edits; None if the result is not well-sorted.

    The outer one of nested edits applies, and the first one of several edits at one place.
    """
    by_clause: dict[int, list[Edit]] = {}
    for edit in edits:
        by_clause.setdefault(edit.clause, []).append(edit)
    for index, here in by_clause.items():
        formula = _edited(problem.formulas[index], here)
        if formula is None:
            return None
        problem = problem.with_formula(index, formula)
    return problem


def _edited(formula: Term, edits: Sequence[Edit]) -> Term | None:
    changes: dict[int, Term | None] = {}
    for edit in edits:
        changes.setdefault(edit.number, edit.new)
    try:
        new = rewritten(formula, changes)
        return None if new is None else closed(new, [variable for edit in edits for variable in edit.fresh])
    except SortError:
        return None


def closed(formula: Term, fresh: Sequence[Variable]) -> Term:
    """Return the formula with those of the variables that are free in it quantified outermost."""
    free = free_variables(formula)
    wanted = tuple(dict.fromkeys(variable for variable in fresh if variable in free))
    if not wanted:
        return formula
    if isinstance(formula, Quantifier) and formula.kind == "forall":
        return Quantifier("forall", (*formula.variables, *wanted), formula.body)
    return Quantifier("forall", wanted, formula)


def rewritten(formula: Term, changes: Mapping[int, Term | None]) -> Term | None:
    """Return the term with new terms at these places, where None removes one; None if nothing remains.

    Raises `SortError` if the new terms do not fit.
    """
    wanted = sorted(changes)
    done: list[Term | None] = []
    stack: list[tuple[Term, int, bool]] = [(formula, 0, False)]
    while stack:
        here, number, expanded = stack.pop()
        if expanded:
            children = done[len(done) - len(here.children) :]
            del done[len(done) - len(here.children) :]
            done.append(_over(here, children))
        elif number in changes:
            done.append(changes[number])
        elif bisect_left(wanted, number) == bisect_left(wanted, number + here.size):
            done.append(here)
        else:
            stack.append((here, number, True))
            below = []
            number += 1
            for child in here.children:
                below.append((child, number, False))
                number += child.size
            stack.extend(reversed(below))
    return done.pop()


def _over(here: Term, children: Sequence[Term | None]) -> Term | None:
    """Return the node over other children; None if all of them are removed."""
    left = [child for child in children if child is not None]
    if len(left) == len(children):
        return here.rebuild(left)
    if not left:
        return None
    if len(left) == 1 and isinstance(here, Apply) and least_reduced(here) == 1:
        return left[0]
    return here.rebuild(left)
