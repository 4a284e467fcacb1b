"""A subterm is replaced by another term of its sort: one of the problem, a drawn one, its part, or one around it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.draw import Drawing
from chcfuzz.grammar.occurrences import Occurrences
from chcfuzz.grammar.paths import at
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading.leniences import as_read, replaced_at
from chcfuzz.grammar.sorts import Sort
from chcfuzz.grammar.substitution import substitute
from chcfuzz.grammar.terms import Call, Term, Variable, free_variables, kept, subterms
from chcfuzz.grammar.theory import divisions
from chcfuzz.mutators.mutation import Mutation, Needs, Promise
from chcfuzz.mutators.rewriting.places import Place, bound_at, drawing
from chcfuzz.mutators.rewriting.term_rows import About, anywhere, may_be_entered, row_at, row_of_term, row_that_draws

_MOST = 128  # terms of a formula that may be copied, and
_MOST_SIZE = 40  # nodes of each
_FUEL = 4  # operators of a drawn term
WEIGHTS = {"operator": 3, "variable": 3, "own": 2, "call": 2}


def by_sort(formula: Term) -> Mapping[Sort, tuple[Term, ...]]:
    """Return the terms of a formula that may be copied, by their sorts."""

    def derive() -> Mapping[Sort, tuple[Term, ...]]:
        found: dict[Sort, list[Term]] = {}
        for term in islice((term for term in subterms(formula) if term.size <= _MOST_SIZE), _MOST):
            found.setdefault(term.sort, []).append(term)
        return {sort: tuple(terms) for sort, terms in found.items()}

    return kept(formula, "terms by sort", derive)


def is_divisor(formula: Term, place: Place) -> bool:
    """Return whether the place divides: SMT-LIB leaves open what division by zero gives."""
    if not place.path or place.path[-1] == 0:
        return False
    return getattr(at(formula, place.path[:-1]), "operator", "") in divisions()


def _copies(problem: Problem, place: Place) -> Iterator[Term]:
    for formula in problem.formulas:
        for term in by_sort(formula).get(place.term.sort, ()):
            if term is not place.term:
                yield term


def _copy(problem: Problem, place: Place, choices: Choices) -> Term | None:
    others = list(dict.fromkeys(_copies(problem, place)))
    if not others or is_divisor(problem.formulas[place.clause], place):
        return None
    return _in_scope(problem, place, choices.pick(others), choices)


def _in_scope(problem: Problem, place: Place, term: Term, choices: Choices) -> Term | None:
    """Return the term with variables that are not bound at the place replaced by others of their sorts."""
    bound = bound_at(problem.formulas[place.clause], place.path)
    constants = [Call(function) for function in problem.functions if not function.parameters]
    replaced: dict[Variable, Term] = {}
    for variable in free_variables(term):
        if variable not in bound:
            same = [other for other in (*bound, *constants) if other.sort is variable.sort]
            if not same:
                return None
            replaced[variable] = choices.pick(same)
    return as_read(substitute(term, replaced))


def _everywhere(problem: Problem, choices: Choices) -> Problem | None:
    """Replace all occurrences of a term in one assertion by another term of the problem, over the same variables."""
    found = anywhere(problem, "smt_subterm.any", _any)
    if not found:
        return None
    place = found.pick(choices)
    formula = problem.formulas[place.clause]
    here = set(free_variables(place.term))
    others = [term for term in dict.fromkeys(_copies(problem, place)) if here.issuperset(free_variables(term))]
    others = [term for term in others if place.term not in subterms(term)]
    if not others or is_divisor(formula, place):
        return None
    other = choices.pick(others)
    for path in Occurrences(formula, lambda term: term is place.term, may_be_entered):
        if not is_divisor(formula, replace(place, path=path)):
            formula = replaced_at(formula, path, other)
    return problem.with_formula(place.clause, formula)


def _draw(problem: Problem, place: Place, choices: Choices) -> Term | None:
    draw = drawing(problem, place.clause, place.path, WEIGHTS)
    if is_divisor(problem.formulas[place.clause], place) or not draw.can_draw(place.term.sort):
        return None
    return draw.term(place.term.sort, choices, choices.pick((1, 2, _FUEL)))


def _around(term: Term, draw: Drawing, choices: Choices) -> Term | None:
    return draw.around(term, choices, choices.pick((0, 1, _FUEL)))


def _parts(term: Term) -> list[Term]:
    """Return the proper subterms of the same sort that do not leave a quantifier inside the term."""
    free = set(free_variables(term))
    found = (part for part in subterms(*term.children) if part.sort is term.sort)
    return [part for part in islice(found, _MOST) if free.issuperset(free_variables(part))]


def _has_parts(term: Term) -> bool:
    return any(child.sort is term.sort for child in term.children)


def _hoist(term: Term, choices: Choices) -> Term | None:
    parts = _parts(term)
    return choices.pick(parts) if parts else None


def _any(_term: Term) -> bool:
    return True


_TYPEFUZZ = "TypeFuzz (OOPSLA 2021), generative type-aware mutation"


def _about(name: str, summary: str, source: str = _TYPEFUZZ, light: bool = False) -> About:
    return About(f"smt_subterm.{name}", Promise.NOTHING, summary, source, light)


MUTATIONS = (
    row_at(_about("copy", "a term becomes another term of its sort in the problem", light=True), _any, _copy),
    Mutation(
        "smt_subterm.everywhere",
        Promise.NOTHING,
        "all occurrences of a term in an assertion become another term",
        _TYPEFUZZ,
        _everywhere,
        lambda problem: bool(problem.assertions),
        needs=Needs.ASSERTIONS,
    ),
    row_at(_about("draw", "a term becomes a drawn term of its sort"), _any, _draw),
    row_that_draws(_about("around", "a term becomes an argument of a drawn application"), _any, _around, WEIGHTS),
    row_of_term(
        _about("hoist", "a term becomes one of its own subterms", "ddSMT's passes, as mutations", light=True),
        _has_parts,
        _hoist,
    ),
)
