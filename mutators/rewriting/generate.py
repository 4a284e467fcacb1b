"""Systems generated together with the witness of their answer, from choices.

The witness is drawn first, so that generation needs no solver. A predicate holds a vector of numbers (`layouts`), and
clauses are transitions: the vector of the head is an affine image of those in the body.

- `sat`: every mode of every predicate has invariants (linear sums that are bounded below, fixed, or fixed modulo a
  number), which are its interpretation. A new predicate is reached from an existing one by an invertible map that also
  transforms the invariants, so this transition needs no guard. Each other transition is the best of several drawn ones:
  an invariant of its head that one or two invariants of its body do not imply becomes a guard. A query negates a
  consequence of the invariants.
- `unsat`: transitions are executed, starting from a fact, and each gets only guards that held in all its executions. A
  query requires conditions that hold at the end. The execution is the refutation, and the clauses generalize its steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.evaluate import Ground, evaluate
from chcfuzz.grammar.sorts import INT, REAL, Sort
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import (
    FALSE,
    Atom,
    Quantifier,
    Term,
    Variable,
    apply,
    conjunction,
    disjunction,
    free_variables,
    implication,
    negation,
)
from chcfuzz.grammar.witness import Fact, Meaning, Meanings, print_definition
from chcfuzz.mutators.rewriting.layouts import (
    THEORIES,
    Basis,
    Coefficients,
    Layout,
    Number,
    at_least,
    basis,
    congruent,
    layout,
    number,
    weighted_sum,
)
from chcfuzz.oracles.refutation import DerivationStep, Refutation, needed, print_refutation

SIZES = (1, 2, 2, 3, 4, 6, 10, 20)  # numbers of predicates
_MOST_WIDTH = 4  # length of a predicate's vector
_CANDIDATES = 4  # transitions that are drawn to keep the one with the fewest guards
_MODULI = (2, 3, 4, 5)
_MOST_RUN = 60  # steps of a refutation
_MOST_VALUE = 1 << 20  # of a number in a derivation


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


def generated(
    status: str, choices: Choices, theories: Sequence[str] | None = None, sizes: Sequence[int] = SIZES
) -> Generated:
    """Return a system of this status, over these theories or drawn ones; its number of predicates is one of `sizes`."""
    if theories is None:
        theories = [theory for theory in THEORIES if choices.index(3) == 0]
    on, size = basis(theories, choices), choices.pick(sizes)
    return _Sat(on, choices).made(size) if status == "sat" else _Unsat(on, choices).made(size)


# Constraints ---------------------------------------------------------------------------------------


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


def _dot(factors: Coefficients, values: Sequence[Number]) -> Number:
    return sum(factor * value for factor, value in zip(factors, values, strict=True))


def _padded(factors: Coefficients, before: int, width: int) -> Coefficients:
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


# Transitions ---------------------------------------------------------------------------------------

Mode = tuple[int, int]  # number of a predicate, and number of one of its modes


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
        return tuple(_dot(line, values) + add for line, add in zip(self.matrix, self.shift, strict=True))

    def pulled(self, constraint: Constraint) -> Constraint:
        """Return the constraint on the sources that is equivalent to a constraint on the target."""
        width = len(self.matrix[0]) if self.matrix else 0
        factors = tuple(
            sum(f * line[at] for f, line in zip(constraint.factors, self.matrix, strict=True)) for at in range(width)
        )
        return replace(constraint, factors=factors, bound=constraint.bound - _dot(constraint.factors, self.shift))


@dataclass
class _Maker:
    """Parts that both kinds of systems need: predicates, and clauses for transitions."""

    on: Basis
    choices: Choices
    layouts: list[Layout] = field(default_factory=list)
    transitions: list[Transition] = field(default_factory=list)

    @property
    def sort(self) -> Sort:
        return self.on.sort

    def small(self) -> Number:
        """Return a number near zero."""
        n = self.choices.pick((0, 1, -1, 1, 2, -2, 3, 5, 10, -7))
        return Fraction(n, self.choices.pick((1, 1, 2, 3))) if self.sort is REAL else n

    def add_predicate(self, width: int, modes: int) -> int:
        self.layouts.append(layout(f"p{len(self.layouts)}", width, modes, self.on, self.choices))
        return len(self.layouts) - 1

    def some_mode(self, at: int) -> Mode:
        return at, self.choices.index(self.layouts[at].modes)

    def widths(self, sources: Sequence[Mode]) -> int:
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
        predicates = tuple(here.predicate for here in self.layouts)
        groups = (self.on.datatypes,) if self.on.datatypes else ()
        return System(groups, predicates, tuple(clauses), (("status", status),))


# sat -----------------------------------------------------------------------------------------------


class _Sat(_Maker):
    def __init__(self, on: Basis, choices: Choices) -> None:
        super().__init__(on, choices)
        self.constraints: dict[Mode, tuple[Constraint, ...]] = {}

    def made(self, number_of: int) -> Generated:
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
        at = self.add_predicate(self.choices.integer(1, _MOST_WIDTH), self.choices.pick((1, 1, 2)))
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
            value = _dot(factors, point)
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
        lines = [_padded((1,), place, width) for place in range(width)]
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
        if width < _MOST_WIDTH and self.choices.boolean():  # one more number, with a known relation to an existing one
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
            known += [replace(c, factors=_padded(c.factors, before, width)) for c in self.constraints[source]]
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


# unsat ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Reached:
    """A derived vector: its mode, the transition that gave it, and the earlier vectors and inputs that it used."""

    mode: Mode
    vector: tuple[Number, ...]
    by: int
    premises: tuple[int, ...]
    inputs: tuple[Number, ...]


class _Unsat(_Maker):
    def __init__(self, on: Basis, choices: Choices) -> None:
        super().__init__(on, choices)
        self.reached: list[_Reached] = []

    def made(self, number_of: int) -> Generated:
        for _ in range(number_of):
            self.add_predicate(self.choices.integer(1, _MOST_WIDTH), self.choices.pick((1, 1, 2)))
        for at in range(min(number_of, self.choices.pick((1, 1, 2)))):
            point = tuple(self.small() for _ in range(self.layouts[at].width))
            self.transitions.append(Transition((), self.some_mode(at), 0, tuple(() for _ in point), point))
            self._reach(len(self.transitions) - 1, ())
        self._paths(number_of)
        self._run()
        self.transitions = [self._generalized(number, each) for number, each in enumerate(self.transitions)]
        goals = [len(self.reached) - 1]
        if self.choices.index(4) == 0:
            goals.append(self.choices.index(len(self.reached)))
        self.transitions.append(self._goal_query(goals))
        return self._written(goals)

    def _paths(self, number_of: int) -> None:
        """Add transitions from each predicate to the next, loops, and others; some have two sources."""
        for place in range(1, number_of):
            self.transitions.append(self.drawn((self.some_mode(self.choices.index(place)),), self.some_mode(place)))
        for _ in range(number_of * self.choices.integer(1, 3)):
            at = self.some_mode(self.choices.index(number_of))
            sources: tuple[Mode, ...] = (at,)
            if self.choices.index(4) == 0:
                sources = (at, self.some_mode(self.choices.index(number_of)))
            target = at if self.choices.boolean() else self.some_mode(self.choices.index(number_of))
            self.transitions.append(self.drawn(sources, target))

    def _run(self) -> None:
        """Execute transitions from derived vectors; loops are executed several times."""
        most = self.choices.pick((4, 8, 16, 32, _MOST_RUN))
        steps = [number for number, each in enumerate(self.transitions) if each.sources]
        for _ in range(3 * most):
            modes = {one.mode for one in self.reached}
            able = [number for number in steps if modes.issuperset(self.transitions[number].sources)]
            if not able or len(self.reached) >= most:
                return
            by = self.choices.pick(able)
            of = self.transitions[by]
            for _ in range(self.choices.pick((1, 1, 3, 8)) if of.target in of.sources else 1):
                self._reach(by, [self._last(source) for source in of.sources])

    def _last(self, mode: Mode) -> int:
        """Return a derived vector in the mode, most often the last."""
        found = [number for number, one in enumerate(self.reached) if one.mode == mode]
        return found[-1] if self.choices.index(4) else self.choices.pick(found)

    def _reach(self, by: int, premises: Sequence[int]) -> None:
        of = self.transitions[by]
        assert of.target is not None
        inputs = tuple(self.small() for _ in range(of.inputs))
        vector = of.image(self._values_before(premises, inputs))
        if self.on.modulus:
            vector = tuple(value % self.on.modulus for value in vector)
        if self.on.modulus or all(-_MOST_VALUE < value < _MOST_VALUE for value in vector):
            self.reached.append(_Reached(of.target, vector, by, tuple(premises), inputs))

    def _values_before(self, premises: Sequence[int], inputs: Sequence[Number]) -> list[Number]:
        """Return these vectors, concatenated, and the inputs."""
        return [*(value for premise in premises for value in self.reached[premise].vector), *inputs]

    def _uses(self, by: int) -> list[list[Number]]:
        """Return the values from which a transition was executed."""
        return [self._values_before(one.premises, one.inputs) for one in self.reached if one.by == by]

    def _generalized(self, number: int, of: Transition) -> Transition:
        """Return the transition with guards that held whenever it was executed; arbitrary ones if it never was."""
        uses = self._uses(number)
        width = self.widths(of.sources) + of.inputs
        if not of.sources or not width:
            return of
        constraints = [self._guard(width, uses) for _ in range(self.choices.pick((0, 1, 1, 2)))]
        return replace(of, guards=tuple(constraints))

    def _guard(self, width: int, uses: Sequence[Sequence[Number]]) -> Constraint:
        factors = [0] * width
        for _ in range(self.choices.pick((1, 1, 2))):
            factors[self.choices.index(width)] = self.choices.pick((1, -1, 1, 2))
        values = [_dot(tuple(factors), use) for use in uses] or [self.small()]
        if self.on.modulus:
            bits = next(b for b in range(self.sort.width, -1, -1) if len({value % (1 << b) for value in values}) == 1)
            return (
                Constraint(tuple(factors), "mod", values[0] % (1 << bits), 1 << bits)
                if bits
                else Constraint((0,) * width, "mod", 0, 2)
            )
        if len(set(values)) == 1 and self.choices.boolean():
            return Constraint(tuple(factors), "=", values[0])
        modulus = self.choices.pick(_MODULI)
        if self.sort is INT and len({value % modulus for value in values}) == 1 and self.choices.boolean():
            return Constraint(tuple(factors), "mod", values[0] % modulus, modulus)
        return Constraint(tuple(factors), ">=", min(values) - self.choices.pick((0, 0, 1)))

    def _goal_query(self, goals: Sequence[int]) -> Transition:
        sources = tuple(self.reached[number].mode for number in goals)
        values = self._values_before(goals, ())
        width = len(values)
        constraints = [self._guard(width, [values]) for _ in range(self.choices.integer(1, 3))]
        return Transition(sources, None, guards=tuple(constraints))

    def _written(self, goals: Sequence[int]) -> Generated:
        """Return the clauses, and the execution as their refutation."""
        order = self.choices.permutation(len(self.transitions))
        clauses = [self.clause(each) for each in self.transitions]
        place = {old: new for new, old in enumerate(order)}
        facts: list[Fact] = []
        steps: list[DerivationStep] = []
        for step in range(len(self.reached) + 1):
            last = step == len(self.reached)
            by = len(self.transitions) - 1 if last else self.reached[step].by
            premises = tuple(goals) if last else self.reached[step].premises
            values = self._values(clauses[by], [facts[premise] for premise in premises], step)
            head = clauses[by].head
            fact = None
            if isinstance(head, Atom):
                derived = tuple(evaluate(argument, values) for argument in head.children)
                fact = Fact(head.predicate, derived)  # type: ignore[arg-type]  # evaluation of these arguments is always determined
                facts.append(fact)
            steps.append(DerivationStep(place[by], premises, tuple(values.values()), fact))
        return Generated(self.system([clauses[old] for old in order], "unsat"), refutation=needed(tuple(steps)))

    def _values(self, clause: Clause, facts: Sequence[Fact], step: int) -> dict[Variable, Ground]:
        """Return the values of a clause's variables: those in the facts for its atoms, then the inputs."""
        given: dict[Variable, Ground] = {}
        atoms = [member for member in clause.body if isinstance(member, Atom)]
        for atom, fact in zip(atoms, facts, strict=True):
            for argument, value in zip(atom.children, fact.values, strict=True):
                if isinstance(argument, Variable):
                    given[argument] = value
        inputs = self.reached[step].inputs if step < len(self.reached) else ()
        for place, value in enumerate(inputs):
            given[Variable(f"i{place}", self.sort)] = number(value, self.sort).value
        return {variable: given[variable] for variable in clause.variables}
