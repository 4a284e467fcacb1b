"""Seed groups: HornFuzz's priorities, its rule for leaving, and what costs too much."""

from dataclasses import dataclass, field

import numpy as np
import pytest
from chcfuzz.domains.chc.roots import BUILT_IN, ChcRoots
from chcfuzz.mutators.seed_groups import (
    MOST_IN_A_ROW,
    MOST_UNDECIDED,
    UNCHANGED_PER_CLAUSE,
    ExecutionResult,
    Groups,
    Rarity,
)
from chcfuzz.mutators.seeds import read_seed
from numpy.typing import NDArray


@dataclass(frozen=True)
class Trace:
    hash: int
    steps: tuple[tuple[int, int, int], ...] = ()  # before, after, how often
    keys: NDArray[np.uint32] = field(init=False)
    counts: NDArray[np.uint32] = field(init=False)

    def __post_init__(self) -> None:
        keys = [before << 16 | after for before, after, _ in self.steps]
        object.__setattr__(self, "keys", np.array(keys, dtype=np.uint32))
        object.__setattr__(self, "counts", np.array([count for *_, count in self.steps], dtype=np.uint32))


USUAL = Trace(1, ((1, 2, 9),))
RARE = Trace(2, ((1, 3, 1),))


def slots(rarity: Rarity, trace: Trace) -> NDArray[np.intp]:
    return rarity.add((trace.keys, trace.counts))


def test_rarity_is_the_inverse_of_the_share_of_transitions() -> None:
    rarity = Rarity()
    usual, rare = slots(rarity, USUAL), slots(rarity, RARE)
    assert rarity.of_transitions(usual).tolist() == [pytest.approx(10 / 9)]
    assert rarity.of_transitions(rare).tolist() == [pytest.approx(10)]
    assert rarity.of_states(rare).tolist() == [pytest.approx(1)], "both begin with the same step"


def test_incremental_rarity_equals_rarity_from_scratch() -> None:
    traces = [Trace(i, ((i % 7, i % 5, 1 + i % 3), (i % 3 + 10, 2, 4))) for i in range(3000)]
    grown = Rarity()
    for trace in traces:
        slots(grown, trace)
    counts: dict[tuple[int, int], int] = {}
    for before, after, count in (step for trace in traces for step in trace.steps):
        counts[before, after] = counts.get((before, after), 0) + count
    for trace in traces[:50]:
        before, after, _ = trace.steps[0]
        total = sum(count for (first, _), count in counts.items() if first == before)
        found = grown.of_transitions(grown.add((trace.keys, trace.counts * 0)))
        assert found[0] == pytest.approx(total / counts[before, after])


def founded(heuristic: str, traces: tuple[Trace, ...], cost: int = 1) -> Groups:
    groups = Groups(heuristic, ChcRoots())
    for seed, trace in zip(BUILT_IN, traces, strict=False):
        groups.executed(seed, seed.encode(), ExecutionResult(trace, cost))
    return groups


def test_there_is_nothing_to_pick_from_before_an_execution() -> None:
    assert Groups("transitions", ChcRoots()).pick() is None


def test_the_rarest_transitions_come_first() -> None:
    groups = founded("transitions", (USUAL, Trace(3, ((1, 2, 1),)), Trace(4, ((1, 3, 1), (1, 2, 9))), USUAL))
    assert groups.pick() == BUILT_IN[2].encode()


@pytest.mark.parametrize(("heuristic", "first"), [("simple", 0), ("complex", 2), ("given", 0)])
def test_orders_by_looks(heuristic: str, first: int) -> None:
    systems = [read_seed(seed) for seed in BUILT_IN]
    assert all(systems)
    groups = founded(heuristic, (USUAL, USUAL, USUAL, USUAL))
    picked = groups.pick()
    if heuristic == "complex":  # a nonlinear one: fib, or the one with two predicates in a disjunction
        assert picked in (BUILT_IN[1].encode(), BUILT_IN[2].encode())
    else:
        assert picked == BUILT_IN[first].encode()


def test_two_orders_join() -> None:
    groups = founded("given+transitions", (USUAL, RARE))
    assert groups.pick() == BUILT_IN[0].encode()


def test_an_unknown_order_is_refused() -> None:
    with pytest.raises(ValueError, match="sideways"):
        Groups("sideways", ChcRoots())


def test_a_mutant_is_the_last_of_its_group_unless_it_is_undecided() -> None:
    groups = founded("given", (USUAL,))
    groups.executed(BUILT_IN[0], b"mutant", ExecutionResult(RARE, 1))
    assert groups.pick() == b"mutant"
    groups.executed(BUILT_IN[0], b"undecided", ExecutionResult(RARE, 1, decided=False))
    assert groups.pick() == b"mutant"


def left_after(groups: Groups, unit: bytes, trace: Trace, decided: bool = True) -> int:
    """How many executions in a row until another group is picked."""
    for number in range(1, 1000):
        groups.executed(BUILT_IN[0], unit, ExecutionResult(trace if trace.hash else Trace(number + 10), 1, decided))
        if groups.pick() not in (unit, BUILT_IN[0].encode()):
            return number
    raise AssertionError("it is never left")


def test_a_group_is_left_when_its_trace_does_not_change() -> None:
    groups = founded("given", (USUAL, USUAL))
    groups.pick()
    clauses = len(BUILT_IN[0].split("(assert")) - 1
    assert left_after(groups, b"same", USUAL) == UNCHANGED_PER_CLAUSE * clauses


def test_a_group_is_left_after_a_hundred_in_a_row() -> None:
    groups = founded("given", (USUAL, USUAL))
    groups.pick()
    assert left_after(groups, b"changing", Trace(0)) == MOST_IN_A_ROW


def test_a_group_is_left_after_some_undecided_ones() -> None:
    groups = founded("given", (USUAL, USUAL))
    groups.pick()
    assert left_after(groups, b"unknown", Trace(0), decided=False) == MOST_UNDECIDED


def test_a_group_that_is_left_falls_back_to_its_seed() -> None:
    groups = founded("given", (USUAL, USUAL))
    groups.pick()
    left_after(groups, b"mutant", USUAL)
    for number in range(MOST_IN_A_ROW):
        groups.executed(BUILT_IN[1], b"other", ExecutionResult(Trace(100 + number), 1))
    assert groups.pick() == BUILT_IN[0].encode()


def test_a_costly_group_waits_longer() -> None:
    groups = founded("given", (USUAL, USUAL))
    for number in range(20):
        groups.executed(BUILT_IN[1], b"cheap", ExecutionResult(Trace(number), 1, opened=True))
    groups.pick()
    for _ in range(MOST_UNDECIDED):
        groups.executed(BUILT_IN[0], b"dear", ExecutionResult(USUAL, 1_000, decided=False))
    picked = []
    for round_ in range(3):
        unit = groups.pick()
        picked.append(unit)
        for number in range(MOST_IN_A_ROW):
            groups.executed(BUILT_IN[1], b"cheap", ExecutionResult(Trace(1000 * round_ + number), 1, opened=True))
    assert BUILT_IN[0].encode() not in picked[:2]
