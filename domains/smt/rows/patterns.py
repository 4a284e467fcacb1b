"""Patterns: hints for the instantiation of quantifiers, which do not change the meaning."""

from __future__ import annotations

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.terms import Quantifier, Term, free_variables, kept, may_be_pattern, subterms
from chcfuzz.mutators.mutation import Promise
from chcfuzz.mutators.rewriting.term_rows import About, row_of_term

_SOURCE = "SMT-LIB 2.6, section 3.6: the attribute :pattern, which Z3's and cvc5's E-matching use"
_MOST_PATTERNS = 3  # alternatives of one quantifier


def _candidates(quantifier: Quantifier) -> tuple[Term, ...]:
    """Return the terms of the body that may be part of a pattern."""
    bound = frozenset(quantifier.variables)

    def found() -> tuple[Term, ...]:
        terms = (here for here in subterms(quantifier.body) if not bound.isdisjoint(free_variables(here)))
        return tuple(here for here in terms if may_be_pattern(here) and _is_inside(here, quantifier))

    return kept(quantifier, "pattern candidates", found)


def _is_inside(term: Term, quantifier: Quantifier) -> bool:
    """Return whether no quantifier in the body binds a variable of the term."""
    free = set(free_variables(quantifier.body)) | set(quantifier.variables)
    return free.issuperset(free_variables(term))


def _may_have_one_more(term: Term) -> bool:
    if not isinstance(term, Quantifier) or len(term.patterns) >= _MOST_PATTERNS:
        return False
    covered = {variable for each in _candidates(term) for variable in free_variables(each)}
    return covered.issuperset(term.variables)


def _add(term: Term, choices: Choices) -> Term | None:
    """Add a pattern of random terms that have all bound variables together."""
    assert isinstance(term, Quantifier)
    missing = set(term.variables)
    pattern: list[Term] = []
    while missing:
        useful = [each for each in _candidates(term) if not missing.isdisjoint(free_variables(each))]
        pattern.append(choices.pick(useful))
        missing.difference_update(free_variables(pattern[-1]))
    if tuple(pattern) in term.patterns:
        return None
    return Quantifier(term.kind, term.variables, term.body, (*term.patterns, tuple(pattern)))


def _has_patterns(term: Term) -> bool:
    return isinstance(term, Quantifier) and bool(term.patterns)


def _drop(term: Term, choices: Choices) -> Term:
    assert isinstance(term, Quantifier)
    gone = choices.index(len(term.patterns))
    left = (*term.patterns[:gone], *term.patterns[gone + 1 :])
    return Quantifier(term.kind, term.variables, term.body, left)


def _about(name: str, summary: str) -> About:
    return About(f"smt_patterns.{name}", Promise.EQUIVALENT, summary, _SOURCE, light=True)


MUTATIONS = (
    row_of_term(_about("add", "a quantifier gets a pattern of terms of its body"), _may_have_one_more, _add),
    row_of_term(_about("drop", "a quantifier loses a pattern"), _has_patterns, _drop),
)
