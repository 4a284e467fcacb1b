"""Equality of values under universes of any size.

A solver's model names some elements of an uninterpreted sort, and there may be more. Arrays whose indices are of such
a sort have a default that may be the value of no index, so two of them may be equal although they look different.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from chcfuzz.grammar.evaluation.values import UNDETERMINED, ArrayValue, Constructed, Ground, Undetermined, domain
from chcfuzz.grammar.sorts import Sort, holds_elements, with_inner_sorts

Result = Ground | Undetermined


@lru_cache(maxsize=4096)
def is_fragile(sort: Sort) -> bool:
    """Return whether values of the sort may be equal although they look different: universes may be finite."""
    return any(inner.is_array and holds_elements(inner.index) for inner in with_inner_sorts([sort]))


def compared(operator: str, args: Sequence[Result], sort: Sort) -> bool | Undetermined:
    """Return the value of `=` or `distinct` on values of a fragile sort."""
    if operator == "=":
        found = [_equal(a, b, sort) for a, b in pairwise(args)]
        return False if False in found else UNDETERMINED if UNDETERMINED in found else True
    found = [_equal(a, b, sort) for number, a in enumerate(args) for b in args[number + 1 :]]
    return False if True in found else UNDETERMINED if UNDETERMINED in found else True


def _equal(a: Result, b: Result, sort: Sort) -> bool | Undetermined:
    """Return whether two values are equal; False only if they are in every universe."""
    if a is UNDETERMINED or b is UNDETERMINED:
        return UNDETERMINED
    if a == b:
        return True
    if isinstance(a, ArrayValue) and isinstance(b, ArrayValue):
        if is_fragile(sort.index):
            return UNDETERMINED
        indices = {**a.entries, **b.entries}
        differ = any(_equal(a[index], b[index], sort.element) is False for index in indices)
        if not holds_elements(sort.index) and domain(sort.index, len(indices)) is None:  # both defaults are at an index
            differ = differ or _equal(a.default, b.default, sort.element) is False
        return False if differ else UNDETERMINED
    if isinstance(a, Constructed) and isinstance(b, Constructed) and sort.datatype is not None:
        if a.constructor != b.constructor:
            return False
        selectors = next(c.selectors for c in sort.datatype.constructors if c.operator == a.constructor)
        parts = zip(a.args, b.args, selectors, strict=True)
        return False if any(_equal(x, y, selector.sort) is False for x, y, selector in parts) else UNDETERMINED
    return False
