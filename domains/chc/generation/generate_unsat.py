"""Unsatisfiable systems, generated around an execution that is their refutation; see `generate`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chcfuzz.domains.chc.generation.layouts import (
    Basis,
    Number,
    number,
)
from chcfuzz.domains.chc.generation.linear_constraints import Constraint, dot
from chcfuzz.domains.chc.generation.transitions import MOST_WIDTH, Generated, Maker, Mode, Transition
from chcfuzz.domains.chc.oracles.refutation import DerivationStep, needed
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.values import Ground
from chcfuzz.grammar.printing.witness import Fact
from chcfuzz.grammar.sorts import INT
from chcfuzz.grammar.system import Clause
from chcfuzz.grammar.terms import (
    Atom,
    Variable,
)

_MODULI = (2, 3, 4, 5)
_MOST_RUN = 60  # steps of a refutation
_MOST_VALUE = 1 << 20  # of a number in a derivation


@dataclass(frozen=True)
class _Reached:
    """A derived vector: its mode, the transition that gave it, and the earlier vectors and inputs that it used."""

    mode: Mode
    vector: tuple[Number, ...]
    by: int
    premises: tuple[int, ...]
    inputs: tuple[Number, ...]


class UnsatMaker(Maker):
    """Maker of an unsatisfiable system; `reached` are the derived vectors."""

    def __init__(self, on: Basis, choices: Choices) -> None:
        super().__init__(on, choices)
        self.reached: list[_Reached] = []

    def made(self, number_of: int) -> Generated:
        """Return a system with about this number of predicates, and its refutation."""
        for _ in range(number_of):
            self.add_predicate(self.choices.integer(1, MOST_WIDTH), self.choices.pick((1, 1, 2)))
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
        values = [dot(tuple(factors), use) for use in uses] or [self.small()]
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
