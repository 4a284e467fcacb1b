"""Other names of bound variables, and the names that rows about names draw from.

Z3 orders symbols by their text or their number, and some of its steps depend on that order.
"""

from __future__ import annotations

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.substitution import fresh_name, substitute
from chcfuzz.grammar.terms import Quantifier, Variable
from chcfuzz.mutators.mutation import Mutation, Promise
from chcfuzz.mutators.rewriting.places import P, binders, rewrite_binder
from chcfuzz.mutators.rewriting.symbols import taken_names

# First and last in alphabetical order, with characters that need quoting, long, and like names that Z3 generates.
NAMES = ("A", "a", "zz", "_x", "k!0", "x y", "P#1", "aux", "inv-1", "A" * 64)


def _rename_variable(problem: P, choices: Choices) -> P | None:
    def renamed(binder: Quantifier, choices: Choices) -> Quantifier:
        old = choices.pick(binder.variables)
        new = Variable(fresh_name(choices.pick(NAMES), taken_names(problem)), old.sort)
        variables = [new if variable is old else variable for variable in binder.variables]
        return Quantifier(binder.kind, variables, substitute(binder.body, {old: new}))

    return rewrite_binder(problem, choices, 1, renamed)


RENAME_VARIABLE = Mutation(
    "names.rename-variable",
    Promise.EQUIVALENT,
    "a bound variable gets another name",
    "answers depend on the order of names, as on clause order",
    _rename_variable,
    lambda problem: bool(binders(problem)),
    permutes=True,
)
