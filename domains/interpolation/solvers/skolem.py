"""Formulas as universal variables and a body without quantifiers, the first stage of interpolation by instances.

Existential variables become Skolem functions of the universal variables around them. They belong to the side of their
formula, so interpolants do not have them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.substitution import fresh_name, substitute
from chcfuzz.grammar.terms import Call, Function, Quantifier, Term, Variable, is_operator

_MOST_LEVELS = 200  # of connectives around a quantifier: each is a step of recursion


class Skolemization:
    """Removes the quantifiers of several formulas; `functions` are the Skolem functions so far."""

    def __init__(self, taken: Collection[str]) -> None:
        """Give new functions and variables names that are not among those taken."""
        self.functions: list[Function] = []
        self._taken = set(taken)

    def matrix(self, formula: Term) -> tuple[tuple[Variable, ...], Term]:
        """Return the universal variables of a formula and its body; raises `ChcfuzzError` for quantifiers in terms."""
        found: list[Variable] = []
        body = self._body(formula, True, (), found, 0)
        return tuple(found), body

    def _body(
        self, formula: Term, is_positive: bool, around: tuple[Variable, ...], found: list[Variable], level: int
    ) -> Term:
        """Return a part of a formula without quantifiers; `around` are the universal variables of those around it."""
        if not formula.depth:
            return formula
        if level == _MOST_LEVELS:
            raise ChcfuzzError(f"a quantifier below {_MOST_LEVELS} connectives")
        if isinstance(formula, Quantifier):
            is_universal = (formula.kind == "forall") == is_positive
            new = self._variables(formula) if is_universal else self._applied(formula, around)
            own = tuple(each for each in new if isinstance(each, Variable))
            found += own
            body = substitute(formula.body, dict(zip(formula.variables, new, strict=True)))
            return self._body(body, is_positive, (*around, *own), found, level + 1)
        signs = zip(formula.children, _signs(formula, is_positive), strict=True)
        return formula.rebuild([self._body(child, sign, around, found, level + 1) for child, sign in signs])

    def _variables(self, quantifier: Quantifier) -> list[Term]:
        return [Variable(self._fresh(variable.name), variable.sort) for variable in quantifier.variables]

    def _applied(self, quantifier: Quantifier, around: tuple[Variable, ...]) -> list[Term]:
        """Return new Skolem functions, applied to the universal variables around a quantifier."""
        sorts = tuple(variable.sort for variable in around)
        new = [Function(self._fresh(variable.name), sorts, variable.sort) for variable in quantifier.variables]
        self.functions += new
        return [Call(function, around) for function in new]

    def _fresh(self, name: str) -> str:
        fresh = fresh_name(name, self._taken)
        self._taken.add(fresh)
        return fresh


def _signs(formula: Term, is_positive: bool) -> Sequence[bool]:
    """Return for each child whether it occurs positively; raises `ChcfuzzError` if that is not one way."""
    number = len(formula.children)
    if is_operator(formula, "and") or is_operator(formula, "or"):
        return [is_positive] * number
    if is_operator(formula, "not"):
        return [not is_positive]
    if is_operator(formula, "=>"):
        return [*[not is_positive] * (number - 1), is_positive]
    if is_operator(formula, "ite") and not formula.children[0].depth:
        return [is_positive] * number
    raise ChcfuzzError("a quantifier inside of a term")
