"""Formulas in a solver's output as terms, over the data types of the system that it solves."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.reading.declarations import Declarations
from chcfuzz.grammar.reading.elaboration import Elaboration
from chcfuzz.grammar.reading.syntax import tree_of
from chcfuzz.grammar.sorts import BOOL, INT, Sort
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Quantifier, Term, Variable, subterms

_CONVERTED = re.compile(r"(?<![\w.])(?:to_real|\d+\.\d+)(?![\w.])")


class FormulaReader:
    """Reads formulas over variables with given sorts; see the module's docstring."""

    def __init__(self, system: System) -> None:
        """Adopt the data types of a system, but not its predicates, which formulas in steps do not have."""
        self._declared = Declarations("solver step")
        self._declared.adopt(system.with_predicates(()).with_clauses(()))

    def read(self, text: str, variables: Mapping[str, Variable]) -> Term | None:
        """Return the term of a text, over variables by their names in it; None if it is not read.

        Sorts that would make the reader convert a number are refused: the solver printed the formula with its sorts,
        so a conversion means that a sort was guessed wrong. A text is not read, either, if one of its variables has the
        name of a constructor or selector: the solver prints both alike.
        """
        if not self._declared.symbols.isdisjoint(variables):
            return None
        try:
            term = Elaboration(self._declared.copy(), variables).run(tree_of(text, "solver step", "term"))
            return term if _conversions(text) == _conversions(print_term(term)) else None
        except ChcfuzzError:
            return None


def _conversions(text: str) -> Counter[str]:
    """Return what may be a converted number, with decimals as the printer writes them: 0.5 as `(/ 1.0 2.0)`."""
    found: Counter[str] = Counter()
    for each in _CONVERTED.findall(text):
        if each == "to_real":
            found[each] += 1
        else:
            number = Fraction(each)
            found.update([f"{number.numerator}.0"] + [f"{number.denominator}.0"] * (number.denominator != 1))
    return found


def sorts_of(system: System) -> tuple[Sort, ...]:
    """Return the sorts that can occur in the system's steps: Bool, Int, and all of the system with their parts."""
    found = dict.fromkeys((BOOL, INT))
    open_sorts = list(_sorts(system))
    while open_sorts:
        sort = open_sorts.pop(0)
        if sort not in found:
            found[sort] = None
            open_sorts += sort.parts
    return tuple(found)


def _sorts(system: System) -> Iterator[Sort]:
    yield from system.declared_sorts
    for term in subterms(*(clause.formula for clause in system.clauses)):
        yield term.sort
        if isinstance(term, Quantifier):
            yield from (variable.sort for variable in term.variables)
