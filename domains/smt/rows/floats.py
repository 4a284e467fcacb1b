"""Floating point: a term becomes an equal one, by equalities of IEEE arithmetic that hold for all values.

The values include NaN, both zeros and infinities, and the equality is that of SMT-LIB, which distinguishes zeros. Many
laws of arithmetic do not hold then: sums are not associative, `x - x` may be NaN, and `x + 0` is another zero for -0 in
most rounding modes. An operator that SMT-LIB leaves partly open stays where it is open.
"""

from __future__ import annotations

from collections.abc import Callable

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.evaluation.ieee import MODES, Format
from chcfuzz.grammar.sort_kinds import kind_of
from chcfuzz.grammar.sorts import Sort
from chcfuzz.grammar.terms import Apply, Term, Value, apply, conjunction, disjunction, negation, vector
from chcfuzz.grammar.theories.float_kinds import MODE, format_of, is_float
from chcfuzz.grammar.theory import joined, split_operator
from chcfuzz.mutators.mutation import Promise
from chcfuzz.mutators.rewriting.term_rows import About, row_of_term
from chcfuzz.mutators.rewriting.vector_terms import ite

_MOST = 40  # nodes of a term that may be duplicated
_DOWN = Value(MODES.index("RTN"), MODE)
_OPPOSITE = {"RTP": "RTN", "RTN": "RTP"}
_WIDER = {(5, 11): (8, 24), (8, 24): (11, 53), (11, 53): (15, 113)}  # formats that all solvers read


def _value(bits: int, sort: Sort) -> Value:
    return Value(bits, sort)


def _zero(sort: Sort, is_negative: bool = False) -> Value:
    return Value(format_of(sort).sign if is_negative else 0, sort)


def _number(number: int, sort: Sort) -> Value:
    return kind_of(sort).number(number, sort)


def _mode(choices: Choices) -> Value:
    return Value(choices.index(len(MODES)), MODE)


def _neutral(mode: Value, sort: Sort) -> Value:
    """Return the zero that changes no value when it is added: -0, and +0 when the sum is rounded down."""
    return _zero(sort, is_negative=mode is not _DOWN)


def wider(f: Format) -> Format:
    """Return a format that has all numbers of another one."""
    return Format(*_WIDER.get(f, (f.exponent + 1, f.significand + 2)))


def same(t: Term, choices: Choices) -> Term:
    """Return the term with a neutral element, after an operation and its inverse, or converted and back."""
    s, mode = t.sort, _mode(choices)
    f = format_of(s)
    one = _number(1, s)
    options: tuple[Callable[[], Term], ...] = (
        lambda: apply("fp.neg", apply("fp.neg", t)),
        lambda: apply("fp.add", mode, t, _neutral(mode, s)),
        lambda: apply("fp.add", mode, _neutral(mode, s), t),
        lambda: apply("fp.sub", mode, t, _zero(s, is_negative=mode is _DOWN)),
        lambda: apply(choices.pick(("fp.mul", "fp.div")), mode, t, one),
        lambda: apply("fp.mul", mode, _number(-1, s), apply("fp.neg", t)),
        lambda: apply("fp.fma", mode, one, t, _neutral(mode, s)),
        lambda: apply(choices.pick(("fp.min", "fp.max")), t, t),
        lambda: ite(apply("fp.isNegative", t), apply("fp.neg", apply("fp.abs", t)), apply("fp.abs", t)),
        lambda: ite(apply("fp.isNaN", t), _value(f.nan, s), t),
        lambda: ite(apply("fp.isZero", t), ite(apply("fp.isNegative", t), _zero(s, True), _zero(s)), t),
        lambda: _to(f, _mode(choices), _to(wider(f), mode, t)),
    )
    return choices.pick(options)()


def _to(f: Format, mode: Term, t: Term) -> Term:
    return Apply(joined("to_fp", f), (mode, t))


# Definitions: an application becomes an equal term. The functions get its arguments.


def _negated(a: Term) -> Term:
    return apply("fp.neg", a)


def _opposite(mode: Term) -> Value | None:
    """Return the mode that rounds a negated number like this one; None for one that is not a constant."""
    if not isinstance(mode, Value):
        return None
    name = MODES[int(mode.value)]
    return Value(MODES.index(_OPPOSITE.get(name, name)), MODE)


def _is_directed(mode: Term) -> bool:
    return isinstance(mode, Value) and MODES[int(mode.value)] in _OPPOSITE


def _sums(mode: Term, a: Term, b: Term) -> list[Term]:
    found = [apply("fp.sub", mode, a, _negated(b)), apply("fp.add", mode, b, a)]
    found.append(apply("fp.fma", mode, a, _number(1, a.sort), b))
    opposite = _opposite(mode)
    if opposite is not None and _is_directed(mode):  # other sums 0 would get another sign
        found.append(_negated(apply("fp.add", opposite, _negated(a), _negated(b))))
    if a is b:
        found.append(apply("fp.mul", mode, a, _number(2, a.sort)))
    return found


def _products(mode: Term, a: Term, b: Term) -> list[Term]:
    found = [apply("fp.mul", mode, b, a), apply("fp.mul", mode, _negated(a), _negated(b))]
    if isinstance(mode, Value):
        found.append(apply("fp.fma", mode, a, b, _neutral(mode, a.sort)))
    return found + _mirrored("fp.mul", mode, a, b)


def _quotients(mode: Term, a: Term, b: Term) -> list[Term]:
    return [apply("fp.div", mode, _negated(a), _negated(b)), *_mirrored("fp.div", mode, a, b)]


def _mirrored(operator: str, mode: Term, a: Term, b: Term) -> list[Term]:
    opposite = _opposite(mode)
    return [] if opposite is None else [_negated(apply(operator, opposite, a, _negated(b)))]


def _minima(operator: str, compare: str, a: Term, b: Term) -> list[Term]:
    """Return the minimum or maximum by a comparison; two zeros of different signs stay open."""
    zeros = conjunction(apply("fp.isZero", a), apply("fp.isZero", b))
    chosen = ite(disjunction(apply("fp.isNaN", b), apply(compare, a, b)), a, b)
    return [ite(zeros, apply(operator, a, b), chosen)]


def _is_number(a: Term) -> Term:
    return negation(apply("fp.isNaN", a))


def _equal(a: Term, b: Term) -> list[Term]:
    zeros = conjunction(apply("fp.isZero", a), apply("fp.isZero", b))
    return [
        conjunction(apply("fp.leq", a, b), apply("fp.leq", b, a)),
        conjunction(_is_number(a), disjunction(apply("=", a, b), zeros)),
        apply("fp.eq", b, a),
    ]


def _less(a: Term, b: Term) -> list[Term]:
    return [
        apply("fp.gt", b, a),
        conjunction(negation(apply("fp.geq", a, b)), _is_number(a), _is_number(b)),
        apply("fp.lt", _negated(b), _negated(a)),
        conjunction(apply("fp.leq", a, b), negation(apply("fp.eq", a, b))),
    ]


def _at_most(a: Term, b: Term) -> list[Term]:
    return [
        apply("fp.geq", b, a),
        disjunction(apply("fp.lt", a, b), apply("fp.eq", a, b)),
        apply("fp.leq", _negated(b), _negated(a)),
    ]


def _identical(a: Term, b: Term) -> list[Term]:
    nan = conjunction(apply("fp.isNaN", a), apply("fp.isNaN", b))
    signs = apply("=", apply("fp.isNegative", a), apply("fp.isNegative", b))
    return [disjunction(nan, conjunction(apply("fp.eq", a, b), signs)), apply("=", _negated(a), _negated(b))]


def _bound(a: Term) -> Value:
    """Return the least normal number."""
    return _value(1 << (format_of(a.sort).significand - 1), a.sort)


def _size(a: Term) -> Term:
    return apply("fp.abs", a)


def _infinity(a: Term) -> Value:
    return _value(format_of(a.sort).infinity, a.sort)


DEFINITIONS: dict[str, Callable[..., list[Term]]] = {
    "fp.add": _sums,
    "fp.sub": lambda mode, a, b: [apply("fp.add", mode, a, _negated(b))],
    "fp.mul": _products,
    "fp.div": _quotients,
    "fp.fma": lambda mode, a, b, c: [
        apply("fp.fma", mode, b, a, c),
        apply("fp.fma", mode, _negated(a), _negated(b), c),
    ],
    "fp.sqrt": lambda mode, a: [ite(apply("fp.isZero", a), a, apply("fp.sqrt", mode, a))],
    "fp.neg": lambda a: [apply("fp.mul", Value(0, MODE), a, _number(-1, a.sort))],
    "fp.abs": lambda a: [ite(apply("fp.isNegative", a), _negated(a), a), _size(_negated(a))],
    "fp.roundToIntegral": lambda mode, a: [
        apply("fp.roundToIntegral", Value(0, MODE), apply("fp.roundToIntegral", mode, a))
    ],
    "fp.min": lambda a, b: _minima("fp.min", "fp.lt", a, b),
    "fp.max": lambda a, b: _minima("fp.max", "fp.gt", a, b),
    "fp.eq": _equal,
    "fp.lt": _less,
    "fp.leq": _at_most,
    "fp.gt": lambda a, b: _less(b, a),
    "fp.geq": lambda a, b: _at_most(b, a),
    "=": _identical,
    "fp.isNaN": lambda a: [negation(apply("fp.eq", a, a)), apply("=", a, _value(format_of(a.sort).nan, a.sort))],
    "fp.isZero": lambda a: [apply("fp.eq", a, _zero(a.sort)), apply("=", _size(a), _zero(a.sort))],
    "fp.isInfinite": lambda a: [apply("fp.eq", _size(a), _infinity(a)), apply("=", _size(a), _infinity(a))],
    "fp.isNegative": lambda a: [disjunction(apply("fp.lt", a, _zero(a.sort)), apply("=", a, _zero(a.sort, True)))],
    "fp.isPositive": lambda a: [apply("fp.isNegative", _negated(a))],
    "fp.isNormal": lambda a: [
        conjunction(apply("fp.leq", _bound(a), _size(a)), apply("fp.lt", _size(a), _infinity(a)))
    ],
    "fp.isSubnormal": lambda a: [conjunction(negation(apply("fp.isZero", a)), apply("fp.lt", _size(a), _bound(a)))],
}


def defined_terms(term: Apply) -> list[Term]:
    """Return terms that are equal to an application of an operator without indices."""
    return DEFINITIONS[term.operator](*term.children)


def _is_defined(term: Term) -> bool:
    if not isinstance(term, Apply) or term.operator not in DEFINITIONS or term.size > _MOST:
        return False
    comparison = term.operator in ("=", "fp.eq", "fp.lt", "fp.leq", "fp.gt", "fp.geq")
    return is_float(term.children[-1].sort) and (len(term.children) == 2 or not comparison)


def _defined(term: Term, choices: Choices) -> Term | None:
    assert isinstance(term, Apply)
    return choices.pick(defined_terms(term))


def _by_mode(term: Term, choices: Choices) -> Term | None:
    """Return the term with its rounding mode as a constant where it is that constant."""
    mode = term.children[0]
    chosen = _mode(choices)
    return None if isinstance(mode, Value) else ite(apply("=", mode, chosen), _with_mode(term, chosen), term)


def _with_mode(term: Term, mode: Term) -> Term:
    return term.rebuild((mode, *term.children[1:]))


def _has_mode(term: Term) -> bool:
    return bool(term.children) and term.children[0].sort is MODE and is_float(term.sort) and term.size <= _MOST


def is_exact(term: Term) -> bool:
    """Determine whether a conversion gives the same in every rounding mode: the format has all its numbers."""
    if not isinstance(term, Apply) or len(term.children) != 2 or term.children[0].sort is not MODE:
        return False
    name, _ = split_operator(term.operator)
    if name not in ("to_fp", "to_fp_unsigned"):
        return False
    target, source = format_of(term.sort), term.children[1].sort
    if is_float(source):
        old = format_of(source)
        return old.exponent <= target.exponent and old.significand <= target.significand
    most = 1 - target.least_exponent  # exponent
    return source.is_bitvector and source.width <= min(target.significand, most)


def _other_mode(term: Term, choices: Choices) -> Term | None:
    return _with_mode(term, _mode(choices))


def _is_of_vector(term: Term) -> bool:
    if not isinstance(term, Apply) or len(term.children) != 2 or term.size > _MOST:
        return False
    name, _ = split_operator(term.operator)
    return name in ("to_fp", "to_fp_unsigned") and term.children[1].sort.is_bitvector


def of_vector(term: Term, choices: Choices) -> Term | None:
    """Return the conversion of a wider bit-vector, or that of a signed one by that of its magnitude."""
    assert isinstance(term, Apply)
    mode, a = term.children
    name, indices = split_operator(term.operator)
    opposite = _opposite(mode)
    if name == "to_fp" and opposite is not None and choices.boolean():
        plain = joined("to_fp_unsigned", indices)
        below = apply("fp.neg", Apply(plain, (opposite, apply("bvneg", a))))
        return ite(apply("bvslt", a, vector(0, a.sort.width)), below, Apply(plain, (mode, a)))
    extend = "sign_extend" if name == "to_fp" else "zero_extend"
    return Apply(term.operator, (mode, Apply(joined(extend, (choices.integer(1, 8),)), (a,))))


def _is_small(term: Term) -> bool:
    return is_float(term.sort) and term.size <= _MOST


def _is_computed_real(term: Term) -> bool:
    return (
        isinstance(term, Apply)
        and term.operator == "fp.to_real"
        and format_of(term.children[0].sort).significand <= 24
        and term.size <= _MOST
    )


def through_real(term: Term, choices: Choices) -> Term:
    """Return the number after a conversion to a wider format, which leaves other values open."""
    a = term.children[0]
    is_open = disjunction(apply("fp.isNaN", a), apply("fp.isInfinite", a))
    return ite(is_open, term, apply("fp.to_real", _to(wider(format_of(a.sort)), _mode(choices), a)))


def _about(name: str, summary: str) -> About:
    source = "IEEE 754-2019 and SMT-LIB's theory FloatingPoint; rewriters of Z3, cvc5 and Bitwuzla, and symfpu"
    return About(f"smt_floats.{name}", Promise.EQUIVALENT, summary, source, light=True)


MUTATIONS = (
    row_of_term(_about("same", "a float gets a neutral element, or an operation and its inverse"), _is_small, same),
    row_of_term(_about("defined", "an operation on floats becomes an equal one"), _is_defined, _defined),
    row_of_term(_about("by-mode", "a case distinction on the rounding mode"), _has_mode, _by_mode),
    row_of_term(_about("exact-mode", "an exact conversion gets another rounding mode"), is_exact, _other_mode),
    row_of_term(_about("of-vector", "a bit-vector is converted from a wider one"), _is_of_vector, of_vector),
    row_of_term(_about("wider-real", "a real number from a wider format"), _is_computed_real, through_real),
)
