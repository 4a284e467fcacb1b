"""Arguments encoded in another theory: a number in an array cell or a record, a Boolean as a number or a bit.

Each encoding can be undone, so nothing else changes: systems of integers reach the code for arrays, data types and
bit-vectors, and for their combinations. Bodies either build the encoded argument, or decode the one that they find.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from chcfuzz.domains.chc.rows.few_values import few_values
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.literals import literal
from chcfuzz.grammar.evaluation.values import as_term
from chcfuzz.grammar.sorts import BOOL, INT, Constructor, Datatype, Selector, Sort, array, bitvec, datatypes
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Apply, Atom, Predicate, Term, Value, apply, disjunction, integer, real, vector
from chcfuzz.mutators.mutation import Mutation
from chcfuzz.mutators.rewriting.clause_making import with_body_member
from chcfuzz.mutators.rewriting.predicate_transformation import (
    Encoding,
    Names,
    PredicateTransformation,
    Terms,
    arguments,
    transformation_row,
    with_encoding,
)

_INDICES = (0, 1, 7, -1)
_MOST_PARTS = 20  # of a sort that may be wrapped once more
_NO_FUEL = 0  # of `literal`


def _one(at: int, there: Callable[[Term], Term], back: Callable[[Term], Term]) -> Encoding:
    """Return the encoding of one argument alone."""

    def changed(change: Callable[[Term], Term]) -> Callable[[Terms], Terms]:
        return lambda terms: (*terms[:at], change(terms[at]), *terms[at + 1 :])

    return Encoding(changed(there), changed(back))


def _cell(system: System, choices: Choices) -> PredicateTransformation | None:
    """Replace x by an array with x in one cell and a default in all others."""
    found = arguments(system, _fits)
    if not found:
        return None
    old, at = choices.pick(found)
    of = array(INT, old.parameters[at])
    index = integer(choices.pick(_INDICES))
    empty = Apply(f"(as const {of})", (literal(of.element, Choices(b""), _NO_FUEL),), of)
    encoding = _one(at, lambda x: apply("store", empty, index, x), lambda y: apply("select", y, index))
    return with_encoding(system, old, encoding, decode=choices.boolean())


def _switch(system: System, choices: Choices) -> PredicateTransformation | None:
    """Replace a Boolean by one of two numbers, or by a bit."""
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
    encoding = _one(at, lambda x: apply("ite", x, yes, no), lambda y: apply("=", y, yes))
    return with_encoding(system, old, encoding, decode=choices.boolean())


def _as_real(system: System, choices: Choices) -> PredicateTransformation | None:
    """Replace an Int by the Real of its value."""
    found = arguments(system, _is_int)
    if not found:
        return None
    old, at = choices.pick(found)

    def there(x: Term) -> Term:
        return real(int(x.value)) if isinstance(x, Value) else apply("to_real", x)

    return with_encoding(system, old, _one(at, there, lambda y: apply("to_int", y)), decode=choices.boolean())


def _wider(system: System, choices: Choices) -> PredicateTransformation | None:
    """Extend a bit-vector by bits at one end."""
    found = arguments(system, _is_vector)
    if not found:
        return None
    old, at = choices.pick(found)
    width, more = old.parameters[at].width, choices.pick((1, 2, 8))
    bits = literal(bitvec(more), choices, _NO_FUEL)
    if choices.boolean():
        slot = f"(_ extract {width + more - 1} {more})"
        encoding = _one(at, lambda x: apply("concat", x, bits), lambda y: Apply(slot, (y,)))
    else:
        slot = f"(_ extract {width - 1} 0)"
        encoding = _one(at, lambda x: apply("concat", bits, x), lambda y: Apply(slot, (y,)))
    return with_encoding(system, old, encoding, decode=choices.boolean())


def _as_bits(system: System, choices: Choices) -> PredicateTransformation | None:
    """Replace an Int that has few values in derivable facts by the number of its value, as a bit-vector.

    Rules that derive it also require one of these values. This changes nothing, so no other value needs an
    encoding.
    """
    ranges = few_values(system)
    if not ranges:
        return None
    (old, at), values = choices.pick(list(ranges.items()))
    width = max(1, (len(values) - 1).bit_length()) + choices.pick((0, 0, 1, 6))
    first = choices.index(1 << width)
    pairs = [(as_term(value, INT), vector((first + n) % (1 << width), width)) for n, value in enumerate(values)]

    def there(x: Term) -> Term:
        return dict(pairs).get(x) or _chosen(x, pairs)

    encoding = _one(at, there, lambda y: _chosen(y, [(bits, value) for value, bits in pairs]))
    return with_encoding(_restricted(system, old, at, [value for value, _ in pairs]), old, encoding, decode=True)


def _chosen(term: Term, pairs: Sequence[tuple[Term, Term]]) -> Term:
    """Return the second term of the pair whose first one the term equals, and of the last pair if it equals none."""
    chosen = pairs[-1][1]
    for key, value in reversed(pairs[:-1]):
        chosen = apply("ite", apply("=", term, key), value, chosen)
    return chosen


def _restricted(system: System, predicate: Predicate, at: int, values: Sequence[Term]) -> System:
    """Return the system whose rules for the predicate require one of the values that the argument has anyway."""
    clauses = []
    for clause in system.clauses:
        head = clause.head
        if isinstance(head, Atom) and head.predicate is predicate and head.children[at] not in values:
            known = disjunction(*(apply("=", head.children[at], value) for value in values))
            clause = replace(clause, formula=with_body_member(clause, known))
        clauses.append(clause)
    return system.with_clauses(clauses)


def _record(system: System, choices: Choices) -> PredicateTransformation | None:
    """Wrap one argument, or two adjacent ones, in a new data type with one constructor, or with the second of two."""
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

    made = with_encoding(system, old, Encoding(there, back), decode=choices.boolean())
    return replace(made, after=replace(made.after, datatypes=(*system.datatypes, (new,))))


def _new_datatype(system: System, fields: Sequence[Sort], tagged: bool) -> tuple[Datatype, Constructor]:
    """Return a data type with unused names, and its constructor with these fields."""
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
    name: str,
    summary: str,
    transform: Callable[[System, Choices], PredicateTransformation | None],
    matches: Callable[[Sort], bool],
) -> Mutation:
    def applies(system: System) -> bool:
        return bool(arguments(system, matches))

    return transformation_row(f"wrappers.{name}", summary, _SOURCE, transform, applies)


MUTATIONS = (
    _row("cell", "an argument is wrapped in an array cell", _cell, _fits),
    _row("switch", "a Boolean argument becomes one of two numbers, or a bit", _switch, _is_bool),
    _row("as-real", "an Int argument becomes the Real of its value", _as_real, _is_int),
    _row("wider", "a bit-vector argument gets more bits", _wider, _is_vector),
    transformation_row(
        "wrappers.as-bits",
        "an Int argument with few values becomes a bit-vector",
        _SOURCE,
        _as_bits,
        lambda system: bool(few_values(system)),
    ),
    _row("record", "one or two arguments are wrapped in a new data type", _record, _fits),
)
