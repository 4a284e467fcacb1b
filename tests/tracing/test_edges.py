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


class Corpus:
    """The features of all units, and those that each unit showed first, as libFuzzer stores them."""

    def __init__(self) -> None:
        self.features: set[tuple[int, int]] = set()
        self.first: dict[str, set[tuple[int, int]]] = {}

    def run(self, counters: NDArray[np.uint8], unit: str, base: str | None) -> tuple[bool, bool]:
        """Return whether a unit is kept for new features, and whether it has all features of the base's own."""
        shown = {(int(edge), bit(int(counters[edge]))) for edge in np.flatnonzero(counters)}
        new = shown - self.features
        self.features |= new
        self.first[unit] = new
        return bool(new), base is not None and self.first[base] <= shown


def test_libfuzzer_keeps_and_replaces_the_same_units_where_known_edges_are_left_out() -> None:
    features, whole, part = Features(EDGES), Corpus(), Corpus()
    names: list[str] = []
    drawn = np.random.default_rng(2)
    seen, shown = 0, 0
    results = []
    for number, (reached, counts, _) in enumerate(units()):
        counters = np.zeros(EDGES, np.uint8)
        counters[reached] = counts
        name, base = str(number), None if number < 3 else str(drawn.choice(names))
        names.append(name)
        left = counters.copy()
        features.leave_out_known(left, name, base)
        assert ((left == counters) | (left == 0)).all()
        results.append(whole.run(counters, name, base))
        assert part.run(left, name, base) == results[-1]
        seen, shown = seen + int(np.count_nonzero(counters)), shown + int(np.count_nonzero(left))
    assert {(True, False), (False, True), (False, False)} <= set(results)
    assert shown < seen / 2


def test_of_a_mutant_of_an_unknown_unit_every_edge_is_shown() -> None:
    features, counters = Features(3), np.array([1, 0, 4], np.uint8)
    for unit in ("first", "second"):
        features.leave_out_known(counters, unit, "no such unit")
        assert counters.tolist() == [1, 0, 4]
    features.leave_out_known(counters, "third", "second")
    assert counters.tolist() == [0, 0, 0]


def test_a_unit_of_a_corpus_shows_every_edge_and_its_mutant_shows_those_again() -> None:
    features, counters = Features(3), np.array([1, 0, 4], np.uint8)
    features.leave_out_known(counters, "seed", None)
    assert counters.tolist() == [1, 0, 4]
    features.leave_out_known(counters, "mutant", "seed")
    assert counters.tolist() == [1, 0, 4]
    features.leave_out_known(counters, "its mutant", "mutant")
    assert counters.tolist() == [0, 0, 0]
