"""Clauses that mutations make: inserted among the others, and normalized by printing and parsing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.horn import NotHornError
from chcfuzz.grammar.parse import parse_term
from chcfuzz.grammar.printer import print_term
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import (
    MAX_DEPTH,
    Quantifier,
    Term,
    Variable,
    at,
    conjunction,
    free_variables,
    implication,
    replace_at,
)
from chcfuzz.mutators.mutation import Mutation, Promise

MOST_WRITTEN = 5_000  # nodes of a changed clause
Rewrite = Callable[[System, Choices], System | None]


def inserted(system: System, clause: Clause, choices: Choices) -> System:
    """Return the system with one more clause, at a drawn position."""
    place = choices.index(len(system.clauses) + 1)
    return system.with_clauses((*system.clauses[:place], clause, *system.clauses[place:]))


def rule(variables: Sequence[Variable], body: Term, head: Term) -> Clause:
    """Return the clause in which the body implies the head for all values of these variables."""
    formula = implication(body, head)
    return Clause(Quantifier("forall", variables, formula) if variables else formula)


def can_be_bound(system: System) -> bool:
    """Return whether two more quantifiers around every clause would stay within the maximum depth."""
    return all(clause.formula.depth <= MAX_DEPTH - 2 for clause in system.clauses)


def closed(formula: Term) -> Term:
    """Return the formula with its free variables bound by its outermost universal quantifier, or by a new one."""
    variables = free_variables(formula)
    if not variables:
        return formula
    if isinstance(formula, Quantifier) and formula.kind == "forall":
        return Quantifier("forall", (*formula.variables, *variables), formula.body)
    return Quantifier("forall", variables, formula)


def with_body_member(clause: Clause, member: Term) -> Term:
    """Return the clause's formula with another member in its body; new variables are bound with those of the clause."""
    formula = clause.formula
    root = next(iter(clause.body_paths), None)
    if root is not None:
        return closed(replace_at(formula, root, conjunction(at(formula, root), member)))
    if isinstance(formula, Quantifier) and formula.kind == "forall":
        return closed(Quantifier("forall", formula.variables, implication(member, formula.body)))
    return closed(implication(member, formula))


def as_read(changed: System | None, system: System) -> System | None:
    """Return the changed system after printing and parsing: parsing may give a value another form, as for (- 1).

    None if it equals the old system, or if it has a clause that is not Horn or too large.
    """
    if changed is None:
        return None
    old = set(system.clauses)
    clauses = []
    for clause in changed.clauses:
        if clause not in old:
            if clause.formula.size > MOST_WRITTEN:
                return None
            clause = Clause(parse_term(print_term(clause.formula), (), changed), clause.name)
            try:
                _ = clause.reading
            except NotHornError:
                return None
        clauses.append(clause)
    read = changed.with_clauses(clauses)
    return None if read == system else read


def equivalent(
    name: str,
    summary: str,
    source: str,
    rewrite: Rewrite,
    applies: Callable[[System], bool],
) -> Mutation:
    """Return the row of a rewrite that preserves the models; the result is printed and parsed (`as_read`)."""

    def rewritten(system: System, choices: Choices) -> System | None:
        return as_read(rewrite(system, choices), system) if can_be_bound(system) else None

    return Mutation(name, Promise.EQUIVALENT, summary, source, rewritten, applies)


def one_way(row: Mutation) -> Mutation:
    """Return a row that preserves one of the two answers, limited to systems that may have that answer.

    It does not apply if the seed's status is the other answer: nothing could be expected of its mutant.
    """
    lost = "unsat" if row.promise is Promise.SAT_PRESERVING else "sat"

    def applies(system: System) -> bool:
        return system.status != lost and row.applies(system)

    def rewrite(system: System, choices: Choices) -> System | None:
        rewritten: System | None = None if system.status == lost else row.rewrite(system, choices)
        return rewritten

    return replace(row, rewrite=rewrite, applies=applies)
