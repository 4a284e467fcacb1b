"""Clauses as formulas over variables of their own, for queries about the steps of derivations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chcfuzz.domains.chc.oracles.refutation import PrenexClause
from chcfuzz.grammar.evaluation.values import Ground, as_term
from chcfuzz.grammar.printing.witness import Fact
from chcfuzz.grammar.substitution import substitute
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Atom, Term, Variable, apply, conjunction, disjunction, negation, postorder


class Rule:
    """A clause over new variables."""

    def __init__(self, clause: PrenexClause, prefix: str) -> None:
        fresh = {old: Variable(f"{prefix}!{i}", old.sort) for i, old in enumerate(clause.variables)}
        self.variables = tuple(fresh.values())
        self.body = [substitute(member, fresh) for member in clause.body]
        self.head = substitute(clause.head, fresh)
        self.atoms = tuple(here for here in postorder(*self.body) if isinstance(here, Atom))

    def derives(self, fact: Fact | None, given: Sequence[Fact]) -> list[Term]:
        """Return the formulas that state that the fact follows from given ones by this clause."""
        return [*self.body_from(given), self.gives(fact.values if fact else ())]

    def body_from(self, given: Sequence[Fact]) -> list[Term]:
        """Return the formulas that state that the body holds if these facts alone do."""
        return replaced(self.body, {atom: _one_of(atom, given) for atom in self.atoms})

    def gives(self, values: Sequence[Ground]) -> Term:
        """Return the formula that the head is an atom with these values, or is false if it is not an atom."""
        if isinstance(self.head, Atom):
            return equal(self.head.children, values)
        return negation(self.head)


def free_prefix(system: System) -> str:
    """Return a prefix for our constants that no constructor or selector begins with."""
    prefix = "v"
    while any(operator.startswith(prefix) for operator in system.signature):
        prefix += "!"
    return prefix


def equal(terms: Sequence[Term], values: Sequence[Ground]) -> Term:
    """Return the formula that the terms have these values."""
    return conjunction(
        *(apply("=", term, as_term(value, term.sort)) for term, value in zip(terms, values, strict=True))
    )


def _one_of(atom: Atom, facts: Sequence[Fact]) -> Term:
    """Return the formula that the atom is one of these facts."""
    return disjunction(*(equal(atom.children, fact.values) for fact in facts if fact.predicate is atom.predicate))


def replaced(terms: Sequence[Term], replacement: Mapping[Term, Term]) -> list[Term]:
    """Return the terms with their atoms replaced."""
    done: dict[Term, Term] = dict(replacement)
    for here in postorder(*terms):
        if here not in done:
            done[here] = here.rebuild([done[child] for child in here.children]) if here.has_atoms else here
    return [done[term] for term in terms]
