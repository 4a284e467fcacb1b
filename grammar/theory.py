"""The operators of the theories (SMT-LIB 2.6): which sorts they take, and which they give."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import product

from chcfuzz.grammar.errors import LimitError, OperandError
from chcfuzz.grammar.sorts import BOOL, INT, REAL, Sort, bitvec

Sorts = Sequence[Sort]
Rule = Callable[[tuple[int, ...], Sorts], Sort | None]


@lru_cache(maxsize=1 << 16)
def split_operator(operator: str) -> tuple[str, tuple[int, ...]]:
    """Name and indices: `(_ extract 7 0)` is ("extract", (7, 0)). A tester is a name as a whole."""
    if not operator.startswith("(_ ") or operator.startswith("(_ is "):
        return operator, ()
    name, *indices = operator[3:-1].split()
    return name, tuple(map(int, indices))


def result_sort(operator: str, sorts: Sorts) -> Sort:
    """Return the sort of `operator` applied to terms of these sorts; raises `SortError` if it is ill-sorted."""
    result = _result(operator, tuple(sorts))
    if result is None:
        raise OperandError(f"{operator} is not defined on ({' '.join(map(str, sorts))})")
    return result


@lru_cache(maxsize=1 << 12)
def _result(operator: str, sorts: tuple[Sort, ...]) -> Sort | None:
    name, indices = split_operator(operator)
    rule = _RULES.get(name) or _MORE_RULES.get(name)
    return rule(indices, sorts) if rule else None


def _all(wanted: Sort, result: Sort, least: int = 1, most: int | None = None) -> Rule:
    def rule(indices: tuple[int, ...], sorts: Sorts) -> Sort | None:
        fits = not indices and least <= len(sorts) <= (most or len(sorts)) and all(s is wanted for s in sorts)
        return result if fits else None

    return rule


def _same(result: Sort | None, least: int, most: int | None = None) -> Rule:
    """All arguments of one sort; that sort, or `result`."""

    def rule(indices: tuple[int, ...], sorts: Sorts) -> Sort | None:
        fits = not indices and least <= len(sorts) <= (most or len(sorts)) and all(s is sorts[0] for s in sorts)
        return (result or sorts[0]) if fits else None

    return rule


def _numeric(result: Sort | None, least: int = 1, most: int | None = None) -> Rule:
    same = _same(result, least, most)
    return lambda indices, sorts: same(indices, sorts) if sorts and sorts[0].is_numeric else None


def _vectors(result: Sort | None, least: int = 2, most: int | None = 2) -> Rule:
    same = _same(result, least, most)
    return lambda indices, sorts: same(indices, sorts) if sorts and sorts[0].is_bitvector else None


def _ite(indices: tuple[int, ...], sorts: Sorts) -> Sort | None:
    fits = not indices and len(sorts) == 3 and sorts[0] is BOOL and sorts[1] is sorts[2]
    return sorts[1] if fits else None


def _select(indices: tuple[int, ...], sorts: Sorts) -> Sort | None:
    fits = not indices and len(sorts) == 2 and sorts[0].is_array and sorts[1] is sorts[0].index
    return sorts[0].element if fits else None


def _store(indices: tuple[int, ...], sorts: Sorts) -> Sort | None:
    fits = not indices and len(sorts) == 3 and sorts[0].is_array
    return sorts[0] if fits and sorts[1] is sorts[0].index and sorts[2] is sorts[0].element else None


def _concat(indices: tuple[int, ...], sorts: Sorts) -> Sort | None:
    fits = not indices and len(sorts) >= 2 and all(s.is_bitvector for s in sorts)
    return bitvec(sum(s.width for s in sorts)) if fits else None


def _extract(indices: tuple[int, ...], sorts: Sorts) -> Sort | None:
    if len(indices) != 2 or len(sorts) != 1 or not sorts[0].is_bitvector:
        return None
    high, low = indices
    return bitvec(high - low + 1) if 0 <= low <= high < sorts[0].width else None


def _widened(width: Callable[[int, int], int]) -> Rule:
    def rule(indices: tuple[int, ...], sorts: Sorts) -> Sort | None:
        if len(indices) != 1 or len(sorts) != 1 or not sorts[0].is_bitvector:
            return None
        wide = width(sorts[0].width, indices[0])
        return bitvec(wide) if wide > 0 else None

    return rule


def _int2bv(indices: tuple[int, ...], sorts: Sorts) -> Sort | None:
    return bitvec(indices[0]) if len(indices) == 1 and indices[0] > 0 and tuple(sorts) == (INT,) else None


def _bv2nat(indices: tuple[int, ...], sorts: Sorts) -> Sort | None:
    return INT if not indices and len(sorts) == 1 and sorts[0].is_bitvector else None


_RULES: dict[str, Rule] = {
    # Core
    "not": _all(BOOL, BOOL, 1, 1),
    **dict.fromkeys(("and", "or"), _all(BOOL, BOOL)),
    **dict.fromkeys(("xor", "=>"), _all(BOOL, BOOL, 2)),
    **dict.fromkeys(("=", "distinct"), _same(BOOL, 2)),
    "ite": _ite,
    # Ints, Reals
    "-": _numeric(None),
    **dict.fromkeys(("+", "*"), _numeric(None, 2)),
    **dict.fromkeys(("<", "<=", ">", ">="), _numeric(BOOL, 2)),
    "div": _all(INT, INT, 2),
    "mod": _all(INT, INT, 2, 2),
    "/": _all(REAL, REAL, 2),
    "abs": _numeric(None, 1, 1),
    "to_real": _all(INT, REAL, 1, 1),
    "to_int": _all(REAL, INT, 1, 1),
    "is_int": _all(REAL, BOOL, 1, 1),
    # Arrays
    "select": _select,
    "store": _store,
    # Bit-vectors
    **dict.fromkeys(("bvnot", "bvneg"), _vectors(None, 1, 1)),
    **dict.fromkeys(("bvand", "bvor", "bvxor", "bvadd", "bvmul"), _vectors(None, 2, None)),
    **dict.fromkeys(("bvnand", "bvnor", "bvxnor", "bvsub", "bvshl", "bvlshr", "bvashr"), _vectors(None)),
    **dict.fromkeys(("bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod"), _vectors(None)),
    **dict.fromkeys(("bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge"), _vectors(BOOL)),
    "bvcomp": _vectors(bitvec(1)),
    "concat": _concat,
    "extract": _extract,
    **dict.fromkeys(("zero_extend", "sign_extend"), _widened(lambda width, by: width + by)),
    **dict.fromkeys(("rotate_left", "rotate_right"), _widened(lambda width, _: width)),
    "repeat": _widened(lambda width, times: width * times),
    "int2bv": _int2bv,
    "bv2nat": _bv2nat,
}

# Operators that are read in all problems, and drawn for SMT problems alone: drawing for CHC systems keeps the table
# above, because stored choices select operators by their place in it.
_MORE_RULES: dict[str, Rule] = {
    **dict.fromkeys(("bvredand", "bvredor"), _vectors(bitvec(1), 1, 1)),
    "bvnego": _vectors(BOOL, 1, 1),
    **dict.fromkeys(("bvuaddo", "bvsaddo", "bvusubo", "bvssubo", "bvumulo", "bvsmulo", "bvsdivo"), _vectors(BOOL)),
    "sbv_to_int": _bv2nat,
}

# The names of all operators, without indices.
OPERATORS = frozenset(_RULES)
# Those that are drawn only for SMT problems.
SMT_OPERATORS = frozenset(_MORE_RULES)

_OF_DIFFERENT_SORTS = (_ite, _select, _store)  # but for `_concat`, the other rules take arguments of one sort
_INDEXED = tuple(_RULES[name] for name in ("zero_extend", "rotate_left", "repeat", "int2bv"))  # with one index
_Place = tuple[tuple[int, ...], tuple[Sort, ...]]  # indices and sorts of arguments that an operator may take
_MOST_ARGUMENTS = 3
Application = tuple[str, tuple[Sort, ...]]  # an operator with its indices, and the sorts it takes there


@lru_cache(maxsize=256)
def applications(
    sorts: tuple[Sort, ...], with_smt_operators: bool = False
) -> Mapping[Sort, Mapping[str, tuple[Application, ...]]]:
    """Read the table backwards: return the operators that make terms of these sorts from terms of these sorts.

    By the sort that is made and the operator's name; up to three arguments. Indices are those that the widths suggest:
    the bits of a slice, what is missing from one width to another. `with_smt_operators` adds `SMT_OPERATORS`.
    """
    rules = {**_RULES, **_MORE_RULES} if with_smt_operators else _RULES
    widths = sorted(sort.width for sort in sorts if sort.is_bitvector)
    numbers = sorted({0, 1, 2, *widths, *(abs(a - b) for a in widths for b in widths)})
    slices = sorted({(low + width - 1, low) for width in widths for low in (*numbers, *range(8))})
    lengths, vectors = range(1, _MOST_ARGUMENTS + 1), [sort for sort in sorts if sort.is_bitvector]
    plain: list[_Place] = [((), domain) for length in lengths for domain in product(sorts, repeat=length)]
    of_vectors: list[_Place] = [((), domain) for length in lengths for domain in product(vectors, repeat=length)]
    alike: list[_Place] = [((), (sort,) * length) for length in lengths for sort in sorts]
    indexed: list[_Place] = [((number,), (sort,)) for number in numbers for sort in sorts] if widths else []
    sliced: list[_Place] = [(pair, (sort,)) for pair in slices for sort in sorts]
    found: dict[Rule, list[tuple[tuple[int, ...], tuple[Sort, ...], Sort]]] = {rule: [] for rule in rules.values()}
    places = {_extract: sliced, _concat: of_vectors, **dict.fromkeys(_INDEXED, indexed)}
    places |= dict.fromkeys(_OF_DIFFERENT_SORTS, plain)
    for rule, fitting in found.items():
        for indices, domain in places.get(rule, alike):
            try:
                result = rule(indices, domain)
            except LimitError:
                continue
            if result is not None and result in sorts:
                fitting.append((indices, domain, result))
    made: dict[Sort, dict[str, tuple[Application, ...]]] = {sort: {} for sort in sorts}
    for name, rule in rules.items():
        for indices, domain, result in found[rule]:
            operator = f"(_ {name} {' '.join(map(str, indices))})" if indices else name
            made[result][name] = (*made[result].get(name, ()), (operator, domain))
    return made
