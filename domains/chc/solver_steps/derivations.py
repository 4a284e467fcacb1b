"""The witness against a lemma: a derivation of a fact that it excludes, of a height that it covers.

The rules and the query "a fact of the predicate that the lemma excludes" are a system. A refutation of it, accepted by
our evaluator, is the witness; its height must be at most the lemma's level.
"""

from __future__ import annotations

import z3
from chcfuzz.domains.chc.oracles.bounded_search import bounded_search
from chcfuzz.domains.chc.oracles.query import Query
from chcfuzz.domains.chc.oracles.refutation import Refutation
from chcfuzz.domains.chc.solver_steps.frames import Claim
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import FALSE, Atom, Quantifier, Term, conjunction, implication, negation
from chcfuzz.solvers.watchdog import Watchdog

RLIMIT = 20_000_000  # for the search, in Z3's units
_MOST_HEIGHT = 20


def excluded(rules: System, lemma: Claim) -> System:
    """Return the rules with the query whether a fact that the lemma excludes can be derived."""
    body = conjunction(Atom(lemma.predicate, lemma.parameters), negation(lemma.formula))
    query: Term = implication(body, FALSE)
    query = Quantifier("forall", lemma.parameters, query) if lemma.parameters else query
    return rules.with_clauses((*rules.clauses, Clause(query)))


def witness(rules: System, lemma: Claim, level: int, watchdog: Watchdog) -> tuple[System, Refutation] | None:
    """Return a system and its refutation that shows that a lemma at a level is wrong; None if the search finds none."""
    system = excluded(rules, lemma)
    query = Query(system, z3.Context(), RLIMIT, watchdog)
    found, _ = bounded_search(system, query, min(level, _MOST_HEIGHT) + 2)  # a fact and the query have depth 2
    return None if found is None else (system, found)


def height_of(refutation: Refutation) -> int:
    """Return the height of the derivation of the fact before the last step: 0 for an instance of a fact."""
    heights: list[int] = []
    for step in refutation:
        heights.append(1 + max((heights[premise] for premise in step.premises), default=-1))
    return heights[-1] - 1
