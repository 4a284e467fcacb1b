"""Clauses split, joined, and resolved with each other: the same models, but other transforms of Z3 apply.

Both sides of each pair below have the same models under every interpretation of the predicates. C[.] is a clause with a
hole in its body that only conjunctions and disjunctions enclose:

- C[a or b], and C[a] with C[b]; F, and (c => F) with (not c => F); F[ite c s t], and (c => F[s]) with (not c => F[t]);
- b1 => p(s) with b2 => p(t), and ((x = s and b1) or (x = t and b2)) => p(x); likewise for queries, with false for p;
- a clause, and the clause together with its resolvent with a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.occurrences import Occurrences
from chcfuzz.grammar.paths import Path, at, path_of, replace_at
from chcfuzz.grammar.printing.witness import Fact, Meaning
from chcfuzz.grammar.sorts import BOOL
from chcfuzz.grammar.substitution import substitute
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import (
    FALSE,
    Atom,
    Term,
    Value,
    conjunction,
    disjunction,
    free_variables,
    implication,
    is_operator,
    kept,
    negation,
    subterms,
)
from chcfuzz.mutators.mutation import Needs
from chcfuzz.mutators.rewriting.clause_making import closed, equivalent, inserted
from chcfuzz.mutators.rewriting.places import Places, bound_at, drawing, is_connective, matrix, monotone
from chcfuzz.mutators.rewriting.predicate_transformation import Names, PredicateTransformation, transformation_row
from chcfuzz.mutators.rewriting.resolution import PredicateUses, put, resolved, rules_of

MOST_PARTS = 4  # clauses that one clause is split into, or joined from

Rewrite = Callable[[System, Choices], "System | None"]


def _instead(system: System, number: int, formulas: Sequence[Term]) -> System:
    """Return the system with other clauses in place of one; the first takes its name."""
    old = system.clauses[number]
    new = [Clause(formula, old.name if place == 0 else None) for place, formula in enumerate(formulas)]
    return system.with_clauses((*system.clauses[:number], *new, *system.clauses[number + 1 :]))


# Split ---------------------------------------------------------------------------------------------


def _disjunctions(system: System) -> Places:
    return monotone(system, "or", is_connective("or"))


def _split_disjunction(system: System, choices: Choices) -> System | None:
    """Split a clause by the members of a disjunction, or by two halves of a long one."""
    found = _disjunctions(system)
    if not found:
        return None
    place = found.pick(choices)
    parts: Sequence[Term] = place.term.children
    if len(parts) > MOST_PARTS or choices.boolean():
        middle = choices.integer(1, len(parts) - 1)
        parts = disjunction(*parts[:middle]), disjunction(*parts[middle:])
    formula = system.clauses[place.clause].formula
    return _instead(system, place.clause, [replace_at(formula, place.path, part) for part in parts])


def _prefix(clause: Clause) -> Path:
    """Return the path to the formula below a clause's outer universal quantifiers."""
    return path_of(matrix(clause)[0])


def _split_by(system: System, number: int, condition: Term, yes: Term, no: Term) -> System:
    """Replace a clause by one formula where a condition on its variables holds, and another where it does not."""
    path = _prefix(system.clauses[number])
    formula = system.clauses[number].formula
    parts = [(condition, yes), (negation(condition), no)]
    return _instead(
        system, number, [replace_at(formula, path, implication(holds, at(part, path))) for holds, part in parts]
    )


def _conditions(clause: Clause) -> tuple[Term, ...]:
    """Return the formulas in a clause that contain no predicate and only variables of its prefix."""

    def found() -> tuple[Term, ...]:
        path = _prefix(clause)
        bound = set(bound_at(clause.formula, path))
        return tuple(
            term
            for term in subterms(at(clause.formula, path))
            if term.sort is BOOL
            and not term.has_atoms
            and not isinstance(term, Value)
            and bound.issuperset(free_variables(term))
        )

    return kept(clause.formula, "clauses.conditions", found)


def _split_cases(system: System, choices: Choices) -> System | None:
    """Split a clause by a condition that occurs in it, or by a drawn one."""
    if not system.clauses:
        return None
    number = choices.index(len(system.clauses))
    clause = system.clauses[number]
    there = _conditions(clause)
    if there and choices.boolean():
        condition = choices.pick(there)
    else:
        condition = drawing(system, number, _prefix(clause)).condition(choices)
    return _split_by(system, number, condition, clause.formula, clause.formula)


def _ites(system: System) -> Places:
    """Return the places of every `ite` whose condition contains no predicate and only variables of the prefix."""

    def find(clause: Clause) -> list[tuple[None, Occurrences]]:
        conditions = set(_conditions(clause))

        def wanted(term: Term) -> bool:
            return is_operator(term, "ite") and term.children[0] in conditions

        return [(None, Occurrences(clause.formula, wanted))]

    return Places(system, "clauses.ite", find)


def _split_ite(system: System, choices: Choices) -> System | None:
    found = _ites(system)
    if not found:
        return None
    place = found.pick(choices)
    condition, *branches = place.term.children
    clause = system.clauses[place.clause]
    prefix = _prefix(clause)
    inner_names = {variable.name for variable in bound_at(at(clause.formula, prefix), place.path[len(prefix) :])}
    if not inner_names.isdisjoint(variable.name for variable in free_variables(condition)):
        return None  # a quantifier above the ite binds a variable of the condition again
    yes, no = (replace_at(clause.formula, place.path, branch) for branch in branches)
    return _split_by(system, place.clause, condition, yes, no)


# Join ----------------------------------------------------------------------------------------------


def _joinable(system: System) -> list[list[int]]:
    """Return the numbers of clauses whose heads have the same predicate, or none, in groups of two or more."""
    groups: dict[object, list[int]] = {}
    for number, clause in enumerate(system.clauses):
        groups.setdefault(clause.head.predicate if isinstance(clause.head, Atom) else None, []).append(number)
    return [numbers for numbers in groups.values() if len(numbers) > 1]


def _join(system: System, choices: Choices) -> System | None:
    """Replace some clauses by one, at the position of the first: the disjunction of their bodies implies the head."""
    found = _joinable(system)
    if not found:
        return None
    group = choices.pick(found)
    start = choices.index(len(group) - 1)
    numbers = group[start : start + choices.integer(2, MOST_PARTS)]
    names = Names(system)
    head = system.clauses[numbers[0]].head
    variables = [names.variable(sort) for sort in head.predicate.parameters] if isinstance(head, Atom) else []
    bodies = [_body_for(system.clauses[number], variables, names) for number in numbers]
    new_head = Atom(head.predicate, variables) if isinstance(head, Atom) else FALSE
    joined = _instead(system, numbers[0], [closed(implication(disjunction(*bodies), new_head))])
    return joined.with_clauses([clause for n, clause in enumerate(joined.clauses) if n not in numbers[1:]])


def _body_for(clause: Clause, arguments: Sequence[Term], names: Names) -> Term:
    """Return the body of a clause, over new variables, for a head with these arguments or for the head false."""
    if isinstance(clause.head, Atom):
        return resolved(clause, arguments, names, plainly=True)
    fresh = {variable: names.variable(variable.sort) for variable in clause.variables}
    return conjunction(*(substitute(member, fresh) for member in _of_query(clause)))


def _of_query(clause: Clause) -> tuple[Term, ...]:
    """Return the formulas whose conjunction a clause without a predicate in its head forbids."""
    return clause.body if clause.head is FALSE else (*clause.body, negation(clause.head))


def _queries(system: System) -> list[Clause]:
    return [clause for clause in system.clauses if clause.is_query]


def _one_query(system: System, choices: Choices) -> PredicateTransformation | None:
    """Let the bodies of all queries imply a new predicate, and forbid that predicate by a single query."""
    if not _queries(system):
        return None
    bad = Names(system).predicate("bad", ())
    clauses = []
    for clause in system.clauses:
        if clause.is_query:
            body = _of_query(clause)
            clause = Clause(closed(implication(conjunction(*body), Atom(bad)) if body else Atom(bad)), clause.name)
        clauses.append(clause)
    place = choices.index(len(system.predicates) + 1)
    predicates = (*system.predicates[:place], bad, *system.predicates[place:])
    after = inserted(
        replace(system, predicates=predicates, clauses=tuple(clauses)), Clause(implication(Atom(bad), FALSE)), choices
    )
    return PredicateTransformation(after, {bad: Meaning((), FALSE)}, lambda facts: (*facts, Fact(bad, ())))


# Add -----------------------------------------------------------------------------------------------


def _add_resolvent(system: System, choices: Choices) -> System | None:
    """Add the resolvent of a clause and a rule: the rule's body replaces an atom of the clause."""
    rules, uses = rules_of(system), PredicateUses(system)
    used = [predicate for predicate in system.predicates if rules[predicate] and uses.number(predicate)]
    if not used:
        return None
    predicate = choices.pick(used)
    place = uses.pick(predicate, choices)
    rule = choices.pick(rules[predicate])
    body = resolved(rule, place.term.children, Names(system), choices.boolean())
    formula = put(system, place, body).clauses[place.clause].formula
    return inserted(system, Clause(formula), choices)


def _has_resolvents(system: System) -> bool:
    uses = PredicateUses(system)
    return any(rules and uses.number(predicate) for predicate, rules in rules_of(system).items())


def _has_clauses(system: System) -> bool:
    return bool(system.clauses)


MUTATIONS = (
    equivalent(
        "clauses.split-disjunction",
        "a clause is split by the members, or the halves, of a disjunction in its body",
        "Z3's dl_mk_interp_tail_simplifier.cpp and hnf.cpp do it themselves",
        _split_disjunction,
        lambda system: bool(_disjunctions(system)),
        needs=Needs.CLAUSES,
    ),
    equivalent(
        "clauses.split-cases",
        "a clause is split into two: a condition holds, or it does not",
        "case splitting",
        _split_cases,
        _has_clauses,
        needs=Needs.CLAUSES,
    ),
    equivalent(
        "clauses.split-ite",
        "a clause is split into two, one for each branch of an ite",
        "Z3's parameter fp.xform.elim_term_ite",
        _split_ite,
        lambda system: bool(_ites(system)),
        needs=Needs.CLAUSES,
    ),
    equivalent(
        "clauses.join",
        "clauses with the same predicate in their heads, or queries, are joined into one",
        "undoes split-disjunction; Z3's dl_mk_coalesce.cpp",
        _join,
        lambda system: bool(_joinable(system)),
        needs=Needs.CLAUSES,
    ),
    transformation_row(
        "clauses.one-query",
        "the bodies of all queries imply a new predicate, which a single query forbids",
        "how Z3 and other solvers treat several queries",
        _one_query,
        lambda system: bool(_queries(system)),
    ),
    equivalent(
        "clauses.add-resolvent",
        "the resolvent of a clause and a rule is added",
        "resolution",
        _add_resolvent,
        _has_resolvents,
        needs=Needs.CLAUSES,
    ),
)
