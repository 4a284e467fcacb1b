"""Values of sorts: one by default, and some that are likely to settle a quantifier."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from chcfuzz.grammar.evaluation.values import ArrayValue, Constructed, Ground
from chcfuzz.grammar.sorts import BOOL, INT, REAL, Datatype, Sort
from chcfuzz.grammar.terms import Quantifier, Value, kept, subterms

_MOST_CONSTANTS = 4  # of a formula, each with its neighbours

Elements = Callable[[Sort], Sequence[Ground]]


def default_value(sort: Sort, elements: Elements) -> Ground:
    """Return a value of a sort; `elements` has those of uninterpreted sorts, at least one of each."""
    if sort is BOOL:
        return False
    if sort is REAL:
        return Fraction(0)
    if sort.is_array:
        return ArrayValue(default_value(sort.element, elements), {})
    if sort.datatype is not None:
        return _constructed(sort.datatype, elements)
    return elements(sort)[0] if sort.is_uninterpreted else 0


def _constructed(datatype: Datatype, elements: Elements) -> Ground:
    """Return a value of a data type, with constructors that are made of what was made before them."""
    made: dict[Sort, Ground] = {}
    while datatype.sort not in made:
        before = len(made)
        for other in datatype.group:
            for constructor in other.constructors if other.sort not in made else ():
                sorts = [selector.sort for selector in constructor.selectors]
                if all(_is_ready(sort, made, other) for sort in sorts):
                    args = [_of_made(sort, made, elements) for sort in sorts]
                    made[other.sort] = Constructed(other.sort, constructor.operator, args)
                    break
        assert len(made) > before, "a data type without any finite value"
    return made[datatype.sort]


def _is_ready(sort: Sort, made: dict[Sort, Ground], among: Datatype) -> bool:
    if sort.is_array:
        return _is_ready(sort.element, made, among)
    return sort in made or all(sort is not other.sort for other in among.group)


def _of_made(sort: Sort, made: dict[Sort, Ground], elements: Elements) -> Ground:
    if sort.is_array:
        return ArrayValue(_of_made(sort.element, made, elements), {})
    return made[sort] if sort in made else default_value(sort, elements)


def samples(sort: Sort, term: Quantifier) -> list[Ground]:
    """Return some values of an Int, a Real or a bit-vector: small ones, and those around the constants of a term."""
    if not (sort.is_numeric or sort.is_bitvector):
        return []
    constants = kept(term, "constants", lambda: [here for here in subterms(term) if isinstance(here, Value)])
    own = [here.value for here in constants if here.sort is sort][:_MOST_CONSTANTS]
    near = [value + step for value in own for step in (0, 1, -1)]
    if sort is INT:
        return list(dict.fromkeys([0, 1, -1, *near, 2, -2]))
    if sort is REAL:
        return list(dict.fromkeys(map(Fraction, [0, 1, -1, *near, Fraction(1, 2)])))
    size = 1 << sort.width
    return list(dict.fromkeys(int(value) % size for value in (0, 1, -1, size // 2, size // 2 - 1, *near)))
