"""Systems that are made together with the witness of their answer, from choices.

The witness comes first, so that making a system costs no solving. A predicate holds a vector of numbers (`layouts`),
and clauses are transitions: the vector of the head is an affine image of those in the body.

- `sat`: every mode of every predicate has rows (a sum of its numbers is at least, is, or leaves a rest of), which are
  its interpretation. A predicate comes from another one by a map that can be undone, and takes that one's rows along,
  so the transition between them holds without a guard. Any other transition is the best of several that were drawn:
  what a row of its head asks for and no row or two of its body imply becomes a guard. A query denies what rows imply.
- `unsat`: transitions are run from a fact on, and each gets only guards that held whenever it ran. A query asks for
  what holds at the end. The run is the refutation; clauses with variables are what its steps were generalized to.
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
    Form,
    Location,
    Number,
    at_least,
    basis,
    congruent,
    form,
    location,
    number,
)
from chcfuzz.oracles.refutation import Refutation, Step, needed, print_refutation

SIZES = (1, 2, 2, 3, 4, 6, 10, 20)  # predicates
_MOST_WIDTH = 4  # numbers of a predicate
_CANDIDATES = 4  # transitions of which the one with the fewest guards is taken
_MODULI = (2, 3, 4, 5)
_MOST_RUN = 60  # steps of a refutation
_MOST_VALUE = 1 << 20  # of a number in a run


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
            return "".join(f"{print_definition(predicate, said)}\n" for predicate, said in self.meanings.items())
        assert self.refutation is not None
        return print_refutation(self.system, self.refutation)


def generated(
    status: str, choices: Choices, theories: Sequence[str] | None = None, sizes: Sequence[int] = SIZES
) -> Generated:
    """A system of this status, over these theories or over drawn ones, of one of these numbers of predicates."""
    if theories is None:
        theories = [theory for theory in THEORIES if choices.index(3) == 0]
    on, size = basis(theories, choices), choices.pick(sizes)
    return _Sat(on, choices).made(size) if status == "sat" else _Unsat(on, choices).made(size)


# Rows ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """That a form of a vector is at least `bound` (">="), is it ("="), or leaves its rest modulo `modulus` ("mod")."""

    factors: Form
    kind: str
    bound: Number
    modulus: int = 0

    def said(self, terms: Sequence[Term], sort: Sort, choices: Choices) -> Term:
        """The row as a formula."""
        left = form(self.factors, 0, terms, sort)
        match self.kind:
            case ">=":
                return at_least(left, self.bound, choices)
            case "mod":
                return congruent(left, self.bound, self.modulus)
        return apply("=", left, number(self.bound, sort))

    def denied(self, terms: Sequence[Term], sort: Sort, choices: Choices) -> Term:
        """That it does not hold."""
        if self.kind == ">=" and choices.boolean():
            return apply("<", form(self.factors, 0, terms, sort), number(self.bound, sort))
        if self.kind == "=" and sort.is_numeric and choices.boolean():
            return apply(choices.pick(("<", ">")), form(self.factors, 0, terms, sort), number(self.bound, sort))
        return negation(self.said(terms, sort, choices))


def _dot(factors: Form, values: Sequence[Number]) -> Number:
    return sum(factor * value for factor, value in zip(factors, values, strict=True))


def _padded(factors: Form, before: int, width: int) -> Form:
    return (*(0 for _ in range(before)), *factors, *(0 for _ in range(width - before - len(factors))))


def implied(row: Row, rows: Sequence[Row]) -> bool:
    """Whether it is seen at once that the rows imply it: none of them, one, or two are needed."""
    if row.kind == "mod":
        return _is_congruence(row, rows)
    best: dict[Form, Number] = {tuple(0 for _ in row.factors): 0}  # what forms are known to be at least, or to be
    for other in rows:
        exact = other.kind == "="
        if exact or (other.kind == ">=" and row.kind == ">="):
            for by in (1, 2, -1, -2) if exact else (1, 2):
                factors, bound = tuple(by * f for f in other.factors), by * other.bound
                best[factors] = max(best.get(factors, bound), bound)

    def fits(bound: Number) -> bool:
        return bound == row.bound if row.kind == "=" else bound >= row.bound

    for factors, bound in best.items():
        rest = best.get(tuple(a - b for a, b in zip(row.factors, factors, strict=True)))
        if rest is not None and fits(bound + rest):
            return True
    return False


def _is_congruence(row: Row, rows: Sequence[Row]) -> bool:
    m = row.modulus
    exact = [other for other in rows if other.kind == "=" or (other.kind == "mod" and other.modulus % m == 0)]
    some: list[tuple[Form, Number]] = [(tuple(0 for _ in row.factors), 0)]
    for other, by in product(exact, range(1, min(m, 4))):
        some.append((tuple(by * f for f in other.factors), by * other.bound))
    return any(
        (row.bound - bound) % m == 0 and all((a - b) % m == 0 for a, b in zip(row.factors, factors, strict=True))
        for factors, bound in some
    )


# Transitions ---------------------------------------------------------------------------------------

Mode = tuple[int, int]  # of a location, by their numbers


@dataclass(frozen=True)
class Transition:
    """From vectors in modes of locations, side by side and followed by `inputs`, to one: an affine image of it.

    `target` None: a query. `guards` are about the vectors and inputs together.
    """

    sources: tuple[Mode, ...]
    target: Mode | None
    inputs: int = 0
    matrix: tuple[Form, ...] = ()
    shift: tuple[Number, ...] = ()
    guards: tuple[Row, ...] = ()
    denied: Row | None = None

    def image(self, values: Sequence[Number]) -> tuple[Number, ...]:
        """The vector that follows from one."""
        return tuple(_dot(line, values) + add for line, add in zip(self.matrix, self.shift, strict=True))

    def pulled(self, row: Row) -> Row:
        """What a row of the target asks for, about the sources."""
        width = len(self.matrix[0]) if self.matrix else 0
        factors = tuple(
            sum(f * line[at] for f, line in zip(row.factors, self.matrix, strict=True)) for at in range(width)
        )
        return replace(row, factors=factors, bound=row.bound - _dot(row.factors, self.shift))


@dataclass
class _Maker:
    """What both kinds share: locations, and clauses for transitions."""

    on: Basis
    choices: Choices
    locations: list[Location] = field(default_factory=list)
    transitions: list[Transition] = field(default_factory=list)

    @property
    def sort(self) -> Sort:
        return self.on.sort

    def small(self) -> Number:
        """A number near zero."""
        n = self.choices.pick((0, 1, -1, 1, 2, -2, 3, 5, 10, -7))
        return Fraction(n, self.choices.pick((1, 1, 2, 3))) if self.sort is REAL else n

    def add_location(self, width: int, modes: int) -> int:
        self.locations.append(location(f"p{len(self.locations)}", width, modes, self.on, self.choices))
        return len(self.locations) - 1

    def some_mode(self, at: int) -> Mode:
        return at, self.choices.index(self.locations[at].modes)

    def widths(self, sources: Sequence[Mode]) -> int:
        return sum(self.locations[at].width for at, _ in sources)

    def drawn(self, sources: tuple[Mode, ...], target: Mode) -> Transition:
        """Numbers stay, move, are added to or replaced by an input, each on its own."""
        inputs = self.choices.pick((0, 0, 0, 1, 2))
        known = self.widths(sources)
        width = known + inputs
        matrix, shift = [], []
        for place in range(self.locations[target[0]].width):
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
        """The transition as a clause; its variables are the arguments of the atoms in the body, then the inputs."""
        variables: list[Variable] = []
        body: list[Term] = []
        terms: list[Term] = []
        for at, mode in of.sources:
            here = self.locations[at]
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
        guards = [row.said(terms, self.sort, self.choices) for row in of.guards]
        if of.denied is not None:
            guards.append(of.denied.denied(terms, self.sort, self.choices))
        place = self.choices.index(2) * len(body)
        body[place:place] = guards
        head: Term = FALSE
        if of.target is not None:
            new = [form(line, add, terms, self.sort) for line, add in zip(of.matrix, of.shift, strict=True)]
            there = self.locations[of.target[0]]
            head = Atom(there.predicate, there.write(new, bases, of.target[1], self.choices))
        matrix = implication(conjunction(*body), head) if body else head
        used = free_variables(matrix)
        bound = [variable for variable in (*variables, *free) if variable in used]
        return Clause(Quantifier("forall", bound, matrix) if bound else matrix)

    def system(self, clauses: Sequence[Clause], status: str) -> System:
        predicates = tuple(here.predicate for here in self.locations)
        groups = (self.on.datatypes,) if self.on.datatypes else ()
        return System(groups, predicates, tuple(clauses), (("status", status),))


# sat -----------------------------------------------------------------------------------------------


class _Sat(_Maker):
    def __init__(self, on: Basis, choices: Choices) -> None:
        super().__init__(on, choices)
        self.rows: dict[Mode, tuple[Row, ...]] = {}

    def made(self, number_of: int) -> Generated:
        self._root()
        for _ in range(number_of - 1):
            self._next()
        modes = list(self.rows)
        for _ in range(number_of * self.choices.integer(1, 3)):
            at = self.choices.pick(modes)
            sources = (at,) if self.choices.index(4) else (at, self.choices.pick(modes))
            self._best(sources, at if self.choices.boolean() else self.choices.pick(modes))
        for _ in range(self.choices.pick((1, 1, 2, 3))):
            self._query()
        clauses = [self.clause(each) for each in self.transitions]
        mixed = [clauses[at] for at in self.choices.permutation(len(clauses))]
        meanings = {here.predicate: self._meaning(number, here) for number, here in enumerate(self.locations)}
        return Generated(self.system(mixed, "sat"), meanings=meanings)

    def _root(self) -> None:
        """A location with rows that hold at a point, and a fact there: the point, or all that the rows allow."""
        at = self.add_location(self.choices.integer(1, _MOST_WIDTH), self.choices.pick((1, 1, 2)))
        for mode in range(self.locations[at].modes):
            point = tuple(self.small() for _ in range(self.locations[at].width))
            self.rows[at, mode] = self._rows_at(point)
            nothing = tuple(() for _ in point)
            self.transitions.append(Transition((), (at, mode), 0, nothing, point))
            if self.choices.index(3) == 0:
                self._best((), (at, mode))

    def _rows_at(self, point: Sequence[Number]) -> tuple[Row, ...]:
        rows = []
        for _ in range(self.choices.integer(1, len(point) + 1)):
            factors = self._factors(len(point))
            value = _dot(factors, point)
            if self.on.modulus:
                bits = self.choices.pick((1, 2, self.sort.width, self.sort.width))
                rows.append(Row(factors, "mod", value % (1 << bits), 1 << bits))
                continue
            kind = self.choices.pick((">=", ">=", ">=", "=", "mod" if self.sort is INT else ">="))
            modulus = self.choices.pick(_MODULI) if kind == "mod" else 0
            slack = self.choices.pick((0, 0, 1, 5)) if kind == ">=" else 0
            rows.append(Row(factors, kind, value % modulus if modulus else value - slack, modulus))
        return tuple(rows)

    def _factors(self, width: int) -> Form:
        factors = [0] * width
        for _ in range(self.choices.pick((1, 1, 2, 2, 3))):
            factors[self.choices.index(width)] = self.choices.pick((1, -1, 1, 2))
        return tuple(factors)

    def _next(self) -> None:
        """A location that another one leads to by steps that can be undone, with rows that follow from its rows."""
        before = self.choices.pick(list(self.rows))
        width = self.locations[before[0]].width
        lines = [_padded((1,), place, width) for place in range(width)]
        shift: list[Number] = [0] * width
        rows = list(self.rows[before])
        for _ in range(self.choices.index(4)):
            one, other = self.choices.index(width), self.choices.index(width)
            by, add = self.choices.pick((1, -1)), self.small()
            if one != other:  # the one and so many of the other; undone in what rows say of the one
                lines[one] = tuple(a + by * b for a, b in zip(lines[one], lines[other], strict=True))
                shift[one] += by * shift[other]
                rows = [_with(row, other, row.factors[other] - by * row.factors[one]) for row in rows]
            shift[one] += add
            rows = [replace(row, bound=_rest(row, row.bound + row.factors[one] * add)) for row in rows]
        if width < _MOST_WIDTH and self.choices.boolean():  # one number more, of which it is known what it is
            copied, add = self.choices.index(width), self.small()
            lines.append(lines[copied])
            shift.append(shift[copied] + add)
            link = [0] * (width + 1)
            link[width], link[copied] = 1, -1
            rows = [replace(row, factors=(*row.factors, 0)) for row in rows]
            kind = "mod" if self.on.modulus else self.choices.pick((">=", "="))
            rows.append(Row(tuple(link), kind, add % self.on.modulus if self.on.modulus else add, self.on.modulus))
        kept = [self._weaker(row) for row in rows if self.choices.index(6)]
        modes = self.choices.pick((1, 1, 1, 2))
        at = self.add_location(len(lines), modes)
        first = self.choices.index(modes)
        self.rows[at, first] = tuple(kept)
        self.transitions.append(Transition((before,), (at, first), 0, tuple(lines), tuple(shift)))
        for mode in range(modes):
            if mode != first:
                self.rows[at, mode] = tuple(self._weaker(row) for row in kept if self.choices.boolean())
                self._best(((at, first),), (at, mode))

    def _weaker(self, row: Row) -> Row:
        """What a row implies, often itself."""
        if self.choices.index(3):
            return row
        if row.kind == ">=":
            return replace(row, bound=row.bound - self.choices.pick((1, 2, 4)))
        if row.kind == "=":
            return replace(row, kind=">=")
        if row.modulus % 4 == 0:
            return replace(row, modulus=row.modulus // 2, bound=row.bound % (row.modulus // 2))
        return row

    def _best(self, sources: tuple[Mode, ...], target: Mode) -> None:
        """Of some transitions, the one that needs the fewest guards."""
        found = [self._guarded(self.drawn(sources, target)) for _ in range(_CANDIDATES)]
        self.transitions.append(min(found, key=lambda one: len(one.guards)))

    def _guarded(self, drawn: Transition) -> Transition:
        assert drawn.target is not None
        known = self._known(drawn.sources, drawn.inputs)
        guards: list[Row] = []
        for row in self.rows[drawn.target]:
            pulled = drawn.pulled(row)
            pulled = replace(pulled, bound=_rest(pulled, pulled.bound))
            if self.on.modulus:
                pulled = replace(pulled, factors=tuple(f % self.on.modulus for f in pulled.factors))
            if not implied(pulled, [*known, *guards]):
                guards.append(pulled)
        return replace(drawn, guards=tuple(guards))

    def _known(self, sources: Sequence[Mode], inputs: int = 0) -> list[Row]:
        """The rows of all sources, about their vectors side by side."""
        width = self.widths(sources) + inputs
        known, before = [], 0
        for source in sources:
            known += [replace(row, factors=_padded(row.factors, before, width)) for row in self.rows[source]]
            before += self.locations[source[0]].width
        return known

    def _query(self) -> None:
        """What must not be: that a row does not hold, or the sum of two."""
        modes = [mode for mode, rows in self.rows.items() if rows]
        sources: tuple[Mode, ...] = (self.choices.pick(modes or list(self.rows)),)
        if modes and self.choices.index(3) == 0:
            sources = (*sources, self.choices.pick(modes))
        known = self._known(sources)
        denied = self._weaker(self.choices.pick(known)) if known else Row((0,) * self.widths(sources), ">=", 0)
        others = [row for row in known if row.kind == denied.kind == ">="]
        if others and self.choices.index(3):
            other = self.choices.pick(others)
            factors = tuple(a + b for a, b in zip(denied.factors, other.factors, strict=True))
            denied = replace(denied, factors=factors, bound=denied.bound + other.bound)
        self.transitions.append(Transition(sources, None, denied=denied))

    def _meaning(self, at: int, here: Location) -> Meaning:
        parameters = tuple(Variable(f"a{n}", sort) for n, sort in enumerate(here.predicate.parameters))
        first = Choices(b"")
        terms = here.read(parameters)
        said = [[row.said(terms, self.sort, first) for row in self.rows[at, mode]] for mode in range(here.modes)]
        parts = list(here.shape(parameters))
        if here.modes > 1:
            named = parameters[-1]
            parts += [disjunction(named, each) for each in said[0]]
            parts += [disjunction(negation(named), each) for each in said[1]]
        else:
            parts += said[0]
        return Meaning(parameters, conjunction(*parts))


def _with(row: Row, place: int, factor: Number) -> Row:
    return replace(row, factors=(*row.factors[:place], factor, *row.factors[place + 1 :]))


def _rest(row: Row, bound: Number) -> Number:
    return bound % row.modulus if row.modulus else bound


# unsat ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Reached:
    """A vector that was reached in a mode of a location: by which transition, from which earlier ones and inputs."""

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
            self.add_location(self.choices.integer(1, _MOST_WIDTH), self.choices.pick((1, 1, 2)))
        for at in range(min(number_of, self.choices.pick((1, 1, 2)))):
            point = tuple(self.small() for _ in range(self.locations[at].width))
            self.transitions.append(Transition((), self.some_mode(at), 0, tuple(() for _ in point), point))
            self._reach(len(self.transitions) - 1, ())
        self._paths(number_of)
        self._run()
        self.transitions = [self._generalized(number, each) for number, each in enumerate(self.transitions)]
        asked = [len(self.reached) - 1]
        if self.choices.index(4) == 0:
            asked.append(self.choices.index(len(self.reached)))
        self.transitions.append(self._asking(asked))
        return self._written(asked)

    def _paths(self, number_of: int) -> None:
        """From each location to the next, loops, and others; some from two."""
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
        """Steps from what was reached; loops are taken several times."""
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
        """One that was reached in the mode, most often the last."""
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
        """The vectors of these side by side, and the inputs."""
        return [*(value for premise in premises for value in self.reached[premise].vector), *inputs]

    def _uses(self, by: int) -> list[list[Number]]:
        """What a transition was taken from."""
        return [self._values_before(one.premises, one.inputs) for one in self.reached if one.by == by]

    def _generalized(self, number: int, of: Transition) -> Transition:
        """With guards that held whenever it was taken; one never taken gets any."""
        uses = self._uses(number)
        width = self.widths(of.sources) + of.inputs
        if not of.sources or not width:
            return of
        rows = [self._guard(width, uses) for _ in range(self.choices.pick((0, 1, 1, 2)))]
        return replace(of, guards=tuple(rows))

    def _guard(self, width: int, uses: Sequence[Sequence[Number]]) -> Row:
        factors = [0] * width
        for _ in range(self.choices.pick((1, 1, 2))):
            factors[self.choices.index(width)] = self.choices.pick((1, -1, 1, 2))
        values = [_dot(tuple(factors), use) for use in uses] or [self.small()]
        if self.on.modulus:
            bits = next(b for b in range(self.sort.width, -1, -1) if len({value % (1 << b) for value in values}) == 1)
            return (
                Row(tuple(factors), "mod", values[0] % (1 << bits), 1 << bits)
                if bits
                else Row((0,) * width, "mod", 0, 2)
            )
        if len(set(values)) == 1 and self.choices.boolean():
            return Row(tuple(factors), "=", values[0])
        modulus = self.choices.pick(_MODULI)
        if self.sort is INT and len({value % modulus for value in values}) == 1 and self.choices.boolean():
            return Row(tuple(factors), "mod", values[0] % modulus, modulus)
        return Row(tuple(factors), ">=", min(values) - self.choices.pick((0, 0, 1)))

    def _asking(self, asked: Sequence[int]) -> Transition:
        sources = tuple(self.reached[number].mode for number in asked)
        values = self._values_before(asked, ())
        width = len(values)
        rows = [self._guard(width, [values]) for _ in range(self.choices.integer(1, 3))]
        return Transition(sources, None, guards=tuple(rows))

    def _written(self, asked: Sequence[int]) -> Generated:
        """Clauses, and the run as steps of theirs: values of variables are the arguments that were derived."""
        order = self.choices.permutation(len(self.transitions))
        clauses = [self.clause(each) for each in self.transitions]
        place = {old: new for new, old in enumerate(order)}
        facts: list[Fact] = []
        steps: list[Step] = []
        for step in range(len(self.reached) + 1):
            last = step == len(self.reached)
            by = len(self.transitions) - 1 if last else self.reached[step].by
            premises = tuple(asked) if last else self.reached[step].premises
            values = self._values(clauses[by], [facts[premise] for premise in premises], step)
            head = clauses[by].head
            fact = None
            if isinstance(head, Atom):
                derived = tuple(evaluate(argument, values) for argument in head.children)
                fact = Fact(head.predicate, derived)  # type: ignore[arg-type]  # all of it is determined
                facts.append(fact)
            steps.append(Step(place[by], premises, tuple(values.values()), fact))
        return Generated(self.system([clauses[old] for old in order], "unsat"), refutation=needed(tuple(steps)))

    def _values(self, clause: Clause, facts: Sequence[Fact], step: int) -> dict[Variable, Ground]:
        """Of the variables of a clause: arguments that are variables have what the fact has there, then the inputs."""
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
