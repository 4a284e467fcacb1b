"""The parts of SMT-LIB that a solver reads, as its documentation states them, and the first part of a problem outside.

Yices 2 and MathSAT 5 read terms without quantifiers and data types. Yices lists its operators in the table of symbols
of its frontend. MathSAT does not have the rounding mode to nearest with ties away from zero: a variable of that sort
would range over fewer values there, so that only the other four constants are written.
"""

from __future__ import annotations

from dataclasses import dataclass

from chcfuzz.grammar.evaluation.ieee import MODES
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.sorts import REAL
from chcfuzz.grammar.terms import Apply, Binder, Term, Value, subterms
from chcfuzz.grammar.theories.arrays import is_constant
from chcfuzz.grammar.theories.float_kinds import MODE
from chcfuzz.grammar.theory import split_operator


@dataclass(frozen=True)
class Fragment:
    """The sorts of theories that a solver has, and the operators and rounding modes among theirs that it lacks.

    `without_on_reals` are operators that it has, but not on numbers of sort Real.
    """

    sorts: frozenset[str]
    without: frozenset[str]
    without_on_reals: frozenset[str] = frozenset()
    has_constant_arrays: bool = False
    without_modes: frozenset[str] = frozenset()


_PLAIN = frozenset(("Bool", "Int", "Real", "BitVec", "Array"))
_NUMBERS_OF_BITS = frozenset(("bv2nat", "int2bv"))
YICES = Fragment(_PLAIN, _NUMBERS_OF_BITS)
MATHSAT = Fragment(
    _PLAIN | {"FloatingPoint", "RoundingMode"},
    _NUMBERS_OF_BITS | {"fp.fma", "fp.rem", "fp.to_real"},
    without_on_reals=frozenset(("to_fp",)),
    has_constant_arrays=True,
    without_modes=frozenset(("RNA",)),
)


def lacking(problem: Problem, fragment: Fragment) -> str:
    """Return the first part of a problem that a fragment does not have, in words; empty if it has all."""
    sorts = [sort for each in problem.functions for sort in (*each.parameters, each.result)]
    if problem.datatypes:
        return "data types"
    if MODE in sorts and fragment.without_modes:
        return "symbols of RoundingMode"
    unknown = (name for sort in sorts if (name := sort.name) not in fragment.sorts and not sort.is_uninterpreted)
    found = (part for term in subterms(*problem.formulas, *problem.form.formulas) if (part := _lacking(term, fragment)))
    return next((f"the sort {name}" for name in unknown), "") or next(found, "")


def _lacking(term: Term, fragment: Fragment) -> str:
    if isinstance(term, Binder):
        return "quantifiers"
    if term.sort.name not in fragment.sorts and not term.sort.is_uninterpreted:
        return f"the sort {term.sort.name}"
    if isinstance(term, Value) and term.sort is MODE and MODES[int(term.value)] in fragment.without_modes:
        return f"the rounding mode {MODES[int(term.value)]}"
    if not isinstance(term, Apply):
        return ""
    name = split_operator(term.operator)[0]
    if is_constant(name):
        return "" if fragment.has_constant_arrays else "constant arrays"
    on_reals = name in fragment.without_on_reals and any(child.sort is REAL for child in term.children)
    return name if name in fragment.without or on_reals else ""
