"""Classes of operators, for the shapes of reduced problems.

The choice among operators that work alike is not related to a cause: `<` and `>=`, `+` and `-`, `and` and `or` are
interchangeable, so they share one class or belong to none.
"""

from __future__ import annotations

from collections.abc import Iterator

from chcfuzz.grammar.sorts import BOOL, Sort
from chcfuzz.grammar.terms import Apply, Quantifier, Term
from chcfuzz.grammar.theory import split_operator

_CLASSES = {
    "order": ("<", "<=", ">", ">="),
    "sum": ("+", "-"),
    "product": ("*",),
    "division": ("div", "mod", "/"),
    "absolute value": ("abs",),
    "conversion": ("to_real", "to_int", "is_int", "int2bv", "bv2nat"),
    "ite": ("ite",),
    "select": ("select",),
    "store": ("store",),
    "bit-vector order": tuple(f"bv{sign}{way}" for sign in "us" for way in ("lt", "le", "gt", "ge")),
    "bit-vector sum": ("bvadd", "bvsub", "bvneg"),
    "bit-vector product": ("bvmul",),
    "bit-vector division": ("bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod"),
    "bits": ("bvnot", "bvand", "bvor", "bvxor", "bvnand", "bvnor", "bvxnor", "bvcomp"),
    "shift": ("bvshl", "bvlshr", "bvashr", "rotate_left", "rotate_right"),
    "width": ("concat", "extract", "zero_extend", "sign_extend", "repeat"),
}
_CLASS_OF = {operator: name for name, operators in _CLASSES.items() for operator in operators}
_CONNECTIVES = frozenset(("and", "or", "not", "=>", "xor"))


def classes_of(term: Term) -> Iterator[str]:
    """Yield the classes of the operator of a term."""
    if isinstance(term, Quantifier):
        if term.kind == "exists":
            yield "exists"
    elif isinstance(term, Apply):
        name = split_operator(term.operator)[0]
        if name in ("=", "distinct"):
            if term.children[0].sort is not BOOL:
                yield f"equality of {_theory(term.children[0].sort)}"
        elif name in _CLASS_OF:
            yield _CLASS_OF[name]
        elif name not in _CONNECTIVES:
            yield _data_type_class(term, name)


def _data_type_class(term: Apply, name: str) -> str:
    if term.sort.is_array:
        return "constant array"
    if name.startswith("(_ is "):
        return "tester"
    return "constructor" if term.sort.datatype is not None and not _selects(term) else "selector"


def _selects(term: Apply) -> bool:
    owner = term.children[0].sort.datatype if len(term.children) == 1 else None
    return owner is not None and any(
        selector.operator == term.operator for constructor in owner.constructors for selector in constructor.selectors
    )


def _theory(sort: Sort) -> str:
    if sort.is_array:
        return "Arrays"
    if sort.is_bitvector:
        return "BV"
    return sort.name if sort.datatype is None else "ADT"


def repeats(term: Term) -> bool:
    """Return whether a conjunction or disjunction repeats a member."""
    return isinstance(term, Apply) and term.operator in ("and", "or") and len(set(term.children)) < len(term.children)
