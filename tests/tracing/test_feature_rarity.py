"""Executions are counted by the features of their traces."""

import numpy as np
import pytest
from chcfuzz.tracing.feature_rarity import SLOTS, FeatureRarity
from numpy.typing import NDArray


@pytest.fixture
def rarity() -> FeatureRarity:
    """Nothing counted."""
    return FeatureRarity(np.zeros(SLOTS, dtype=np.int64))


def features(*numbers: int) -> NDArray[np.uint32]:
    return np.array(numbers, dtype=np.uint32)


def test_each_feature_has_the_number_of_its_executions(rarity: FeatureRarity) -> None:
    rarity.executed(features(1, 2))
    rarity.executed(features(2, 0xFFFF_FFFF))
    assert rarity.times(features(0xFFFF_FFFF, 2, 1, 3)).tolist() == [1, 2, 1, 0]
    assert not len(rarity.times(features()))


def test_transitions_between_few_steps_are_counted_apart(rarity: FeatureRarity) -> None:
    """A transition is `before << 16 | after`: one has the same steps in reverse, the same end, or stays at a step."""
    rarity.executed(features(5 << 16 | 7, 9 << 16 | 9))
    assert rarity.times(features(7 << 16 | 5, 6 << 16 | 7, 5 << 16 | 8, 8 << 16 | 8)).tolist() == [0, 0, 0, 0]


def test_an_execution_counts_once_where_two_features_share_a_slot(rarity: FeatureRarity) -> None:
    shared = next(n for n in range(1, 1 << 20) if n * 2654435769 % (1 << 32) >> 16 == 0)
    rarity.executed(features(0, shared))
    assert rarity.times(features(shared, 0)).tolist() == [1, 1]
