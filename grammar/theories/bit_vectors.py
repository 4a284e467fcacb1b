"""Bit-vectors, with the overflows and conversions of SMT-LIB 2.7 and some operators of solvers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import reduce
from typing import Any

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import OperandError
from chcfuzz.grammar.sorts import BOOL, INT, Sort, bitvec
from chcfuzz.grammar.terms import Apply, Term, Value, apply, conjunction, integer, vector
from chcfuzz.grammar.theories.integers import Numbers, whole
from chcfuzz.grammar.theory import (
    ALONE_IN_Z3,
    ExtensionKind,
    Indices,
    Lenience,
    Operator,
    Place,
    Sorts,
    Theory,
    TypingRule,
    WrittenOut,
    any_sorts,
    infix,
    of_one_sort,
    split_operator,
)

_WIDE = ((32, "BV-31"), (33, "BV32"), (64, "BV-63"), (65, "BV64"))


class BitVectors(Numbers):
    """Bit-vectors of any width; values are numbers from 0 on."""

    name = "BitVec"
    indices = 1

    def sort(self, width: int) -> Sort:
        """Return the bit-vectors of a width."""
        return bitvec(width)

    def related(self, sort: Sort) -> Iterable[Sort]:
        """Return the bit-vectors of half the width."""
        return (bitvec(sort.width // 2),) if sort.width > 1 else ()

    def weight(self, sort: Sort) -> int:
        """Return more for wider ones, and more than Real."""
        return 2 + sort.width

    def word(self, sort: Sort) -> str:
        """Return the class of the width."""
        if sort.width in (1, 8):
            return f"BV{sort.width}"
        if sort.width < 8:
            return "BV-7"
        return next((name for below, name in _WIDE if sort.width < below), "BV-more")

    def text(self, value: Any, sort: Sort) -> str:
        """Return hexadecimal digits if they fit, else binary ones."""
        width = sort.width
        return f"#x{int(value):0{width // 4}x}" if width % 4 == 0 else f"#b{int(value):0{width}b}"

    def values(self, sort: Sort, limit: int, _inside: tuple[Sort, ...] = ()) -> Sequence[Any] | None:
        """Return all numbers of the width."""
        return range(1 << sort.width) if sort.width < limit.bit_length() else None

    def has(self, value: Any, sort: Sort) -> bool:
        """Determine whether a value is a number of the width."""
        return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << sort.width

    def normal(self, value: Any, sort: Sort) -> Any:
        """Cut off the bits above the width."""
        return value % (1 << sort.width)

    def number(self, number: int | Fraction, sort: Sort) -> Value:
        """Return the number modulo 2^width."""
        return Value(int(number) % (1 << sort.width), sort)

    def samples(self, sort: Sort, constants: Sequence[Any]) -> Sequence[Any]:
        """Return small numbers, the least signed one and the one before it, and those around constants."""
        half = 1 << sort.width >> 1
        near = (value + step for value in constants for step in (0, 1, -1))
        return self._distinct((0, 1, -1, half, half - 1, *near), sort)

    def draw(self, sort: Sort, choices: Choices, _fuel: int) -> Term:
        """Draw one of a few numbers."""
        half = 1 << (sort.width - 1)
        return self.number(choices.pick((0, 1, -1, 2, half, half - 1, 5, 255)), sort)

    def draw_plain(self, sort: Sort, choices: Choices) -> Term:
        """Draw any value: each is a literal."""
        return self.draw(sort, choices, 0)

    def others(self, value: Value) -> Sequence[Value]:
        """Return the largest number, 0 and 1, and those on both sides of the sign."""
        most = (1 << value.sort.width) - 1
        numbers = dict.fromkeys((most, 0, 1, most // 2, most // 2 + 1))
        return [other for n in numbers if (other := Value(n, value.sort)) is not value][:3]


# Typing rules, and the places that drawing tries: indices are those that the widths suggest, such as the bits of a
# slice, or the bits that are missing from one width to another.


def _is_vector(sort: Sort) -> bool:
    return sort.is_bitvector


def _widths(sorts: Sorts) -> tuple[list[int], list[int]]:
    """Return the widths, and numbers that are likely as indices."""
    widths = sorted(sort.width for sort in sorts if sort.is_bitvector)
    return widths, sorted({0, 1, 2, *widths, *(abs(a - b) for a in widths for b in widths)})


def _with_index(sorts: Sorts) -> list[Place]:
    widths, numbers = _widths(sorts)
    return [((number,), (sort,)) for number in numbers for sort in sorts] if widths else []


def _slices(sorts: Sorts) -> list[Place]:
    widths, numbers = _widths(sorts)
    slices = sorted({(low + width - 1, low) for width in widths for low in (*numbers, *range(8))})
    vectors = [sort for sort in sorts if sort.is_bitvector]
    return [(pair, (sort,)) for pair in slices for sort in vectors if pair[0] < sort.width]


def _vectors(sorts: Sorts) -> list[Place]:

    return any_sorts([sort for sort in sorts if sort.is_bitvector])


def _extract(indices: Indices, sorts: Sorts) -> Sort | None:
    if len(indices) != 2 or len(sorts) != 1 or not sorts[0].is_bitvector:
        return None
    high, low = indices
    return bitvec(high - low + 1) if 0 <= low <= high < sorts[0].width else None


def _concat(indices: Indices, sorts: Sorts) -> Sort | None:
    fits = not indices and len(sorts) >= 2 and all(sort.is_bitvector for sort in sorts)
    return bitvec(sum(sort.width for sort in sorts)) if fits else None


def _widened(width: Callable[[int, int], int]) -> TypingRule:
    def rule(indices: Indices, sorts: Sorts) -> Sort | None:
        if len(indices) != 1 or len(sorts) != 1 or not sorts[0].is_bitvector:
            return None
        wide = width(sorts[0].width, indices[0])
        return bitvec(wide) if wide > 0 else None

    return TypingRule(rule, _with_index)


def _of_number(indices: Indices, sorts: Sorts) -> Sort | None:
    return bitvec(indices[0]) if len(indices) == 1 and indices[0] > 0 and tuple(sorts) == (INT,) else None


_SAME_1, _SAME_2, _SAME = (of_one_sort(_is_vector, None, *bounds) for bounds in ((1, 1), (2, 2), (2, None)))
_BIT_1, _BIT_2 = (of_one_sort(_is_vector, bitvec(1), number, number) for number in (1, 2))
_TRUTH_1, _TRUTH_2 = (of_one_sort(_is_vector, BOOL, number, number) for number in (1, 2))
_NUMBER = of_one_sort(_is_vector, INT, 1, 1)
_EXTENDED = _widened(lambda width, by: width + by)
_ROTATED = _widened(lambda width, _: width)


# Values: functions of the width of the first argument, the indices, and the arguments. They are taken modulo the width
# of the result.


def _signed(width: int, a: int) -> int:
    return a - (1 << width) if a >> (width - 1) else a


def _overflows(width: int, a: int) -> bool:
    """Return whether a signed number needs more bits."""
    return not -(1 << (width - 1)) <= a < 1 << (width - 1)


def _signed_divide(width: int, a: int, b: int) -> int:
    """SMT-LIB's bvsdiv, by bvudiv on absolute values; division by zero gives 1 or -1."""
    a, b = _signed(width, a), _signed(width, b)
    if b == 0:
        return 1 if a < 0 else -1
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _signed_remainder(width: int, a: int, b: int) -> int:
    """SMT-LIB's bvsrem: the sign of the first argument."""
    a, b = _signed(width, a), _signed(width, b)
    return a if b == 0 else a % abs(b) if a >= 0 else -(-a % abs(b))


def _signed_modulo(width: int, a: int, b: int) -> int:
    """SMT-LIB's bvsmod: the sign of the second argument."""
    a, b = _signed(width, a), _signed(width, b)
    return a if b == 0 else a % b


def _rotated(width: int, by: int, a: int) -> int:
    by %= width
    return a << by | a >> (width - by)


def _concatenated(term: Apply, *args: int) -> int:
    value = 0
    for arg, child in zip(args, term.children, strict=True):
        value = value << child.sort.width | arg
    return value


def _operator(name: str, rule: TypingRule, value: Callable[..., Any], **more: Any) -> Operator:
    return Operator(name, rule, lambda term, *args: value(term.children[0].sort.width, *args), **more)


def _indexed(name: str, rule: TypingRule, value: Callable[..., Any]) -> Operator:
    def of(term: Apply, *args: int) -> Any:
        return value(term.children[0].sort.width, *split_operator(term.operator)[1], *args)

    return Operator(name, rule, of)


# Operators in terms of others, for readers that do not have them.


def _most(width: int) -> Value:
    return vector(-1, width)


def _least_signed(width: int) -> Value:
    return vector(1 << (width - 1), width)


def _unsigned_overflow(operator: str, more: int) -> Callable[[Term, Term], Term]:
    """Return whether the result has a bit above the width; `more` is the number of these bits, 0 for the width."""

    def written(a: Term, b: Term) -> Term:
        width = a.sort.width
        by = more or width
        wide = apply(operator, *(Apply(f"(_ zero_extend {by})", (each,)) for each in (a, b)))
        return apply("distinct", Apply(f"(_ extract {width + by - 1} {width})", (wide,)), vector(0, by))

    return written


def _signed_overflow(operator: str, more: int) -> Callable[[Term, Term], Term]:
    def written(a: Term, b: Term) -> Term:
        extend = f"(_ sign_extend {more or a.sort.width})"
        exact = apply(operator, *(Apply(extend, (each,)) for each in (a, b)))
        return apply("distinct", Apply(extend, (apply(operator, a, b),)), exact)

    return written


def _signed_number(a: Term) -> Term:
    width = a.sort.width
    plain = apply("bv2nat", a)
    return apply("ite", apply("bvslt", a, vector(0, width)), apply("-", plain, integer(1 << width)), plain)


def _division_overflow(a: Term, b: Term) -> Term:
    return conjunction(apply("=", a, _least_signed(a.sort.width)), apply("=", b, _most(b.sort.width)))


def _of_2_7(
    name: str, rule: TypingRule, value: Callable[..., Any], written: Callable[..., Term], *lacking: str
) -> Operator:
    """Return an operator that SMT-LIB got late, with the readers that lack it."""
    absent = frozenset(("princess", "yices", "mathsat", *lacking))
    return _operator(name, rule, value, is_for_smt=True, written_out=written, lacking=absent)


# Operators that only some readers have, and that are written out when they are read.


def _parity(a: Term) -> Term:
    bits = [Apply(f"(_ extract {bit} {bit})", (a,)) for bit in range(a.sort.width)]
    return Apply("bvxor", bits) if len(bits) > 1 else a


def _no_signed_overflow(is_above: bool) -> Callable[[Term, Term], Term]:
    """Return whether a product is in range on one side: it is above if the factors have one sign."""

    def written(a: Term, b: Term) -> Term:
        zero = vector(0, a.sort.width)
        signs = [apply("bvslt", each, zero) for each in (a, b)]
        side = apply("=" if is_above else "distinct", *signs)
        return apply("not", conjunction(apply("bvsmulo", a, b), side))

    return written


def _rotation(forth: str, back: str) -> Callable[[Term, Term], Term]:
    def written(a: Term, b: Term) -> Term:
        width = vector(a.sort.width, a.sort.width)
        by = apply("bvurem", b, width)
        return apply("bvor", apply(forth, a, by), apply(back, a, apply("bvsub", width, by)))

    return written


def _reading(name: str, number: int, write: Callable[..., Term]) -> tuple[str, WrittenOut]:
    def written(_: Indices, args: list[Term]) -> Term:
        sorts = [arg.sort for arg in args]
        if len(args) != number or not sorts[0].is_bitvector or any(sort is not sorts[0] for sort in sorts):
            raise OperandError(f"{name} is not defined on ({' '.join(map(str, sorts))})")
        return write(*args)

    return name, WrittenOut(written)


def _bit(indices: Indices, args: list[Term]) -> Term:
    """Write out `bit2bool`, which lemmas of Spacer have."""
    return Apply("=", (Apply(f"(_ extract {indices[0]} {indices[0]})", args), vector(1, 1)))


def _literal(name: str, indices: Indices) -> Term | None:
    """Return the constant of `(_ bv5 8)`."""
    if not name.startswith("bv") or not name[2:].isdecimal() or len(indices) != 1:
        return None
    return vector(whole(name[2:]), indices[0])


def _native_sign_extended(sort: Sort, indices: Indices, args: list[str]) -> str:
    top = f"{args[0]}^{{{sort.width - 1},{sort.width - 1}}}"
    return "(" + " @ ".join([*[top] * indices[0], args[0]]) + ")"


def _native_rotated(sort: Sort, by: int, arg: str) -> str:
    """Return a bit-vector rotated to the left."""
    by %= sort.width
    if by == 0:
        return arg
    return f"({arg}^{{0,{sort.width - by - 1}}} @ {arg}^{{{sort.width - by},{sort.width - 1}}})"


# SMT-LIB 2.7 has other names for conversions. cvc5 and Z3 read both names, Princess only the old ones.
_TO_NUMBER, _OF_NUMBER = (dict.fromkeys(("smtlib", "cvc5"), name) for name in ("ubv_to_int", "int_to_bv"))
_PRINCESS = frozenset(("princess",))
_SOURCE = "src/ast/bv_decl_plugin.cpp, get_op_names"
_BIT2BOOL = "src/ast/bv_decl_plugin.cpp, OP_BIT2BOOL; lemmas of Spacer have it"
_ALIKE = ("bvand", "bvor", "bvxor", "bvadd", "bvmul")

THEORY = Theory(
    "bit-vectors",
    operators=(
        _operator("bvnot", _SAME_1, lambda _, a: ~a),
        _operator("bvneg", _SAME_1, lambda _, a: -a),
        _operator("bvand", _SAME, lambda _, *args: reduce(lambda a, b: a & b, args), least_reduced=1),
        _operator("bvor", _SAME, lambda _, *args: reduce(lambda a, b: a | b, args), least_reduced=1),
        _operator("bvxor", _SAME, lambda _, *args: reduce(lambda a, b: a ^ b, args), binary=_PRINCESS, least_reduced=1),
        _operator("bvadd", _SAME, lambda _, *args: sum(args), least_reduced=1),
        _operator("bvmul", _SAME, lambda _, *args: math.prod(args), least_reduced=1),
        _operator("bvnand", _SAME_2, lambda _, a, b: ~(a & b)),
        _operator("bvnor", _SAME_2, lambda _, a, b: ~(a | b)),
        _operator("bvxnor", _SAME_2, lambda _, a, b: ~(a ^ b)),
        _operator("bvsub", _SAME_2, lambda _, a, b: a - b, least_reduced=1),
        _operator("bvshl", _SAME_2, lambda width, a, b: a << min(b, width)),
        _operator("bvlshr", _SAME_2, lambda width, a, b: a >> min(b, width)),
        _operator("bvashr", _SAME_2, lambda width, a, b: _signed(width, a) >> min(b, width)),
        _operator("bvudiv", _SAME_2, lambda _, a, b: a // b if b else -1),
        _operator("bvurem", _SAME_2, lambda _, a, b: a % b if b else a),
        _operator("bvsdiv", _SAME_2, _signed_divide),
        _operator("bvsrem", _SAME_2, _signed_remainder),
        _operator("bvsmod", _SAME_2, _signed_modulo),
        _operator("bvult", _TRUTH_2, lambda _, a, b: a < b),
        _operator("bvule", _TRUTH_2, lambda _, a, b: a <= b),
        _operator("bvugt", _TRUTH_2, lambda _, a, b: a > b),
        _operator("bvuge", _TRUTH_2, lambda _, a, b: a >= b),
        _operator("bvslt", _TRUTH_2, lambda width, a, b: _signed(width, a) < _signed(width, b)),
        _operator("bvsle", _TRUTH_2, lambda width, a, b: _signed(width, a) <= _signed(width, b)),
        _operator("bvsgt", _TRUTH_2, lambda width, a, b: _signed(width, a) > _signed(width, b)),
        _operator("bvsge", _TRUTH_2, lambda width, a, b: _signed(width, a) >= _signed(width, b)),
        _operator("bvcomp", _BIT_2, lambda _, a, b: int(a == b)),
        Operator("concat", TypingRule(_concat, _vectors), _concatenated),
        _indexed("extract", TypingRule(_extract, _slices), lambda _, _high, low, a: a >> low),
        _indexed("zero_extend", _EXTENDED, lambda _, _by, a: a),
        _indexed("sign_extend", _EXTENDED, lambda width, _by, a: _signed(width, a)),
        _indexed("rotate_left", _ROTATED, _rotated),
        _indexed("rotate_right", _ROTATED, lambda width, by, a: _rotated(width, -by, a)),
        _indexed(
            "repeat",
            _widened(lambda width, times: width * times),
            lambda width, times, a: sum(a << width * i for i in range(times)),
        ),
        Operator("int2bv", TypingRule(_of_number, _with_index), lambda _, a: a, names=_OF_NUMBER),
        Operator("bv2nat", _NUMBER, lambda _, a: a, names=_TO_NUMBER),
        _of_2_7(
            "bvredand",
            _BIT_1,
            lambda width, a: int(a == (1 << width) - 1),
            lambda a: apply("bvcomp", a, _most(a.sort.width)),
            "smtlib",
        ),
        _of_2_7(
            "bvredor",
            _BIT_1,
            lambda _, a: int(a != 0),
            lambda a: apply("bvnot", apply("bvcomp", a, vector(0, a.sort.width))),
            "smtlib",
        ),
        _of_2_7(
            "bvnego",
            _TRUTH_1,
            lambda width, a: a == 1 << (width - 1),
            lambda a: apply("=", a, _least_signed(a.sort.width)),
        ),
        _of_2_7("bvuaddo", _TRUTH_2, lambda width, a, b: a + b >= 1 << width, _unsigned_overflow("bvadd", 1)),
        _of_2_7(
            "bvsaddo",
            _TRUTH_2,
            lambda width, a, b: _overflows(width, _signed(width, a) + _signed(width, b)),
            _signed_overflow("bvadd", 1),
        ),
        _of_2_7("bvusubo", _TRUTH_2, lambda _, a, b: a < b, lambda a, b: apply("bvult", a, b)),
        _of_2_7(
            "bvssubo",
            _TRUTH_2,
            lambda width, a, b: _overflows(width, _signed(width, a) - _signed(width, b)),
            _signed_overflow("bvsub", 1),
        ),
        _of_2_7("bvumulo", _TRUTH_2, lambda width, a, b: a * b >= 1 << width, _unsigned_overflow("bvmul", 0)),
        _of_2_7(
            "bvsmulo",
            _TRUTH_2,
            lambda width, a, b: _overflows(width, _signed(width, a) * _signed(width, b)),
            _signed_overflow("bvmul", 0),
        ),
        _of_2_7(
            "bvsdivo",
            _TRUTH_2,
            lambda width, a, b: a == 1 << (width - 1) and b == (1 << width) - 1,
            _division_overflow,
        ),
        _of_2_7("sbv_to_int", _NUMBER, _signed, _signed_number),
    ),
    kinds=(BitVectors(),),
    constants={
        "HEXADECIMAL": lambda text: vector(int(text[2:], 16), 4 * (len(text) - 2)),
        "BINARY": lambda text: vector(int(text[2:], 2), len(text) - 2),
    },
    literal=_literal,
    leniences=(
        Lenience(ExtensionKind.ALIAS, ("bv2int", "ubv_to_int"), f"{_SOURCE}; SMT-LIB 2.7", "bv2nat"),
        Lenience(ExtensionKind.ALIAS, ("int_to_bv",), f"{_SOURCE}; SMT-LIB 2.7", "int2bv"),
        *(
            Lenience(ExtensionKind.ALIAS, (f"{name}_i",), "src/ast/bv_decl_plugin.cpp, what simplify prints", name)
            for name in ("bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod")
        ),
        Lenience(ExtensionKind.WRITTEN_OUT, ("bit2bool",), _BIT2BOOL),
        Lenience(ExtensionKind.ALONE, (*_ALIKE, "concat"), ALONE_IN_Z3),
    ),
    readings=dict(
        (
            ("bit2bool", WrittenOut(_bit, indices=1)),
            _reading("bvredxor", 1, _parity),
            _reading("bvumul_noovfl", 2, lambda a, b: apply("not", apply("bvumulo", a, b))),
            _reading("bvsmul_noovfl", 2, _no_signed_overflow(True)),
            _reading("bvsmul_noudfl", 2, _no_signed_overflow(False)),
            _reading("ext_rotate_left", 2, _rotation("bvshl", "bvlshr")),
            _reading("ext_rotate_right", 2, _rotation("bvlshr", "bvshl")),
        )
    ),
    alt_ergo={
        "concat": infix("@"),
        "bvcomp": lambda _, _i, args: f"(if {args[0]} = {args[1]} then [|1|] else [|0|])",
        "extract": lambda _, indices, args: f"{args[0]}^{{{indices[1]},{indices[0]}}}",
        "zero_extend": lambda _, indices, args: f"([|{'0' * indices[0]}|] @ {args[0]})" if indices[0] else args[0],
        "sign_extend": _native_sign_extended,
        "repeat": lambda _, indices, args: f"({' @ '.join(args * indices[0])})",
        "rotate_left": lambda sort, indices, args: _native_rotated(sort, indices[0], args[0]),
        "rotate_right": lambda sort, indices, args: _native_rotated(sort, -indices[0], args[0]),
    },
    taken=("bvite", "concat", "extract", "repeat"),
)
