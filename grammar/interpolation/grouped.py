"""Interpolation problems: SMT problems whose assertions lie in groups, with a cut between groups for each interpolant.

In a text, each assertion names its group: `(assert (! F :interpolation-group g2))`, or `axiom` for an axiom. A sequence
has the groups g0, g1, ... in this order. A tree has also `(set-info :interpolation-parents "g2 g2")`, the parents of
g0 and g1; the last group is its root.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property

from chcfuzz.grammar.form import Checks
from chcfuzz.grammar.problem import Assertion, Pairs, Problem, sorts_in
from chcfuzz.grammar.sorts import Sort, with_inner_sorts
from chcfuzz.grammar.terms import Call, Function, Term, kept, subterms

AXIOM = -1  # the group of axioms
PARENTS = "interpolation-parents"
GROUP = "interpolation-group"
Symbol = Function | Sort


@dataclass(frozen=True)
class Grouped(Assertion):
    """An assertion of a group, by its number, or an axiom."""

    group: int = AXIOM

    @property
    def annotations(self) -> tuple[str, ...]:
        """The attributes in the text."""
        return (*super().annotations, f":{GROUP} {group_name(self.group)}")


def group_name(group: int) -> str:
    """Return the name of a group in texts."""
    return "axiom" if group == AXIOM else f"g{group}"


@dataclass(frozen=True)
class Interpolation(Problem):
    """An SMT problem whose assertions are `Grouped`, so that the rows and passes for SMT problems apply to it.

    An assertion without a group joins the group of the assertion before it. A group without assertions does not exist:
    the groups after it get lower numbers. `parents` is empty for a sequence. For a tree it has the parent of each group
    but the last, which is the root; parents have higher numbers than their children.
    """

    parents: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Renumber the groups from 0 on, without gaps."""
        labels = _labels(self.assertions)
        present = sorted(set(labels) - {AXIOM})
        numbers = {group: number for number, group in enumerate(present)} | {AXIOM: AXIOM}
        grouped = [_put(each, numbers[group]) for each, group in zip(self.assertions, labels, strict=True)]
        object.__setattr__(self, "assertions", tuple(grouped))
        object.__setattr__(self, "parents", _parents(self.parents, present))

    @staticmethod
    def of(problem: Problem, groups: Sequence[int], parents: Sequence[int] = ()) -> Interpolation:
        """Return a problem whose assertions are in these groups, one number for each assertion.

        It has a single check: assertions that are stated once more would lose their groups.
        """
        grouped = [_put(each, group) for each, group in zip(problem.assertions, groups, strict=True)]
        own = {each.name: getattr(problem, each.name) for each in fields(Problem)}
        once = replace(problem.form, checks=Checks())
        return Interpolation(**{**own, "assertions": tuple(grouped), "form": once}, parents=tuple(parents))

    @cached_property
    def problem(self) -> Problem:
        """The same assertions as a plain SMT problem."""
        plain = tuple(Assertion(each.formula, each.name) for each in self.assertions)
        own = {each.name: getattr(self, each.name) for each in fields(Problem)}
        return Problem(**{**own, "assertions": plain})

    @property
    def labels(self) -> tuple[int, ...]:
        """The group of each assertion, `AXIOM` for axioms."""
        return tuple(each.group if isinstance(each, Grouped) else AXIOM for each in self.assertions)

    def with_labels(self, labels: Sequence[int]) -> Interpolation:
        """Return the same problem with other groups of its assertions."""
        grouped = [_put(each, group) for each, group in zip(self.assertions, labels, strict=True)]
        return replace(self, assertions=tuple(grouped))

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of the assertions of each group."""
        return tuple(self._members(group) for group in range(max(self.labels, default=AXIOM) + 1))

    @property
    def axioms(self) -> tuple[int, ...]:
        """The numbers of the assertions that are axioms."""
        return self._members(AXIOM)

    def _members(self, group: int) -> tuple[int, ...]:
        return tuple(number for number, label in enumerate(self.labels) if label == group)

    def group(self, number: int) -> tuple[Term, ...]:
        """Return the formulas of a group."""
        return tuple(self.assertions[member].formula for member in self.groups[number])

    @property
    def axiom_formulas(self) -> tuple[Term, ...]:
        """The formulas of the axioms."""
        return tuple(self.assertions[member].formula for member in self.axioms)

    @property
    def cuts(self) -> int:
        """The number of cuts, which is that of interpolants: one for each group but the last."""
        return max(len(self.groups) - 1, 0)

    @property
    def is_tree(self) -> bool:
        """Whether the groups are a tree, and not a sequence."""
        return bool(self.parents)

    def below(self, cut: int) -> tuple[int, ...]:
        """Return the groups on the side A of a cut: the first groups of a sequence, or a part of a tree."""
        if not self.parents:
            return tuple(range(cut + 1))
        found = {cut}
        for group in range(cut - 1, -1, -1):
            if self.parents[group] in found:
                found.add(group)
        return tuple(sorted(found))

    def children(self, group: int) -> tuple[int, ...]:
        """Return the cuts directly below a group, whose interpolants hold there."""
        if not self.parents:
            return (group - 1,) if group else ()
        return tuple(child for child, parent in enumerate(self.parents) if parent == group)

    def sides(self, cut: int) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
        """Return the formulas A and B of a cut, each in the order of the groups; axioms belong to B."""
        below = set(self.below(cut))
        a = [formula for group in sorted(below) for formula in self.group(group)]
        others = (group for group in range(len(self.groups)) if group not in below)
        b = [formula for group in others for formula in self.group(group)]
        return tuple(a), (*b, *self.axiom_formulas)

    def shared_symbols(self, cut: int) -> frozenset[Symbol]:
        """Return the functions, constants and sorts that an interpolant may have: of both sides, or of axioms."""
        a, b = self.sides(cut)
        return (symbols_of(*a) & symbols_of(*b)) | symbols_of(*self.axiom_formulas)

    def shared(self, cut: int) -> tuple[str, ...]:
        """Return the names of `shared_symbols`, sorted."""
        return tuple(sorted({symbol.name for symbol in self.shared_symbols(cut)}))

    def header(self) -> Pairs:
        """Return the `set-info` of the text."""
        if not self.parents:
            return self.info
        names = " ".join(map(group_name, self.parents))
        return (*self.info, (PARENTS, f'"{names}"'))


def _put(assertion: Assertion, group: int) -> Grouped:
    return Grouped(assertion.formula, assertion.name, group)


def _labels(assertions: Sequence[Assertion]) -> list[int]:
    """Return the group of each assertion, one before it for those without."""
    own = [each.group if isinstance(each, Grouped) else None for each in assertions]
    last = next((group for group in own if group not in (None, AXIOM)), 0)
    found: list[int] = []
    for group in own:
        found.append(last if group is None else group)
        last = last if group in (None, AXIOM) else group
    return found


def _parents(parents: Sequence[int], present: Sequence[int]) -> tuple[int, ...]:
    """Return the parents after all groups but these are dropped; empty if the rest is a sequence."""
    if not parents or not present:
        return ()
    numbers = {group: number for number, group in enumerate(present)}
    root = present[-1]
    found: list[int] = []
    for group in present[:-1]:
        parent = parents[group]
        while parent not in numbers and parent < len(parents):
            parent = parents[parent]
        found.append(numbers.get(parent, numbers[root]))
    return () if found == list(range(1, len(present))) else tuple(found)


def symbols_of(*formulas: Term) -> frozenset[Symbol]:
    """Return the uninterpreted functions, constants and sorts that occur in formulas."""
    found: set[Symbol] = set()
    for formula in formulas:
        found |= _symbols(formula)
    return frozenset(found)


def _symbols(formula: Term) -> frozenset[Symbol]:
    return kept(formula, "uninterpreted symbols", lambda: _found_symbols(formula))


def _found_symbols(formula: Term) -> frozenset[Symbol]:
    found: set[Symbol] = {term.function for term in subterms(formula) if isinstance(term, Call)}
    return frozenset(found | {sort for sort in with_inner_sorts(sorts_in(formula)) if sort.is_uninterpreted})
