"""Bit-vectors in slices, and their comparisons after extension."""

from __future__ import annotations

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.draw import Drawing
from chcfuzz.grammar.sorts import Sort
from chcfuzz.grammar.terms import Apply, Term, apply, conjunction, disjunction, is_operator, vector
from chcfuzz.mutators.families.bait.rows import EQUALITIES, compares, of_sort, operator_of, row

_VECTORS = "src/ast/rewriter/bv_rewriter.cpp and spacer_expand_bnd_generalizer: slices, bounds"
_VECTOR_ORDERS = ("bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge")


def _is_vector(sort: Sort) -> bool:
    return sort.is_bitvector


def _is_wide(sort: Sort) -> bool:
    return sort.is_bitvector and sort.width > 1


def _slices(sort: Sort, choices: Choices) -> tuple[str, str]:
    """Return the operators of the upper and of the lower bits."""
    cut = choices.integer(1, sort.width - 1)
    return f"(_ extract {sort.width - 1} {cut})", f"(_ extract {cut - 1} 0)"


def _sliced(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """Replace a bit-vector by the concatenation of its upper and lower bits."""
    return apply("concat", *(Apply(bits, (term,)) for bits in _slices(term.sort, choices)))


def _equal_slices(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """Compare bit-vectors by comparing their upper bits and their lower bits."""
    left, right = term.children
    slices = _slices(left.sort, choices)
    parts = [apply(operator_of(term), Apply(bits, (left,)), Apply(bits, (right,))) for bits in slices]
    return conjunction(*parts) if is_operator(term, "=") else disjunction(*parts)


def _extended(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """Compare bit-vectors after extending them, or flip the first bit and exchange signed and unsigned comparison."""
    operator = operator_of(term)
    width = term.children[0].sort.width
    if choices.boolean():
        first = vector(1 << (width - 1), width)
        other = operator.replace("bvs", "bvu") if operator.startswith("bvs") else operator.replace("bvu", "bvs")
        return apply(other, *(apply("bvxor", side, first) for side in term.children))
    extend = f"(_ {'sign' if operator.startswith('bvs') else 'zero'}_extend {choices.integer(1, 8)})"
    return apply(operator, *(Apply(extend, (side,)) for side in term.children))


MUTATIONS = (
    row("sliced", "a bit-vector is concatenated from its slices", _VECTORS, of_sort(_is_wide), _sliced),
    row(
        "equal-slices",
        "bit-vectors are compared slice by slice",
        _VECTORS,
        compares(_is_wide, *EQUALITIES),
        _equal_slices,
    ),
    row(
        "extended",
        "bit-vectors are compared after extension, or with the first bit flipped",
        _VECTORS,
        compares(_is_vector, *_VECTOR_ORDERS),
        _extended,
    ),
)
