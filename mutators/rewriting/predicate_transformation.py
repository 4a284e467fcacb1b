"""Transformations of a system's predicates, and of its witnesses with them.

Such a row computes one value, a `PredicateTransformation`: the new system, the meanings of the predicates that changed,
over the old ones, and the conversion of a refutation's facts. Its rewrite and its converter both use this value, so
they always agree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.values import UNDETERMINED, Ground, as_term
from chcfuzz.grammar.paths import Path
from chcfuzz.grammar.printing.witness import Fact, Facts, Meaning, Meanings
from chcfuzz.grammar.sorts import Sort
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import (
    Atom,
    Predicate,
    Quantifier,
    Term,
    Variable,
    apply,
    conjunction,
    free_variables,
    is_operator,
    kept,
    subterms,
)
from chcfuzz.mutators.mutation import ModelConverter, Move, Mutation, Needs, Promise
from chcfuzz.mutators.rewriting.clause_making import can_be_bound, closed
from chcfuzz.mutators.rewriting.model_converter import itself
from chcfuzz.mutators.rewriting.symbols import taken_names

Terms = Sequence[Term]
Argument = tuple[Predicate, int]  # a predicate, and the position of an argument
Head = Callable[[Atom], "Term | None"]  # replaces a head; None: the clause is trivial and dropped
Body = Callable[[Atom, Clause], Term]  # replaces all occurrences of an atom in the body of that clause


@dataclass(frozen=True)
class PredicateTransformation:
    """A system `after` that is equisatisfiable with the system before.

    `meanings` are those of new or changed predicates; all others keep theirs. `facts` converts facts of the system
    before into facts of the system after, in the order of their derivation.
    """

    after: System
    meanings: Meanings
    facts: Callable[[Facts], Facts]


def transformation_row(
    name: str,
    summary: str,
    source: str,
    transform: Callable[[System, Choices], PredicateTransformation | None],
    applies: Callable[[System], bool],
) -> Mutation:
    """Return the row that applies a transformation, and converts witnesses along it."""

    def rewrite(system: System, choices: Choices) -> System | None:
        made = transform(system, choices) if can_be_bound(system) else None
        return None if made is None or made.after == system else made.after

    def meanings(move: Move) -> Meanings | None:
        made = transform(move.before, move.choices)
        if made is None:
            return None
        return {predicate: made.meanings.get(predicate) or itself(predicate) for predicate in move.after.predicates}

    def facts(move: Move, given: Facts) -> Facts | None:
        made = transform(move.before, move.choices)
        return None if made is None else made.facts(given)

    return Mutation(
        name,
        Promise.EQUISATISFIABLE,
        summary,
        source,
        rewrite,
        applies,
        converter=ModelConverter(meanings, facts),
        needs=Needs.CLAUSES,
    )


@dataclass(frozen=True)
class Encoding:
    """Another representation of a predicate's arguments: `decode(encode(arguments))` has their values."""

    encode: Callable[[Terms], Terms]
    decode: Callable[[Terms], Terms]


def with_encoding(system: System, old: Predicate, encoding: Encoding, decode: bool = False) -> PredicateTransformation:
    """Transform a system so that a predicate takes its arguments in another encoding.

    Bodies encode the arguments, or where `decode`, decode an existentially quantified argument.
    """
    new = Predicate(old.name, tuple(term.sort for term in encoding.encode(itself(old).parameters)))
    parameters = itself(new).parameters
    declared = {*system.declared_names, *system.datatype_names}

    def written(atom: Atom) -> Term:
        return Atom(new, encoding.encode(atom.children))

    def body(atom: Atom, _clause: Clause) -> Term:
        if not decode:
            return written(atom)
        taken = {variable.name for variable in free_variables(atom)} | declared
        given = [Variable(fresh_name(variable.name, taken), variable.sort) for variable in parameters]
        pairs = zip(encoding.decode(given), atom.children, strict=True)
        return Quantifier("exists", given, conjunction(Atom(new, given), *(apply("=", *pair) for pair in pairs)))

    def fact(fact: Fact) -> list[Fact]:
        return [Fact(new, values_of(encoding.encode(terms_of(fact)))) if fact.predicate is old else fact]

    meaning = Meaning(parameters, Atom(old, encoding.decode(parameters)))
    return PredicateTransformation(replaced(system, old, [new], body, [written]), {new: meaning}, each_fact(fact))


def each_fact(becomes: Callable[[Fact], Sequence[Fact]]) -> Callable[[Facts], Facts]:
    """Return the conversion that replaces every fact by some facts, in its place."""
    return lambda facts: tuple(new for fact in facts for new in becomes(fact))


class Names:
    """Names that a system does not use; each is returned once."""

    def __init__(self, system: System) -> None:
        """Start with the names that the system uses."""
        self._taken = taken_names(system)

    def fresh(self, name: str) -> str:
        """Return this name, or an unused one that begins with it."""
        found = fresh_name(name, self._taken)
        self._taken.add(found)
        return found

    def variable(self, sort: Sort) -> Variable:
        """Return a new variable of the sort."""
        return Variable(self.fresh("y"), sort)

    def predicate(self, like: str, parameters: Sequence[Sort]) -> Predicate:
        """Return a new predicate whose name begins with `like`."""
        return Predicate(self.fresh(like), parameters)


def occurring(system: System) -> tuple[Predicate, ...]:
    """Return the predicates that occur in clauses, in the order of their declarations."""
    found = {predicate for clause in system.clauses for predicate in predicates_in(clause.formula)}
    return tuple(predicate for predicate in system.predicates if predicate in found)


def with_rules(system: System) -> list[Predicate]:
    """Return the predicates that are the head of some clause."""
    heads = {clause.head.predicate for clause in system.clauses if isinstance(clause.head, Atom)}
    return [predicate for predicate in system.predicates if predicate in heads]


def arguments(system: System, matches: Callable[[Sort], bool]) -> list[Argument]:
    """Return all arguments of matching sorts of predicates that occur in clauses."""
    return [(p, at) for p in occurring(system) for at, sort in enumerate(p.parameters) if matches(sort)]


def predicates_in(formula: Term) -> frozenset[Predicate]:
    """Return the predicates that occur in a formula."""

    def found() -> frozenset[Predicate]:
        return frozenset(term.predicate for term in subterms(formula) if isinstance(term, Atom))

    return kept(formula, "predicates", found)


def replaced(system: System, old: Predicate, new: Sequence[Predicate], body: Body, heads: Sequence[Head]) -> System:
    """Return the system with a predicate replaced: in its declaration, in bodies, and in heads.

    A rule of the predicate is repeated for each of `heads`; only the first copy keeps its name. New variables are
    bound around the whole clause: existentially as seen from the body, universally as seen from the head.
    """
    clauses: list[Clause] = []
    for clause in system.clauses:
        if old not in predicates_in(clause.formula):
            clauses.append(clause)
            continue

        def below(atom: Atom, clause: Clause = clause) -> Term:
            return body(atom, clause) if atom.predicate is old else atom

        is_rule = isinstance(clause.head, Atom) and clause.head.predicate is old
        name = clause.name
        for head in heads if is_rule else heads[:1]:
            formula = with_atoms(clause.formula, below, head if is_rule else _unchanged)
            if formula is not None:
                clauses.append(Clause(closed(formula), name))
                name = None
    at = system.predicates.index(old)
    predicates = (*system.predicates[:at], *new, *system.predicates[at + 1 :])
    return replace(system, predicates=predicates, clauses=tuple(clauses))


def _unchanged(atom: Atom) -> Term:
    return atom


def with_atoms(formula: Term, body: Callable[[Atom], Term], head: Head) -> Term | None:
    """Return a clause's formula, in its present shape, with the atoms of its body and head replaced.

    All occurrences of an atom in the body become the same term. None if `head` returns None.
    """
    done: dict[tuple[Term, bool], Term] = {}
    stack = [(formula, True, False)]
    while stack:
        here, positive, opened = stack.pop()
        if (here, positive) in done:
            continue
        if not here.has_atoms:
            done[here, positive] = here
        elif isinstance(here, Atom):
            new = head(here) if positive else body(here)
            if new is None:
                return None
            done[here, positive] = new
        else:
            below = list(zip(here.children, polarities(here, positive), strict=True))
            if opened:
                done[here, positive] = here.rebuild([done[child] for child in below])
            else:
                stack.append((here, positive, True))
                stack += [(child, polarity, False) for child, polarity in reversed(below)]
    return done[formula, True]


def polarities(term: Term, positive: bool) -> tuple[bool, ...]:
    """Return for each child of a term above atoms whether it occurs positively in the whole formula."""
    number = len(term.children)
    if is_operator(term, "not"):
        return (not positive,)
    if is_operator(term, "=>"):
        return (not positive,) * (number - 1) + (positive,)
    return (positive,) * number


def is_head(formula: Term, path: Path) -> bool:
    """Return whether the atom at a path is the clause's head rather than an atom of its body."""
    positive = True
    for index in path:
        positive = polarities(formula, positive)[index]
        formula = formula.children[index]
    return positive


def values_of(arguments: Sequence[Term]) -> tuple[Ground, ...]:
    """Return the values of ground terms, none of which divides by zero."""
    found = [evaluate(argument, {}) for argument in arguments]
    return tuple(value for value in found if value is not UNDETERMINED)


def terms_of(fact: Fact) -> tuple[Term, ...]:
    """Return the values of a fact as terms."""
    return tuple(map(as_term, fact.values, fact.predicate.parameters))
