"""The order of the variables that a quantifier binds."""

from __future__ import annotations

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.terms import Quantifier
from chcfuzz.mutators.mutation import Mutation, Promise
from chcfuzz.mutators.rewriting.places import binders, rewrite_binder


def _mixed(prefix: Quantifier, choices: Choices) -> Quantifier:
    variables = [prefix.variables[i] for i in choices.permutation(len(prefix.variables))]
    return Quantifier(prefix.kind, variables, prefix.body)


MUTATIONS = (
    Mutation(
        "quantifiers.mix-bound-vars",
        Promise.EQUIVALENT,
        "the variables of a quantifier are bound in another order",
        "HornFuzz 5 MIX_BOUND_VARS",
        lambda system, choices: rewrite_binder(system, choices, 2, _mixed),
        lambda system: bool(binders(system, 2)),
        permutes=True,
    ),
)
