"""Recursive functions: `define-fun-rec` as an assertion, as SMT-LIB defines it.

The assertion states for all arguments that the function is its body. Rows, oracles and reduction treat it as any other
one; it is printed as a definition as long as it has this form.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from chcfuzz.grammar.terms import Apply, Call, Function, Quantifier, Term, Variable, apply, subterms


@dataclass(frozen=True)
class RecursiveFunction:
    """A function with the body that it equals for all values of its parameters."""

    function: Function
    parameters: tuple[Variable, ...]
    body: Term

    @property
    def formula(self) -> Term:
        """The assertion that defines the function."""
        equal = apply("=", Call(self.function, self.parameters), self.body)
        return Quantifier("forall", self.parameters, equal) if self.parameters else equal

    @property
    def called(self) -> frozenset[Function]:
        """The functions that the body calls."""
        return frozenset(term.function for term in subterms(self.body) if isinstance(term, Call))


def read_definition(formula: Term) -> RecursiveFunction | None:
    """Return the function that a formula defines; None for a formula of another form."""
    parameters: Sequence[Variable] = ()
    inner = formula
    if isinstance(formula, Quantifier):
        if formula.kind != "forall" or formula.patterns:
            return None
        parameters, inner = formula.variables, formula.body
    if not isinstance(inner, Apply) or inner.operator != "=" or len(inner.children) != 2:
        return None
    left, body = inner.children
    if not isinstance(left, Call) or left.children != tuple(parameters):
        return None
    found = RecursiveFunction(left.function, tuple(parameters), body)
    return found if found.formula is formula else None


def in_groups(functions: Sequence[RecursiveFunction]) -> list[list[RecursiveFunction]]:
    """Return functions in groups, in order: no body calls a function of a later group."""
    groups: list[list[RecursiveFunction]] = [[]]
    numbers = {each.function: number for number, each in enumerate(functions)}
    latest = 0  # of the functions that the group calls
    for number, each in enumerate(functions):
        groups[-1].append(each)
        latest = max([latest, *(numbers.get(called, 0) for called in each.called)])
        if latest <= number:
            groups.append([])
    return groups[:-1]


def definitions_in(formulas: Mapping[int, Term], functions: Iterable[Function]) -> dict[int, RecursiveFunction]:
    """Return the definitions among formulas, by number: those of declared functions that no other formula defines."""
    declared = set(functions)
    found = {number: read_definition(formula) for number, formula in formulas.items()}
    seen = Tally(each.function for each in found.values() if each is not None)
    return {
        number: each
        for number, each in found.items()
        if each is not None and each.function in declared and seen[each.function] == 1
    }
