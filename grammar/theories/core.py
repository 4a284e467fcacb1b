"""Bool, the connectives, equality and `ite`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import combinations, pairwise
from typing import Any

from chcfuzz.grammar.evaluation.languages import Language, are_equal
from chcfuzz.grammar.evaluation.values import UNDETERMINED, Undetermined
from chcfuzz.grammar.sort_kinds import SortKind, is_first_class
from chcfuzz.grammar.sorts import BOOL, Sort, is_function
from chcfuzz.grammar.terms import FALSE, TRUE, Term
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
    infix,
    joined_pairs,
    of_one_sort,
)


class Bools(SortKind):
    """The sort Bool with its two values."""

    name = "Bool"
    least_weight = 0
    learned_as = "Bool"
    literal_words = ("true", "false")

    def text(self, value: Any, _sort: Sort) -> str:
        """Return a word of SMT-LIB."""
        return "true" if value else "false"

    def values(self, _sort: Sort, _limit: int, _inside: tuple[Sort, ...] = ()) -> Sequence[Any] | None:
        """Return both values, the simpler one first."""
        return (False, True)

    def one(self, _sort: Sort) -> Term:
        """Return `true`."""
        return TRUE


# Values, also where some arguments do not have one.


def _and(args: Sequence[Any]) -> bool | Undetermined:
    return False if False in args else UNDETERMINED if UNDETERMINED in args else True


def _or(args: Sequence[Any]) -> bool | Undetermined:
    return True if True in args else UNDETERMINED if UNDETERMINED in args else False


def _not(args: Sequence[Any]) -> bool | Undetermined:
    return UNDETERMINED if args[0] is UNDETERMINED else not args[0]


def _implies(args: Sequence[Any]) -> bool | Undetermined:
    return _or([*(_not([arg]) for arg in args[:-1]), args[-1]])


def _same_language(a: Any, b: Any) -> bool | Undetermined:
    return UNDETERMINED if UNDETERMINED in (a, b) else are_equal(a, b)


def _equal(args: Sequence[Any]) -> bool | Undetermined:
    if Language in map(type, args):
        return _and([_same_language(a, b) for a, b in pairwise(args)])
    known = [arg for arg in args if arg is not UNDETERMINED]
    if any(a != b for a, b in pairwise(known)):
        return False
    return UNDETERMINED if UNDETERMINED in args else True


def _distinct(args: Sequence[Any]) -> bool | Undetermined:
    if Language in map(type, args):
        return _and([_not([_same_language(a, b)]) for a, b in combinations(args, 2)])
    known = [arg for arg in args if arg is not UNDETERMINED]
    if any(a == b for a, b in combinations(known, 2)):
        return False
    return UNDETERMINED if UNDETERMINED in args else True


def _ite(args: Sequence[Any]) -> Any:
    condition, then, otherwise = args
    if condition is UNDETERMINED:
        return then if then == otherwise else UNDETERMINED
    return then if condition else otherwise


def _native_distinct(sort: Sort, indices: Indices, args: list[str]) -> str:
    if sort is BOOL:
        return joined_pairs("not ({} <-> {})", lambda texts: combinations(texts, 2))(sort, indices, args)
    return f"distinct({', '.join(args)})"


def _sort_of_ite(indices: Indices, sorts: Sorts) -> Sort | None:
    fits = not indices and len(sorts) == 3 and sorts[0] is BOOL and sorts[1] is sorts[2] and not is_function(sorts[1])
    return sorts[1] if fits else None


def _places_of_ite(sorts: Sorts) -> list[Place]:
    return [((), (BOOL, sort, sort)) for sort in sorts if is_first_class(sort)] if BOOL in sorts else []


def _is_bool(sort: Sort) -> bool:
    return sort is BOOL


_SEVERAL = of_one_sort(_is_bool, BOOL)
_TWO = of_one_sort(_is_bool, BOOL, 2)
_ALIKE = of_one_sort(lambda sort: not is_function(sort), BOOL, 2)
_SOURCE = "src/ast/ast.cpp, basic_decl_plugin::get_op_names"

THEORY = Theory(
    "core",
    operators=(
        Operator("not", of_one_sort(_is_bool, BOOL, 1, 1), lenient=_not, is_connective=True),
        # Z3 and we read them with one argument, cvc5 does not.
        Operator("and", _SEVERAL, lenient=_and, is_connective=True, least_drawn=2, least_reduced=1),
        Operator("or", _SEVERAL, lenient=_or, is_connective=True, least_drawn=2, least_reduced=1),
        Operator("xor", _TWO, lambda _, *args: sum(args) % 2 == 1, is_connective=True, least_reduced=1),
        Operator("=>", _TWO, lenient=_implies, is_connective=True, least_reduced=1),
        Operator("=", _ALIKE, lenient=_equal, least_reduced=2),
        Operator("distinct", _ALIKE, lenient=_distinct, least_reduced=2),
        Operator("ite", TypingRule(_sort_of_ite, _places_of_ite), lenient=_ite, is_connective=True),
    ),
    kinds=(Bools(),),
    names={"true": lambda: TRUE, "false": lambda: FALSE},
    leniences=(
        Lenience(ExtensionKind.ALIAS, ("iff",), _SOURCE, "="),
        Lenience(ExtensionKind.ALIAS, ("implies",), _SOURCE, "=>"),
        Lenience(ExtensionKind.ALIAS, ("if",), _SOURCE, "ite"),
        Lenience(ExtensionKind.ALONE, ("xor",), ALONE_IN_Z3),
    ),
    alt_ergo={
        "not": lambda _, _i, args: f"(not {args[0]})",
        **{name: infix(name) for name in ("and", "or", "xor")},
        "=>": lambda _, _i, args: reduce(lambda text, arg: f"({arg} -> {text})", reversed(args)),
        "=": lambda sort, *rest: joined_pairs("{} <-> {}" if sort is BOOL else "{} = {}")(sort, *rest),
        "distinct": _native_distinct,
        "ite": lambda _, _i, args: f"(if {args[0]} then {args[1]} else {args[2]})",
    },
    taken=("iff", "if", "implies"),
)
