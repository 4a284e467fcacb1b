"""Conjunctions and disjunctions inside clause bodies: another order, a member twice, another nesting."""

from __future__ import annotations

from collections.abc import Callable

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Apply, Term, is_operator
from chcfuzz.mutators.mutation import Mutation, Promise
from chcfuzz.mutators.rewriting.places import is_connective, places, struck, swapped


def _swap(term: Term, choices: Choices) -> Term:
    return term.rebuild(swapped(term.children, choices))


def _duplicate(term: Term, choices: Choices) -> Term:
    """A member appears again, anywhere among the others."""
    member = choices.pick(term.children)
    place = choices.index(len(term.children) + 1)
    return term.rebuild((*term.children[:place], member, *term.children[place:]))


def _break(term: Term, choices: Choices) -> Term:
    """Some neighbours become a member of their own: a b c d -> a (b c) d."""
    members = term.children
    length = choices.integer(2, len(members) - 1)
    start = choices.index(len(members) - length + 1)
    inner = term.rebuild(members[start : start + length])
    return term.rebuild((*members[:start], inner, *members[start + length :]))


def _is_nested(operator: str) -> Callable[[Term], bool]:
    return lambda term: is_operator(term, operator) and any(is_operator(child, operator) for child in term.children)


def _flatten(term: Term, choices: Choices) -> Term:
    """A member that is of the same kind gives its members to the outer one: a (b c) -> a b c."""
    assert isinstance(term, Apply)
    nested = [i for i, child in enumerate(term.children) if is_operator(child, term.operator)]
    index = choices.pick(nested)
    return term.rebuild((*term.children[:index], *term.children[index].children, *term.children[index + 1 :]))


def _mutation(
    name: str,
    summary: str,
    source: str,
    wanted: Callable[[Term], bool],
    rewrite: Callable[[Term, Choices], Term],
) -> Mutation:
    def rewritten(system: System, choices: Choices) -> System | None:
        return struck(system, choices, name, wanted, rewrite)

    def applies(system: System) -> bool:
        return bool(places(system, name, wanted))

    return Mutation(f"boolean.{name}", Promise.EQUIVALENT, summary, source, rewritten, applies)


MUTATIONS = (
    _mutation(
        "swap-and",
        "two members of a conjunction change places",
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
        "members of a conjunction become one",
        "HornFuzz 3 BREAK_AND",
        is_connective("and", least=3),
        _break,
    ),
    _mutation(
        "swap-or",
        "two members of a disjunction change places",
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
        "members of a disjunction become one",
        "after HornFuzz 3",
        is_connective("or", least=3),
        _break,
    ),
    _mutation(
        "flatten-and",
        "a conjunction in a conjunction is opened",
        "undoes HornFuzz 3",
        _is_nested("and"),
        _flatten,
    ),
    _mutation(
        "flatten-or",
        "a disjunction in a disjunction is opened",
        "undoes break-or",
        _is_nested("or"),
        _flatten,
    ),
)
