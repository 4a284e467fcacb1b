"""The least model of a system from which only a few facts follow: they are all derived, and are the model."""

from __future__ import annotations

import z3
from chcfuzz.domains.chc.oracles.query import Query
from chcfuzz.domains.chc.oracles.refutation import prenex
from chcfuzz.domains.chc.oracles.rule import Rule, equal, free_prefix
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.values import UNDETERMINED, Ground
from chcfuzz.grammar.printing.witness import Fact, Meaning, print_definition
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Atom, Predicate, Variable, disjunction, negation
from chcfuzz.solvers.watchdog import Watchdog

_MOST_FACTS = 100


def least_model(system: System, rlimit: int, watchdog: Watchdog) -> str | None:
    """Return the facts that follow from the clauses, as a definition of each predicate.

    None if more than a hundred follow, or if it is not known within `rlimit` whether more do. The model is not
    checked, and may make a query false. Never raises because of Z3.
    """
    query = Query(system, z3.Context(), rlimit, watchdog)
    rules = [Rule(prenex(clause), free_prefix(system)) for clause in system.clauses]
    facts: list[Fact] = []
    closed = 0  # rules in succession that give no new fact
    while closed < len(rules):
        rule = rules[0]
        rules = [*rules[1:], rule]
        try:
            found = _new_fact(rule, facts, query)
        except z3.Z3Exception:
            return None
        if found is None and isinstance(rule.head, Atom) and not query.has_none:
            return None
        closed = closed + 1 if found is None else 0
        facts += [] if found is None else [found]
        if len(facts) > _MOST_FACTS:
            return None
    return "\n".join(_definition(predicate, facts) for predicate in system.predicates)


def _new_fact(rule: Rule, facts: list[Fact], query: Query) -> Fact | None:
    """Return a fact that the rule gives and these lack, or None without one, or if none is found."""
    if not isinstance(rule.head, Atom):
        return None
    predicate = rule.head.predicate
    known = (equal(rule.head.children, fact.values) for fact in facts if fact.predicate is predicate)
    values = query.values(rule.variables, [*rule.body_from(facts), *map(negation, known)])
    if values is None:
        return None
    query.has_none = False
    given: list[Ground] = []
    for argument in rule.head.children:
        value = evaluate(argument, values)
        if value is UNDETERMINED:
            return None
        given.append(value)
    return Fact(predicate, tuple(given))


def _definition(predicate: Predicate, facts: list[Fact]) -> str:
    parameters = tuple(Variable(f"x!{i}", sort) for i, sort in enumerate(predicate.parameters))
    states = (equal(parameters, fact.values) for fact in facts if fact.predicate is predicate)
    return print_definition(predicate, Meaning(parameters, disjunction(*states)))
