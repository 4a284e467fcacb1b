"""Transitions between vectors of numbers, and the clauses that state them; parts of generated systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from chcfuzz.domains.chc.generation.layouts import (
    Basis,
    Coefficients,
    Layout,
    Number,
    layout,
    weighted_sum,
)
from chcfuzz.domains.chc.generation.linear_constraints import Constraint, dot
from chcfuzz.domains.chc.oracles.refutation import Refutation, fault
from chcfuzz.domains.chc.oracles.refutation_text import print_refutation
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.printing.witness import Meanings, print_definition
from chcfuzz.grammar.sorts import REAL, Sort
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import (
    FALSE,
    Atom,
    Quantifier,
    Term,
    Variable,
    conjunction,
    free_variables,
    implication,
    negation,
)
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.made import Effort
from chcfuzz.solvers.watchdog import Watchdog

MOST_WIDTH = 4  # length of a predicate's vector

Mode = tuple[int, int]  # number of a predicate, and number of one of its modes


@dataclass(frozen=True)
class Generated:
    """A system with `:status`, and its witness: the meanings of its predicates, or a refutation."""

    system: System
    meanings: Meanings | None = None
    refutation: Refutation | None = None

    @property
    def witness(self) -> str:
        """The witness as text: `define-fun`s, or the steps of the refutation."""
        if self.meanings is not None:
            return "".join(f"{print_definition(predicate, meaning)}\n" for predicate, meaning in self.meanings.items())
        assert self.refutation is not None
        return print_refutation(self.system, self.refutation)

    @property
    def text(self) -> str:
        """The system as text."""
        return print_system(self.system)

    def is_right(self, watchdog: Watchdog) -> bool | None:
        """Check the witness, clause by clause or step by step."""
        from chcfuzz.domains.chc.oracles.model import check_text  # not at the top: it imports z3

        if self.refutation is None:
            kind = check_text(self.system, self.witness, watchdog).kind
            return None if kind is VerdictKind.UNDECIDED else kind is VerdictKind.PASS
        found = fault(self.system, self.refutation)
        return True if found is None else (False if found.certain else None)

    def effort(self, rlimit: int, watchdog: Watchdog) -> Effort:
        """Return Spacer's effort."""
        from chcfuzz.domains.chc.solvers.effort import effort  # not at the top: it imports z3

        return effort(self.text, rlimit, watchdog)


@dataclass(frozen=True)
class Transition:
    """An affine map from the vectors of `sources`, concatenated and followed by `inputs`, to the vector of `target`.

    Without a `target` it is a query. `guards` constrain the concatenated vectors and inputs.
    """

    sources: tuple[Mode, ...]
    target: Mode | None
    inputs: int = 0
    matrix: tuple[Coefficients, ...] = ()
    shift: tuple[Number, ...] = ()
    guards: tuple[Constraint, ...] = ()
    negated: Constraint | None = None

    def image(self, values: Sequence[Number]) -> tuple[Number, ...]:
        """Return the vector that the map gives."""
        return tuple(dot(line, values) + add for line, add in zip(self.matrix, self.shift, strict=True))

    def pulled(self, constraint: Constraint) -> Constraint:
        """Return the constraint on the sources that is equivalent to a constraint on the target."""
        width = len(self.matrix[0]) if self.matrix else 0
        factors = tuple(
            sum(f * line[at] for f, line in zip(constraint.factors, self.matrix, strict=True)) for at in range(width)
        )
        return replace(constraint, factors=factors, bound=constraint.bound - dot(constraint.factors, self.shift))


@dataclass
class Maker:
    """Parts that both kinds of systems need: predicates, and clauses for transitions."""

    on: Basis
    choices: Choices
    layouts: list[Layout] = field(default_factory=list)
    transitions: list[Transition] = field(default_factory=list)

    @property
    def sort(self) -> Sort:
        """The sort of the numbers in vectors."""
        return self.on.sort

    def small(self) -> Number:
        """Return a number near zero."""
        n = self.choices.pick((0, 1, -1, 1, 2, -2, 3, 5, 10, -7))
        return Fraction(n, self.choices.pick((1, 1, 2, 3))) if self.sort is REAL else n

    def add_predicate(self, width: int, modes: int) -> int:
        """Add a predicate with a drawn layout, and return its number."""
        self.layouts.append(layout(f"p{len(self.layouts)}", width, modes, self.on, self.choices))
        return len(self.layouts) - 1

    def some_mode(self, at: int) -> Mode:
        """Draw a mode of a predicate."""
        return at, self.choices.index(self.layouts[at].modes)

    def widths(self, sources: Sequence[Mode]) -> int:
        """Return the length of the concatenated vectors."""
        return sum(self.layouts[at].width for at, _ in sources)

    def drawn(self, sources: tuple[Mode, ...], target: Mode) -> Transition:
        """Draw a transition: each number of the target is copied, moved, added to, or replaced by an input."""
        inputs = self.choices.pick((0, 0, 0, 1, 2))
        known = self.widths(sources)
        width = known + inputs
        matrix, shift = [], []
        for place in range(self.layouts[target[0]].width):
            factors = [0] * width
            if known and (self.choices.index(8) or not inputs):
                at = place if place < known and self.choices.index(4) else self.choices.index(known)
                factors[at] = 1
                if self.choices.index(4) == 0:
                    factors[self.choices.index(width)] += self.choices.pick((1, -1, 1, 2))
            elif inputs:
                factors[known + self.choices.index(inputs)] = 1
            matrix.append(tuple(factors))
            shift.append(self.small() if self.choices.boolean() else 0)
        return Transition(sources, target, inputs, tuple(matrix), tuple(shift))

    def clause(self, of: Transition) -> Clause:
        """Return the transition as a clause over the arguments of the body's atoms, followed by the inputs."""
        variables: list[Variable] = []
        body: list[Term] = []
        terms: list[Term] = []
        for at, mode in of.sources:
            here = self.layouts[at]
            own = [Variable(f"x{len(variables) + n}", holder.sort) for n, holder in enumerate(here.holders)]
            variables += own
            modes = here.mode(mode)
            if modes and self.choices.boolean():
                named = Variable(f"x{len(variables)}", modes[0].sort)
                variables.append(named)
                body.append(named if mode else negation(named))
                modes = [named]
            body.append(Atom(here.predicate, (*own, *modes)))
            terms += here.read(own)
        bases = tuple(variables)
        free = [Variable(f"i{n}", self.sort) for n in range(of.inputs)]
        terms += free
        guards = [c.formula(terms, self.sort, self.choices) for c in of.guards]
        if of.negated is not None:
            guards.append(of.negated.negated(terms, self.sort, self.choices))
        place = self.choices.index(2) * len(body)
        body[place:place] = guards
        head: Term = FALSE
        if of.target is not None:
            new = [weighted_sum(line, add, terms, self.sort) for line, add in zip(of.matrix, of.shift, strict=True)]
            there = self.layouts[of.target[0]]
            head = Atom(there.predicate, there.write(new, bases, of.target[1], self.choices))
        matrix = implication(conjunction(*body), head) if body else head
        used = free_variables(matrix)
        bound = [variable for variable in (*variables, *free) if variable in used]
        return Clause(Quantifier("forall", bound, matrix) if bound else matrix)

    def system(self, clauses: Sequence[Clause], status: str) -> System:
        """Return the system of these clauses."""
        predicates = tuple(here.predicate for here in self.layouts)
        groups = (self.on.datatypes,) if self.on.datatypes else ()
        return System(groups, predicates, tuple(clauses), (("status", status),))
