"""Satisfiable systems, generated around the invariants that are their interpretation; see `generate`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chcfuzz.domains.chc.generation.layouts import (
    Basis,
    Coefficients,
    Layout,
    Number,
)
from chcfuzz.domains.chc.generation.linear_constraints import Constraint, dot, implied, padded
from chcfuzz.domains.chc.generation.transitions import MOST_WIDTH, Generated, Maker, Mode, Transition
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.witness import Meaning
from chcfuzz.grammar.sorts import INT
from chcfuzz.grammar.terms import (
    Variable,
    conjunction,
    disjunction,
    negation,
)

_CANDIDATES = 4  # transitions that are drawn to keep the one with the fewest guards
_MODULI = (2, 3, 4, 5)


class SatMaker(Maker):
    """Maker of a satisfiable system; `constraints` are the invariants of each mode."""

    def __init__(self, on: Basis, choices: Choices) -> None:
        super().__init__(on, choices)
        self.constraints: dict[Mode, tuple[Constraint, ...]] = {}

    def made(self, number_of: int) -> Generated:
        """Return a system with this number of predicates, and its interpretation."""
        self._root()
        for _ in range(number_of - 1):
            self._next()
        modes = list(self.constraints)
        for _ in range(number_of * self.choices.integer(1, 3)):
            at = self.choices.pick(modes)
            sources = (at,) if self.choices.index(4) else (at, self.choices.pick(modes))
            self._best(sources, at if self.choices.boolean() else self.choices.pick(modes))
        for _ in range(self.choices.pick((1, 1, 2, 3))):
            self._query()
        clauses = [self.clause(each) for each in self.transitions]
        mixed = [clauses[at] for at in self.choices.permutation(len(clauses))]
        meanings = {here.predicate: self._meaning(number, here) for number, here in enumerate(self.layouts)}
        return Generated(self.system(mixed, "sat"), meanings=meanings)

    def _root(self) -> None:
        """Add a predicate with constraints that hold at a point, and a fact: that point, or all that they allow."""
        at = self.add_predicate(self.choices.integer(1, MOST_WIDTH), self.choices.pick((1, 1, 2)))
        for mode in range(self.layouts[at].modes):
            point = tuple(self.small() for _ in range(self.layouts[at].width))
            self.constraints[at, mode] = self._constraints_at(point)
            nothing = tuple(() for _ in point)
            self.transitions.append(Transition((), (at, mode), 0, nothing, point))
            if self.choices.index(3) == 0:
                self._best((), (at, mode))

    def _constraints_at(self, point: Sequence[Number]) -> tuple[Constraint, ...]:
        constraints = []
        for _ in range(self.choices.integer(1, len(point) + 1)):
            factors = self._factors(len(point))
            value = dot(factors, point)
            if self.on.modulus:
                bits = self.choices.pick((1, 2, self.sort.width, self.sort.width))
                constraints.append(Constraint(factors, "mod", value % (1 << bits), 1 << bits))
                continue
            kind = self.choices.pick((">=", ">=", ">=", "=", "mod" if self.sort is INT else ">="))
            modulus = self.choices.pick(_MODULI) if kind == "mod" else 0
            slack = self.choices.pick((0, 0, 1, 5)) if kind == ">=" else 0
            constraints.append(Constraint(factors, kind, value % modulus if modulus else value - slack, modulus))
        return tuple(constraints)

    def _factors(self, width: int) -> Coefficients:
        factors = [0] * width
        for _ in range(self.choices.pick((1, 1, 2, 2, 3))):
            factors[self.choices.index(width)] = self.choices.pick((1, -1, 1, 2))
        return tuple(factors)

    def _next(self) -> None:
        """Add a predicate that an invertible map reaches from an existing one, with transformed constraints."""
        before = self.choices.pick(list(self.constraints))
        width = self.layouts[before[0]].width
        lines = [padded((1,), place, width) for place in range(width)]
        shift: list[Number] = [0] * width
        constraints = list(self.constraints[before])
        for _ in range(self.choices.index(4)):
            one, other = self.choices.index(width), self.choices.index(width)
            by, add = self.choices.pick((1, -1)), self.small()
            if one != other:  # add a multiple of another number, and subtract it in the constraints
                lines[one] = tuple(a + by * b for a, b in zip(lines[one], lines[other], strict=True))
                shift[one] += by * shift[other]
                constraints = [_with(c, other, c.factors[other] - by * c.factors[one]) for c in constraints]
            shift[one] += add
            constraints = [replace(c, bound=_reduced(c, c.bound + c.factors[one] * add)) for c in constraints]
        if width < MOST_WIDTH and self.choices.boolean():  # one more number, with a known relation to an existing one
            copied, add = self.choices.index(width), self.small()
            lines.append(lines[copied])
            shift.append(shift[copied] + add)
            link = [0] * (width + 1)
            link[width], link[copied] = 1, -1
            constraints = [replace(c, factors=(*c.factors, 0)) for c in constraints]
            kind = "mod" if self.on.modulus else self.choices.pick((">=", "="))
            difference = add % self.on.modulus if self.on.modulus else add
            constraints.append(Constraint(tuple(link), kind, difference, self.on.modulus))
        kept = [self._weaker(c) for c in constraints if self.choices.index(6)]
        modes = self.choices.pick((1, 1, 1, 2))
        at = self.add_predicate(len(lines), modes)
        first = self.choices.index(modes)
        self.constraints[at, first] = tuple(kept)
        self.transitions.append(Transition((before,), (at, first), 0, tuple(lines), tuple(shift)))
        for mode in range(modes):
            if mode != first:
                self.constraints[at, mode] = tuple(self._weaker(c) for c in kept if self.choices.boolean())
                self._best(((at, first),), (at, mode))

    def _weaker(self, constraint: Constraint) -> Constraint:
        """Return a consequence of a constraint, often itself."""
        if self.choices.index(3):
            return constraint
        if constraint.kind == ">=":
            return replace(constraint, bound=constraint.bound - self.choices.pick((1, 2, 4)))
        if constraint.kind == "=":
            return replace(constraint, kind=">=")
        if constraint.modulus % 4 == 0:
            half = constraint.modulus // 2
            return replace(constraint, modulus=half, bound=constraint.bound % half)
        return constraint

    def _best(self, sources: tuple[Mode, ...], target: Mode) -> None:
        """Add the transition that needs the fewest guards, out of several drawn ones."""
        found = [self._guarded(self.drawn(sources, target)) for _ in range(_CANDIDATES)]
        self.transitions.append(min(found, key=lambda one: len(one.guards)))

    def _guarded(self, drawn: Transition) -> Transition:
        assert drawn.target is not None
        known = self._known(drawn.sources, drawn.inputs)
        guards: list[Constraint] = []
        for constraint in self.constraints[drawn.target]:
            pulled = drawn.pulled(constraint)
            pulled = replace(pulled, bound=_reduced(pulled, pulled.bound))
            if self.on.modulus:
                pulled = replace(pulled, factors=tuple(f % self.on.modulus for f in pulled.factors))
            if not implied(pulled, [*known, *guards]):
                guards.append(pulled)
        return replace(drawn, guards=tuple(guards))

    def _known(self, sources: Sequence[Mode], inputs: int = 0) -> list[Constraint]:
        """Return the constraints of all sources, on their concatenated vectors."""
        width = self.widths(sources) + inputs
        known, before = [], 0
        for source in sources:
            known += [replace(c, factors=padded(c.factors, before, width)) for c in self.constraints[source]]
            before += self.layouts[source[0]].width
        return known

    def _query(self) -> None:
        """Add a query that negates a constraint, or the sum of two."""
        modes = [mode for mode, constraints in self.constraints.items() if constraints]
        sources: tuple[Mode, ...] = (self.choices.pick(modes or list(self.constraints)),)
        if modes and self.choices.index(3) == 0:
            sources = (*sources, self.choices.pick(modes))
        known = self._known(sources)
        negated = self._weaker(self.choices.pick(known)) if known else Constraint((0,) * self.widths(sources), ">=", 0)
        others = [c for c in known if c.kind == negated.kind == ">="]
        if others and self.choices.index(3):
            other = self.choices.pick(others)
            factors = tuple(a + b for a, b in zip(negated.factors, other.factors, strict=True))
            negated = replace(negated, factors=factors, bound=negated.bound + other.bound)
        self.transitions.append(Transition(sources, None, negated=negated))

    def _meaning(self, at: int, here: Layout) -> Meaning:
        parameters = tuple(Variable(f"a{n}", sort) for n, sort in enumerate(here.predicate.parameters))
        first = Choices(b"")
        terms = here.read(parameters)
        formulas = [
            [c.formula(terms, self.sort, first) for c in self.constraints[at, mode]] for mode in range(here.modes)
        ]
        parts = list(here.shape(parameters))
        if here.modes > 1:
            named = parameters[-1]
            parts += [disjunction(named, each) for each in formulas[0]]
            parts += [disjunction(negation(named), each) for each in formulas[1]]
        else:
            parts += formulas[0]
        return Meaning(parameters, conjunction(*parts))


def _with(constraint: Constraint, place: int, factor: Number) -> Constraint:
    return replace(constraint, factors=(*constraint.factors[:place], factor, *constraint.factors[place + 1 :]))


def _reduced(constraint: Constraint, bound: Number) -> Number:
    return bound % constraint.modulus if constraint.modulus else bound
