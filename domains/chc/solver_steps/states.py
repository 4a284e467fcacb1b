"""Claims about each state of a formula: an obligation leads into its parent, a fact follows from earlier facts.

The states of the formula are sampled, so a right claim may still have a state at which it is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from chcfuzz.domains.chc.oracles.rule import replaced
from chcfuzz.domains.chc.solver_steps.frames import Claim, rules_of
from chcfuzz.domains.chc.solver_steps.prover import Prover
from chcfuzz.grammar.evaluation.values import Ground, as_term
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import TRUE, Atom, Term, Variable, apply, conjunction, disjunction, negation

_STATES = 3  # of each formula


@dataclass(frozen=True)
class Stray:
    """A state of a formula at which the claim is wrong, and the claim about it, an unsatisfiable formula."""

    state: Mapping[Variable, Ground]
    claim: Term


def stray(prover: Prover, of: Claim, ways: Iterable[Term]) -> Stray | bool | None:
    """Return a state of a formula at which none of the `ways` holds; False if none is found, None if undecided.

    A formula without states claims nothing that could be wrong. Raises `z3.Z3Exception` for one that Z3 does not read.
    """
    some_way = disjunction(*ways)
    judge, states = prover.solver(), prover.solver()
    judge.add(some_way)
    states.add(of.formula)
    found: bool | None = None
    for _ in range(_STATES):
        values = states.values(of.parameters)
        if not isinstance(values, dict):
            return found if values is None else False
        state = [apply("=", each, as_term(value, each.sort)) for each, value in values.items()]
        holds = judge.is_consistent(state)
        if holds is None:
            return None
        if not holds:
            return Stray(values, conjunction(*state, some_way))
        found = False
        states.add(negation(conjunction(*state)))
    return found


def ways_into(system: System, obligation: Claim, parents: Sequence[Claim]) -> Iterator[Term]:
    """Yield the ways in which a state of an obligation leads into a parent: by one rule, at one atom of its body."""
    for parent in parents:
        for rule in rules_of(system, parent.predicate):
            members = replaced(rule.body, dict.fromkeys(rule.atoms, TRUE))
            for atom in rule.atoms:
                if atom.predicate is obligation.predicate:
                    yield conjunction(*_equal(obligation, atom), *members, parent.at(rule.head.children))


def ways_to(system: System, fact: Claim, earlier: Sequence[Claim]) -> Iterator[Term]:
    """Yield the ways in which a state of a fact follows from earlier facts: by one rule."""
    for rule in rules_of(system, fact.predicate):
        given: dict[Term, Term] = {
            atom: disjunction(*(each.at(atom.children) for each in earlier if each.predicate is atom.predicate))
            for atom in rule.atoms
        }
        assert isinstance(rule.head, Atom)
        yield conjunction(*_equal(fact, rule.head), *replaced(rule.body, given))


def _equal(claim: Claim, atom: Atom) -> Iterator[Term]:
    pairs = zip(claim.parameters, atom.children, strict=True)
    return (apply("=", parameter, argument) for parameter, argument in pairs)
