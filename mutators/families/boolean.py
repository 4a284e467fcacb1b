"""Conjunctions and disjunctions in clause bodies: reordered, with a duplicated member, or nested differently."""

from __future__ import annotations

from collections.abc import Callable

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.grammar.terms import Apply, Term, is_operator
from chcfuzz.mutators.mutation import Mutation, Promise
from chcfuzz.mutators.rewriting.places import P, is_connective, places, rewrite_one, swapped


def _swap(term: Term, choices: Choices) -> Term:
    return term.rebuild(swapped(term.children, choices))


def _duplicate(term: Term, choices: Choices) -> Term:
    """Repeat a member at any position."""
    member = choices.pick(term.children)
    place = choices.index(len(term.children) + 1)
    return term.rebuild((*term.children[:place], member, *term.children[place:]))


def _break(term: Term, choices: Choices) -> Term:
    """Group some neighbouring members into one: a b c d -> a (b c) d."""
    members = term.children
    length = choices.integer(2, len(members) - 1)
    start = choices.index(len(members) - length + 1)
    inner = term.rebuild(members[start : start + length])
    return term.rebuild((*members[:start], inner, *members[start + length :]))


def _is_nested(operator: str) -> Callable[[Term], bool]:
    return lambda term: is_operator(term, operator) and any(is_operator(child, operator) for child in term.children)


def _flatten(term: Term, choices: Choices) -> Term:
    """Inline a nested member with the same operator: a (b c) -> a b c."""
    assert isinstance(term, Apply)
    nested = [i for i, child in enumerate(term.children) if is_operator(child, term.operator)]
    index = choices.pick(nested)
    return term.rebuild((*term.children[:index], *term.children[index].children, *term.children[index + 1 :]))


def _mutation(
    name: str,
    summary: str,
    source: str,
    matches: Callable[[Term], bool],
    rewrite: Callable[[Term, Choices], Term],
) -> Mutation:
    def rewritten(system: P, choices: Choices) -> P | None:
        return rewrite_one(system, choices, name, matches, rewrite)

    def applies(system: BaseProblem) -> bool:
        return bool(places(system, name, matches))

    return Mutation(f"boolean.{name}", Promise.EQUIVALENT, summary, source, rewritten, applies)


MUTATIONS = (
    _mutation(
        "swap-and",
        "two members of a conjunction are swapped",
        "HornFuzz 1 SWAP_AND",
        is_connective("and"),
        _swap,
    ),
    _mutation(
        "dup-and",
        "a member of a conjunction appears twice",
        "HornFuzz 2 DUP_AND",
        is_connective("and"),
        _duplicate,
    ),
    _mutation(
        "break-and",
        "members of a conjunction are grouped into a nested one",
        "HornFuzz 3 BREAK_AND",
        is_connective("and", least=3),
        _break,
    ),
    _mutation(
        "swap-or",
        "two members of a disjunction are swapped",
        "HornFuzz 4 SWAP_OR",
        is_connective("or"),
        _swap,
    ),
    _mutation(
        "dup-or",
        "a member of a disjunction appears twice",
        "after HornFuzz 2",
        is_connective("or"),
        _duplicate,
    ),
    _mutation(
        "break-or",
        "members of a disjunction are grouped into a nested one",
        "after HornFuzz 3",
        is_connective("or", least=3),
        _break,
    ),
    _mutation(
        "flatten-and",
        "a conjunction in a conjunction is flattened",
        "undoes HornFuzz 3",
        _is_nested("and"),
        _flatten,
    ),
    _mutation(
        "flatten-or",
        "a disjunction in a disjunction is flattened",
        "undoes break-or",
        _is_nested("or"),
        _flatten,
    ),
)
