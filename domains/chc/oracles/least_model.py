"""The least model of a system from which only a few facts follow: they are all derived, and are the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import z3
from chcfuzz.domains.chc.oracles.query import Query
from chcfuzz.domains.chc.oracles.refutation import prenex
from chcfuzz.domains.chc.oracles.rule import Rule, equal, free_prefix
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.values import UNDETERMINED, Ground
from chcfuzz.grammar.printing.witness import Fact, Meaning, print_definition
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Atom, Predicate, Term, Variable, disjunction, negation
from chcfuzz.solvers.watchdog import Watchdog

_MOST_FACTS = 100


def least_model(system: System, rlimit: int, watchdog: Watchdog) -> str | None:
    """Return the facts that follow from the clauses, as a definition of each predicate.

    None if more than a hundred follow, or if it is not known within `rlimit` whether more do. The model is not
    checked, and may make a query false. Never raises because of Z3.
    """
    query = Query(system, z3.Context(), rlimit, watchdog)
    with_facts = [clause for clause in system.clauses if isinstance(clause.head, Atom)]
    rules = [Rule(prenex(clause), free_prefix(system)) for clause in with_facts]
    facts: list[Fact] = []
    waiting = list(rules)  # those that may give a new fact
    while waiting and len(facts) <= _MOST_FACTS:
        rule = waiting[0]
        try:
            values = query.values(rule.variables, _gives_a_new_fact(rule, facts))
        except z3.Z3Exception:
            return None
        if values is not None:
            fact = _fact(rule, values)
            if fact is None:
                return None
            facts.append(fact)
            using = (each for each in rules if any(atom.predicate is fact.predicate for atom in each.atoms))
            waiting += [each for each in using if each not in waiting]
        elif query.has_none:
            waiting.pop(0)
        else:
            return None
    return None if waiting else "\n".join(_definition(predicate, facts) for predicate in system.predicates)


def _gives_a_new_fact(rule: Rule, facts: Sequence[Fact]) -> list[Term]:
    """Return the formulas that state that the rule gives a fact that is not among these, from which it follows."""
    known = (fact for fact in facts if isinstance(rule.head, Atom) and fact.predicate is rule.head.predicate)
    return [*rule.body_from(facts), *(negation(rule.gives(fact.values)) for fact in known)]


def _fact(rule: Rule, values: Mapping[Variable, Ground]) -> Fact | None:
    """Return the fact that the rule gives at these values; None if SMT-LIB leaves an argument open."""
    assert isinstance(rule.head, Atom)
    found = [evaluate(argument, values) for argument in rule.head.children]
    given = tuple(value for value in found if value is not UNDETERMINED)
    return Fact(rule.head.predicate, given) if len(given) == len(found) else None


def _definition(predicate: Predicate, facts: Sequence[Fact]) -> str:
    parameters = tuple(Variable(f"x!{i}", sort) for i, sort in enumerate(predicate.parameters))
    states = (equal(parameters, fact.values) for fact in facts if fact.predicate is predicate)
    return print_definition(predicate, Meaning(parameters, disjunction(*states)))
