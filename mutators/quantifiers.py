"""The order in which variables are bound."""

from __future__ import annotations

from collections.abc import Iterator

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Path, Quantifier, at, positions, replace_at
from chcfuzz.mutators.mutation import Mutation, Promise


def _prefixes(system: System) -> Iterator[tuple[int, Path]]:
    for index, clause in enumerate(system.clauses):
        for path in positions(clause.formula, lambda term: isinstance(term, Quantifier) and len(term.variables) > 1):
            yield index, path


def _has_prefix(system: System) -> bool:
    return next(_prefixes(system), None) is not None


def _mix(system: System, choices: Choices) -> System | None:
    found = list(_prefixes(system))
    if not found:
        return None
    index, path = choices.pick(found)
    formula = system.clauses[index].formula
    prefix = at(formula, path)
    assert isinstance(prefix, Quantifier)
    variables = [prefix.variables[i] for i in choices.permutation(len(prefix.variables))]
    mixed = Quantifier(prefix.kind, variables, prefix.body)
    return None if mixed is prefix else system.with_clause(index, replace_at(formula, path, mixed))


MUTATIONS = (
    Mutation(
        "quantifiers.mix-bound-vars",
        Promise.EQUIVALENT,
        "the variables of a quantifier are bound in another order",
        "HornFuzz 5 MIX_BOUND_VARS",
        _mix,
        _has_prefix,
    ),
)
