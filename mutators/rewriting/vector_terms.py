"""Short constructors for terms over bit-vectors."""

from __future__ import annotations

from chcfuzz.grammar.sorts import Sort
from chcfuzz.grammar.terms import Apply, Term, apply, vector


def width(term: Term) -> int:
    """Return the width of a bit-vector."""
    return term.sort.width


def zero(sort: Sort) -> Term:
    """Return the bit-vector without set bits."""
    return vector(0, sort.width)


def one(sort: Sort) -> Term:
    """Return the bit-vector whose value is 1."""
    return vector(1, sort.width)


def ones(sort: Sort) -> Term:
    """Return the bit-vector with all bits set."""
    return vector(-1, sort.width)


def least(sort: Sort) -> Term:
    """Return the smallest signed value: only the first bit is set."""
    return vector(1 << (sort.width - 1), sort.width)


def extract(high: int, low: int, term: Term) -> Term:
    """Return the bits from `high` down to `low`."""
    return Apply(f"(_ extract {high} {low})", (term,))


def first_bit(term: Term) -> Term:
    """Return the first bit, which is the sign of a signed number."""
    return extract(width(term) - 1, width(term) - 1, term)


def is_negative(term: Term) -> Term:
    """Return the formula that the sign bit is set."""
    return apply("=", first_bit(term), vector(1, 1))


def zero_extended(by: int, term: Term) -> Term:
    """Return the term with this number of zeros in front."""
    return Apply(f"(_ zero_extend {by})", (term,))


def sign_extended(by: int, term: Term) -> Term:
    """Return the term with its sign bit repeated in front."""
    return Apply(f"(_ sign_extend {by})", (term,))


def concat(*terms: Term) -> Term:
    """Return the bits of the terms in a row; a single term is itself."""
    return terms[0] if len(terms) == 1 else Apply("concat", terms)


def ite(condition: Term, yes: Term, no: Term) -> Term:
    """Return one of two terms by a condition."""
    return Apply("ite", (condition, yes, no))


def bit(condition: Term) -> Term:
    """Return the bit that is set if a formula holds."""
    return ite(condition, vector(1, 1), vector(0, 1))
