"""Forward derivation: ground instances of the clauses derive facts until false follows, without any solver.

The values of some variables are given for some clauses; the others follow from equations of the body, and from facts
that match its atoms. The search is breadth-first and bounded. It needs the right values, so it finds few refutations
without them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from chcfuzz.domains.chc.oracles.refutation import DerivationStep, PrenexClause, Refutation, needed, prenex
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.values import UNDETERMINED, Ground
from chcfuzz.grammar.printing.witness import Fact
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Atom, Predicate, Variable, is_operator, postorder

_MOST_STEPS = 2_000  # facts that are derived
_MOST_WORK = 20_000  # instances that are evaluated, each in some 50 microseconds

Values = Mapping[int, Ground]  # values of variables of a clause, by their position
_Assignment = dict[Variable, Ground]


def refutation(system: System, given: Mapping[int, Sequence[Values]]) -> Refutation | None:
    """Return a derivation of false, None if the search finds none; `given` are the values for each clause."""
    search = _Search(system)
    hints = {number: given.get(number) or [{}] for number in range(len(system.clauses))}
    found = search.rounds(hints)
    return found or search.rounds({number: [{}] for number in hints})


class _Search:
    """The facts that have been derived, and the steps that derive them."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._steps: list[DerivationStep] = []
        self._numbers: dict[Fact, int] = {}
        self._facts: dict[Predicate, list[Fact]] = {}
        self._work = 0

    def rounds(self, hints: Mapping[int, Sequence[Values]]) -> Refutation | None:
        """Derive facts until false follows, nothing new follows, or a bound is reached."""
        known = -1
        while known != len(self._steps) and not self._is_over:
            known = len(self._steps)
            for number, rows in hints.items():
                clause = prenex(self._system.clauses[number])
                for row in rows:
                    start = {clause.variables[at]: value for at, value in row.items() if at < len(clause.variables)}
                    if any(self._derives_false(number, clause, found) for found in self._instances(clause, start)):
                        return needed(tuple(self._steps))
        return None

    @property
    def _is_over(self) -> bool:
        return len(self._steps) >= _MOST_STEPS or self._work >= _MOST_WORK

    def _instances(self, clause: PrenexClause, start: _Assignment) -> Iterator[_Assignment]:
        """Yield values of all variables that extend the given ones."""
        values = _completed(clause, start)
        self._work += 1
        if len(values) == len(clause.variables):
            yield values
            return
        atom = next((atom for atom in _atoms(clause) if not values.keys() >= _arguments(atom)), None)
        for fact in tuple(self._facts.get(atom.predicate, ())) if atom is not None else ():
            matched = None if atom is None or self._is_over else _matched(atom, fact, values)
            if matched is not None:
                yield from self._instances(clause, matched)

    def _derives_false(self, number: int, clause: PrenexClause, values: _Assignment) -> bool:
        """Add the step of an instance if its body holds and its fact is new; return whether it derives false."""
        used: set[int] = set()

        def holds(predicate: Predicate, args: tuple[Ground, ...]) -> bool:
            step = self._numbers.get(Fact(predicate, args))
            used.update(() if step is None else (step,))
            return step is not None

        head = _head(clause, values)
        if head is UNDETERMINED or head in self._numbers:
            return False
        if any(evaluate(member, values, holds) is not True for member in clause.body):
            return False
        fact = head if isinstance(head, Fact) else None
        if fact is not None:
            self._numbers[fact] = len(self._steps)
            self._facts.setdefault(fact.predicate, []).append(fact)
        places = tuple(values[variable] for variable in clause.variables)
        self._steps.append(DerivationStep(number, tuple(sorted(used)), places, fact))
        return fact is None


def _head(clause: PrenexClause, values: _Assignment) -> object:
    """Return the fact of the head, None for a head that is false, UNDETERMINED for any other."""
    if not isinstance(clause.head, Atom):
        return None if evaluate(clause.head, values) is False else UNDETERMINED
    args = tuple(evaluate(argument, values) for argument in clause.head.children)
    return UNDETERMINED if UNDETERMINED in args else Fact(clause.head.predicate, args)  # type: ignore[arg-type]


def _atoms(clause: PrenexClause) -> list[Atom]:
    return [here for here in postorder(*clause.body) if isinstance(here, Atom)]


def _arguments(atom: Atom) -> set[Variable]:
    return {argument for argument in atom.children if isinstance(argument, Variable)}


def _matched(atom: Atom, fact: Fact, values: _Assignment) -> _Assignment | None:
    """Return the values with those of variables that the fact determines; None if the fact does not match."""
    found = dict(values)
    for argument, value in zip(atom.children, fact.values, strict=True):
        known = evaluate(argument, found)
        if known is UNDETERMINED and isinstance(argument, Variable):
            found[argument] = value
        elif known is not UNDETERMINED and known != value:
            return None
    return found


def _completed(clause: PrenexClause, start: _Assignment) -> _Assignment:
    """Return the values, and those of other variables that an equation of the body determines."""
    values = dict(start)
    known = -1
    while known != len(values) < len(clause.variables):
        known = len(values)
        for member in clause.body:
            if not is_operator(member, "=") or len(member.children) != 2:
                continue
            for side, other in (member.children, member.children[::-1]):
                if isinstance(side, Variable) and side not in values:
                    value = evaluate(other, values)
                    if value is not UNDETERMINED:
                        values[side] = value
    return values
