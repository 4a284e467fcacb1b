"""Clauses that a mutation makes: put among the others, and brought into the form that their text reads back as."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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
from chcfuzz.mutators.rewriting.model_converter import Carry

MOST_WRITTEN = 5_000  # nodes of a clause that terms were put into
Rewrite = Callable[[System, Choices], System | None]


def inserted(system: System, clause: Clause, choices: Choices) -> System:
    """The system with one more clause, anywhere among the others."""
    place = choices.index(len(system.clauses) + 1)
    return system.with_clauses((*system.clauses[:place], clause, *system.clauses[place:]))


def rule(variables: Sequence[Variable], body: Term, head: Term) -> Clause:
    """The clause that for all values of these the head follows from the body."""
    formula = implication(body, head)
    return Clause(Quantifier("forall", variables, formula) if variables else formula)


def can_be_bound(system: System) -> bool:
    """Whether every clause can be put below a quantifier or two more: they may be nested so deep, and not deeper."""
    return all(clause.formula.depth <= MAX_DEPTH - 2 for clause in system.clauses)


def closed(formula: Term) -> Term:
    """The formula for all values of its free variables, bound with those that it is for all values of already."""
    variables = free_variables(formula)
    if not variables:
        return formula
    if isinstance(formula, Quantifier) and formula.kind == "forall":
        return Quantifier("forall", (*formula.variables, *variables), formula.body)
    return Quantifier("forall", variables, formula)


def asking(clause: Clause, wanted: Term) -> Term:
    """The clause's formula, whose body asks for this, too; its variables that the clause has not are bound beside
    those that it has."""
    formula = clause.formula
    root = next(iter(clause.body_paths), None)
    if root is not None:
        return closed(replace_at(formula, root, conjunction(at(formula, root), wanted)))
    if isinstance(formula, Quantifier) and formula.kind == "forall":
        return closed(Quantifier("forall", formula.variables, implication(wanted, formula.body)))
    return closed(implication(wanted, formula))


def as_read(changed: System | None, system: System) -> System | None:
    """The changed system as it reads back, for a value may stand where a term of another form means it: (- 1).

    None if it is the old one, or holds a clause that is not Horn or too big.
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
    """The row of a rewrite that keeps the models; its result is brought into the form that it reads back as."""

    def rewritten(system: System, choices: Choices) -> System | None:
        return as_read(rewrite(system, choices), system) if can_be_bound(system) else None

    return Mutation(name, Promise.EQUIVALENT, summary, source, rewritten, applies)


def one_way(
    name: str,
    promise: Promise,
    summary: str,
    source: str,
    rewrite: Rewrite,
    applies: Callable[[System], bool],
    carry: Carry,
    takes_system: bool = False,
) -> Mutation:
    """The row of a rewrite that keeps one of the two answers.

    It does not apply where the seed's status is the other one: nothing could be expected of its mutant.
    """
    not_kept = "unsat" if promise is Promise.SAT_PRESERVING else "sat"

    def can_be_expected(system: System) -> bool:
        return system.status != not_kept and applies(system)

    def rewritten(system: System, choices: Choices) -> System | None:
        return None if system.status == not_kept else rewrite(system, choices)

    return Mutation(name, promise, summary, source, rewritten, can_be_expected, carry=carry, takes_system=takes_system)
