"""Clauses that mutations make: inserted among the others, and normalized by printing and parsing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeGuard, TypeVar

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.paths import at, replace_at
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.grammar.reading.parse import parse_term
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import MAX_DEPTH, Quantifier, Term, Variable, conjunction, free_variables, implication, nodes
from chcfuzz.mutators.mutation import Mutation, Need, Promise
from chcfuzz.mutators.rewriting.places import bound_at

MOST_WRITTEN = 5_000  # nodes of a changed clause
P = TypeVar("P", bound=BaseProblem)
Rewrite = Callable[[System, Choices], System | None]


def inserted(system: System, clause: Clause, choices: Choices) -> System:
    """Return the system with one more clause, at a drawn position."""
    place = choices.index(len(system.clauses) + 1)
    return system.with_clauses((*system.clauses[:place], clause, *system.clauses[place:]))


def rule(variables: Sequence[Variable], body: Term, head: Term) -> Clause:
    """Return the clause in which the body implies the head for all values of these variables."""
    formula = implication(body, head)
    return Clause(Quantifier("forall", variables, formula) if variables else formula)


def is_universal(formula: Term) -> TypeGuard[Quantifier]:
    """Return whether a formula begins with a universal quantifier."""
    return isinstance(formula, Quantifier) and formula.kind == "forall"


def can_be_bound(problem: BaseProblem) -> bool:
    """Return whether two more quantifiers around every formula would stay within the maximum depth."""
    return all(formula.depth <= MAX_DEPTH - 2 for formula in problem.formulas)


def closed(formula: Term) -> Term:
    """Return the formula with its free variables bound by its outermost universal quantifier, or by a new one."""
    variables = free_variables(formula)
    if not variables:
        return formula
    if is_universal(formula):
        return Quantifier("forall", (*formula.variables, *variables), formula.body)
    return Quantifier("forall", variables, formula)


def outer_variables(clause: Clause) -> tuple[Variable, ...]:
    """Return the variables of the outermost universal quantifier that a new member of the body may have.

    Those are left out whose name an inner quantifier gives to a variable of another sort.
    """
    formula = clause.formula
    if not is_universal(formula):
        return ()
    inner = {variable.name: variable for variable in bound_at(formula, next(iter(clause.body_paths), ()))}
    return tuple(variable for variable in formula.variables if inner.get(variable.name, variable) is variable)


def with_body_member(clause: Clause, member: Term) -> Term:
    """Return the clause's formula with another member in its body; new variables are bound with those of the clause."""
    formula = clause.formula
    root = next(iter(clause.body_paths), None)
    if root is not None:
        return closed(replace_at(formula, root, conjunction(at(formula, root), member)))
    if is_universal(formula):
        return closed(Quantifier("forall", formula.variables, implication(member, formula.body)))
    return closed(implication(member, formula))


def as_read(changed: P | None, problem: P) -> P | None:
    """Return the changed problem after printing and parsing: parsing may give a value another form, as for (- 1).

    None if it equals the old problem, or if it has a clause that is not Horn or too large.
    """
    if changed is None:
        return None
    old = set(problem.formulas)
    read = changed
    for number, formula in enumerate(changed.formulas):
        if formula not in old:
            if nodes(formula) > MOST_WRITTEN:
                return None
            read = read.with_formula(number, parse_term(print_term(formula), (), changed))
            if not read.asserted[number].is_well_formed:
                return None
    return None if read == problem else read


def equivalent(  # noqa: PLR0913 - the fields of a row
    name: str,
    summary: str,
    source: str,
    rewrite: Callable[[P, Choices], P | None],
    applies: Callable[[P], bool],
    *,
    needs: Need[P],
) -> Mutation:
    """Return the row of a rewrite that preserves the models; the result is printed and parsed (`as_read`)."""

    def rewritten(problem: P, choices: Choices) -> P | None:
        return as_read(rewrite(problem, choices), problem) if can_be_bound(problem) else None

    return Mutation(name, Promise.EQUIVALENT, summary, source, rewritten, applies, needs=needs)


def one_way(row: Mutation) -> Mutation:
    """Return a row that preserves one of the two answers, limited to problems that may have that answer.

    It does not apply if the seed's status is the other answer: nothing could be expected of its mutant.
    """
    lost = "unsat" if row.promise is Promise.SAT_PRESERVING else "sat"

    def applies(problem: BaseProblem) -> bool:
        return problem.status != lost and row.applies(problem)

    def rewrite(problem: P, choices: Choices) -> P | None:
        rewritten: P | None = None if problem.status == lost else row.rewrite(problem, choices)
        return rewritten

    return replace(row, rewrite=rewrite, applies=applies)
