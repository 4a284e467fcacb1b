"""The items that are taken have all features of the set."""

from chcfuzz.corpus_tools.set_cover import cover

ITEMS = {"a": {1, 2}, "b": {2}, "c": {3}, "d": {1, 2, 3}, "e": set()}


def test_what_brings_nothing_new_is_not_taken() -> None:
    assert cover(ITEMS, lambda name: ITEMS[name]) == [("a", 2), ("c", 1)]
    assert cover(reversed(ITEMS), lambda name: ITEMS[name]) == [("d", 3)]


def test_what_is_not_taken_shows_nothing() -> None:
    taken = cover(ITEMS, lambda name: ITEMS[name], lambda name, new: name != "a" and new > 0)
    assert taken == [("b", 1), ("c", 1), ("d", 1)]
