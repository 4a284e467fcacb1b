"""Where wanted terms occur in a term as a tree: how often, and the path to any one of them.

They are counted on the shared term, each distinct subterm once, and a path is made only for the occurrence that is
needed. All paths at once would take memory as the square of the depth (two gigabytes for 20,000 conjunctions in each
other), and a walk through a tree may take time as two to the depth of a term that shares its parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from chcfuzz.grammar.paths import Path
from chcfuzz.grammar.terms import Term


@dataclass(frozen=True)
class Occurrences:
    """The subterms of `root`, itself included, that are `wanted`: outermost first, left to right.

    Only the children of what may be `entered` are looked at.
    """

    root: Term
    wanted: Callable[[Term], bool]
    entered: Callable[[Term], bool] = lambda _term: True

    @property
    def number(self) -> int:
        """Number of the occurrences; more than memory could hold, where a term shares its parts."""
        return self._counts[self.root]

    def path(self, number: int) -> Path:
        """Return the path to one of them, by its number from 0 on."""
        here = self.root
        path: list[int] = []
        while number or not self.wanted(here):
            counts = [self._counts[child] for child in here.children]
            index, number = fallen_into(number - self.wanted(here), counts)
            path.append(index)
            here = here.children[index]
        return tuple(path)

    def __iter__(self) -> Iterator[Path]:
        return (self.path(number) for number in range(self.number))

    @cached_property
    def _counts(self) -> dict[Term, int]:
        """For each subterm that is looked at, how often something wanted occurs in it."""
        counts: dict[Term, int] = {}
        stack = [self.root]
        while stack:
            here = stack[-1]
            if here in counts:
                stack.pop()
                continue
            children = here.children if self.entered(here) else ()
            missing = [child for child in children if child not in counts]
            if missing:
                stack += missing
                continue
            stack.pop()
            counts[here] = self.wanted(here) + sum([counts[child] for child in children])
        return counts


def fallen_into(number: int, counts: Iterable[int]) -> tuple[int, int]:
    """Return the group that holds the item with this number, and its number within the group."""
    for index, count in enumerate(counts):
        if number < count:
            return index, number
        number -= count
    raise IndexError(f"{number} too many")
