"""Ground instances without mixed terms: a term of the other side becomes a constant that both sides share.

The side that has the term's function defines the constant. In an interpolant, a constant that B defines is universally
quantified, since A implies the interpolant whatever its value is, and a constant that A defines is existentially
quantified. A constant whose definition has another one is bound inside of it.
"""

from __future__ import annotations

from collections.abc import Set

from chcfuzz.grammar.errors import LimitError
from chcfuzz.grammar.interpolation.grouped import Symbol, symbols_of
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.terms import Call, Function, Quantifier, Term, Variable, apply, postorder

MOST_CHANGES = 50  # of a term between the sides: each is a step of recursion


class Purification:
    """Replaces terms of the other side in formulas of two sides, numbered 0 for A and 1 for B."""

    def __init__(self, vocabularies: tuple[Set[Symbol], Set[Symbol]], taken: Set[str]) -> None:
        """Each side has the symbols of its vocabulary; new names are not among those taken."""
        self._vocabularies = vocabularies
        self._taken = set(taken)
        self._depth = 0
        self._of_term: dict[Term, Function] = {}
        self._owners: dict[Function, int] = {}  # in the order of the definitions
        self.definitions: tuple[list[Term], list[Term]] = ([], [])

    @property
    def constants(self) -> tuple[Function, ...]:
        """The constants that stand for terms of the other side, in the order of their definitions."""
        return tuple(self._owners)

    def pure(self, term: Term, side: int) -> Term:
        """Return a ground term over the vocabulary of a side and the new constants."""
        done: dict[Term, Term] = {}
        stack = [term]
        while stack:
            here = stack[-1]
            if isinstance(here, Call) and not self._is_of(here.function, side):
                done[here] = Call(self._constant(here))
            open_children = [child for child in here.children if child not in done] if here not in done else []
            if open_children:
                stack += reversed(open_children)
                continue
            if here not in done:
                done[here] = here.rebuild([done[child] for child in here.children])
            stack.pop()
        return done[term]

    def _is_of(self, function: Function, side: int) -> bool:
        return function in self._vocabularies[side] or function in self._owners

    def _constant(self, term: Call) -> Function:
        """Return the constant for a term, which the other side defines."""
        if term not in self._of_term:
            owner = 0 if term.function in self._vocabularies[0] else 1
            self._depth += 1
            if self._depth > MOST_CHANGES:
                raise LimitError(f"a term changes more than {MOST_CHANGES} times between the sides")
            value = self.pure(term, owner)
            self._depth -= 1
            name = fresh_name("mixed", self._taken)
            self._taken.add(name)
            constant = Function(name, (), term.sort)
            self._of_term[term] = constant
            self._owners[constant] = owner
            self.definitions[owner].append(apply("=", Call(constant), value))
        return self._of_term[term]

    def quantified(self, interpolant: Term) -> Term:
        """Return an interpolant of the pure formulas as one of the original ones."""
        used = symbols_of(interpolant)
        for constant, owner in reversed(self._owners.items()):
            if constant in used:
                variable = Variable(constant.name, constant.result)
                interpolant = Quantifier(
                    "forall" if owner else "exists", [variable], _with(interpolant, constant, variable)
                )
        return interpolant


def _with(term: Term, constant: Function, variable: Variable) -> Term:
    done: dict[Term, Term] = {}
    for here in postorder(term):
        is_it = isinstance(here, Call) and here.function is constant
        done[here] = variable if is_it else here.rebuild([done[child] for child in here.children])
    return done[term]
