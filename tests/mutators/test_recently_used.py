"""Pools: bounded by use, and drawn from evenly."""

from collections import Counter

from chcfuzz.grammar.choices import Choices
from chcfuzz.mutators.recently_used import RecentlyUsed


def test_a_pool_holds_what_was_used_last() -> None:
    pool = RecentlyUsed(3, "abc")
    assert pool.use("a") is None
    assert pool.use("d") == "b"
    assert pool.use("e") == "c"
    assert [thing in pool for thing in "abcde"] == [True, False, False, True, True]
    assert len(pool) == 3


def test_past_its_bound_what_is_in_use_stays() -> None:
    pool = RecentlyUsed(10, ["kept"])
    for number in range(1000):
        pool.use(str(number))
        pool.use("kept")
    assert "kept" in pool
    assert {pool.draw(Choices(bytes([i]))) for i in range(10)} == {"kept", *map(str, range(991, 1000))}


def test_all_that_is_there_is_drawn_and_alike() -> None:
    pool = RecentlyUsed(4, range(9))
    drawn = Counter(pool.draw(Choices(bytes([i]))) for i in range(256))
    assert drawn == dict.fromkeys((5, 6, 7, 8), 64)
