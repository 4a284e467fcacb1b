"""Bit-vectors: a term becomes an equal one, by neutral elements, inverses, and the definitions of operators.

Every identity holds for all values, division by zero included: SMT-LIB fixes its result. Solvers rewrite bit-vectors by
hundreds of such rules, and a wrong rule needs a term of just its form.
"""

from __future__ import annotations

from collections.abc import Callable

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.terms import Apply, Term, Value, apply, vector
from chcfuzz.grammar.theory import split_operator
from chcfuzz.mutators.mutation import Promise
from chcfuzz.mutators.rewriting.term_rows import About, row_of_term
from chcfuzz.mutators.rewriting.vector_definitions import BINARY, UNARY, defined_terms
from chcfuzz.mutators.rewriting.vector_terms import (
    concat,
    extract,
    ite,
    one,
    ones,
    sign_extended,
    width,
    zero,
    zero_extended,
)

_MOST = 60  # nodes of a term that may be duplicated
_ZERO_AFTER = ("bvadd", "bvor", "bvxor", "bvsub", "bvshl", "bvlshr", "bvashr", "bvurem", "bvsrem", "bvsmod")


def same(t: Term, choices: Choices) -> Term:
    """Return the term with a neutral element, after an operation and its inverse, or widened and cut."""
    s, w = t.sort, width(t)
    k = vector(choices.pick((1, 2, 3, -1, 5, 1 << (w - 1), (1 << (w - 1)) - 1)), w)
    odd = vector(2 * choices.index(min(1 << (w - 1), 128)) + 1, w)
    by = choices.integer(1, 8)
    options: tuple[Callable[[], Term], ...] = (
        lambda: apply("bvnot", apply("bvnot", t)),
        lambda: apply("bvneg", apply("bvneg", t)),
        lambda: apply(choices.pick(_ZERO_AFTER), t, zero(s)),
        lambda: apply(choices.pick(("bvadd", "bvor", "bvxor")), zero(s), t),
        lambda: apply(choices.pick(("bvmul", "bvudiv", "bvsdiv")), t, one(s)),
        lambda: apply(choices.pick(("bvand", "bvor")), t, t),
        lambda: apply("bvand", t, ones(s)),
        lambda: apply("bvxnor", t, ones(s)),
        lambda: apply("bvxor", apply("bvxor", t, k), k),
        lambda: apply("bvadd", apply("bvsub", t, k), k),
        lambda: apply("bvsub", apply("bvadd", k, t), k),
        lambda: apply("bvmul", apply("bvmul", t, odd), _inverse(odd, w)),
        lambda: extract(w - 1, 0, zero_extended(by, t)),
        lambda: extract(w - 1, 0, sign_extended(by, t)),
        lambda: extract(w + by - 1, by, concat(t, vector(0, by))),
        lambda: Apply(f"(_ rotate_left {by})", (Apply(f"(_ rotate_right {by})", (t,)),)),
        lambda: extract(w - 1, 0, apply("bvlshr", concat(t, t), vector(w, 2 * w))),
        lambda: ite(apply("bvult", t, k), t, apply("bvadd", t, zero(s))),
        lambda: apply("bvor", apply("bvand", t, k), apply("bvand", t, apply("bvnot", k))),
        lambda: apply("bvadd", apply("bvmul", apply("bvudiv", t, k), k), apply("bvurem", t, k)),
    )
    return choices.pick(options)()


def _inverse(odd: Term, w: int) -> Term:
    assert isinstance(odd, Value)
    return vector(pow(int(odd.value), -1, 1 << w), w)


def _is_vector(term: Term) -> bool:
    return term.sort.is_bitvector and term.size <= _MOST


def _is_defined(term: Term) -> bool:
    if not isinstance(term, Apply) or not term.children or term.size > _MOST:
        return False
    if not any(child.sort.is_bitvector for child in term.children):
        return False
    name, indices = split_operator(term.operator)
    return (name in BINARY and len(term.children) == 2) or name in UNARY or bool(indices)


def _defined(term: Term, choices: Choices) -> Term | None:
    found = defined_terms(term)
    return choices.pick(found) if found else None


def _through_int(term: Term, _choices: Choices) -> Term:
    return Apply(f"(_ int2bv {width(term)})", (apply("bv2nat", term),))


def _about(name: str, summary: str) -> About:
    source = "SMT-LIB's definitions of FixedSizeBitVectors; rewriters of Z3, cvc5 and Bitwuzla"
    return About(f"smt_vectors.{name}", Promise.EQUIVALENT, summary, source, light=True)


MUTATIONS = (
    row_of_term(
        _about("same", "a bit-vector gets a neutral element, or an operation and its inverse"), _is_vector, same
    ),
    row_of_term(
        _about("defined", "an operation on bit-vectors becomes its definition by others"), _is_defined, _defined
    ),
    row_of_term(_about("through-int", "a bit-vector is converted to Int and back"), _is_vector, _through_int),
)
