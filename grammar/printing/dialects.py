"""The text of a problem for one reader: SMT-LIB as a solver reads it, or the native language of Alt-Ergo.

The canonical text of `printer` is what the newest Z3, cvc5 and Bitwuzla read, except for the few forms that this module
replaces. All texts of a problem have the same answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import reduce

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printing.alt_ergo import print_alt_ergo
from chcfuzz.grammar.printing.constant_arrays import is_value, without_constant_arrays
from chcfuzz.grammar.printing.matches import with_matches
from chcfuzz.grammar.printing.printer import print_problem, print_term
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.sorts import INT
from chcfuzz.grammar.terms import Apply, Term, apply, postorder
from chcfuzz.grammar.theory import split_operator
from chcfuzz.grammar.written_out import written_out

_BITS = ("bvnego", "bvuaddo", "bvsaddo", "bvusubo", "bvssubo", "bvumulo", "bvsmulo", "bvsdivo")
_REDUCTIONS = ("bvredor", "bvredand")


@dataclass(frozen=True)
class Reader:
    """The forms of SMT-LIB that a reader does not read: operators under another name, and those to write out.

    `abs` is written out on Reals. `array_values`: a constant array is read only if its element is a value.
    `binary`: operators that take two arguments, not more. `has_match`: case distinctions are printed as `match`.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    written_out: frozenset[str] = frozenset()
    array_values: bool = False
    binary: frozenset[str] = frozenset()
    has_match: bool = False


# SMT-LIB 2.7 has the overflows and the conversions of these names. cvc5 and Z3 read both names, Princess only the old.
_NEW_NAMES = {"bv2nat": "ubv_to_int", "int2bv": "int_to_bv"}
_SMTLIB = {
    "smtlib": Reader(_NEW_NAMES, frozenset((*_REDUCTIONS, "abs")), array_values=True),
    "z3": Reader(has_match=True),
    "cvc5": Reader(_NEW_NAMES, array_values=True, has_match=True),
    "bitwuzla": Reader(),
    "princess": Reader(
        {}, frozenset((*_BITS, *_REDUCTIONS, "sbv_to_int", "abs")), binary=frozenset(("div", "/", "bvxor"))
    ),
}
READERS = (*_SMTLIB, "alt-ergo")


def print_for(problem: Problem, reader: str) -> str:
    """Return the text of a problem for a reader, one of `READERS`; raises `ChcfuzzError` if it cannot be written."""
    if reader == "alt-ergo":
        return print_alt_ergo(problem)
    if reader not in _SMTLIB:
        raise ChcfuzzError(f"{reader} is not a reader of problems; name one of {', '.join(READERS)}")
    found = _SMTLIB[reader]
    plain = without_constant_arrays(problem, is_value) if found.array_values else problem
    translated = _translated(plain, found)
    plain_form = replace(translated, form=replace(translated.form, has_match=False))
    return print_problem(_with_matches(plain_form) if found.has_match else plain_form)


def _with_matches(problem: Problem) -> Problem:
    taken = set(problem.names)
    return problem.with_assertions(
        [replace(each, formula=with_matches(each.formula, taken, print_term)) for each in problem.assertions]
    )


def _translated(problem: Problem, reader: Reader) -> Problem:
    assertions = [replace(each, formula=_rewritten(each.formula, reader)) for each in problem.assertions]
    return problem.with_assertions(assertions)


def _rewritten(formula: Term, reader: Reader) -> Term:
    done: dict[Term, Term] = {}
    for here in postorder(formula):
        done[here] = _rewritten_node(here, [done[child] for child in here.children], reader)
    return done[formula]


def _rewritten_node(here: Term, children: list[Term], reader: Reader) -> Term:
    if not isinstance(here, Apply):
        return here.rebuild(children)
    name, indices = split_operator(here.operator)
    if name in reader.written_out and not (name == "abs" and here.sort is INT):
        return written_out(name, children)
    if name in ("and", "or") and len(children) == 1:  # read by Z3 and cvc5 alone
        return children[0]
    if name in reader.binary:
        return reduce(lambda a, b: apply(name, a, b), children)
    other = reader.names.get(name, name)
    operator = here.operator if other is name else f"(_ {other} {' '.join(map(str, indices))})" if indices else other
    return Apply(operator, children, here.sort)
