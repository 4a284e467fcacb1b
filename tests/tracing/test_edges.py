"""Edge counters, and what libFuzzer makes of them."""

import numpy as np
import pytest
from chcfuzz.tracing.edges import Edges, Features
from numpy.typing import NDArray

EDGES = 40


def bit(count: int) -> int:
    """FuzzerTracePC.h, `CounterToFeature`, as it is written there."""
    classes = [count >= 128, count >= 32, count >= 16, count >= 8, count >= 4, count >= 3, count >= 2]
    return next((7 - at for at, holds in enumerate(classes) if holds), 0)


def add(corpus: dict[tuple[int, int], int], edges: NDArray[np.intp], counts: NDArray[np.uint8], size: int) -> bool:
    """FuzzerCorpus.h, `AddFeature`, for all features of a unit; whether libFuzzer keeps it."""
    features = [(int(edge), bit(int(count))) for edge, count in zip(edges, counts, strict=True)]
    news = [feature for feature in features if feature not in corpus or corpus[feature] > size]
    corpus.update(dict.fromkeys(news, size))
    return bool(news)


def units() -> list[tuple[NDArray[np.intp], NDArray[np.uint8], int]]:
    drawn = np.random.default_rng(1)
    made = []
    for _ in range(300):
        reached = np.sort(drawn.choice(EDGES, drawn.integers(1, EDGES), replace=False)).astype(np.intp)
        counts = drawn.choice([1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 127, 128, 255], len(reached)).astype(np.uint8)
        made.append((reached, counts, int(drawn.integers(0, 30))))
    return made


def test_libfuzzer_keeps_the_same_units_for_the_same_features_where_only_news_are_shown() -> None:
    features, whole, shown = Features(EDGES), dict[tuple[int, int], int](), dict[tuple[int, int], int]()
    kept = 0
    for reached, counts, size in units():
        news = features.news(reached, counts, size)
        keeps = add(whole, reached, counts, size)
        assert add(shown, reached[news], counts[news], size) == keeps == bool(news.any())
        assert shown == whole
        kept += keeps
    assert 20 < kept < 280


@pytest.mark.parametrize(("counts", "again"), [((4, 7), False), ((3, 4), True), ((32, 127), False), ((127, 128), True)])
def test_counts_of_one_class_are_one_feature(counts: tuple[int, int], again: bool) -> None:
    features = Features(1)
    first, second = (features.news(np.array([0]), np.array([count], np.uint8), 5) for count in counts)
    assert first.tolist() == [True]
    assert second.tolist() == [again]


def test_counts_are_shown_where_they_were_and_nowhere_else() -> None:
    edges = Edges(np.full(4, 9, np.uint8), np.zeros((4, 2), np.uintp))
    edges.show(np.array([1, 3]), np.array([5, 255], np.uint8))
    assert edges.counters.tolist() == [0, 5, 0, 255]
