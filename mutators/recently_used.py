"""A set of bounded size that keeps the most recently used items."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

from chcfuzz.grammar.choices import Choices

K = TypeVar("K", bound=Hashable)


class RecentlyUsed(Generic[K]):
    """The `most` items that were used most recently. Each is equally likely to be drawn."""

    def __init__(self, most: int, items: Iterable[K] = ()) -> None:
        """Start with these items, used in their order."""
        self._most = most
        self._place: OrderedDict[K, int] = OrderedDict()  # index in `_drawn`; the most recently used one is last
        self._drawn: list[K] = []
        for item in items:
            self.use(item)

    def __len__(self) -> int:
        return len(self._drawn)

    def __contains__(self, item: object) -> bool:
        return item in self._place

    def use(self, item: K) -> K | None:
        """Add an item, or record another use of it; return the item that had to be removed for it, if one was."""
        if item in self._place:
            self._place.move_to_end(item)
            return None
        if len(self._drawn) < self._most:
            self._place[item] = len(self._drawn)
            self._drawn.append(item)
            return None
        gone, place = self._place.popitem(last=False)
        self._place[item] = place
        self._drawn[place] = item
        return gone

    def draw(self, choices: Choices) -> K:
        """Draw one of the items, which does not count as a use; there must be one."""
        return choices.pick(self._drawn)
