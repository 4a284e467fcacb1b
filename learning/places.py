"""Places of nodes as numbers: five nested contexts, from the sort of a node to everything around it.

A number holds, from its high bits to its low bits: the context's number (0 to 4), the class of the sort, the parent and
the argument, the grandparent, the left sibling, the great-grandparent, and the production of the node. In less deep
contexts the other fields are zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from chcfuzz.grammar.weights import Place
from chcfuzz.learning.productions import Node
from chcfuzz.learning.vocabulary import SORTS, sort_class, words

CONTEXTS = 5
WORD_BITS = 9
_ARGUMENTS = 3  # later arguments are like this one
_SIBLING = 2 * WORD_BITS
_GRANDPARENT = 3 * WORD_BITS
_ARGUMENT = 4 * WORD_BITS
_PARENT = _ARGUMENT + 2
_SORT = _PARENT + WORD_BITS
_LEVEL = _SORT + 4
_LOWEST = (_SORT, _ARGUMENT, _GRANDPARENT, _SIBLING, WORD_BITS)  # bit of each context


@cache
def numbers() -> Mapping[str, int]:
    """Return the number of each word."""
    return {word: number for number, word in enumerate(words())}


_SORT_NUMBERS = {name: number for number, name in enumerate(SORTS)}


@cache
def masks() -> tuple[tuple[int, int], ...]:
    """Return for each context the bits of a number of context 4 that it keeps, and the bits that it adds."""
    word = (1 << WORD_BITS) - 1
    return tuple((-(1 << low) & ((1 << _LEVEL) - 1) | word, level << _LEVEL) for level, low in enumerate(_LOWEST))


def number_of(place: Place) -> int:
    """Return the deepest context of a place, as the number of its production 0, without the context's own number."""
    of = numbers()
    return (
        _SORT_NUMBERS[place.sort] << _SORT
        | of[place.parent] << _PARENT
        | min(place.argument, _ARGUMENTS) << _ARGUMENT
        | of[place.grandparent] << _GRANDPARENT
        | of[place.sibling] << _SIBLING
        | of[place.great_grandparent] << WORD_BITS
    )


def numbers_of(nodes: Sequence[Node]) -> list[int]:
    """Return for each node of a sequence its deepest context with its production, without the context's own number."""
    of, found = numbers(), []
    # Of each node whose arguments are not all seen: its production, arguments left, arguments seen, the last of these.
    above: list[list[int]] = []
    for node in nodes:
        production = of[node.production]
        number = _SORT_NUMBERS[sort_class(node.sort)] << _SORT | production
        if above:
            parent = above[-1]
            number |= parent[0] << _PARENT | min(parent[2], _ARGUMENTS) << _ARGUMENT | parent[3] << _SIBLING
            if len(above) > 1:
                number |= above[-2][0] << _GRANDPARENT
            if len(above) > 2:
                number |= above[-3][0] << WORD_BITS
            parent[1] -= 1
            parent[2] += 1
            parent[3] = production
        found.append(number)
        if node.arity:
            above.append([production, node.arity, 0, 0])
        while above and not above[-1][1]:
            above.pop()
    return found
