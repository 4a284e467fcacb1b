"""Claims about each state of a formula: an obligation leads into its parent, a fact follows from earlier facts.

One question about all states proves most right claims, and finds a state of most wrong ones. Z3 may give it up; then
states of the formula are sampled, so a claim that is called right may still have a state at which it is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from chcfuzz.domains.chc.oracles.rule import Rule, equal, free_prefix, replaced
from chcfuzz.domains.chc.solver_steps.frames import Claim, equal_terms, rules_of, used
from chcfuzz.domains.chc.solver_steps.prover import Prover
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.values import Ground
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import (
    FALSE,
    TRUE,
    Atom,
    Quantifier,
    Term,
    Variable,
    conjunction,
    disjunction,
    free_variables,
    negation,
)

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
    first = _without_way(prover, of, some_way)
    if first is False:
        return False
    judge, states = prover.solver(), prover.solver()
    judge.add(some_way)
    states.add(of.formula)
    found: bool | None = None
    for number in range(_STATES):
        values = first if number == 0 and first else states.values(of.parameters)
        if not isinstance(values, dict):
            return found if values is None else False
        state = equal(tuple(values), tuple(values.values()))
        holds = judge.is_consistent([state])
        if holds is None:
            return None
        if not holds:
            return Stray(values, conjunction(state, some_way))
        found = False
        states.exclude(values)
    return found


def _without_way(prover: Prover, of: Claim, some_way: Term) -> dict[Variable, Ground] | bool | None:
    """Return a state of a formula that may lack a way; False if each has one, None if no question shows it easily."""
    solver = prover.solver()
    solver.add(of.formula)
    inner = tuple(each for each in free_variables(some_way) if each not in of.parameters)
    solver.add(Quantifier("forall", inner, negation(some_way)) if inner else negation(some_way))
    found = solver.values(of.parameters, is_optional=True)
    return None if isinstance(found, dict) and evaluate(of.formula, found) is not True else found


def ways_into(system: System, obligation: Claim, parents: Sequence[Claim]) -> Iterator[Term]:
    """Yield the ways in which a state of an obligation leads into a parent: by one rule, at one atom of its body."""
    prefix = free_prefix(system)
    for parent in parents:
        for rule in rules_of(system, parent.predicate):
            for atom in rule.atoms:
                if atom.predicate is obligation.predicate:
                    yield conjunction(
                        *equal_terms(obligation.parameters, atom.children),
                        *_needs(rule, atom, prefix),
                        parent.at(rule.head.children),
                    )


def _needs(rule: Rule, atom: Atom, prefix: str) -> Iterator[Term]:
    """Yield formulas that hold if the body does with some of its other atoms, and not without this one."""
    if atom in rule.body:
        yield from replaced(rule.body, dict.fromkeys(rule.atoms, TRUE))
        return
    others = used(rule, prefix)
    yield from replaced(rule.body, {**others, atom: TRUE})
    yield negation(conjunction(*replaced(rule.body, {**others, atom: FALSE})))


def ways_to(system: System, fact: Claim, earlier: Sequence[Claim]) -> Iterator[Term]:
    """Yield the ways in which a state of a fact follows from earlier facts: by one rule."""
    for rule in rules_of(system, fact.predicate):
        given: dict[Term, Term] = {
            atom: disjunction(*(each.at(atom.children) for each in earlier if each.predicate is atom.predicate))
            for atom in rule.atoms
        }
        assert isinstance(rule.head, Atom)
        yield conjunction(*equal_terms(fact.parameters, rule.head.children), *replaced(rule.body, given))
