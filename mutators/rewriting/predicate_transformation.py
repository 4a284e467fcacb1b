"""Systems whose predicates are others: what rows that change them make, and what becomes of witnesses then.

Such a row says one thing, a `Recast`: the system, the meanings of the predicates that are not what they were over those
before, and what a fact of a refutation becomes. Its rewrite and its carry are both made of that, so they cannot part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.evaluate import UNDETERMINED, Ground, as_term, evaluate
from chcfuzz.grammar.sorts import Sort
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import (
    Atom,
    Path,
    Predicate,
    Quantifier,
    Term,
    Variable,
    apply,
    conjunction,
    free_variables,
    fresh_name,
    is_operator,
    kept,
    subterms,
)
from chcfuzz.grammar.witness import Fact, Facts, Meaning, Meanings
from chcfuzz.mutators.mutation import Mutation, Promise
from chcfuzz.mutators.rewriting.clause_making import can_be_bound, closed
from chcfuzz.mutators.rewriting.model_converter import Carry, Move, itself
from chcfuzz.mutators.rewriting.symbols import taken_names

Terms = Sequence[Term]
Argument = tuple[Predicate, int]  # of a predicate, by its place
Head = Callable[[Atom], "Term | None"]  # what becomes of a head; None: the clause goes, for it says nothing
Body = Callable[[Atom, Clause], Term]  # of an atom in the body of that clause, every time it occurs there


@dataclass(frozen=True)
class Recast:
    """`after` is equisatisfiable with the system before.

    `meanings` are those of predicates that are new or mean something else: every other one means what it did. `facts`
    makes facts of the system after from those of one before, in the order of their derivation.
    """

    after: System
    meanings: Meanings
    facts: Callable[[Facts], Facts]


def recasting(
    name: str,
    summary: str,
    source: str,
    recast: Callable[[System, Choices], Recast | None],
    applies: Callable[[System], bool],
) -> Mutation:
    """The row of what `recast` draws."""

    def rewrite(system: System, choices: Choices) -> System | None:
        made = recast(system, choices) if can_be_bound(system) else None
        return None if made is None or made.after == system else made.after

    def meanings(move: Move) -> Meanings | None:
        made = recast(move.before, move.choices)
        if made is None:
            return None
        return {predicate: made.meanings.get(predicate) or itself(predicate) for predicate in move.after.predicates}

    def facts(move: Move, given: Facts) -> Facts | None:
        made = recast(move.before, move.choices)
        return None if made is None else made.facts(given)

    return Mutation(name, Promise.EQUISATISFIABLE, summary, source, rewrite, applies, carry=Carry(meanings, facts))


@dataclass(frozen=True)
class Form:
    """What arguments of a predicate become, and back: `back(there(arguments))` has their values."""

    there: Callable[[Terms], Terms]
    back: Callable[[Terms], Terms]


def in_form(system: System, old: Predicate, form: Form, read: bool = False) -> Recast:
    """The predicate takes its arguments in another form.

    Bodies say which argument they mean, or where `read`, of an argument that exists what it is to be read as.
    """
    new = Predicate(old.name, tuple(term.sort for term in form.there(itself(old).parameters)))
    parameters = itself(new).parameters

    def written(atom: Atom) -> Term:
        return Atom(new, form.there(atom.children))

    def body(atom: Atom, _clause: Clause) -> Term:
        if not read:
            return written(atom)
        taken = {variable.name for variable in free_variables(atom)}
        given = [Variable(fresh_name(variable.name, taken), variable.sort) for variable in parameters]
        pairs = zip(form.back(given), atom.children, strict=True)
        return Quantifier("exists", given, conjunction(Atom(new, given), *(apply("=", *pair) for pair in pairs)))

    def fact(fact: Fact) -> list[Fact]:
        return [Fact(new, values_of(form.there(terms_of(fact)))) if fact.predicate is old else fact]

    meaning = Meaning(parameters, Atom(old, form.back(parameters)))
    return Recast(replaced(system, old, [new], body, [written]), {new: meaning}, each_fact(fact))


def each_fact(becomes: Callable[[Fact], Sequence[Fact]]) -> Callable[[Facts], Facts]:
    """Every fact becomes some, in its place."""
    return lambda facts: tuple(new for fact in facts for new in becomes(fact))


class Names:
    """Names that a system does not use; each is given out once."""

    def __init__(self, system: System) -> None:
        self._taken = taken_names(system)

    def fresh(self, name: str) -> str:
        """This name, or one that begins with it."""
        found = fresh_name(name, self._taken)
        self._taken.add(found)
        return found

    def variable(self, sort: Sort) -> Variable:
        """A variable of the sort."""
        return Variable(self.fresh("y"), sort)

    def predicate(self, like: str, parameters: Sequence[Sort]) -> Predicate:
        """A predicate whose name begins like that."""
        return Predicate(self.fresh(like), parameters)


def occurring(system: System) -> tuple[Predicate, ...]:
    """The predicates that some clause speaks of, in the order of their declarations."""
    found = {predicate for clause in system.clauses for predicate in predicates_in(clause.formula)}
    return tuple(predicate for predicate in system.predicates if predicate in found)


def with_rules(system: System) -> list[Predicate]:
    """The predicates that head some clause."""
    heads = {clause.head.predicate for clause in system.clauses if isinstance(clause.head, Atom)}
    return [predicate for predicate in system.predicates if predicate in heads]


def arguments(system: System, wanted: Callable[[Sort], bool]) -> list[Argument]:
    """All arguments of wanted sorts of predicates that occur."""
    return [(p, at) for p in occurring(system) for at, sort in enumerate(p.parameters) if wanted(sort)]


def predicates_in(formula: Term) -> frozenset[Predicate]:
    """The predicates that a formula speaks of."""

    def found() -> frozenset[Predicate]:
        return frozenset(term.predicate for term in subterms(formula) if isinstance(term, Atom))

    return kept(formula, "predicates", found)


def replaced(system: System, old: Predicate, new: Sequence[Predicate], body: Body, heads: Sequence[Head]) -> System:
    """The system with others in the place of a predicate: where it is declared, in bodies, and in heads.

    A clause with it in the head is there once for each of `heads`, under its name the first time. Variables that come
    with the new terms are bound around the whole clause, so a body asks for some value of theirs and a head is said of
    all.
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
    """A clause's formula, of the shape that it has, with other terms in the place of the atoms of its body and head.

    An atom that occurs twice in the body becomes the same term. None where the head becomes nothing.
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
    """Of each child of a term above atoms, whether more truth there is more truth of the formula around it."""
    number = len(term.children)
    if is_operator(term, "not"):
        return (not positive,)
    if is_operator(term, "=>"):
        return (not positive,) * (number - 1) + (positive,)
    return (positive,) * number


def is_head(formula: Term, path: Path) -> bool:
    """Whether the atom at a path is the clause's head, not one of its body."""
    positive = True
    for index in path:
        positive = polarities(formula, positive)[index]
        formula = formula.children[index]
    return positive


def values_of(arguments: Sequence[Term]) -> tuple[Ground, ...]:
    """The values of ground terms, none of which divides by zero."""
    found = [evaluate(argument, {}) for argument in arguments]
    return tuple(value for value in found if value is not UNDETERMINED)


def terms_of(fact: Fact) -> tuple[Term, ...]:
    """The values of a fact as terms."""
    return tuple(map(as_term, fact.values, fact.predicate.parameters))
