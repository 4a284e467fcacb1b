"""A smaller set that shows all that a larger one does."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Set
from typing import TypeVar

T = TypeVar("T")


def brings_news(_item: object, new: int) -> bool:
    """Whether it shows anything that those before it do not."""
    return new > 0


def cover(
    items: Iterable[T], features: Callable[[T], Set[Hashable]], takes: Callable[[T, int], bool] = brings_news
) -> list[tuple[T, int]]:
    """Those items that are taken, each with how many features it is the first of them to show.

    They are asked in their order, each whether it is taken with so many: put first what shall rather stay, such as what
    is cheap. This is not the smallest number of items, and all that all of them show together is shown.
    """
    shown: set[Hashable] = set()
    taken = []
    for item in items:
        new = features(item) - shown
        if takes(item, len(new)):
            taken.append((item, len(new)))
            shown |= new
    return taken
