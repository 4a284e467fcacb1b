"""Z3's extensions of SMT-LIB, which the theories list: the translation of each application to standard SMT-LIB.

A lenience is here if real systems use it. Where releases differ, the form is the one that all of them, and cvc5,
agree on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from chcfuzz.grammar.paths import Path
from chcfuzz.grammar.sorts import INT, REAL, Sort
from chcfuzz.grammar.terms import Apply, Term, Value, postorder, real
from chcfuzz.grammar.theory import (
    ExtensionKind,
    Lenience,
    WrittenOut,
    derived,
    joined,
    named_constants,
    operator_names,
    operators,
    readings,
    result_sort,
    theories,
)

_SIGNS = ("-", "/")


class _Tables(NamedTuple):
    """The rows of all theories by what happens to an application."""

    aliases: Mapping[str, str]  # Z3's other names of operators, and those of SMT-LIB
    mixed: frozenset[str]
    reals: frozenset[str]
    alone: frozenset[str]
    literals: frozenset[str]  # of constants alone they are read as a constant
    folded: frozenset[str]  # these, the signs, and `to_real`
    plain: frozenset[str]  # nothing happens
    readings: Mapping[str, WrittenOut]


@derived
def _tables() -> _Tables:
    rows = leniences()
    mixed, reals, alone = (
        frozenset(name for row in rows if row.kind is kind for name in row.operators)
        for kind in (ExtensionKind.MIXED, ExtensionKind.REALS, ExtensionKind.ALONE)
    )
    aliases = {name: row.means for row in rows if row.kind is ExtensionKind.ALIAS for name in row.operators}
    literals = frozenset(row.name for row in operators().values() if row.is_literal)
    folded = literals | {*_SIGNS, "to_real"}
    plain = operator_names() - mixed - reals - alone - literals - readings().keys() - {"select", "store", "to_real"}
    return _Tables(aliases, mixed, reals, alone, literals, folded, plain, readings())


def leniences() -> Sequence[Lenience]:
    """Return the rows of all theories."""
    return [row for theory in theories() for row in theory.leniences]


def aliases() -> Mapping[str, str]:
    """Return the operators that other names mean."""
    return _tables().aliases


@derived
def words(is_smt: bool = True) -> frozenset[str]:
    """Return the names that a script cannot declare; a CHC system may declare some of those of SMT problems."""
    written_out = [name for name, row in readings().items() if not row.indices and (is_smt or not row.is_for_smt)]
    return frozenset((*named_constants(), *operator_names(is_smt), *aliases(), *written_out))


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
    tables = _tables()
    name = tables.aliases.get(name, name)
    if name in tables.plain:
        return Apply(name, args)
    sorts = {arg.sort for arg in args}
    if len(sorts) == 1 < len(args) and name in tables.mixed:
        return Apply(name, args)
    if INT in sorts and (name in tables.reals or (name in tables.mixed and REAL in sorts)):
        args = [_to_real(arg) for arg in args]
    elif name in ("select", "store") and args[0].sort.is_array:
        of = args[0].sort
        args = fitted(args, (of, of.index, of.element)[: len(args)])
    if len(args) == 1 and name in tables.alone:
        result_sort(name, [args[0].sort] * 2)
        return args[0]
    if len(args) == 1 and name == "to_real" and args[0].sort.is_numeric:
        return _to_real(args[0])
    reading = tables.readings.get(name)
    if reading is not None and not reading.indices:
        return reading.write((), args)  # type: ignore[no-any-return]
    if name in tables.literals:
        return _literal(Apply(name, args))
    return (_constant(name, args) if name in _SIGNS else None) or Apply(name, args)


def _literal(term: Apply) -> Term:
    """Return the constant that an application to constants denotes, or the application to other terms."""
    values = [child.value for child in term.children if isinstance(child, Value)]
    value = operators()[term.operator].value
    assert value is not None, "operators of literals have values"
    return Value(value(term, *values), term.sort) if len(values) == len(term.children) else term


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
    tables = _tables()
    name = tables.aliases.get(name, name)
    reading = tables.readings.get(name)
    if reading is not None and reading.indices == len(indices):
        return reading.write(tuple(indices), args)  # type: ignore[no-any-return]
    if name in tables.reals:
        args = [_to_real(arg) for arg in args]
    return Apply(joined(name, indices), args)


def rebuilt(term: Term, children: Sequence[Term]) -> Term:
    """Return the node over other children, in the form that its text parses to: `(- 1)` is a constant."""
    if (
        isinstance(term, Apply)
        and term.operator in _tables().folded
        and all(isinstance(child, Value) for child in children)
    ):
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
