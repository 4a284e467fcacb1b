"""Finite sets: a term becomes an equal one, by splitting, definitions and the sizes of parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.sort_kinds import has_literals, kind_of
from chcfuzz.grammar.terms import Apply, Term, apply, conjunction, negation
from chcfuzz.grammar.theories.element_sorts import element_of
from chcfuzz.grammar.theories.sets import empty, is_set
from chcfuzz.mutators.mutation import Promise
from chcfuzz.mutators.rewriting.term_rows import About, row_of_term

_MOST = 60  # nodes of a term that may be duplicated
Options = Sequence[Callable[[], Term]]


def _union(*sets: Term) -> Term:
    return apply("set.union", *sets)


def _common(*sets: Term) -> Term:
    return apply("set.inter", *sets)


def _without(items: Term, *others: Term) -> Term:
    return apply("set.minus", items, *others)


def _single(element: Term) -> Term:
    return apply("set.singleton", element)


def _other(items: Term, choices: Choices) -> Term:
    """Return the set itself, the empty one, or one with a plain element, if its sort has literals."""
    element = element_of(items.sort)
    options: Options = (
        lambda: items,
        lambda: empty(items.sort),
        lambda: _single(kind_of(element).draw_plain(element, choices)),
    )
    return choices.pick(options if has_literals(element) else options[:2])()


def same(t: Term, choices: Choices) -> Term:
    """Return a set that is split and joined, or that has a part more and less."""
    o, nothing = _other(t, choices), empty(t.sort)
    options: Options = (
        lambda: _union(t, nothing),
        lambda: _union(nothing, t, t),
        lambda: _common(t, t),
        lambda: _common(t, _union(o, t)),
        lambda: _without(t, nothing),
        lambda: _without(t, _without(o, t)),
        lambda: _union(_without(t, o), _common(t, o)),
        lambda: _without(_union(t, o), _without(o, t)),
        lambda: apply("ite", apply("set.is_empty", t), nothing, t),
        lambda: apply("ite", apply("set.subset", o, t), _union(o, t), t),
    )
    return choices.pick(options)()


def _is_atom(term: Term) -> bool:
    if not isinstance(term, Apply) or term.operator not in _ATOMS or term.size > _MOST:
        return False
    return is_set(term.children[-1].sort) and len(term.children) == _ARGUMENTS[term.operator]


def _member(element: Term, items: Term) -> Options:
    one = _single(element)
    return (
        lambda: apply("set.subset", one, items),
        lambda: apply("=", items, apply("set.insert", element, items)),
        lambda: apply("=", one, _common(items, one)),
        lambda: negation(apply("set.is_empty", _common(one, items))),
        lambda: apply("distinct", items, _without(items, one)),
    )


def _subset(part: Term, items: Term) -> Options:
    return (
        lambda: apply("=", items, _union(part, items)),
        lambda: apply("=", part, _common(part, items)),
        lambda: apply("set.is_empty", _without(part, items)),
    )


def _equal(a: Term, b: Term) -> Options:
    return (
        lambda: conjunction(apply("set.subset", a, b), apply("set.subset", b, a)),
        lambda: apply("set.is_empty", _union(_without(a, b), _without(b, a))),
        lambda: apply("=", _union(a, b), _common(a, b)),
    )


def _is_empty(items: Term) -> Options:
    return (
        lambda: apply("=", items, empty(items.sort)),
        lambda: apply("set.subset", items, empty(items.sort)),
    )


_ATOMS: dict[str, Callable[..., Options]] = {
    "set.member": _member, "set.subset": _subset, "=": _equal, "set.is_empty": _is_empty,
}  # fmt: skip
_ARGUMENTS = {"set.member": 2, "set.subset": 2, "=": 2, "set.is_empty": 1}


def defined(term: Term, choices: Choices) -> Term:
    """Return a statement about sets in terms of others."""
    assert isinstance(term, Apply)
    return choices.pick(_ATOMS[term.operator](*term.children))()


def _is_size(term: Term) -> bool:
    return isinstance(term, Apply) and term.operator == "set.card" and term.size <= _MOST


def of_parts(term: Term, choices: Choices) -> Term:
    """Return the size of a set as the sizes of parts."""
    (items,) = term.children
    other = _other(items, choices)

    def size(part: Term) -> Term:
        return apply("set.card", part)

    options: list[Callable[[], Term]] = [
        lambda: apply("+", size(_without(items, other)), size(_common(items, other))),
        lambda: apply("-", size(_union(items, other)), size(_without(other, items))),
    ]
    if isinstance(items, Apply) and items.operator == "set.union" and len(items.children) == 2:
        a, b = items.children
        options.append(lambda: apply("-", apply("+", size(a), size(b)), size(_common(a, b))))
        options.append(lambda: apply("+", size(a), size(_without(b, a))))
    return choices.pick(options)()


def _about(name: str, summary: str) -> About:
    source = "theory of finite sets of cvc5; src/smt/theory_finite_set_size.cpp of Z3"
    return About(f"smt_sets.{name}", Promise.EQUIVALENT, summary, source, light=True)


MUTATIONS = (
    row_of_term(
        _about("same", "a set is split and joined"), lambda term: is_set(term.sort) and term.size <= _MOST, same
    ),
    row_of_term(_about("defined", "a statement about sets becomes its definition by others"), _is_atom, defined),
    row_of_term(_about("of-parts", "the size of a set becomes the sizes of its parts"), _is_size, of_parts),
)
