"""Counts that a campaign learns: weighted by rare features, and halved every 5,000 executions."""

import numpy as np
from chcfuzz.grammar.drawing.weights import TermPlace
from chcfuzz.grammar.reading.parse import problem
from chcfuzz.learning.counts import Counts
from chcfuzz.learning.online import HALVED_EVERY, MOST_WEIGHT, SLOTS, FeatureRarity, Learned, added, nodes_of, together
from chcfuzz.learning.places import number_of
from chcfuzz.learning.vocabulary import START

SMALL = problem("(declare-const x Int)(assert (< x 1))")
NODES = nodes_of(SMALL)
NOTHING = Learned(Counts.none(), 0)


def total(counts: Counts) -> int:
    return int(counts.times.sum())


def rarity() -> FeatureRarity:
    return FeatureRarity(np.zeros(SLOTS, dtype=np.int64))


def features(*numbers: int) -> "np.ndarray[tuple[int], np.dtype[np.uint32]]":
    return np.array(numbers, dtype=np.uint32)


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
    seen = rarity()
    seen.executed(features(1, 2, 3))
    assert seen.weight(features(1, 2, 3)) == 3
    for _ in range(9):
        seen.executed(features(1, 2, 3))
    assert seen.weight(features(1, 2, 3)) == 1
    seen.executed(features(1, *range(100, 140)))
    assert seen.weight(features(1, *range(100, 140))) == MOST_WEIGHT
    assert seen.weight(features()) == 1


def test_a_problem_that_is_too_long_is_not_learned() -> None:
    sum_of_many = " ".join(str(number) for number in range(2000))
    assert nodes_of(problem(f"(declare-const x Int)(assert (< x (+ {sum_of_many})))")) == ()


def test_a_problem_with_an_operator_that_is_not_drawn_is_not_learned() -> None:
    stated = problem("(declare-const s (Seq Int))(assert (and (= s (seq.rev s)) (> (seq.len s) 1)))")
    assert nodes_of(stated) == ()
    inside = TermPlace("Int", "seq.rev.1", 0, "=.2", "seq.map.2", "and.2")
    assert number_of(inside) == number_of(inside._replace(parent=START, sibling=START))
