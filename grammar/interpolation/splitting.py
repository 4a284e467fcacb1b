"""SMT problems split into groups, as interpolation problems; Ints read as Reals, and arrays as functions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.terms import Term, is_operator, negation

MOST_GROUPS = 4
_MOST_MEMBERS = 400  # conjuncts of a problem that are put into groups on their own


def members(formula: Term) -> Iterator[Term]:
    """Yield the conjuncts of a formula, those of negated disjunctions and implications too."""
    stack = [formula]
    while stack:
        here = stack.pop()
        inner = here.children[0] if is_operator(here, "not") else None
        if is_operator(here, "and"):
            stack += reversed(here.children)
        elif inner is not None and is_operator(inner, "not"):
            stack.append(inner.children[0])
        elif inner is not None and is_operator(inner, "or"):
            stack += [negation(child) for child in reversed(inner.children)]
        elif inner is not None and is_operator(inner, "=>"):
            *before, last = inner.children
            stack += [negation(last), *reversed(before)]
        else:
            yield here


def divided(problem: Problem) -> Problem:
    """Return the problem with an assertion for each conjunct, unless there are too many."""
    found: list[Assertion] = []
    for each in problem.assertions:
        parts = list(members(each.formula))
        found += [each] if len(parts) == 1 else [replace(each, formula=part, name=None) for part in parts]
    return problem if len(found) > _MOST_MEMBERS else problem.with_assertions(found)


def split(problem: Problem, choices: Choices) -> Interpolation | None:
    """Return the problem with its conjuncts in two to four groups, which are drawn; None if there is only one.

    Half of the splits keep the order of the assertions.
    """
    whole = divided(problem)
    number = len(whole.assertions)
    if number < 2:
        return None
    groups = choices.integer(2, min(MOST_GROUPS, number)) if choices.boolean() else 2
    if choices.boolean():
        cuts = sorted(choices.permutation(number - 1)[: groups - 1])
        labels = [sum(cut < place for cut in cuts) for place in range(number)]
    else:
        order = choices.permutation(number)  # the first ones see that no group is empty
        labels = [0] * number
        for place, member in enumerate(order):
            labels[member] = place if place < groups else choices.index(groups)
    return Interpolation.of(whole, labels)
