"""The search for the smallest input: minimal, deterministic, no candidate tested twice."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from itertools import combinations

import pytest
from chcfuzz.triage.shrink.search import (
    CandidateCounts,
    Edits,
    InputTest,
    Search,
    in_parallel,
    one_by_one,
    until_minimal,
)

Items = tuple[int, ...]
DROP: Edits[Items, int] = Edits(
    "drop", lambda items: items, lambda items, gone: tuple(i for i in items if i not in gone)
)


def leaving_one_out(items: Items) -> list[Items]:
    return list(combinations(items, len(items) - 1)) if items else []


def needs(*groups: Iterable[int]) -> Callable[[Items], bool]:
    """Passes what holds all of one of the groups."""
    wanted = [frozenset(group) for group in groups]
    return lambda items: any(group <= set(items) for group in wanted)


def reduced(start: Items, test: InputTest[Items]) -> Search[Items]:
    search = Search(start, test, str)
    for _ in until_minimal(search, [DROP]):
        pass
    return search


@pytest.mark.parametrize(
    "keeps",
    [
        needs({3}),
        needs({0, 49}),
        needs({1, 2, 3, 40, 41}),
        needs({7, 8}, {9}, {30, 31, 32}),
        needs(()),
        needs(range(50)),
        lambda items: len(items) % 7 == 1,  # not monotone
        lambda items: sum(items) > 100 and 2 in items,
    ],
)
def test_without_any_one_item_more_the_result_fails(keeps: Callable[[Items], bool]) -> None:
    found = reduced(tuple(range(50)), one_by_one(keeps)).best
    assert keeps(found)
    assert not any(keeps(rest) for rest in leaving_one_out(found))


def test_a_needle_in_many_items_takes_few_tests() -> None:
    search = reduced(tuple(range(1024)), one_by_one(needs({777})))
    assert search.best == (777,)
    assert search.counts.tested < 50  # 1023 by leaving out one at a time


@pytest.mark.parametrize("width", [2, 3, 8, 100])
@pytest.mark.parametrize("keeps", [needs({3}, {17, 18}), needs({1, 2, 3, 40, 41}), lambda items: len(items) % 7 == 1])
def test_testing_many_at_once_changes_neither_the_result_nor_the_counts(
    keeps: Callable[[Items], bool], width: int
) -> None:
    found = []
    for at_once in (1, width):
        test = replace(one_by_one(keeps), width=at_once)
        search = Search(tuple(range(50)), test, str, admits=lambda _best, new: sum(new) % 3 != 0)
        names = list(until_minimal(search, [DROP]))
        found.append((search.best, search.counts, names))
    assert found[0] == found[1]
    assert found[0][1].refused > 0


def test_no_candidate_is_tested_twice() -> None:
    tested: list[Items] = []

    def keeps(items: Items) -> bool:
        tested.append(items)
        return {5, 6} <= set(items)

    counts = reduced(tuple(range(20)), one_by_one(keeps)).counts
    assert len(tested) == len(set(tested)) == counts.tested
    assert counts.known > 0


def test_a_candidate_that_is_not_admitted_is_not_tested() -> None:
    tested: list[Items] = []

    def keeps(items: Items) -> bool:
        tested.append(items)
        return True

    search = Search(tuple(range(8)), one_by_one(keeps), str, admits=lambda _best, new: 3 in new)
    assert list(until_minimal(search, [DROP]))
    assert search.best == (3,)
    assert all(3 in items for items in tested)
    assert search.counts.refused > 0


def test_an_interrupted_search_has_the_best_so_far() -> None:
    calls = 0

    def keeps(items: Items) -> bool:
        nonlocal calls
        calls += 1
        if calls == 6:
            raise KeyboardInterrupt
        return {3, 60} <= set(items)

    search = Search(tuple(range(64)), one_by_one(keeps), str)
    with pytest.raises(KeyboardInterrupt):
        list(until_minimal(search, [DROP]))
    assert {3, 60} <= set(search.best)
    assert len(search.best) < 64


def test_progress_is_reported_after_each_test() -> None:
    reported: list[CandidateCounts] = []
    search = Search(tuple(range(9)), one_by_one(needs({4})), str, on_progress=reported.append)
    names = list(until_minimal(search, [DROP]))
    assert [counts.tested for counts in reported] == list(range(1, len(reported) + 1))
    assert reported[-1].passed == search.counts.passed
    assert names == ["drop"] * search.counts.passed


@pytest.fixture
def threads() -> Iterable[Executor]:
    with ThreadPoolExecutor(3) as executor:
        yield executor


def test_parallel_tests_give_the_first_in_order(threads: Executor) -> None:
    def first_of(candidates: Sequence[Items]) -> int | None:
        return in_parallel(needs({1}), threads, tuple, 4).first(candidates)

    assert first_of([(0,), (1, 2), (1,)]) == 1
    assert first_of([(0,), (2,)]) is None
    start = tuple(range(40))
    here = reduced(start, replace(one_by_one(needs({3, 30})), width=4))
    there = reduced(start, in_parallel(needs({3, 30}), threads, tuple, 4))
    assert (there.best, there.counts) == (here.best, here.counts)


def test_parallel_tests_raise_where_sequential_tests_would(threads: Executor) -> None:
    def keeps(items: Items) -> bool:
        if items == (9,):
            raise ValueError("nine")
        return items == (1,)

    first = in_parallel(keeps, threads, tuple, 3).first
    assert first([(0,), (1,), (9,)]) == 1
    with pytest.raises(ValueError, match="nine"):
        first([(0,), (9,), (1,)])
