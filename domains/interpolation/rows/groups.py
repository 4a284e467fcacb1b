"""Other groups for the assertions of an interpolation problem: all have the same models, and other interpolants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.interpolation.grouped import AXIOM, Grouped, Interpolation
from chcfuzz.grammar.interpolation.splitting import members
from chcfuzz.mutators.mutation import Mutation, Needs, Promise

MOST_GROUPS = 12  # that a row makes


def _labelled(problem: Interpolation, labels: Sequence[int]) -> Interpolation | None:
    """Return the problem with these groups; None if they are the same, or fewer than two."""
    changed = problem.with_labels(labels)
    return None if changed == problem or changed.cuts < 1 else changed


def _in_groups(problem: Interpolation) -> list[int]:
    """Return the numbers of the assertions that are not axioms."""
    return [number for number, label in enumerate(problem.labels) if label != AXIOM]


def _move(problem: Interpolation, choices: Choices) -> Interpolation | None:
    moved = choices.pick(_in_groups(problem))
    labels = list(problem.labels)
    labels[moved] = _other(len(problem.groups), labels[moved], choices)
    return _labelled(problem, labels)


def _other(number: int, group: int, choices: Choices) -> int:
    """Draw one of several groups, but not this one."""
    return (group + 1 + choices.index(number - 1)) % number


def _move_conjunct(problem: Interpolation, choices: Choices) -> Interpolation | None:
    """Split an assertion into its conjuncts, and move one of them."""
    found = [number for number in _in_groups(problem) if _is_divisible(problem, number)]
    if not found:
        return None
    number = choices.pick(found)
    old = problem.assertions[number]
    group = problem.labels[number]
    parts = [Grouped(formula, None, group) for formula in members(old.formula)]
    place = choices.index(len(parts))
    parts[place] = replace(parts[place], group=_other(len(problem.groups), group, choices))
    return problem.with_assertions((*problem.assertions[:number], *parts, *problem.assertions[number + 1 :]))


def _is_divisible(problem: Interpolation, number: int) -> bool:
    return 2 <= sum(1 for _ in members(problem.assertions[number].formula)) <= 100


def _repeat(problem: Interpolation, choices: Choices) -> Interpolation | None:
    """Assert a formula of a group in another group, too: its symbols become shared."""
    number = choices.pick(_in_groups(problem))
    group = _other(len(problem.groups), problem.labels[number], choices)
    again = Grouped(problem.assertions[number].formula, None, group)
    if any(each == again for each in problem.assertions):
        return None
    return problem.with_assertions((*problem.assertions, again))


def _merge(problem: Interpolation, choices: Choices) -> Interpolation | None:
    """Join a group and the one after it, or the parent in a tree."""
    gone = choices.index(problem.cuts)
    into = problem.parents[gone] if problem.parents else gone + 1
    return _labelled(problem, [into if label == gone else label for label in problem.labels])


def _divide(problem: Interpolation, choices: Choices) -> Interpolation | None:
    """Divide the assertions of a group of a sequence among two groups."""
    group = choices.pick([number for number, each in enumerate(problem.groups) if len(each) > 1] or [AXIOM])
    if group == AXIOM or problem.is_tree or len(problem.groups) >= MOST_GROUPS:
        return None
    inside = problem.groups[group]
    first = {inside[number] for number in choices.permutation(len(inside))[: choices.integer(1, len(inside) - 1)]}
    labels = [
        label + 1 if label > group or (label == group and number not in first) else label
        for number, label in enumerate(problem.labels)
    ]
    return _labelled(problem, labels)


def _reverse(problem: Interpolation, _choices: Choices) -> Interpolation | None:
    last = len(problem.groups) - 1
    return _labelled(problem, [label if label == AXIOM else last - label for label in problem.labels])


def _exchange(problem: Interpolation, choices: Choices) -> Interpolation | None:
    one = choices.index(len(problem.groups))
    other = _other(len(problem.groups), one, choices)
    swapped = {one: other, other: one}
    return _labelled(problem, [swapped.get(label, label) for label in problem.labels])


def _axiom(problem: Interpolation, choices: Choices) -> Interpolation | None:
    """Make an assertion an axiom, whose symbols are shared by all groups, or an axiom an assertion of a group."""
    number = choices.index(len(problem.assertions))
    labels = list(problem.labels)
    is_axiom = labels[number] == AXIOM
    labels[number] = choices.index(len(problem.groups)) if is_axiom else AXIOM
    return _labelled(problem, labels)


def _tree(problem: Interpolation, choices: Choices) -> Interpolation | None:
    """Draw other parents for the groups."""
    last = len(problem.groups) - 1
    parents = tuple(choices.integer(group + 1, last) for group in range(last))
    changed = replace(problem, parents=parents)
    return None if changed == problem else changed


def _sequence(problem: Interpolation, _choices: Choices) -> Interpolation | None:
    return replace(problem, parents=()) if problem.parents else None


def _has_cut(problem: Interpolation) -> bool:
    return problem.cuts > 0


def _has_cuts(problem: Interpolation) -> bool:
    return problem.cuts > 1


_MCMILLAN = "McMillan (TACAS 2005), interpolants of each cut of a sequence"
_BLANC = "Blanc et al. (LPAR 2013), tree interpolants"

Rewrite = Callable[[Interpolation, Choices], Interpolation | None]


def _row(name: str, summary: str, rewrite: Rewrite, applies: Callable[[Interpolation], bool], source: str) -> Mutation:
    return Mutation(
        f"itp_groups.{name}", Promise.EQUIVALENT, summary, source, rewrite, applies, light=True, needs=Needs.GROUPS
    )


MUTATIONS = (
    _row("move", "an assertion moves to another group", _move, _has_cut, _MCMILLAN),
    _row("move-conjunct", "a conjunct moves to another group", _move_conjunct, _has_cut, _MCMILLAN),
    _row("repeat", "an assertion is also in another group", _repeat, _has_cut, _MCMILLAN),
    _row("merge", "two groups become one", _merge, _has_cuts, _MCMILLAN),
    _row("divide", "a group becomes two", _divide, _has_cut, _MCMILLAN),
    _row("reverse", "the groups of a sequence are in reverse order", _reverse, _has_cut, _MCMILLAN),
    _row("exchange", "two groups exchange their places", _exchange, _has_cut, _MCMILLAN),
    _row("axiom", "an assertion becomes an axiom, or the reverse", _axiom, _has_cut, "CSIsat, option -theory"),
    _row("tree", "the groups become a tree, or another one", _tree, _has_cuts, _BLANC),
    _row("sequence", "a tree becomes a sequence", _sequence, lambda problem: problem.is_tree, _BLANC),
)
