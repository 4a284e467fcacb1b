"""Predicates with one argument less, which is constant in heads or is not used by a body."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.witness import Fact, Meaning
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import (
    Atom,
    Predicate,
    Quantifier,
    Term,
    Value,
    Variable,
    apply,
    conjunction,
    free_variables,
    kept,
    subterms,
)
from chcfuzz.mutators.rewriting.model_converter import itself
from chcfuzz.mutators.rewriting.predicate_transformation import (
    Argument,
    PredicateTransformation,
    Terms,
    arguments,
    each_fact,
    replaced,
    transformation_row,
)


def _without_one(
    system: System, old: Argument, body: Callable[[Atom, Term], Term], meaning: Callable[[Terms], Term]
) -> PredicateTransformation:
    predicate, at = old
    new = Predicate(predicate.name, (*predicate.parameters[:at], *predicate.parameters[at + 1 :]))

    def without(atom: Atom) -> Atom:
        return Atom(new, (*atom.children[:at], *atom.children[at + 1 :]))

    def becomes(fact: Fact) -> list[Fact]:
        if fact.predicate is not predicate:
            return [fact]
        return [Fact(new, (*fact.values[:at], *fact.values[at + 1 :]))]

    parameters = itself(new).parameters
    meanings = {new: Meaning(parameters, meaning(parameters))}
    after = replaced(system, predicate, [new], lambda atom, _: body(without(atom), atom.children[at]), [without])
    return PredicateTransformation(after, meanings, each_fact(becomes))


@dataclass(frozen=True)
class _Uses:
    """A clause's uses of arguments: the terms in its head, and the arguments that its body depends on."""

    head: Mapping[Argument, Term]
    inspected: frozenset[Argument]


def _uses(clause: Clause) -> _Uses:
    """Return the uses of arguments by a clause.

    A body does not depend on an argument that is a variable without other occurrences, except in the same argument
    of the head: the clause then only passes it on.
    """

    def derive() -> _Uses:
        head: dict[Argument, Term] = {}
        if isinstance(clause.head, Atom):
            head = {(clause.head.predicate, at): argument for at, argument in enumerate(clause.head.children)}
        return _Uses(head, frozenset(_inspected(clause)))

    return kept(clause.formula, "signatures.uses", derive)


def _inspected(clause: Clause) -> Iterator[Argument]:
    """Yield the arguments of body atoms that are not variables, or are variables with other occurrences."""
    places = _occurrences(clause)
    for atom in subterms(*clause.body):
        if isinstance(atom, Atom):
            for at, child in enumerate(atom.children):
                own = ((atom, at), (atom.predicate, at))
                if not isinstance(child, Variable) or any(place not in own for place in places[child]):
                    yield atom.predicate, at


def _occurrences(clause: Clause) -> Mapping[Variable, Sequence[object]]:
    """Return where each variable occurs: a term of the body and a position, or the head's predicate and a position.

    A variable that is a member of the body, or a head that is not an atom, is itself such a place.
    """
    places: dict[Variable, list[object]] = {}
    for term in subterms(*clause.body):
        for at, child in enumerate(term.children):
            if isinstance(child, Variable):
                places.setdefault(child, []).append((term, at))
    for member in clause.body:
        if isinstance(member, Variable):
            places.setdefault(member, []).append(member)
    arguments = clause.head.children if isinstance(clause.head, Atom) else (clause.head,)
    for at, argument in enumerate(arguments):
        place = (clause.head.predicate, at) if isinstance(clause.head, Atom) else clause.head
        for variable in free_variables(argument):
            places.setdefault(variable, []).append(place)
    return places


def _constant_in_heads(system: System) -> list[Argument]:
    """Return the arguments that are the same constant in every head, with at least one head."""
    constants: dict[Argument, Term | None] = {}
    for clause in system.clauses:
        for argument, term in _uses(clause).head.items():
            same = isinstance(term, Value) and constants.get(argument, term) is term
            constants[argument] = term if same else None
    return [argument for argument in arguments(system, lambda _: True) if constants.get(argument) is not None]


def _drop_constant(system: System, choices: Choices) -> PredicateTransformation | None:
    found = _constant_in_heads(system)
    if not found:
        return None
    argument = predicate, at = choices.pick(found)
    constant = next(_uses(clause).head[argument] for clause in system.clauses if argument in _uses(clause).head)

    def in_body(atom: Atom, term: Term) -> Term:
        return atom if term is constant else conjunction(atom, apply("=", term, constant))

    def meaning(parameters: Terms) -> Term:
        return Atom(predicate, (*parameters[:at], constant, *parameters[at:]))

    return _without_one(system, argument, in_body, meaning)


def _uninspected(system: System) -> list[Argument]:
    used = {argument for clause in system.clauses for argument in _uses(clause).inspected}
    return [argument for argument in arguments(system, lambda _: True) if argument not in used]


def _drop_unused(system: System, choices: Choices) -> PredicateTransformation | None:
    found = _uninspected(system)
    if not found:
        return None
    argument = predicate, at = choices.pick(found)
    gone = Variable("y", predicate.parameters[at])  # the others are called x!0, x!1 ...

    def meaning(parameters: Terms) -> Term:
        return Quantifier("exists", [gone], Atom(predicate, (*parameters[:at], gone, *parameters[at:])))

    return _without_one(system, argument, lambda atom, _: atom, meaning)


MUTATIONS = (
    transformation_row(
        "signatures.drop-constant",
        "an argument that is the same constant in every head is dropped",
        "constant propagation",
        _drop_constant,
        lambda system: bool(_constant_in_heads(system)),
    ),
    transformation_row(
        "signatures.drop-unused",
        "an argument that no body uses is dropped",
        "slicing: Z3's dl_mk_slice.cpp",
        _drop_unused,
        lambda system: bool(_uninspected(system)),
    ),
)
