"""Arrays that a model gives as functions: `(_ as-array f)` and `(lambda ((x I)) ...)`."""

from __future__ import annotations

from collections.abc import Mapping

from chcfuzz.grammar.evaluation.values import Ground
from chcfuzz.grammar.reading.declarations import Definition
from chcfuzz.grammar.terms import FALSE, Term, Variable, free_variables, is_operator, postorder, subterms


class FunctionArray:
    """An array as a function, with other elements at some indices; it can be compared with nothing."""

    def __init__(self, definition: Definition, entries: Mapping[Ground, Ground]) -> None:
        self.definition = definition
        self.entries = entries


def compared_with(variable: Variable, body: Term) -> list[Term] | None:
    """Return the closed terms that a body compares a variable with; None if it uses the variable otherwise."""
    found: dict[Term, None] = {}
    for here in subterms(body):
        if variable not in here.children:
            continue
        if not is_operator(here, "=") or len(here.children) != 2 or here.children == (variable, variable):
            return None
        (other,) = (child for child in here.children if child is not variable)
        if free_variables(other):
            return None
        found[other] = None
    return None if body is variable else list(found)


def where_nothing_equals(variable: Variable, body: Term) -> Term:
    """Return the body with false for each comparison of the variable."""
    done: dict[Term, Term] = {}
    for here in postorder(body):
        done[here] = FALSE if variable in here.children else here.rebuild([done[child] for child in here.children])
    return done[body]
