"""Linear constraints on vectors of numbers, and when others imply one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from chcfuzz.domains.chc.generation.layouts import (
    Coefficients,
    Number,
    at_least,
    congruent,
    number,
    weighted_sum,
)
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.sorts import Sort
from chcfuzz.grammar.terms import (
    Term,
    apply,
    negation,
)


@dataclass(frozen=True)
class Constraint:
    """A linear constraint on a vector: its weighted sum is >= or = `bound`, or congruent to it ("mod" `modulus`)."""

    factors: Coefficients
    kind: str
    bound: Number
    modulus: int = 0

    def formula(self, terms: Sequence[Term], sort: Sort, choices: Choices) -> Term:
        """Return the constraint as a formula."""
        left = weighted_sum(self.factors, 0, terms, sort)
        match self.kind:
            case ">=":
                return at_least(left, self.bound, choices)
            case "mod":
                return congruent(left, self.bound, self.modulus)
        return apply("=", left, number(self.bound, sort))

    def negated(self, terms: Sequence[Term], sort: Sort, choices: Choices) -> Term:
        """Return the negation of the constraint."""
        if self.kind == ">=" and choices.boolean():
            return apply("<", weighted_sum(self.factors, 0, terms, sort), number(self.bound, sort))
        if self.kind == "=" and sort.is_numeric and choices.boolean():
            return apply(choices.pick(("<", ">")), weighted_sum(self.factors, 0, terms, sort), number(self.bound, sort))
        return negation(self.formula(terms, sort, choices))


def dot(factors: Coefficients, values: Sequence[Number]) -> Number:
    """Return the weighted sum of numbers."""
    return sum(factor * value for factor, value in zip(factors, values, strict=True))


def padded(factors: Coefficients, before: int, width: int) -> Coefficients:
    """Return the factors for a vector of `width` numbers, with `before` zeros in front of them."""
    return (*(0 for _ in range(before)), *factors, *(0 for _ in range(width - before - len(factors))))


def implied(constraint: Constraint, constraints: Sequence[Constraint]) -> bool:
    """Return whether one or two of the constraints, or none, obviously imply this one."""
    if constraint.kind == "mod":
        return _is_congruence(constraint, constraints)
    # Lower bounds of weighted sums, or their values.
    best: dict[Coefficients, Number] = {tuple(0 for _ in constraint.factors): 0}
    for other in constraints:
        exact = other.kind == "="
        if exact or (other.kind == ">=" and constraint.kind == ">="):
            for by in (1, 2, -1, -2) if exact else (1, 2):
                factors, bound = tuple(by * f for f in other.factors), by * other.bound
                best[factors] = max(best.get(factors, bound), bound)

    def fits(bound: Number) -> bool:
        return bound == constraint.bound if constraint.kind == "=" else bound >= constraint.bound

    for factors, bound in best.items():
        rest = best.get(tuple(a - b for a, b in zip(constraint.factors, factors, strict=True)))
        if rest is not None and fits(bound + rest):
            return True
    return False


def _is_congruence(constraint: Constraint, constraints: Sequence[Constraint]) -> bool:
    m = constraint.modulus
    exact = [other for other in constraints if other.kind == "=" or (other.kind == "mod" and other.modulus % m == 0)]
    some: list[tuple[Coefficients, Number]] = [(tuple(0 for _ in constraint.factors), 0)]
    for other, by in product(exact, range(1, min(m, 4))):
        some.append((tuple(by * f for f in other.factors), by * other.bound))
    return any(
        (constraint.bound - bound) % m == 0
        and all((a - b) % m == 0 for a, b in zip(constraint.factors, factors, strict=True))
        for factors, bound in some
    )
