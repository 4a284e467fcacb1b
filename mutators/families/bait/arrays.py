"""Equal arrays, and equal reads of array cells, by writes."""

from __future__ import annotations

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.draw import Drawing
from chcfuzz.grammar.sorts import INT, Sort, array
from chcfuzz.grammar.terms import Apply, Term, apply, conjunction, is_operator
from chcfuzz.mutators.families.bait.rows import FEW, any_sort, compares, is_small, of_sort, row

_ARRAYS = "src/qe/mbp/mbp_arrays.cpp: selects, stores, partial equalities"


def _is_array(sort: Sort) -> bool:
    return sort.is_array


def _select_of_store(term: Term, draw: Drawing, choices: Choices) -> Term:
    """Replace a term by a read of the array cell into which it has just been written."""
    sorts = [sort for sort in draw.sorts if sort.is_array and sort.element is term.sort]
    sort = choices.pick(sorts) if sorts else array(INT, term.sort)
    cells, index = draw.term(sort, choices, FEW), draw.term(sort.index, choices, FEW)
    return apply("select", apply("store", cells, index, term), index)


def _store_back(term: Term, draw: Drawing, choices: Choices) -> Term:
    """Replace an array by itself with a cell written back, at once or after another write to that cell."""
    index = draw.term(term.sort.index, choices, FEW)
    written = term
    if choices.boolean():
        written = apply("store", term, index, draw.term(term.sort.element, choices, FEW))
    return apply("store", written, index, apply("select", term, index))


def _store_aside(term: Term, draw: Drawing, choices: Choices) -> Term:
    """Read a cell after a write to another cell, unless the two indices are equal."""
    cells, index = term.children
    other = draw.term(index.sort, choices, FEW)
    written = apply("store", cells, other, draw.term(term.sort, choices, FEW))
    return Apply("ite", (apply("=", index, other), term, apply("select", written, index)))


def _cells(term: Term, draw: Drawing, choices: Choices) -> Term:
    """Add to an equality of arrays that their cells at a drawn index are equal."""
    index = draw.term(term.children[0].sort.index, choices, FEW)
    return conjunction(term, apply("=", *(apply("select", side, index) for side in term.children)))


MUTATIONS = (
    row(
        "select-of-store",
        "a term is read from the array cell it was just written to",
        _ARRAYS,
        of_sort(any_sort),
        _select_of_store,
    ),
    row("store-back", "the value of an array cell is written back to it", _ARRAYS, of_sort(_is_array), _store_back),
    row(
        "store-aside",
        "an array cell is read after a write to another cell",
        _ARRAYS,
        lambda term: is_operator(term, "select") and is_small(term),
        _store_aside,
    ),
    row("cells", "an equality of arrays is joined with one of two cells", _ARRAYS, compares(_is_array, "="), _cells),
)
