"""Passes that write a clause in a shorter way. Every rewrite preserves the models of the clause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.grammar.sorts import BOOL
from chcfuzz.grammar.substitution import substitute
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import (
    FALSE,
    TRUE,
    Apply,
    Quantifier,
    Term,
    Value,
    Variable,
    conjunction,
    free_variables,
    implication,
    is_operator,
    kept,
)
from chcfuzz.triage.shrink.sites import Edit, sites

_NEUTRAL = {"and": TRUE, "or": FALSE}


def foldable(problem: BaseProblem) -> list[Edit]:
    """Return an edit for every term that a rule of Boolean algebra or arithmetic makes shorter."""
    found = []
    for site in sites(problem):
        term = site.term
        new = kept(term, "shrink.folded", lambda term=term: folded(term)) if term.children else None  # type: ignore[misc]
        if new is not None:
            found.append(site.put(new))
    return found


def folded(term: Term) -> Term | None:
    """Return the term with its operator evaluated or simplified; None if no rule applies."""
    if isinstance(term, Quantifier):
        return _quantifier(term)
    if not isinstance(term, Apply):
        return None
    if all(isinstance(child, Value) for child in term.children):
        value = evaluate(term, {})
        return Value(value, term.sort) if isinstance(value, bool | int | Fraction) else None
    if term.operator in _NEUTRAL:
        return _connective(term, _NEUTRAL[term.operator])
    return _other(term)


def _connective(term: Apply, neutral: Value) -> Term | None:
    absorbing = FALSE if neutral is TRUE else TRUE
    if absorbing in term.children:
        return absorbing
    flat = [
        member
        for child in term.children
        for member in (child.children if is_operator(child, term.operator) else (child,))
    ]
    members = tuple(dict.fromkeys(member for member in flat if member is not neutral))
    if members == term.children and len(members) > 1:
        return None
    return neutral if not members else members[0] if len(members) == 1 else Apply(term.operator, members)


def _other(term: Apply) -> Term | None:
    first, *others = term.children
    if term.operator == "not":
        return first.children[0] if is_operator(first, "not") else None
    if term.operator == "=" and all(other is first for other in others):
        return TRUE
    if term.operator == "ite":
        if others[0] is others[1]:
            return others[0]
        return others[0] if first is TRUE else others[1] if first is FALSE else None
    if term.operator == "=>":
        premises = [child for child in term.children[:-1] if child is not TRUE]
        if FALSE in premises or term.children[-1] is TRUE:
            return TRUE
        if len(premises) < len(term.children) - 1:
            return Apply("=>", (*premises, term.children[-1])) if premises else term.children[-1]
    return None


def _quantifier(term: Quantifier) -> Term | None:
    """Drop unused variables (no sort is empty), and merge a nested quantifier of the same kind."""
    free = free_variables(term.body)
    used = tuple(variable for variable in term.variables if variable in free)
    if not used:
        return term.body
    below = term.body
    if isinstance(below, Quantifier) and below.kind == term.kind and set(used).isdisjoint(below.variables):
        return Quantifier(term.kind, (*used, *below.variables), below.body)
    return Quantifier(term.kind, used, term.body) if len(used) < len(term.variables) else None


def odd_shapes(system: System) -> list[int]:
    """Return the clauses that are not one implication below one quantifier."""
    return [number for number, clause in enumerate(system.clauses) if _as_implication(clause) is not clause.formula]


def reshaped(system: System, numbers: Sequence[int]) -> System:
    """Return the system with these clauses written as an implication from a conjunction to the head."""
    for number in numbers:
        system = system.with_formula(number, _as_implication(system.clauses[number]))
    return system


def _as_implication(clause: Clause) -> Term:
    return _written(clause.variables, clause.body, clause.head)


def _written(variables: Sequence[Variable], body: Sequence[Term], head: Term) -> Term:
    formula = implication(conjunction(*body), head) if body else head
    return Quantifier("forall", variables, formula) if variables else formula


@dataclass(frozen=True)
class SolvedVariable:
    """A variable of clause number `clause` that an equation in its body determines."""

    clause: int
    variable: Variable


def determined(system: System) -> list[SolvedVariable]:
    """Return every variable that an equation determines."""
    return [
        SolvedVariable(number, variable)
        for number, clause in enumerate(system.clauses)
        for variable in clause.variables
        if _equation(clause, variable) is not None
    ]


def solved(system: System, edits: Sequence[SolvedVariable]) -> System:
    """Return the system with these variables replaced by their values."""
    for edit in edits:
        clause = system.clauses[edit.clause]
        equation = _equation(clause, edit.variable)
        if equation is not None:
            member, term = equation
            mapping = {edit.variable: term}
            body = [substitute(other, mapping) for other in clause.body if other is not member]
            variables = [variable for variable in clause.variables if variable is not edit.variable]
            system = system.with_formula(edit.clause, _written(variables, body, substitute(clause.head, mapping)))
    return system


def _equation(clause: Clause, variable: Variable) -> tuple[Term, Term] | None:
    """Return a member of the body that determines the variable, and the variable's value."""
    for member in clause.body:
        if member is variable:
            return member, TRUE
        if is_operator(member, "not") and member.children[0] is variable:
            return member, FALSE
        if is_operator(member, "=") and len(member.children) == 2 and variable in member.children:
            other = member.children[1] if member.children[0] is variable else member.children[0]
            if variable not in free_variables(other) and not (variable.sort is BOOL and other.has_atoms):
                return member, other
    return None
