"""Counts that a campaign learns: weighted by rare features, and halved every 5,000 executions."""

import numpy as np
from chcfuzz.grammar.reading.parse import problem
from chcfuzz.learning.counts import Counts
from chcfuzz.learning.online import HALVED_EVERY, MOST_WEIGHT, Learned, added, nodes_of, together, weight

SMALL = problem("(declare-const x Int)(assert (< x 1))")
NODES = nodes_of(SMALL)
NOTHING = Learned(Counts.none(), 0)


def total(counts: Counts) -> int:
    return int(counts.times.sum())


def test_counts_are_halved_by_the_executions_of_the_campaign() -> None:
    learned = NOTHING.plus([(NODES, 1)])
    whole = total(learned.counts)
    assert whole == 16 * 5 * len(NODES)
    assert total(learned.at(HALVED_EVERY - 1).counts) == whole
    assert total(learned.at(HALVED_EVERY).counts) == whole // 2
    assert total(learned.at(2 * HALVED_EVERY).at(3 * HALVED_EVERY).counts) == whole // 8
    assert not total(learned.at(5 * HALVED_EVERY).counts)
    assert not len(learned.at(1000 * HALVED_EVERY).counts.numbers)


def test_parts_of_different_ages_are_added_at_one_age() -> None:
    old, new = NOTHING.plus([(NODES, 2)]), Learned(Counts.none(), HALVED_EVERY).plus([(NODES, 1)])
    assert total(together([old, new], HALVED_EVERY).counts) == 2 * total(new.counts)
    assert total(together([], 7).counts) == 0


def test_a_model_gets_whole_counts() -> None:
    base = Counts.of(NODES)
    assert total(added(base, NOTHING.plus([(NODES, 3)]))) == 4 * total(base)
    assert total(added(base, NOTHING)) == total(base)


def test_units_with_rare_features_weigh_more() -> None:
    assert weight(np.array([0, 1, 1])) == 3
    assert weight(np.array([10, 10, 10])) == 1
    assert weight(np.array([2, *[1] * 40])) == MOST_WEIGHT
    assert weight(np.array([], dtype=np.int64)) == 1
