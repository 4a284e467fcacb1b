"""Logics of SMT-LIB by their names, and the features of problems that each has.

A problem keeps the logic that its text sets. A problem that has more than its logic is stated in `ALL`: solvers refuse
it in its own, or decide it by a procedure that was made for less.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from chcfuzz.grammar.form import ALL
from chcfuzz.grammar.terms import Apply, Call, Term, Value, Variable, kept, subterms

if TYPE_CHECKING:
    from chcfuzz.grammar.problem import Problem

QUANTIFIERS, PRODUCTS, SUMS = "quantifiers", "products of variables", "sums of variables"
_WORDS = {  # of the other features, which are the theories of a problem
    "LIA": "integers",
    "LRA": "reals",
    "BV": "bit-vectors",
    "ADT": "data types",
    "Arrays": "arrays",
    "FP": "floating point",
    "Strings": "strings",
    "Seq": "sequences",
    "Sets": "sets",
    "UF": "uninterpreted functions or sorts",
}
_PARTS = {  # of the name of a logic; a longer part is tried before a shorter one
    "AX": ("Arrays",),
    "A": ("Arrays",),
    "UF": ("UF",),
    "BV": ("BV",),
    "DT": ("ADT",),
    "FP": ("FP",),
    "FS": ("Sets", "LIA", SUMS),
    "S": ("Strings", "Seq", "LIA", SUMS),
    "IDL": ("LIA",),
    "RDL": ("LRA",),
    "LIA": ("LIA", SUMS),
    "NIA": ("LIA", SUMS, PRODUCTS),
    "LRA": ("LRA", SUMS),
    "NRA": ("LRA", SUMS, PRODUCTS),
    "LIRA": ("LIA", "LRA", SUMS),
    "NIRA": ("LIA", "LRA", SUMS, PRODUCTS),
}
_PART = re.compile("|".join(sorted(_PARTS, key=len, reverse=True)))
_BY_CONSTANTS = frozenset(("/", "div", "mod"))
# Logics of the SMT-LIB benchmarks; a solver chooses its procedure by them.
KNOWN = tuple(
    """QF_UF QF_BV QF_ABV QF_UFBV QF_AUFBV QF_AX QF_ALIA QF_AUFLIA QF_AUFNIA QF_LIA QF_LRA QF_LIRA QF_NIA QF_NRA
    QF_NIRA QF_IDL QF_RDL QF_UFIDL QF_UFLIA QF_UFLRA QF_UFNIA QF_UFNRA QF_DT QF_UFDT QF_UFDTLIA QF_UFDTLIRA QF_BVFP
    QF_ABVFP QF_FP QF_FPLRA QF_SLIA QF_SNIA UF BV ABV UFBV AUFBV LIA LRA NIA NRA ALIA AUFLIA AUFLIRA AUFNIA
    AUFNIRA UFLIA UFLRA UFNIA UFNRA UFNIRA UFIDL UFDT UFDTLIA UFDTLIRA UFDTNIA UFDTNIRA AUFDTLIA AUFDTLIRA AUFDTNIRA
    FP BVFP""".split()  # noqa: SIM905 - a list of them would not be easier to read
)


@lru_cache(maxsize=256)
def features_of(logic: str | None) -> frozenset[str] | None:
    """Return the features that a logic has; None for one that has all, or that is not known here."""
    rest = (logic or ALL).removeprefix("QF_")
    found = set() if logic and logic.startswith("QF_") else {QUANTIFIERS}
    while rest:
        part = _PART.match(rest)
        if part is None:
            return None
        found.update(_PARTS[part[0]])
        rest = rest[part.end() :]
    return frozenset(found)


def features(problem: Problem) -> frozenset[str]:
    """Return the features of a problem: its theories, and the kinds of its formulas."""
    kinds = {kind for formula in problem.formulas for kind in _kinds(formula)}
    return problem.theories.union(kinds)


def beyond(logic: str | None, problem: Problem) -> frozenset[str]:
    """Return the features of a problem that a logic does not have."""
    has = features_of(logic)
    return frozenset() if has is None else features(problem) - has


def contradiction(logic: str | None, problem: Problem) -> str:
    """Return the first theory of the declarations of a problem that its logic does not have, in words; or nothing.

    No solver reads such declarations: they have a sort that does not exist.
    """
    has = features_of(logic)
    lacking = sorted(problem.declared_theories - has - _sorts_beside(has)) if has is not None else []
    return _WORDS.get(lacking[0], lacking[0]) if lacking else ""


def _sorts_beside(has: frozenset[str]) -> frozenset[str]:
    """Return theories whose sorts a logic with these features has, too: FloatingPoint has Real and bit-vectors."""
    return frozenset(("UF", "BV", "LRA") if "FP" in has else ("UF",))


def has_only_reals(logic: str) -> bool:
    """Return whether a logic has reals and no integers, so that its numerals are reals."""
    has = features_of(logic)
    return has is not None and "LRA" in has and "LIA" not in has


def stated_logic(problem: Problem) -> str | None:
    """Return the logic that the text of a problem sets; None for a text that sets none."""
    logic, granted = problem.form.logic, problem.form.beyond
    return logic if logic in (None, ALL) or beyond(logic, problem) <= granted else ALL


def has_own_logic(problem: Problem) -> bool:
    """Return whether the text of a problem sets a logic other than `ALL`."""
    return problem.form.logic not in (None, ALL)


def in_words(found: frozenset[str]) -> str:
    """Return the names of features for people."""
    return ", ".join(_WORDS.get(each, each) for each in sorted(found))


def containing(problem: Problem) -> list[str]:
    """Return the known logics that contain a problem."""
    own = features(problem)
    return [logic for logic in KNOWN if own <= (features_of(logic) or own)]


def _kinds(formula: Term) -> tuple[str, ...]:
    return kept(formula, "kinds", lambda: _found_kinds(formula))


def _found_kinds(formula: Term) -> tuple[str, ...]:
    found = {QUANTIFIERS} if formula.depth else set()
    for term in subterms(formula):
        if isinstance(term, Apply) and term.children and term.children[0].sort.is_numeric:
            found.update(_kind(term))
    return tuple(sorted(found))


def _kind(term: Apply) -> tuple[str, ...]:
    """Return the kinds of an application to numbers."""
    open_ones = sum(not isinstance(child, Value) for child in term.children)
    if term.operator == "*" and open_ones > 1:
        return SUMS, PRODUCTS
    if term.operator in _BY_CONSTANTS:
        return (SUMS,) if all(isinstance(child, Value) for child in term.children[1:]) else (SUMS, PRODUCTS)
    is_difference = term.operator == "-" and all(isinstance(each, Variable | Call) for each in term.children)
    is_comparison = term.sort.name == "Bool" or term.operator == "ite"
    return () if is_difference or is_comparison else (SUMS,)
