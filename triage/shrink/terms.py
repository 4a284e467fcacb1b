"""Passes over subterms: remove them, or put something smaller in their place. These edits may change the meaning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from chcfuzz.grammar.errors import SortError
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.grammar.sort_kinds import kind_of
from chcfuzz.grammar.sorts import BOOL, Sort
from chcfuzz.grammar.substitution import fresh_name, substitute
from chcfuzz.grammar.terms import (
    FALSE,
    TRUE,
    Apply,
    Atom,
    Binder,
    Call,
    Quantifier,
    Term,
    Value,
    Variable,
    free_variables,
    postorder,
    subterms,
)
from chcfuzz.triage.shrink.sites import Edit, P, TermSite, edited, least_reduced, sites
from chcfuzz.triage.shrink.variables import zero

_LARGE, _MUCH_SHARED = 1_000, 4  # nodes of a formula as a tree, and times its distinct parts
_MAX_LEAVES = 4  # variables of a term that are tried in its place

Edits = Callable[[BaseProblem], list[Edit]]


def members(problem: BaseProblem) -> list[Edit]:
    """Return an edit that removes each member of an operator that accepts fewer members."""
    return [site.put(None) for site in sites(problem) if _may_go(site)]


def _may_go(site: TermSite) -> bool:
    parent = site.parent
    if not isinstance(parent, Apply) or (parent.operator == "=>" and parent.children[-1] is site.term):
        return False
    return len(parent.children) > (least_reduced(parent) or len(parent.children))


def truth_values(value: Value) -> Edits:
    """Return the function that lists the edits replacing a formula by a truth value.

    A whole clause is not replaced by `true`: other passes drop clauses.
    """

    def find(problem: BaseProblem) -> list[Edit]:
        return [
            site.put(value)
            for site in sites(problem)
            if site.term.sort is BOOL and not isinstance(site.term, Value) and (site.parent or value is FALSE)
        ]

    return find


def nearest(problem: BaseProblem) -> list[Edit]:
    """Return edits that replace each term by its nearest subterms of the same sort, such as a branch of an `ite`."""
    return [site.put(below) for site in sites(problem) for below in _nearest(site.term)]


def _nearest(term: Term) -> list[Term]:
    found: dict[Term, None] = {}
    visited: set[Term] = set()
    stack = list(reversed(term.children)) if isinstance(term, Apply) else []
    while stack:
        here = stack.pop()
        if here in visited:
            continue
        visited.add(here)
        if here.sort is term.sort:
            found[here] = None
        elif term.sort is not BOOL and isinstance(here, Apply):  # do not lift a formula out of a number
            stack.extend(reversed(here.children))
    return list(found)


def leaves(problem: BaseProblem) -> list[Edit]:
    """Return edits that replace each term by variables of its sort that occur in it."""
    found = []
    for site in sites(problem):
        if site.term.size > 2 and not isinstance(site.term, Quantifier):
            fitting = [variable for variable in free_variables(site.term) if variable.sort is site.term.sort]
            found += [site.put(variable) for variable in fitting[:_MAX_LEAVES]]
    return found


def values(value: Callable[[Sort], Term | None]) -> Edits:
    """Return the function that lists the edits replacing a term that is not a formula by a value of its sort."""

    def find(problem: BaseProblem) -> list[Edit]:
        return [
            site.put(new)
            for site in sites(problem)
            if _is_operand(site) and (new := value(site.term.sort)) is not None and new is not site.term
        ]

    return find


def _is_operand(site: TermSite) -> bool:
    """Return whether the term is not a formula, or is a Boolean argument of a predicate or function."""
    return site.term.sort is not BOOL or (isinstance(site.parent, Atom | Call) and not isinstance(site.term, Value))


def fresh_variables(problem: BaseProblem) -> list[Edit]:
    """Return edits that replace each term that is not a formula by a fresh variable."""
    found = []
    for site in sites(problem):
        if site.term.children and _is_operand(site):
            variable = Variable(fresh_name(f"v{site.number}", _bound(problem, site.clause)), site.term.sort)
            found.append(site.put(variable, variable))
    return found


def _bound(problem: BaseProblem, number: int) -> frozenset[str]:
    formula = problem.formulas[number]
    return frozenset(
        variable.name for term in subterms(formula) if isinstance(term, Binder) for variable in term.variables
    )


def bound_values(problem: BaseProblem) -> list[Edit]:
    """Return edits that replace each variable of an inner quantifier by a value of its sort."""
    found = []
    for site in sites(problem):
        if isinstance(site.term, Quantifier) and site.parent is not None:
            for variable in site.term.variables:
                value = zero(variable.sort)
                if value is not None:
                    body = substitute(site.term.body, {variable: value})
                    left = [other for other in site.term.variables if other is not variable]
                    found.append(site.put(Quantifier(site.term.kind, left, body) if left else body))
    return found


def hoisted(problem: BaseProblem) -> list[Edit]:
    """Return edits that move the variables of each inner quantifier to the outermost one."""
    found = []
    for site in sites(problem):
        if isinstance(site.term, Quantifier) and site.parent is not None:
            taken = set(_bound(problem, site.clause))
            fresh: dict[Variable, Variable] = {}
            for variable in site.term.variables:
                fresh[variable] = Variable(fresh_name(variable.name, taken), variable.sort)
                taken.add(fresh[variable].name)
            found.append(site.put(substitute(site.term.body, fresh), *fresh.values()))
    return found


def constants(problem: BaseProblem) -> list[Edit]:
    """Return edits that make each constant simpler: 0, 1, then nearer to 0 by powers of 2, large steps first."""
    return [
        site.put(nearer)
        for site in sites(problem)
        if isinstance(site.term, Value)
        for nearer in kind_of(site.term.sort).simpler(site.term)
    ]


def shared_constants(problem: BaseProblem) -> list[tuple[Value, Value]]:
    """Return pairs of a constant and a simpler one, to be replaced everywhere at once."""
    found = [term for term in subterms(*problem.formulas) if isinstance(term, Value)]
    return [(value, nearer) for value in found for nearer in kind_of(value.sort).simpler(value)]


def with_constants(problem: P, changes: Sequence[tuple[Value, Value]]) -> P | None:
    """Return the problem with these constants replaced everywhere."""
    new: dict[Term, Value] = {}
    for old, nearer in changes:
        new.setdefault(old, nearer)
    return edited(problem, [site.put(new[site.term]) for site in sites(problem) if site.term in new])


def repeated_terms(problem: BaseProblem) -> list[tuple[int, Term, Term]]:
    """Return replacements for terms that occur several times in a clause, to be applied to all occurrences.

    If a finding needs two equal terms, neither of them can change alone.
    """
    places = Counter((site.clause, site.term) for site in sites(problem) if site.term.children)
    found: list[tuple[int, Term, Term]] = []
    for clause, term in (place for place, number in places.items() if number > 1):
        constants = [TRUE, FALSE] if term.sort is BOOL else [zero(term.sort)]
        found += [(clause, term, new) for new in (*constants, *_nearest(term)) if new is not None and new is not term]
    return found


def with_terms(problem: P, changes: Sequence[tuple[int, Term, Term]]) -> P | None:
    """Return the problem with these terms replaced everywhere in their clauses."""
    new: dict[tuple[int, Term], Term] = {}
    for clause, old, other in changes:
        new.setdefault((clause, old), other)
    found = ((site, new.get((site.clause, site.term))) for site in sites(problem))
    return edited(problem, [site.put(other) for site, other in found if other is not None])


def shared(problem: BaseProblem) -> list[tuple[int, Term, Term]]:
    """Return replacements for the parts of formulas whose trees are large because they share terms, larger parts first.

    The other passes work on places in trees: they take long for these formulas, and leave those alone that are not
    small as trees.
    """
    found: list[tuple[int, Term, Term]] = []
    for index, formula in enumerate(problem.formulas):
        parts = list(subterms(formula)) if formula.size > _LARGE else [formula]
        for term in parts if formula.size > _MUCH_SHARED * len(parts) else ():
            if term is not formula and term.children:
                constants = [TRUE, FALSE] if term.sort is BOOL else [zero(term.sort)]
                new = (*constants, *_nearest(term))
                found += [(index, term, each) for each in new if each is not None and each is not term]
    return found


def with_shared(problem: P, changes: Sequence[tuple[int, Term, Term]]) -> P | None:
    """Return the problem with these terms replaced everywhere in their formulas; None if it is not well-sorted."""
    try:
        for index in sorted({index for index, _, _ in changes}):
            done = {old: new for clause, old, new in reversed(changes) if clause == index}
            formula = problem.formulas[index]
            for here in postorder(formula):
                if here not in done:
                    done[here] = here.rebuild([done[child] for child in here.children])
            problem = problem.with_formula(index, done[formula])
    except SortError:
        return None
    return problem


TO_TRUE, TO_FALSE = truth_values(TRUE), truth_values(FALSE)
