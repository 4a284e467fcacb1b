"""Witnesses that Spacer gives for a system, checked before a mutation may use them.

Spacer runs in a fresh context with a small resource limit and without the transforms that are known to give wrong
models (Z3 issue 7319). Its model is read as our terms, and Z3's SMT solver must prove every clause with these terms in
place of its atoms; exactly these terms are what a mutation puts into a system. Our own evaluator checks a refutation
(domains/chc/oracles/refutation.py). A wrong, undecided or unreadable answer gives no witness. The same system has the
same witness in every process with the same Z3.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from chcfuzz.domains.chc.oracles.refutation import Refutation
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printing.printer import print_datatypes, print_system, print_term
from chcfuzz.grammar.printing.witness import Meaning, Meanings, plugged
from chcfuzz.grammar.reading.parse import parse_definitions
from chcfuzz.grammar.sorts import BOOL
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import (
    FALSE,
    TRUE,
    Apply,
    Quantifier,
    Term,
    Variable,
    negation,
    nodes,
    subterms,
)
from chcfuzz.solvers.model_text import standard
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_parameters import SPOILING_TRANSFORMS

RLIMIT = 300_000  # to find a witness
RLIMIT_CLAUSE = 100_000  # to check a clause
MOST_NODES = 10_000  # of a system, before and after its atoms are replaced by their meanings
MOST_MEANING = 500  # nodes of the meaning of one predicate
CACHED = 256  # systems
WALL_SECONDS = 20.0  # in case Z3 ignores its resource limits


def model_of(system: System) -> Meanings | None:
    """Return a model of the system that satisfies every clause and gives every predicate a meaning without quantifiers.

    None if Spacer finds none within its limit, or if the model cannot be read or proved.
    """
    return checked_model(replace(system, info=(), options=()))


@functools.lru_cache(maxsize=CACHED)
def checked_model(system: System) -> Meanings | None:
    """Return the result of `model_of` for a system without header, cached."""
    if _size(clause.formula for clause in system.clauses) > MOST_NODES:
        return None
    definitions = spacer_model(print_system(system))
    model = None if definitions is None else read_model(system, definitions)
    return model if model is not None and is_model(system, model) else None


def spacer_model(text: str) -> str | None:
    """Return the model that Spacer gives for a script, as `define-fun`s; None if it does not answer sat."""
    import z3

    context = z3.Context()
    solver = z3.SolverFor("HORN", ctx=context)
    with _watchdog().guard(context):
        try:
            solver.set("rlimit", RLIMIT)
            solver.set("ctrl_c", False)
            for name in SPOILING_TRANSFORMS:
                solver.set(name, False)
            solver.from_string(text)
            return standard(solver.model().sexpr()) if solver.check() == z3.sat else None
        except z3.Z3Exception:
            return None


def read_model(system: System, definitions: str) -> Meanings | None:
    """Return the meanings in `define-fun`s; a predicate without a definition is false, as in Z3.

    None if a definition cannot be read as a term, has other sorts than its predicate, is too large, or contains
    terms that Spacer rejects in bodies: quantifiers, and selectors of data types with several constructors
    ("Uninterpreted 'tail' in").
    """
    try:
        found = parse_definitions(definitions, system, "model")
    except ChcfuzzError:
        return None
    refused = system.partial_selectors
    model = {}
    for predicate in system.predicates:
        if predicate.name in found:
            meaning = Meaning(found[predicate.name].parameters, found[predicate.name].body)
        else:
            meaning = Meaning(tuple(Variable(f"x!{i}", sort) for i, sort in enumerate(predicate.parameters)), FALSE)
        sorts = tuple(parameter.sort for parameter in meaning.parameters)
        if sorts != predicate.parameters or meaning.body.sort is not BOOL:
            return None
        if meaning.body.size > MOST_MEANING or any(_is_refused(term, refused) for term in subterms(meaning.body)):
            return None
        model[predicate] = meaning
    return model


def _is_refused(term: Term, selectors: frozenset[str]) -> bool:
    return isinstance(term, Quantifier) or (isinstance(term, Apply) and term.operator in selectors)


def is_model(system: System, model: Meanings) -> bool:
    """Return whether Z3's SMT solver proves every clause with the meanings in place of its atoms."""
    import z3

    claims = [claim for clause in system.clauses if (claim := plugged(clause.formula, model)) is not TRUE]
    if _size(claims) > MOST_NODES:
        return False
    lines = [*map(print_datatypes, system.datatypes), *(f"(assert {print_term(negation(c))})" for c in claims)]
    context = z3.Context()
    solver = z3.SimpleSolver(ctx=context)
    with _watchdog().guard(context):
        try:
            solver.set("rlimit", RLIMIT_CLAUSE)
            solver.set("ctrl_c", False)
            negations = z3.parse_smt2_string("\n".join(lines), ctx=context)
            return all(_unsatisfiable(solver, negated) for negated in negations)
        except z3.Z3Exception:
            return False


def _unsatisfiable(solver: Any, formula: Any) -> bool:
    solver.push()
    solver.add(formula)
    answer = str(solver.check())
    solver.pop()
    return answer == "unsat"


def refutation_of(system: System) -> Refutation | None:
    """Return a refutation of the system that our evaluator has checked; None if none is found within the limit.

    The search ends if Spacer answers sat or reaches its limit. On public benchmarks, searching on took a seventh of
    the time in which mutants are made, and found nothing.
    """
    return checked_refutation(replace(system, info=(), options=()))


@functools.lru_cache(maxsize=CACHED)
def checked_refutation(system: System) -> Refutation | None:
    """Return the result of `refutation_of` for a system without header, cached."""
    from chcfuzz.domains.chc.oracles.derive import derive

    if _size(clause.formula for clause in system.clauses) > MOST_NODES:
        return None
    return derive(system, RLIMIT, _watchdog(), thorough=False).refutation


def _size(terms: Iterable[Term]) -> int:
    return sum(map(nodes, terms))


def call_if_stuck(action: Callable[[], None]) -> None:
    """Let `action` end this process if a query ignores its limits, as that of a worker does; see `Watchdog`."""
    _watchdog.cache_clear()
    _on_stuck[:] = [action]


_on_stuck: list[Callable[[], None]] = []  # at most one; earlier ones would keep their campaigns alive


@functools.cache
def _watchdog() -> Watchdog:
    return Watchdog(WALL_SECONDS, _on_stuck[-1] if _on_stuck else None)
