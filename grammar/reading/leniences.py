"""Z3's extensions of SMT-LIB: a table, and the translation of each application to standard SMT-LIB.

A lenience is here if real systems use it. Where releases differ, the form is the one that all of them, and cvc5,
agree on.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from chcfuzz.grammar.paths import Path
from chcfuzz.grammar.sorts import INT, REAL, Sort
from chcfuzz.grammar.terms import Apply, Term, Value, postorder, real, vector
from chcfuzz.grammar.theory import OPERATORS, SMT_OPERATORS, result_sort
from chcfuzz.grammar.written_out import FOREIGN, POWER, foreign, power


class ExtensionKind(enum.Enum):
    """The kind of an extension."""

    ALIAS = "another name"
    MIXED = "Ints among Reals are converted"
    REALS = "Ints are converted"
    ALONE = "one argument stands for itself"
    WRITTEN_OUT = "not in every reader: written out"


@dataclass(frozen=True)
class Lenience:
    """A row: these operators, and their place in Z3's source; `means` is the meaning of an alias."""

    kind: ExtensionKind
    operators: tuple[str, ...]
    source: str
    means: str = ""


_COERCIONS = "src/ast/arith_decl_plugin.cpp and ast.cpp, coerce_arguments; its option int_real_coercions"
LENIENCES = (
    Lenience(ExtensionKind.ALIAS, ("iff",), "src/ast/ast.cpp, basic_decl_plugin::get_op_names", "="),
    Lenience(ExtensionKind.ALIAS, ("implies",), "src/ast/ast.cpp, basic_decl_plugin::get_op_names", "=>"),
    Lenience(ExtensionKind.ALIAS, ("if",), "src/ast/ast.cpp, basic_decl_plugin::get_op_names", "ite"),
    Lenience(
        ExtensionKind.ALIAS, ("bv2int", "ubv_to_int"), "src/ast/bv_decl_plugin.cpp, get_op_names; SMT-LIB 2.7", "bv2nat"
    ),
    Lenience(ExtensionKind.ALIAS, ("int_to_bv",), "src/ast/bv_decl_plugin.cpp, get_op_names; SMT-LIB 2.7", "int2bv"),
    *(
        Lenience(ExtensionKind.ALIAS, (f"{name}_i",), "src/ast/bv_decl_plugin.cpp, what simplify prints", name)
        for name in ("bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod")
    ),
    Lenience(ExtensionKind.MIXED, ("+", "-", "*", "<", "<=", ">", ">=", "=", "distinct", "ite"), _COERCIONS),
    Lenience(ExtensionKind.REALS, ("/", "to_int", "is_int"), _COERCIONS),
    Lenience(
        ExtensionKind.ALONE,
        ("+", "*", "xor", "bvand", "bvor", "bvxor", "bvadd", "bvmul", "concat"),
        "src/ast/ast.cpp, ast_manager::mk_app: associative operators of one argument",
    ),
    Lenience(ExtensionKind.WRITTEN_OUT, ("rem",), "src/ast/arith_decl_plugin.cpp, OP_REM"),
    Lenience(
        ExtensionKind.WRITTEN_OUT, ("bit2bool",), "src/ast/bv_decl_plugin.cpp, OP_BIT2BOOL; lemmas of Spacer have it"
    ),
    Lenience(
        ExtensionKind.WRITTEN_OUT, ("divisible",), "src/ast/arith_decl_plugin.cpp, OP_IDIVIDES; 5.0 does not read it"
    ),
)


def _operators(kind: ExtensionKind) -> frozenset[str]:
    return frozenset(name for row in LENIENCES if row.kind is kind for name in row.operators)


# Z3's other names of operators, and those of SMT-LIB.
ALIASES = {name: row.means for row in LENIENCES if row.kind is ExtensionKind.ALIAS for name in row.operators}
_MIXED, _REALS, _ALONE = map(_operators, (ExtensionKind.MIXED, ExtensionKind.REALS, ExtensionKind.ALONE))

_ALIKE = frozenset(("=", "distinct", "<", "<=", ">", ">=", "+", "*"))  # nothing to do for arguments of one sort
_PLAIN = (OPERATORS | SMT_OPERATORS) - _MIXED - _REALS - _ALONE - {"select", "store", "to_real"}

_SIGNS = ("-", "/")
_FOLDED = (*_SIGNS, "to_real")  # of constants alone they are read as a constant

# Names that a script cannot declare.
WORDS = frozenset(("true", "false", "rem", *OPERATORS, *ALIASES))
SMT_WORDS = WORDS | SMT_OPERATORS | FOREIGN | {POWER}  # in a script that need not be Horn


def fitted(args: list[Term], sorts: Sequence[Sort]) -> list[Term]:
    """Return the arguments, with Ints converted to the wanted Reals."""
    if len(args) != len(sorts):
        return args
    return [_to_real(arg) if sort is REAL else arg for arg, sort in zip(args, sorts, strict=True)]


def _to_real(term: Term) -> Term:
    """Return the term, converted if it is an Int."""
    if term.sort is not INT:
        return term
    return real(Fraction(term.value)) if isinstance(term, Value) else Apply("to_real", (term,))


def applied(name: str, args: list[Term]) -> Term:
    """Apply an operator of the theories; raises `SortError`."""
    name = ALIASES.get(name, name)
    if name in _PLAIN:
        return Apply(name, args)
    sorts = {arg.sort for arg in args}
    if len(sorts) == 1 < len(args) and name in _ALIKE:
        return Apply(name, args)
    if INT in sorts and (name in _REALS or (name in _MIXED and REAL in sorts)):
        args = [_to_real(arg) for arg in args]
    elif name in ("select", "store") and args[0].sort.is_array:
        of = args[0].sort
        args = fitted(args, (of, of.index, of.element)[: len(args)])
    if len(args) == 1 and name in _ALONE:
        result_sort(name, [args[0].sort] * 2)
        return args[0]
    if len(args) == 1 and name == "to_real" and args[0].sort.is_numeric:
        return _to_real(args[0])
    if name in FOREIGN:
        return foreign(name, args)
    if name == POWER:
        return power(args)
    if name == "rem":
        remainder = Apply("mod", args)
        return Apply("ite", (Apply(">=", (args[1], Value(0, INT))), remainder, Apply("-", (remainder,))))
    return (_constant(name, args) if name in _SIGNS else None) or Apply(name, args)


def _constant(name: str, args: list[Term]) -> Term | None:
    """Return the number that an application denotes, if it does: `(- 1)`, `(/ 1 3)`."""
    if not all(isinstance(arg, Value) and arg.sort.is_numeric for arg in args):
        return None
    numbers = [arg.value for arg in args if isinstance(arg, Value)]
    if name == "-" and len(args) == 1:
        return Value(-numbers[0], args[0].sort)
    values = list(map(Fraction, numbers))
    whole = all(value.denominator == 1 for value in values)
    if name == "/" and len(args) == 2 and whole and values[1] != 0:  # the way that fractions are written
        return real(values[0] / values[1])
    return None


def indexed(name: str, indices: list[int], args: list[Term]) -> Term:
    """Apply an operator with indices; raises `SortError`."""
    name = ALIASES.get(name, name)
    if name == "divisible" and len(indices) == 1:
        return Apply("=", (Apply("mod", (*args, Value(indices[0], INT))), Value(0, INT)))
    if name == "bit2bool" and len(indices) == 1:
        return Apply("=", (Apply(f"(_ extract {indices[0]} {indices[0]})", args), vector(1, 1)))
    return Apply(f"(_ {name} {' '.join(map(str, indices))})", args)


def rebuilt(term: Term, children: Sequence[Term]) -> Term:
    """Return the node over other children, in the form that its text parses to: `(- 1)` is a constant."""
    if isinstance(term, Apply) and term.operator in _FOLDED and all(isinstance(child, Value) for child in children):
        return applied(term.operator, list(children))
    return term.rebuild(children)


def replaced_at(term: Term, path: Path, new: Term) -> Term:
    """Return the term with the subterm at `path` replaced, in the form that its text parses to."""
    spine = []
    for index in path:
        spine.append((term, index))
        term = term.children[index]
    for parent, index in reversed(spine):
        new = rebuilt(parent, (*parent.children[:index], new, *parent.children[index + 1 :]))
    return new


def as_read(term: Term) -> Term:
    """Return the term in the form that its text parses to."""
    done: dict[Term, Term] = {}
    for here in postorder(term):
        done[here] = rebuilt(here, [done[child] for child in here.children]) if here.children else here
    return done[term]
