"""Seed groups: the choice of the unit to mutate next, if libFuzzer does not make it, as in HornFuzz.

Each seed founds a group: the seed and the mutants that descend from it; the latest of them is mutated next. A group is
left when its trace has not changed for 5 n executions in a row (n clauses), after 100 executions in a row, or when a
limit of findings or of undecided answers is reached; it then falls back to its seed. The next group is the one with the
highest priority among those with the fewest visits, and of equal ones the cheaper one. A visit to a group that paid
much more for its new traces than the average counts twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from chcfuzz.domains.protocol import Roots
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.mutators.seeds import read_seed
from numpy.typing import NDArray

UNCHANGED_PER_CLAUSE = 5
MOST_IN_A_ROW = 100
MOST_FINDINGS = 10
MOST_UNDECIDED = 10
COSTLY = 4  # times the average price of a new trace

Transitions = tuple[NDArray[np.uint32], NDArray[np.uint32]]  # keys (before << 16 | after), counts


class GroupTrace(Protocol):
    """The part of `tracing.trace.Trace` by which groups compare mutants."""

    @property
    def hash(self) -> int:
        """Number that identifies the sequence of events."""

    @property
    def keys(self) -> NDArray[np.uint32]:
        """Transitions, as `before << 16 | after`."""

    @property
    def counts(self) -> NDArray[np.uint32]:
        """Number of occurrences of each transition."""


@dataclass(frozen=True)
class ExecutionResult:
    """The result of an execution: whether the answer was decided, was a finding, and opened a new trace."""

    trace: GroupTrace
    cost: int
    decided: bool = True
    found: bool = False
    opened: bool = False


class Rarity:
    """Rarity of transitions over all executions: P and its inverse W, updated incrementally.

    p_ij is the share of step i's transitions that go to step j, and w_ij = 1 / p_ij. States are treated the same
    way, with vectors: p_i is the share of step i among all steps.
    """

    def __init__(self) -> None:
        self._slot: dict[int, int] = {}
        self._before = np.zeros(1024, dtype=np.intp)  # slot of the first step of each transition
        self._count = np.zeros(1024)
        self._step: dict[int, int] = {}
        self._steps = np.zeros(1024)  # number of transitions that begin with each step
        self._total = 0.0

    def add(self, transitions: Transitions) -> NDArray[np.intp]:
        """Count the transitions of an execution; return their slots, in order, for `of_transitions` and `of_states`."""
        keys, counts = transitions
        slots = np.fromiter((self._slot_of(int(key)) for key in keys), dtype=np.intp, count=len(keys))
        np.add.at(self._count, slots, counts)
        np.add.at(self._steps, self._before[slots], counts)
        self._total += float(counts.sum())
        return slots

    def of_transitions(self, slots: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return w_ij of transitions: how many times rarer than certain they are after their first step."""
        rarity: NDArray[np.float64] = self._steps[self._before[slots]] / self._count[slots]
        return rarity

    def of_states(self, slots: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return w_i of the steps that transitions begin with."""
        rarity: NDArray[np.float64] = self._total / self._steps[self._before[slots]]
        return rarity

    def _slot_of(self, key: int) -> int:
        slot = self._slot.get(key)
        if slot is None:
            slot = self._slot[key] = len(self._slot)
            before = self._step.setdefault(key >> 16, len(self._step))
            if slot >= len(self._count):
                self._before = np.concatenate([self._before, np.zeros_like(self._before)])
                self._count = np.concatenate([self._count, np.zeros_like(self._count)])
            if before >= len(self._steps):
                self._steps = np.concatenate([self._steps, np.zeros_like(self._steps)])
            self._before[slot] = before
        return slot


@dataclass
class Group:
    """A seed's text, the unit that founded its group, and the latest of its mutants with its trace."""

    roots: Roots
    seed: str
    first: bytes
    number: int
    last: bytes
    trace: int
    slots: NDArray[np.intp]
    counts: NDArray[np.uint32]
    visits: int = 0
    unchanged: int = 0
    in_a_row: int = 0
    findings: int = 0
    undecided: int = 0
    cost: int = 0  # of all its executions, in the solver's resource count
    opened: int = 0  # new traces among them

    @cached_property
    def _problem(self) -> BaseProblem | None:
        """The seed, parsed at first use."""
        return read_seed(self.seed, self.roots)

    @cached_property
    def complexity(self) -> tuple[int, ...]:
        """The complexity of the seed, as the domain measures it."""
        return () if self._problem is None else self.roots.complexity(self._problem)

    @cached_property
    def _most_unchanged(self) -> int:
        formulas = 0 if self._problem is None else len(self._problem.formulas)
        return UNCHANGED_PER_CLAUSE * max(1, formulas)

    @property
    def is_to_be_left(self) -> bool:
        """Whether HornFuzz's rule ends the visit."""
        return (
            self.unchanged >= self._most_unchanged
            or self.in_a_row >= MOST_IN_A_ROW
            or self.findings >= MOST_FINDINGS
            or self.undecided >= MOST_UNDECIDED
        )


ORDERS = ("transitions", "states", "complex", "simple", "given")


class Groups:
    """All groups of a campaign's process, in an order: one of `ORDERS`, or `first+second`, the second breaking ties.

    With `complex+transitions` groups of equal complexity are adjacent, the rarest first.
    """

    def __init__(self, heuristic: str, roots: Roots) -> None:
        self._roots = roots
        self._orders = tuple(heuristic.split("+"))
        if not set(self._orders) <= set(ORDERS):
            raise ValueError(f"{heuristic!r} is not an order of groups; known are {', '.join(ORDERS)}")
        self._rarity = Rarity()
        self._groups: dict[str, Group] = {}
        self._current: Group | None = None
        self._cost = self._opened = 0

    def __len__(self) -> int:
        return len(self._groups)

    def executed(self, seed: str, unit: bytes, seen: ExecutionResult) -> None:
        """Record an execution: its unit founds the group of its seed, or becomes the latest of it.

        Undecided units are counted, and never become the latest.
        """
        trace = seen.trace
        self._cost += seen.cost
        self._opened += seen.opened
        slots = self._rarity.add((trace.keys, trace.counts))
        group = self._groups.get(seed)
        if group is None:
            if seen.decided:
                number = len(self._groups)
                first = (unit, number, unit, trace.hash, slots, trace.counts)
                self._groups[seed] = Group(self._roots, seed, *first, cost=seen.cost)
            return
        group.cost += seen.cost
        group.opened += seen.opened
        group.in_a_row += 1
        group.findings += seen.found
        group.undecided += not seen.decided
        group.unchanged = group.unchanged + 1 if trace.hash == group.trace else 0
        if seen.decided:
            group.last, group.trace, group.slots, group.counts = unit, trace.hash, slots, trace.counts

    def pick(self) -> bytes | None:
        """Return the unit to mutate next: the latest of the current group; None before the first group."""
        if self._current is None or self._current.is_to_be_left:
            self._leave()
        return None if self._current is None else self._current.last

    def _leave(self) -> None:
        """Go to the first group among those with the fewest visits."""
        if self._current is not None:
            group = self._current
            group.unchanged = group.in_a_row = group.findings = group.undecided = 0
            group.visits += 2 if self._is_costly(group) else 1
            group.last = group.first
        least = min((group.visits for group in self._groups.values()), default=0)
        open_groups = [group for group in self._groups.values() if group.visits == least]
        if open_groups:
            keys = [self._keys(order, open_groups) for order in self._orders]
            sort_keys = [(*(key[i] for key in keys), group.cost, group.number) for i, group in enumerate(open_groups)]
            self._current = open_groups[sort_keys.index(min(sort_keys))]

    def _is_costly(self, group: Group) -> bool:
        return group.cost * (self._opened + 1) > COSTLY * self._cost * (group.opened + 1)

    def _keys(self, order: str, groups: Sequence[Group]) -> Sequence[Any]:
        """Return a sort key for each group; smaller comes first."""
        if order == "complex":
            return [tuple(-number for number in group.complexity) for group in groups]
        if order == "simple":
            return [group.complexity for group in groups]
        if order == "given":
            return [group.number for group in groups]
        slots = np.concatenate([group.slots for group in groups])
        counts = np.concatenate([group.counts for group in groups])
        owner = np.repeat(np.arange(len(groups)), [len(group.slots) for group in groups])
        rarity = self._rarity.of_transitions(slots) if order == "transitions" else self._rarity.of_states(slots)
        return [-float(priority) for priority in np.bincount(owner, rarity * counts, len(groups))]
