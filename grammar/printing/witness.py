"""The parts of witnesses: meanings of predicates (a model) and ground facts (a refutation)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chcfuzz.grammar.evaluation.values import Ground, as_term
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.substitution import substitute
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.terms import Atom, Predicate, Term, Variable, postorder


@dataclass(frozen=True)
class Meaning:
    """The meaning of a predicate: it holds for the parameters if and only if `body` does."""

    parameters: tuple[Variable, ...]
    body: Term

    def of(self, arguments: Sequence[Term]) -> Term:
        """Return the meaning for these arguments."""
        return substitute(self.body, dict(zip(self.parameters, arguments, strict=True)))


Meanings = Mapping[Predicate, Meaning]


def plugged(formula: Term, meanings: Meanings) -> Term:
    """Return the formula with the atoms of these predicates replaced by their meanings."""
    done: dict[Term, Term] = {}
    for term in postorder(formula):
        children = [done[child] for child in term.children]
        if isinstance(term, Atom) and term.predicate in meanings:
            done[term] = meanings[term.predicate].of(children)
        else:
            done[term] = term.rebuild(children) if term.has_atoms else term
    return done[formula]


def print_definition(predicate: Predicate, meaning: Meaning) -> str:
    """Return the meaning as a `define-fun`."""
    parameters = " ".join(f"({quoted(variable.name)} {variable.sort})" for variable in meaning.parameters)
    return f"(define-fun {quoted(predicate.name)} ({parameters}) Bool {print_term(meaning.body)})"


@dataclass(frozen=True)
class Fact:
    """A predicate that holds of some values."""

    predicate: Predicate
    values: tuple[Ground, ...]

    def __str__(self) -> str:
        return print_term(Atom(self.predicate, tuple(map(as_term, self.values, self.predicate.parameters))))


Facts = tuple[Fact, ...]
