"""Greedy set cover: the items, in an order of preference, that together have all features."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Set
from typing import TypeVar

T = TypeVar("T")


def brings_news(_item: object, new: int) -> bool:
    """Return whether an item has features that earlier items lack."""
    return new > 0


def cover(
    items: Iterable[T], features: Callable[[T], Set[Hashable]], takes: Callable[[T, int], bool] = brings_news
) -> list[tuple[T, int]]:
    """Return the items that are taken, each with the number of features that it adds.

    Items are tried in the given order, so put preferred (for example cheap) items first. `takes` decides by an item and
    the number of its new features. The result is not the smallest set; it has all features of the items that `takes`
    accepts.
    """
    shown: set[Hashable] = set()
    taken = []
    for item in items:
        new = features(item) - shown
        if takes(item, len(new)):
            taken.append((item, len(new)))
            shown |= new
    return taken
