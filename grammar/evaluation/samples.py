"""Values of sorts: one by default, and some that are likely to settle a quantifier."""

from __future__ import annotations

from collections.abc import Sequence

from chcfuzz.grammar.evaluation.values import Ground
from chcfuzz.grammar.sort_kinds import Elements, kind_of
from chcfuzz.grammar.sorts import Sort
from chcfuzz.grammar.terms import Quantifier, Value, kept, subterms

_MOST_CONSTANTS = 4  # of a formula, each with its neighbours


def default_value(sort: Sort, elements: Elements) -> Ground:
    """Return a value of a sort; `elements` has those of uninterpreted sorts, at least one of each."""
    return kind_of(sort).default(sort, elements)  # type: ignore[no-any-return]


def samples(sort: Sort, term: Quantifier) -> Sequence[Ground]:
    """Return some values of a basic sort: small ones, and those around the constants of a term."""
    constants = kept(term, "constants", lambda: [here for here in subterms(term) if isinstance(here, Value)])
    own = [here.value for here in constants if here.sort is sort][:_MOST_CONSTANTS]
    return kind_of(sort).samples(sort, own)
