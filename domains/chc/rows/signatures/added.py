"""Predicates with one more argument: arbitrary, constant, or a copy of another one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.literals import literal
from chcfuzz.grammar.printing.witness import Fact, Meaning
from chcfuzz.grammar.sorts import BOOL, INT, Sort
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import Atom, Predicate, Quantifier, Term, apply, conjunction
from chcfuzz.mutators.rewriting.model_converter import itself
from chcfuzz.mutators.rewriting.predicate_transformation import (
    Argument,
    Names,
    PredicateTransformation,
    Terms,
    arguments,
    each_fact,
    occurring,
    replaced,
    terms_of,
    transformation_row,
    values_of,
)


@dataclass(frozen=True)
class _NewArgument:
    """An additional argument: its term in a head, its term in a body, its conditions in a model, its value in a fact.

    `conditions` takes the argument and the others. A `value` of None repeats the argument after the new one.
    """

    sort: Sort
    head: Callable[[Atom], Term]
    body: Callable[[Atom, Clause], Term]
    value: Term | None
    conditions: Callable[[Term, Terms], Sequence[Term]] = lambda _new, _others: ()


def _with_one_more(system: System, place: Argument, argument: _NewArgument) -> PredicateTransformation:
    """Add an argument before the one at `place`."""
    predicate, at = place
    new = Predicate(predicate.name, (*predicate.parameters[:at], argument.sort, *predicate.parameters[at:]))

    def with_it(terms: Terms, term: Term) -> Terms:
        return (*terms[:at], term, *terms[at:])

    parameters = itself(new).parameters
    rest = (*parameters[:at], *parameters[at + 1 :])
    meaning = Meaning(parameters, conjunction(Atom(predicate, rest), *argument.conditions(parameters[at], rest)))

    def becomes(fact: Fact) -> list[Fact]:
        if fact.predicate is not predicate:
            return [fact]
        terms = terms_of(fact)
        return [Fact(new, values_of(with_it(terms, terms[at] if argument.value is None else argument.value)))]

    after = replaced(
        system,
        predicate,
        [new],
        lambda atom, clause: Atom(new, with_it(atom.children, argument.body(atom, clause))),
        [lambda atom: Atom(new, with_it(atom.children, argument.head(atom)))],
    )
    return PredicateTransformation(after, {new: meaning}, each_fact(becomes))


def _place_and_sort(system: System, choices: Choices) -> tuple[Argument, Sort] | None:
    """Return a position for a new argument, and a sort for it: one that the system uses, or a frequent one."""
    found = occurring(system)
    if not found:
        return None
    predicate = choices.pick(found)
    at = choices.index(len(predicate.parameters) + 1)
    sorts = dict.fromkeys([*(sort for p in system.predicates for sort in p.parameters), INT, BOOL])
    return (predicate, at), choices.pick(tuple(sorts))


def _add_free(system: System, choices: Choices) -> PredicateTransformation | None:
    """Add an argument that is arbitrary in heads; in bodies it is arbitrary too, the head's variable, or a constant."""
    drawn = _place_and_sort(system, choices)
    if drawn is None:
        return None
    place, sort = drawn
    names = Names(system)
    of_head, of_body, constant = names.variable(sort), names.variable(sort), literal(sort, Choices(b""))
    candidates = (of_head, of_body, constant)
    argument = _NewArgument(sort, lambda _: of_head, lambda *_: choices.pick(candidates), constant)
    return _with_one_more(system, place, argument)


def _add_constant(system: System, choices: Choices) -> PredicateTransformation | None:
    """Add an argument that is a constant in heads; in bodies it is that constant, or arbitrary."""
    drawn = _place_and_sort(system, choices)
    if drawn is None:
        return None
    place, sort = drawn
    constant = literal(sort, choices, 0)
    candidates = (constant, Names(system).variable(sort))
    argument = _NewArgument(sort, lambda _: constant, lambda *_: choices.pick(candidates), constant)
    return _with_one_more(system, place, argument)


def _duplicate(system: System, choices: Choices) -> PredicateTransformation | None:
    """Add an argument that repeats another one; in bodies it may be arbitrary."""
    found = arguments(system, lambda _: True)
    if not found:
        return None
    predicate, at = choices.pick(found)
    sort = predicate.parameters[at]
    names = Names(system)

    def in_body(atom: Atom, clause: Clause) -> Term:
        return names.variable(sort) if choices.boolean() and not _has_quantified_body(clause) else atom.children[at]

    argument = _NewArgument(
        sort, lambda atom: atom.children[at], in_body, None, lambda new, others: [apply("=", new, others[at])]
    )
    return _with_one_more(system, (predicate, at), argument)


def _has_quantified_body(clause: Clause) -> bool:
    """Return whether one atom of the body may stand for several, with different variables of the same name."""
    formula = clause.formula
    return (formula.children[0] if isinstance(formula, Quantifier) else formula).depth > 0


MUTATIONS = (
    transformation_row(
        "signatures.add-free",
        "a predicate takes one more argument, with an arbitrary value",
        "undoes slicing: Z3's dl_mk_slice.cpp",
        _add_free,
        lambda system: bool(occurring(system)),
    ),
    transformation_row(
        "signatures.add-constant",
        "a predicate takes one more argument, the same constant in every head",
        "after Z3's dl_mk_slice.cpp",
        _add_constant,
        lambda system: bool(occurring(system)),
    ),
    transformation_row(
        "signatures.duplicate",
        "a predicate takes one of its arguments twice",
        "every lemma then needs an equality",
        _duplicate,
        lambda system: bool(arguments(system, lambda _: True)),
    ),
)
