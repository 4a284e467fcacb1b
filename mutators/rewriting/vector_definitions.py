"""Operators of bit-vectors by their definitions: terms equal to an application, by other operators."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from chcfuzz.grammar.terms import Apply, Term, Value, apply, disjunction, negation, vector
from chcfuzz.grammar.theory import split_operator
from chcfuzz.mutators.rewriting.vector_terms import (
    bit,
    concat,
    extract,
    first_bit,
    is_negative,
    ite,
    least,
    one,
    ones,
    sign_extended,
    width,
    zero,
    zero_extended,
)

Equal = Callable[[Term, Term], Term]  # from the two arguments of an application to an equal term


def _signed_division(a: Term, b: Term) -> Term:
    quotient = apply("bvudiv", _absolute(a), _absolute(b))
    return ite(apply("=", first_bit(a), first_bit(b)), quotient, apply("bvneg", quotient))


def _signed_remainder(a: Term, b: Term) -> Term:
    rest = apply("bvurem", _absolute(a), _absolute(b))
    return ite(is_negative(a), apply("bvneg", rest), rest)


def _signed_modulo(a: Term, b: Term) -> Term:
    rest = apply("bvsrem", a, b)
    fits = disjunction(apply("=", rest, zero(a.sort)), apply("=", first_bit(rest), first_bit(b)))
    return ite(fits, rest, apply("bvadd", rest, b))


def _absolute(t: Term) -> Term:
    return ite(is_negative(t), apply("bvneg", t), t)


def _overflows(extended: Callable[[int, Term], Term], operator: str, by_width: bool) -> Equal:
    """Return the formula that an operation on wider arguments gives another value."""

    def overflow(a: Term, b: Term) -> Term:
        by = width(a) if by_width else 1
        wide = apply(operator, extended(by, a), extended(by, b))
        return apply("distinct", wide, extended(by, apply(operator, a, b)))

    return overflow


def _not(operator: str, a: Term, b: Term) -> Term:
    return negation(apply(operator, a, b))


BINARY: Mapping[str, tuple[Equal, ...]] = {
    "bvadd": (
        lambda a, b: apply("bvsub", a, apply("bvneg", b)),
        lambda a, b: apply("bvadd", apply("bvor", a, b), apply("bvand", a, b)),
        lambda a, b: apply("bvadd", apply("bvxor", a, b), apply("bvshl", apply("bvand", a, b), one(a.sort))),
        lambda a, b: apply("bvneg", apply("bvadd", apply("bvneg", a), apply("bvneg", b))),
    ),
    "bvsub": (
        lambda a, b: apply("bvadd", a, apply("bvneg", b)),
        lambda a, b: apply("bvnot", apply("bvadd", apply("bvnot", a), b)),
        lambda a, b: apply("bvneg", apply("bvsub", b, a)),
    ),
    "bvmul": (
        lambda a, b: apply("bvmul", apply("bvneg", a), apply("bvneg", b)),
        lambda a, b: apply("bvneg", apply("bvmul", a, apply("bvneg", b))),
        lambda a, b: apply("bvsub", apply("bvmul", a, apply("bvadd", b, one(a.sort))), a),
        lambda a, b: extract(width(a) - 1, 0, apply("bvmul", zero_extended(1, a), sign_extended(1, b))),
    ),
    "bvand": (
        lambda a, b: apply("bvnot", apply("bvor", apply("bvnot", a), apply("bvnot", b))),
        lambda a, b: apply("bvnot", apply("bvnand", a, b)),
        lambda a, b: apply("bvsub", a, apply("bvand", a, apply("bvnot", b))),
    ),
    "bvor": (
        lambda a, b: apply("bvnot", apply("bvand", apply("bvnot", a), apply("bvnot", b))),
        lambda a, b: apply("bvnot", apply("bvnor", a, b)),
        lambda a, b: apply("bvxor", a, apply("bvand", apply("bvnot", a), b)),
    ),
    "bvxor": (
        lambda a, b: apply("bvor", apply("bvand", a, apply("bvnot", b)), apply("bvand", apply("bvnot", a), b)),
        lambda a, b: apply("bvsub", apply("bvor", a, b), apply("bvand", a, b)),
        lambda a, b: apply("bvnot", apply("bvxnor", a, b)),
    ),
    "bvnand": (lambda a, b: apply("bvnot", apply("bvand", a, b)),),
    "bvnor": (lambda a, b: apply("bvnot", apply("bvor", a, b)),),
    "bvxnor": (lambda a, b: apply("bvnot", apply("bvxor", a, b)), lambda a, b: apply("bvxor", apply("bvnot", a), b)),
    "bvudiv": (
        lambda a, b: ite(apply("=", b, zero(b.sort)), ones(b.sort), apply("bvudiv", a, b)),
        lambda a, b: ite(apply("bvult", a, b), zero(b.sort), apply("bvudiv", a, b)),
        lambda a, b: extract(width(a) - 1, 0, apply("bvudiv", zero_extended(1, a), zero_extended(1, b))),
    ),
    "bvurem": (
        lambda a, b: apply("bvsub", a, apply("bvmul", apply("bvudiv", a, b), b)),
        lambda a, b: ite(apply("bvult", a, b), a, apply("bvurem", a, b)),
        lambda a, b: extract(width(a) - 1, 0, apply("bvurem", zero_extended(2, a), zero_extended(2, b))),
    ),
    "bvsdiv": (_signed_division,),
    "bvsrem": (_signed_remainder, lambda a, b: apply("bvsub", a, apply("bvmul", apply("bvsdiv", a, b), b))),
    "bvsmod": (_signed_modulo,),
    "bvshl": (
        lambda a, b: apply("bvmul", a, apply("bvshl", one(a.sort), b)),
        lambda a, b: apply("bvshl", apply("bvadd", a, zero(a.sort)), b),
        lambda a, b: extract(width(a) - 1, 0, apply("bvshl", zero_extended(3, a), zero_extended(3, b))),
    ),
    "bvlshr": (
        lambda a, b: extract(width(a) - 1, 0, apply("bvashr", zero_extended(1, a), zero_extended(1, b))),
        lambda a, b: apply("bvnot", apply("bvnot", apply("bvlshr", a, b))),
    ),
    "bvashr": (
        lambda a, b: ite(is_negative(a), apply("bvnot", apply("bvlshr", apply("bvnot", a), b)), apply("bvlshr", a, b)),
        lambda a, b: apply("bvnot", apply("bvashr", apply("bvnot", a), b)),
        lambda a, b: extract(width(a) - 1, 0, apply("bvashr", sign_extended(2, a), zero_extended(2, b))),
    ),
    "bvcomp": (
        lambda a, b: bit(apply("=", a, b)),
        lambda a, b: apply("bvredand", apply("bvxnor", a, b)),
        lambda a, b: apply("bvcomp", apply("bvxor", a, b), zero(a.sort)),
    ),
    "=": (
        lambda a, b: apply("=", apply("bvcomp", a, b), vector(1, 1)),
        lambda a, b: apply("=", apply("bvxor", a, b), zero(a.sort)),
        lambda a, b: apply("=", apply("bvsub", a, b), zero(a.sort)),
        lambda a, b: apply("=", apply("bvnot", a), apply("bvnot", b)),
        lambda a, b: apply("=", apply("bvneg", a), apply("bvneg", b)),
        lambda a, b: apply("and", apply("bvule", a, b), apply("bvuge", a, b)),
        lambda a, b: apply("and", apply("bvsle", a, b), apply("bvsge", a, b)),
        lambda a, b: apply("bvule", apply("bvxor", a, b), zero(a.sort)),
        lambda a, b: apply("bvult", apply("bvsub", a, b), one(a.sort)),
        lambda a, b: apply("=", apply("bvredor", apply("bvxor", a, b)), vector(0, 1)),
    ),
    "bvult": (
        lambda a, b: _not("bvule", b, a),
        lambda a, b: apply("bvugt", b, a),
        lambda a, b: apply("bvusubo", a, b),
        lambda a, b: is_negative(apply("bvsub", zero_extended(1, a), zero_extended(1, b))),
    ),
    "bvule": (lambda a, b: _not("bvult", b, a), lambda a, b: disjunction(apply("bvult", a, b), apply("=", a, b))),
    "bvugt": (lambda a, b: apply("bvult", b, a), lambda a, b: _not("bvule", a, b)),
    "bvuge": (lambda a, b: apply("bvule", b, a), lambda a, b: _not("bvult", a, b)),
    "bvslt": (
        lambda a, b: _not("bvsle", b, a),
        lambda a, b: is_negative(apply("bvsub", sign_extended(1, a), sign_extended(1, b))),
    ),
    "bvsle": (lambda a, b: _not("bvslt", b, a), lambda a, b: disjunction(apply("bvslt", a, b), apply("=", a, b))),
    "bvsgt": (lambda a, b: apply("bvslt", b, a), lambda a, b: _not("bvsle", a, b)),
    "bvsge": (lambda a, b: apply("bvsle", b, a), lambda a, b: _not("bvslt", a, b)),
    "bvuaddo": (lambda a, b: apply("bvult", apply("bvadd", a, b), a), _overflows(zero_extended, "bvadd", False)),
    "bvsaddo": (_overflows(sign_extended, "bvadd", False),),
    "bvusubo": (lambda a, b: apply("bvult", a, b), _overflows(zero_extended, "bvsub", False)),
    "bvssubo": (_overflows(sign_extended, "bvsub", False),),
    "bvumulo": (_overflows(zero_extended, "bvmul", True),),
    "bvsmulo": (_overflows(sign_extended, "bvmul", True),),
    "bvsdivo": (lambda a, b: apply("and", apply("=", a, least(a.sort)), apply("=", b, ones(b.sort))),),
    "concat": (
        lambda a, b: apply(
            "bvor",
            apply("bvshl", zero_extended(width(b), a), vector(width(b), width(a) + width(b))),
            zero_extended(width(a), b),
        ),
    ),
}


UNARY: Mapping[str, tuple[Callable[[Term], Term], ...]] = {
    "bvneg": (
        lambda a: apply("bvadd", apply("bvnot", a), one(a.sort)),
        lambda a: apply("bvsub", zero(a.sort), a),
        lambda a: apply("bvmul", a, ones(a.sort)),
        lambda a: apply("bvnot", apply("bvsub", a, one(a.sort))),
    ),
    "bvnot": (
        lambda a: apply("bvsub", apply("bvneg", a), one(a.sort)),
        lambda a: apply("bvxor", a, ones(a.sort)),
        lambda a: apply("bvnand", a, a),
        lambda a: apply("bvsub", ones(a.sort), a),
    ),
    "bvredor": (
        lambda a: apply("bvnot", apply("bvcomp", a, zero(a.sort))),
        lambda a: bit(apply("distinct", a, zero(a.sort))),
    ),
    "bvredand": (lambda a: apply("bvcomp", a, ones(a.sort)),),
    "bvnego": (lambda a: apply("=", a, least(a.sort)),),
}

_BITWISE = ("bvand", "bvor", "bvxor", "bvnot", "bvnand", "bvnor", "bvxnor")
_LOW = ("bvadd", "bvmul", "bvsub", "bvneg")  # their low bits depend on the low bits of the arguments alone


def _indexed(term: Term, name: str, indices: tuple[int, ...]) -> list[Term]:
    """Return terms equal to one with an indexed operator."""
    (a,) = term.children
    w = width(a)
    if name == "zero_extend" and indices[0]:
        return [concat(vector(0, indices[0]), a)]
    if name == "sign_extend" and indices[0]:
        by = indices[0]
        mask = vector(1 << (w - 1), w + by)
        repeated = Apply(f"(_ repeat {by})", (first_bit(a),))
        flipped = apply("bvxor", zero_extended(by, a), mask)
        return [
            concat(repeated, a),
            concat(ite(is_negative(a), vector(-1, by), vector(0, by)), a),
            apply("bvsub", flipped, mask),
        ]
    if name in ("rotate_left", "rotate_right") and w > 1:
        by = indices[0] % w
        left = by if name == "rotate_left" else w - by
        if left in (0, w):
            return [a]
        shifted = apply("bvshl", a, vector(left, w)), apply("bvlshr", a, vector(w - left, w))
        return [concat(extract(w - 1 - left, 0, a), extract(w - 1, w - left, a)), apply("bvor", *shifted)]
    if name == "repeat" and 1 < indices[0] <= 8:
        return [concat(*(a for _ in range(indices[0])))]
    if name == "extract":
        return _extracted(indices[0], indices[1], a)
    return []


def _extracted(high: int, low: int, a: Term) -> list[Term]:
    """Return terms equal to a slice: cut in two, shifted, or moved into the arguments."""
    found = []
    if high > low:
        found.append(concat(extract(high, low + 1, a), extract(low, low, a)))
        found.append(concat(extract(high, high, a), extract(high - 1, low, a)))
    found.append(extract(high - low, 0, apply("bvlshr", a, vector(low, width(a)))))
    inner = a.operator if isinstance(a, Apply) else ""
    if inner in _BITWISE or (inner in _LOW and low == 0):
        found.append(a.rebuild([extract(high, low, child) for child in a.children]))
    return found


def defined_terms(term: Term) -> list[Term]:
    """Return the terms that the definition of the outermost operator gives."""
    if not isinstance(term, Apply) or not term.children:
        return []
    name, indices = split_operator(term.operator)
    if indices and name != "int2bv" and len(term.children) == 1:
        return _indexed(term, name, indices)
    if len(term.children) == 2:
        return [make(*term.children) for make in BINARY.get(name, ())] + _by_constant(name, *term.children)
    if len(term.children) == 1:
        return [make(*term.children) for make in UNARY.get(name, ())]
    return []


def _by_constant(name: str, a: Term, b: Term) -> list[Term]:
    """Return equal terms for shifts by constants, and for products and quotients with powers of two."""
    if not isinstance(b, Value) or not b.sort.is_bitvector:
        return []
    w, n = width(b), int(b.value)
    if name in ("bvshl", "bvlshr") and 0 < n < w:
        zeros = vector(0, n)
        return [concat(extract(w - 1 - n, 0, a), zeros) if name == "bvshl" else concat(zeros, extract(w - 1, n, a))]
    if name == "bvashr" and 0 < n < w:
        return [sign_extended(n, extract(w - 1, n, a))]
    if n and n & (n - 1) == 0:
        by = vector(n.bit_length() - 1, w)
        if name == "bvmul":
            return [apply("bvshl", a, by)]
        if name == "bvudiv":
            return [apply("bvlshr", a, by)]
        if name == "bvurem":
            return [apply("bvand", a, vector(n - 1, w))]
    if name == "bvmul" and 0 < n.bit_count() <= 4:
        parts = [apply("bvshl", a, vector(at, w)) for at in range(w) if n >> at & 1]
        return [Apply("bvadd", parts) if len(parts) > 1 else parts[0]]
    return []
