"""Arguments in the clothes of another theory: a number in a cell or a record, a Boolean as a number or as a bit.

What is put into a wrapper comes out of it again, so nothing else changes: systems of integers reach the code for
arrays, data types and bit-vectors, and for their combinations. Bodies say which wrapper they mean, or read the one that
is there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.draw import literal
from chcfuzz.grammar.evaluate import as_term
from chcfuzz.grammar.sorts import BOOL, INT, Constructor, Datatype, Selector, Sort, array, bitvec, datatypes
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Apply, Atom, Predicate, Term, Value, apply, disjunction, integer, real, vector
from chcfuzz.mutators.mutation import Mutation
from chcfuzz.mutators.rewriting.clause_making import asking
from chcfuzz.mutators.rewriting.few_values import few_values
from chcfuzz.mutators.rewriting.predicate_transformation import (
    Form,
    Names,
    Recast,
    Terms,
    arguments,
    in_form,
    recasting,
)

_INDICES = (0, 1, 7, -1)
_MOST_PARTS = 20  # of a sort that is wrapped once more
_PLAIN = 0  # of `literal`: no fuel


def _one(at: int, there: Callable[[Term], Term], back: Callable[[Term], Term]) -> Form:
    """One argument changes by itself."""

    def changed(change: Callable[[Term], Term]) -> Callable[[Terms], Terms]:
        return lambda terms: (*terms[:at], change(terms[at]), *terms[at + 1 :])

    return Form(changed(there), changed(back))


def _cell(system: System, choices: Choices) -> Recast | None:
    """x becomes an array that holds it in one cell, and the same in all others."""
    found = arguments(system, _fits)
    if not found:
        return None
    old, at = choices.pick(found)
    of = array(INT, old.parameters[at])
    index = integer(choices.pick(_INDICES))
    empty = Apply(f"(as const {of})", (literal(of.element, Choices(b""), _PLAIN),), of)
    form = _one(at, lambda x: apply("store", empty, index, x), lambda y: apply("select", y, index))
    return in_form(system, old, form, read=choices.boolean())


def _switch(system: System, choices: Choices) -> Recast | None:
    """A Boolean becomes one of two numbers, or a bit."""
    found = arguments(system, _is_bool)
    if not found:
        return None
    old, at = choices.pick(found)
    pairs: Sequence[tuple[Value, Value]] = (
        (integer(1), integer(0)),
        (vector(1, 1), vector(0, 1)),
        (integer(-1), integer(7)),
        (real(1), real(0)),
        (vector(255, 8), vector(0, 8)),
    )
    yes, no = choices.pick(pairs)
    form = _one(at, lambda x: apply("ite", x, yes, no), lambda y: apply("=", y, yes))
    return in_form(system, old, form, read=choices.boolean())


def _as_real(system: System, choices: Choices) -> Recast | None:
    """An Int becomes the Real of its value."""
    found = arguments(system, _is_int)
    if not found:
        return None
    old, at = choices.pick(found)

    def there(x: Term) -> Term:
        return real(int(x.value)) if isinstance(x, Value) else apply("to_real", x)

    return in_form(system, old, _one(at, there, lambda y: apply("to_int", y)), read=choices.boolean())


def _wider(system: System, choices: Choices) -> Recast | None:
    """A bit-vector gets more bits, before or behind its own."""
    found = arguments(system, _is_vector)
    if not found:
        return None
    old, at = choices.pick(found)
    width, more = old.parameters[at].width, choices.pick((1, 2, 8))
    bits = literal(bitvec(more), choices, _PLAIN)
    if choices.boolean():
        slot = f"(_ extract {width + more - 1} {more})"
        form = _one(at, lambda x: apply("concat", x, bits), lambda y: Apply(slot, (y,)))
    else:
        slot = f"(_ extract {width - 1} 0)"
        form = _one(at, lambda x: apply("concat", bits, x), lambda y: Apply(slot, (y,)))
    return in_form(system, old, form, read=choices.boolean())


def _as_bits(system: System, choices: Choices) -> Recast | None:
    """An Int that has few values in whatever is derivable becomes their number, a bit-vector.

    Rules that derive it ask for one of these values, which changes nothing: so no other one needs a bit-vector.
    """
    ranges = few_values(system, INT)
    if not ranges:
        return None
    (old, at), values = choices.pick(list(ranges.items()))
    width = max(1, (len(values) - 1).bit_length()) + choices.pick((0, 0, 1, 6))
    first = choices.index(1 << width)
    pairs = [(as_term(value, INT), vector((first + n) % (1 << width), width)) for n, value in enumerate(values)]

    def there(x: Term) -> Term:
        return dict(pairs).get(x) or _chosen(x, pairs)

    form = _one(at, there, lambda y: _chosen(y, [(bits, value) for value, bits in pairs]))
    return in_form(_asking_for(system, old, at, [value for value, _ in pairs]), old, form, read=True)


def _chosen(term: Term, pairs: Sequence[tuple[Term, Term]]) -> Term:
    """For each first of a pair that the term may be, the second; the last one's for all others."""
    chosen = pairs[-1][1]
    for key, value in reversed(pairs[:-1]):
        chosen = apply("ite", apply("=", term, key), value, chosen)
    return chosen


def _asking_for(system: System, predicate: Predicate, at: int, values: Sequence[Term]) -> System:
    """The same answer: rules for the predicate ask for one of the values that the argument has anyway."""
    clauses = []
    for clause in system.clauses:
        head = clause.head
        if isinstance(head, Atom) and head.predicate is predicate and head.children[at] not in values:
            known = disjunction(*(apply("=", head.children[at], value) for value in values))
            clause = replace(clause, formula=asking(clause, known))
        clauses.append(clause)
    return system.with_clauses(clauses)


def _record(system: System, choices: Choices) -> Recast | None:
    """One argument or two neighbours become a value of a new data type, of one constructor or the second of two."""
    found = arguments(system, _fits)
    if not found:
        return None
    old, at = choices.pick(found)
    end = min(at + choices.pick((1, 2)), len(old.parameters))
    new, constructor = _new_datatype(system, old.parameters[at:end], choices.boolean())

    def there(terms: Terms) -> Terms:
        return (*terms[:at], Apply(constructor.operator, terms[at:end], new.sort), *terms[end:])

    def back(terms: Terms) -> Terms:
        fields = [Apply(selector.operator, (terms[at],), selector.sort) for selector in constructor.selectors]
        return (*terms[:at], *fields, *terms[at + 1 :])

    made = in_form(system, old, Form(there, back), read=choices.boolean())
    return replace(made, after=replace(made.after, datatypes=(*system.datatypes, (new,))))


def _new_datatype(system: System, fields: Sequence[Sort], tagged: bool) -> tuple[Datatype, Constructor]:
    """A data type under names that are free, and its constructor of these fields."""
    names = Names(system)
    selectors = tuple(Selector(names.fresh("held"), sort) for sort in fields)
    constructor = Constructor(names.fresh("hold"), selectors)
    others = (Constructor(names.fresh("nothing")),) if tagged else ()
    (made,) = datatypes((names.fresh("Held"),), lambda _: ((*others, constructor),))
    return made, constructor


def _fits(sort: Sort) -> bool:
    return sort.size <= _MOST_PARTS


def _is_bool(sort: Sort) -> bool:
    return sort is BOOL


def _is_int(sort: Sort) -> bool:
    return sort is INT


def _is_vector(sort: Sort) -> bool:
    return sort.is_bitvector


_SOURCE = "arguments of another theory, equisatisfiable by construction"


def _row(
    name: str, summary: str, recast: Callable[[System, Choices], Recast | None], wanted: Callable[[Sort], bool]
) -> Mutation:
    return recasting(f"wrappers.{name}", summary, _SOURCE, recast, lambda system: bool(arguments(system, wanted)))


MUTATIONS = (
    _row("cell", "an argument becomes an array that holds it in a cell", _cell, _fits),
    _row("switch", "a Boolean argument becomes one of two numbers, or a bit", _switch, _is_bool),
    _row("as-real", "an Int argument becomes the Real of its value", _as_real, _is_int),
    _row("wider", "a bit-vector argument gets more bits", _wider, _is_vector),
    recasting(
        "wrappers.as-bits",
        "an Int argument of few values becomes a bit-vector",
        _SOURCE,
        _as_bits,
        lambda system: bool(few_values(system, INT)),
    ),
    _row("record", "an argument or two become a value of a new data type", _record, _fits),
)
