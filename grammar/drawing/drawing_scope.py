"""The parts of a drawn term: variables and functions at its place, terms and constants of the formulas around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.grammar.sort_kinds import kind_of
from chcfuzz.grammar.sorts import Sort
from chcfuzz.grammar.terms import Apply, Function, Term, Value, Variable, kept, subterms
from chcfuzz.grammar.theories.arrays import is_constant

_MOST_OWN = 64  # terms of a formula, and
_MOST_OWN_SIZE = 12  # nodes of each
_AROUND = 3  # clauses before and after the one that a term is for


@dataclass(frozen=True)
class DrawingScope:
    """Parts for a term: the variables that are bound at its place, formulas of the system around it, and functions.

    In a CHC system, `functions` is None, and fewer operators exist. cvc5 reads constant arrays only on request, so they
    are drawn only if `constant_arrays`.
    """

    variables: tuple[Variable, ...]
    formulas: tuple[Term, ...] = ()
    functions: tuple[Function, ...] | None = None
    constant_arrays: bool = True

    @property
    def is_smt(self) -> bool:
        """Whether the operators of SMT problems are available."""
        return self.functions is not None

    @classmethod
    def of(cls, formulas: Sequence[Term], at: int, variables: Sequence[Variable]) -> DrawingScope:
        """Return the scope of a place in a formula, or after the last one; the other formulas provide terms."""
        return cls(tuple(variables), tuple(formulas[max(0, at - _AROUND) : at + _AROUND + 1]))

    @classmethod
    def within(cls, problem: BaseProblem, at: int, variables: Sequence[Variable]) -> DrawingScope:
        """Return the same in a problem; an SMT problem gets constant arrays only if it has some."""
        scope = cls.of(problem.formulas, at, variables)
        functions = problem.declared_functions
        if functions is None:
            return scope
        return replace(scope, functions=functions, constant_arrays=any(map(_has_constant_arrays, problem.formulas)))


def _has_constant_arrays(formula: Term) -> bool:
    def derive() -> bool:
        return any(isinstance(term, Apply) and is_constant(term.operator) for term in subterms(formula))

    return kept(formula, "constant arrays", derive)


def constants(formulas: Sequence[Term], sort: Sort) -> tuple[Value, ...]:
    """Return the constants of the sort in these formulas, in order, each with its neighbours."""
    found: dict[Value, None] = {}
    for formula in formulas:
        for term in own_terms(formula).get(sort, ()):
            if isinstance(term, Value):
                found.update(dict.fromkeys(kind_of(sort).near(term)))
    return tuple(found)


def own_terms(formula: Term) -> Mapping[Sort, tuple[Term, ...]]:
    """Return small terms of a formula without predicates and quantifiers, by sort; variables are left out."""

    def derive() -> Mapping[Sort, tuple[Term, ...]]:
        found: dict[Sort, list[Term]] = {}
        fitting = (
            term
            for term in subterms(formula)
            if not (term.has_atoms or term.depth or term.size > _MOST_OWN_SIZE or isinstance(term, Variable))
        )
        for term in islice(fitting, _MOST_OWN):
            found.setdefault(term.sort, []).append(term)
        return {sort: tuple(terms) for sort, terms in found.items()}

    return kept(formula, "own terms", derive)
