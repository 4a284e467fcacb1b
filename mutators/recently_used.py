"""What is worth remembering, bounded by use."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

from chcfuzz.grammar.choices import Choices

K = TypeVar("K", bound=Hashable)


class Pool(Generic[K]):
    """At most `most` things: those that were used last. Any of them can be drawn, all equally likely."""

    def __init__(self, most: int, things: Iterable[K] = ()) -> None:
        """Holds these things, used in their order."""
        self._most = most
        self._place: OrderedDict[K, int] = OrderedDict()  # in `_drawn`; the one used last comes last
        self._drawn: list[K] = []
        for thing in things:
            self.use(thing)

    def __len__(self) -> int:
        return len(self._drawn)

    def __contains__(self, thing: object) -> bool:
        return thing in self._place

    def use(self, thing: K) -> K | None:
        """Remember a thing, or that it was used again; the one that had to leave for it, if one had."""
        if thing in self._place:
            self._place.move_to_end(thing)
            return None
        if len(self._drawn) < self._most:
            self._place[thing] = len(self._drawn)
            self._drawn.append(thing)
            return None
        gone, place = self._place.popitem(last=False)
        self._place[thing] = place
        self._drawn[place] = thing
        return gone

    def draw(self, choices: Choices) -> K:
        """One of the things, which must be there; it is not used by that."""
        return choices.pick(self._drawn)
