"""Places of nodes as numbers: five nested contexts, from the sort of a node to everything around it.

A number holds, from its high bits to its low bits: the context's number (0 to 4), the class of the sort, the parent and
the argument, the grandparent, the left sibling, the great-grandparent, and the production of the node. In less deep
contexts the other fields are zero.
"""

from __future__ import annotations

from collections.abc import Mapping

from chcfuzz.grammar.drawing.weights import TermPlace
from chcfuzz.grammar.errors import LimitError
from chcfuzz.grammar.paths import Path
from chcfuzz.grammar.sorts import Sort
from chcfuzz.grammar.terms import Term
from chcfuzz.grammar.theory import derived
from chcfuzz.learning.productions import Productions, production_of
from chcfuzz.learning.vocabulary import CLAUSE, SORTS, START, sort_class, words

CONTEXTS = 5
WORD_BITS, SORT_BITS = 9, 4
_ARGUMENTS = 3  # later arguments are like this one
# The lowest bit of each field.
_GREAT_GRANDPARENT, _SIBLING, _GRANDPARENT, _ARGUMENT = (WORD_BITS * number for number in (1, 2, 3, 4))
_PARENT = _ARGUMENT + 2
SORT_FIELD = _PARENT + WORD_BITS
LEVEL_FIELD = SORT_FIELD + SORT_BITS
WORD_FIELDS = (0, _GREAT_GRANDPARENT, _SIBLING, _GRANDPARENT, _PARENT)
_LOWEST = (SORT_FIELD, _ARGUMENT, _GRANDPARENT, _SIBLING, _GREAT_GRANDPARENT)  # of each context
_SORT_NUMBERS = {name: number for number, name in enumerate(SORTS)}
# The bits of a number of context 4 that each context keeps, and the bits that it adds.
MASKS = tuple(
    (-(1 << low) & ((1 << LEVEL_FIELD) - 1) | (1 << WORD_BITS) - 1, level << LEVEL_FIELD)
    for level, low in enumerate(_LOWEST)
)


@derived
def word_numbers() -> Mapping[str, int]:
    """Return the number of each word."""
    return {word: number for number, word in enumerate(words())}


def number_of(place: TermPlace) -> int:
    """Return the deepest context of a place, as the number of its production 0, without the context's own number.

    Operators that no model has, around the place, count as the root of a formula.
    """
    of = word_numbers()
    around = (place.parent, place.grandparent, place.sibling, place.great_grandparent)
    parent, grandparent, sibling, great_grandparent = (of.get(word, of[START]) for word in around)
    return (
        _SORT_NUMBERS[place.sort] << SORT_FIELD
        | parent << _PARENT
        | min(place.argument, _ARGUMENTS) << _ARGUMENT
        | grandparent << _GRANDPARENT
        | sibling << _SIBLING
        | great_grandparent << _GREAT_GRANDPARENT
    )


class UnknownWordError(LimitError):
    """An operator that no model has: one that is not drawn."""


def numbers_of(productions: Productions) -> list[int]:
    """Return for each node of a sequence its deepest context with its production, without the context's own number.

    Raises `UnknownWordError`.
    """
    of, found = word_numbers(), []
    of_sorts: dict[Sort, int] = {}
    root = of[CLAUSE if productions.is_horn else START] << _PARENT
    # Unfinished nodes: their production and that of the node above, the bits that these and the one above them give to
    # arguments, arguments that are left, arguments seen, and the last of these.
    above: list[list[int]] = []
    for word, sort, arguments, _ in productions.nodes:
        production = of.get(word, -1)
        if production < 0:
            raise UnknownWordError(f"models of formulas do not have {word}")
        bits = of_sorts.get(sort)
        if bits is None:
            bits = of_sorts[sort] = _SORT_NUMBERS[sort_class(sort)] << SORT_FIELD
        if not above:
            found.append(bits | production | root)
            if arguments:
                above.append([production, 0, production << _PARENT, arguments, 0, 0])
            continue
        parent = above[-1]
        found.append(bits | production | parent[2] | min(parent[4], _ARGUMENTS) << _ARGUMENT | parent[5] << _SIBLING)
        parent[3] -= 1
        parent[4] += 1
        parent[5] = production
        if arguments:
            around = production << _PARENT | parent[0] << _GRANDPARENT | parent[1] << _GREAT_GRANDPARENT
            above.append([production, parent[0], around, arguments, 0, 0])
        while above and not above[-1][3]:
            above.pop()
    return found


def around(formula: Term, path: Path) -> tuple[list[str], int, str]:
    """Return the place of a path in an assertion: the productions above it, the argument, and its left sibling."""
    above: list[str] = []
    argument, sibling = 0, START
    for argument in path:
        above.append(production_of(formula))
        sibling = production_of(formula.children[argument - 1]) if argument else START
        formula = formula.children[argument]
    return above, argument, sibling
