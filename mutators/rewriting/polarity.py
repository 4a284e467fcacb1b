"""Formulas whose polarity is known, and changes that strengthen or weaken what they are a part of."""

from __future__ import annotations

from collections.abc import Callable

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.draw import Drawing
from chcfuzz.grammar.occurrences import Occurrences
from chcfuzz.grammar.paths import Path, at
from chcfuzz.grammar.problem import Assertion, BaseProblem
from chcfuzz.grammar.sorts import INT
from chcfuzz.grammar.terms import (
    FALSE,
    TRUE,
    Quantifier,
    Term,
    apply,
    conjunction,
    disjunction,
    integer,
    is_operator,
    real,
)
from chcfuzz.mutators.rewriting.places import Found, Place, Places

Change = Callable[[], Term]  # makes the new formula

_STRICT = {"<=": "<", ">=": ">"}
_CONNECTIVES = ("and", "or", "not", "=>")  # the connectives below which the polarity is known


def formulas(problem: BaseProblem) -> Places:
    """Return the formulas in bodies, or in other assertions, whose polarity is known."""

    def find(asserted: Assertion) -> Found:
        return ((link, Occurrences(root, is_no_constant, _is_connective)) for link, root in asserted.body_roots)

    return Places(problem, "formulas", find)


def is_positive(asserted: Assertion, path: Path) -> bool:
    """Return whether weakening the formula at the path weakens the body, or the assertion."""
    root = next(root for root in asserted.body_paths if path[: len(root)] == root)
    positive, here = True, at(asserted.formula, root)
    for index in path[len(root) :]:
        last = index == len(here.children) - 1
        if is_operator(here, "not") or (is_operator(here, "=>") and not last):
            positive = not positive
        here = here.children[index]
    return positive


def changed(asserted: Assertion, place: Place, narrow: bool, draw: Drawing, choices: Choices) -> Term:
    """Return another formula for a place that strengthens (`narrow`) or weakens the body, or the assertion."""
    change = _narrower if narrow == is_positive(asserted, place.path) else _wider
    return choices.pick(change(place.term, draw, choices))()


def _narrower(term: Term, draw: Drawing, choices: Choices) -> list[Change]:
    """Return changes to formulas that imply the term."""
    found: list[Change] = [lambda: conjunction(term, draw.condition(choices))]
    if is_operator(term, "or") and len(term.children) > 1:
        found.append(lambda: without_one(term, disjunction, choices))
    elif is_operator(term, "=>"):
        found.append(lambda: term.children[-1])
    elif is_operator(term, "distinct") and term.children[0].sort.is_numeric:
        found.append(lambda: apply(choices.pick(("<", ">")), *term.children))
    elif _compares(term, "<=", ">="):
        found.append(lambda: apply("=", *term.children))
        found.append(lambda: apply(_STRICT[_operator(term)], *term.children))
    if _compares(term, "<", "<=", ">", ">="):
        found.append(lambda: _shifted(term, -choices.pick((1, 2, 16))))
    return found


def _wider(term: Term, draw: Drawing, choices: Choices) -> list[Change]:
    """Return changes to formulas that the term implies."""
    found: list[Change] = [lambda: disjunction(term, draw.condition(choices))]
    if is_operator(term, "and") and len(term.children) > 1:
        found.append(lambda: without_one(term, conjunction, choices))
    elif is_operator(term, "=") and term.children[0].sort.is_numeric:
        found.append(lambda: apply(choices.pick(("<=", ">=")), *term.children))
    elif _compares(term, "<", ">"):
        found.append(lambda: apply(f"{_operator(term)}=", *term.children))
        found.append(lambda: apply("distinct", *term.children))
    if _compares(term, "<", "<=", ">", ">="):
        found.append(lambda: _shifted(term, choices.pick((1, 2, 16))))
    return found


def _is_connective(term: Term) -> bool:
    return isinstance(term, Quantifier) or _operator(term) in _CONNECTIVES


def is_no_constant(term: Term) -> bool:
    """Return whether a formula is neither true nor false."""
    return term is not TRUE and term is not FALSE


def _operator(term: Term) -> str:
    return getattr(term, "operator", "")


def _compares(term: Term, *operators: str) -> bool:
    return len(term.children) == 2 and term.children[0].sort.is_numeric and _operator(term) in operators


def without_one(term: Term, join: Callable[..., Term], choices: Choices) -> Term:
    """Return the children of a term except for a drawn one, joined."""
    gone = choices.index(len(term.children))
    return join(*(child for place, child in enumerate(term.children) if place != gone))


def _shifted(term: Term, by: int) -> Term:
    """Weaken an inequality by adding `by` on its right side, with the sign that its operator needs."""
    left, right = term.children
    by = by if _operator(term) in ("<", "<=") else -by
    return apply(_operator(term), left, apply("+", right, integer(by) if right.sort is INT else real(by)))
