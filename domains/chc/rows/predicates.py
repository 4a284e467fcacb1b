"""Predicates split into several, and several joined into one.

Inlining and the order in which predicates are explored depend on this. In each row p is a predicate before. The new
system S' has a model if S has one, because the new predicates can be interpreted as listed; the reverse holds because p
can then be interpreted as listed:

- cloned, every rule for both: p and p' mean p; p is (p and p'), whichever of them a body contains;
- cloned, each rule for one of them, bodies contain (p or p'): both mean p; p is (p or p');
- rules through another predicate, p'(x) => p(x): p' means p; p is unchanged;
- split by a condition c of its arguments: p1(x) is p(x) and c(x), p2(x) is p(x) and not c(x); p(x) is p1(x) where c(x),
  and p2(x) where not;
- joined with a tag: q(tag, x, y) is p1(x) where the tag is true, and p2(y) where not; p1(x) is q(true, x, y) for all y,
  or for the constants that heads have there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.literals import literal
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.printing.witness import Fact, Meaning
from chcfuzz.grammar.sorts import BOOL, INT, Sort
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import (
    FALSE,
    TRUE,
    Apply,
    Atom,
    Predicate,
    Term,
    apply,
    conjunction,
    disjunction,
    implication,
    integer,
    negation,
    real,
)
from chcfuzz.mutators.rewriting.clause_making import inserted, rule
from chcfuzz.mutators.rewriting.model_converter import itself
from chcfuzz.mutators.rewriting.predicate_transformation import (
    Head,
    Names,
    PredicateTransformation,
    arguments,
    each_fact,
    occurring,
    replaced,
    terms_of,
    transformation_row,
    values_of,
    with_atoms,
    with_rules,
)

T = TypeVar("T")


def _twinned(system: System, choices: Choices) -> tuple[Predicate, Predicate, Names] | None:
    """Return a predicate with rules, a new one of the same sorts, and unused names; None without such a predicate."""
    found = with_rules(system)
    if not found:
        return None
    old, names = choices.pick(found), Names(system)
    return old, names.predicate(old.name, old.parameters), names


def _with_copy(after: System, old: Predicate, new: Predicate) -> PredicateTransformation:
    """Return the transformation in which a new predicate means the same as an old one, which stays."""
    copy = Meaning(itself(new).parameters, itself(old).body)
    facts = each_fact(lambda fact: [Fact(new, fact.values), fact] if fact.predicate is old else [fact])
    return PredicateTransformation(after, {new: copy}, facts)


def _to(predicate: Predicate) -> Callable[[Atom], Atom]:
    return lambda atom: Atom(predicate, atom.children)


# Clone ---------------------------------------------------------------------------------------------


def _clone(system: System, choices: Choices) -> PredicateTransformation | None:
    found = _twinned(system, choices)
    if found is None:
        return None
    old, new, _ = found

    def in_body(atom: Atom, _clause: Clause) -> Term:
        other = Atom(new, atom.children)
        return choices.pick((other, atom, conjunction(atom, other), disjunction(other, atom)))

    after = replaced(system, old, (old, new), in_body, [_to(old), _to(new)])
    return _with_copy(after, old, new)


def _share(system: System, choices: Choices) -> PredicateTransformation | None:
    """Turn each rule into one of either predicate; both may stay, or become empty."""
    found = _twinned(system, choices)
    if found is None:
        return None
    old, new, _ = found

    def in_body(atom: Atom, _clause: Clause) -> Term:
        return disjunction(atom, Atom(new, atom.children))

    after = replaced(system, old, (old, new), in_body, [lambda atom: Atom(choices.pick((new, old)), atom.children)])
    return _with_copy(after, old, new)


def _through(system: System, choices: Choices) -> PredicateTransformation | None:
    """Turn the facts of a predicate, or some of its rules, into those of another predicate that implies it."""
    found = _twinned(system, choices)
    if found is None:
        return None
    old, new, names = found
    rules = [c for c in system.clauses if isinstance(c.head, Atom) and c.head.predicate is old]
    facts = [clause for clause in rules if clause.is_fact]
    chosen = facts if facts and not choices.boolean() else [each for each in rules if not choices.boolean()]
    if not chosen:
        return None
    moved = frozenset(chosen)
    clauses = tuple(_with_head(clause, new) if clause in moved else clause for clause in system.clauses)
    at = system.predicates.index(old) + choices.index(2)
    predicates = (*system.predicates[:at], new, *system.predicates[at:])
    variables = [names.variable(sort) for sort in old.parameters]
    through = rule(variables, Atom(new, variables), Atom(old, variables))
    after = inserted(replace(system, predicates=predicates, clauses=clauses), through, choices)
    return _with_copy(after, old, new)


def _with_head(clause: Clause, new: Predicate) -> Clause:
    """Return the rule with another predicate in its head."""
    formula = with_atoms(clause.formula, lambda atom: atom, _to(new))
    assert formula is not None
    return Clause(formula, clause.name)


# Split ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Split:
    """A split of predicate `old` by a condition on argument `at`, which is dropped unless `keeps`."""

    old: Predicate
    at: int
    condition: Callable[[Term], Term]
    keeps: bool

    def parts(self, names: Names) -> tuple[Predicate, Predicate]:
        """Return new predicates for the arguments that satisfy the condition, and for those that do not."""
        sorts = self._kept(self.old.parameters)
        return names.predicate(self.old.name, sorts), names.predicate(self.old.name, sorts)

    def atom(self, part: Predicate, arguments: Sequence[Term]) -> Atom:
        """Return the atom of a new predicate for an atom of the old one."""
        return Atom(part, self._kept(arguments))

    def decided(self, arguments: Sequence[Term]) -> bool | None:
        """Return whether the condition holds; None if that depends on variables."""
        value = evaluate(self.condition(arguments[self.at]), {})
        return value if isinstance(value, bool) else None

    def meaning(self, part: Predicate, holds: bool) -> Meaning:
        """Return the meaning of a new predicate, for arguments where the condition holds or does not."""
        parameters = itself(part).parameters
        if self.keeps:
            guard = self.condition(parameters[self.at])
            return Meaning(parameters, conjunction(Atom(self.old, parameters), guard if holds else negation(guard)))
        value = TRUE if holds else FALSE
        return Meaning(parameters, Atom(self.old, (*parameters[: self.at], value, *parameters[self.at :])))

    def _kept(self, items: Sequence[T]) -> Sequence[T]:
        return items if self.keeps else (*items[: self.at], *items[self.at + 1 :])


def _split(system: System, split: _Split, choices: Choices) -> PredicateTransformation:
    yes, no = split.parts(Names(system))

    def head(part: Predicate) -> Head:
        def replacement(atom: Atom) -> Term | None:
            decided = split.decided(atom.children)
            if decided is not None:
                return split.atom(part, atom.children) if decided is (part is yes) else None
            holds = split.condition(atom.children[split.at])
            return implication(holds if part is yes else negation(holds), split.atom(part, atom.children))

        return replacement

    def in_body(atom: Atom, _clause: Clause) -> Term:
        first, second = split.atom(yes, atom.children), split.atom(no, atom.children)
        decided = split.decided(atom.children)
        if decided is not None:
            return first if decided else second
        holds = split.condition(atom.children[split.at])
        if split.keeps and choices.boolean():
            return disjunction(first, second)
        return disjunction(conjunction(holds, first), conjunction(second, negation(holds)))  # Z3 refuses ite there

    def fact(fact: Fact) -> list[Fact]:
        if fact.predicate is not split.old:
            return [fact]
        terms = terms_of(fact)
        return [Fact(yes if split.decided(terms) else no, values_of(split.atom(yes, terms).children))]

    after = replaced(system, split.old, (yes, no), in_body, [head(yes), head(no)])
    meanings = {yes: split.meaning(yes, True), no: split.meaning(no, False)}
    return PredicateTransformation(after, meanings, each_fact(fact))


def _is_bool(sort: Sort) -> bool:
    return sort is BOOL


def _is_number(sort: Sort) -> bool:
    return sort.is_numeric


def _split_boolean(system: System, choices: Choices) -> PredicateTransformation | None:
    found = arguments(system, _is_bool)
    if not found:
        return None
    old, at = choices.pick(found)
    return _split(system, _Split(old, at, lambda term: term, keeps=False), choices)


def _split_sign(system: System, choices: Choices) -> PredicateTransformation | None:
    found = arguments(system, _is_number)
    if not found:
        return None
    old, at = choices.pick(found)
    zero = integer(0) if old.parameters[at] is INT else real(0)
    operator = choices.pick((">=", ">", "<", "=", "<="))
    return _split(system, _Split(old, at, lambda term: apply(operator, term, zero), keeps=True), choices)


# Join ----------------------------------------------------------------------------------------------


def _join(system: System, choices: Choices) -> PredicateTransformation | None:
    """Join two predicates; they share argument positions if their sorts are the same.

    Otherwise heads have arbitrary values in the positions of the other predicate, or a constant; bodies have that
    constant or arbitrary values.
    """
    found = occurring(system)
    if len(found) < 2:
        return None
    number = choices.index(len(found))
    first, second = found[number], found[(number + 1 + choices.index(len(found) - 1)) % len(found)]
    shared = first.parameters == second.parameters and not choices.boolean()
    names = Names(system)
    rest = () if shared else second.parameters
    new = names.predicate(first.name, (BOOL, *first.parameters, *rest))
    constants = [literal(sort, Choices(b"")) for sort in new.parameters]
    fixed, fixed_too = ([names.variable(sort) for sort in new.parameters] for _ in range(2))
    anything_in_heads = choices.boolean()

    def of(old: Predicate, terms: Sequence[Term], others: Sequence[Term]) -> Atom:
        tag = TRUE if old is first else FALSE
        if shared:
            return Atom(new, (tag, *terms))
        parted = 1 + len(first.parameters)
        return Atom(new, (tag, *terms, *others[parted:]) if old is first else (tag, *others[1:parted], *terms))

    def in_body(atom: Atom, _clause: Clause) -> Term:
        return of(atom.predicate, atom.children, choices.pick((constants, fixed_too)))

    def head(atom: Atom) -> Term:
        return of(atom.predicate, atom.children, fixed if anything_in_heads else constants)

    def fact(fact: Fact) -> list[Fact]:
        if fact.predicate not in (first, second):
            return [fact]
        return [Fact(new, values_of(of(fact.predicate, terms_of(fact), constants).children))]

    parameters = itself(new).parameters
    tag, own = parameters[0], parameters[1 : 1 + len(first.parameters)]
    body = Apply("ite", (tag, Atom(first, own), Atom(second, own if shared else parameters[1 + len(own) :])))
    after = replaced(replaced(system, first, (new,), in_body, [head]), second, (), in_body, [head])
    return PredicateTransformation(after, {new: Meaning(parameters, body)}, each_fact(fact))


def _has_rules(system: System) -> bool:
    return bool(with_rules(system))


MUTATIONS = (
    transformation_row(
        "predicates.clone",
        "a predicate is cloned with all its rules, and bodies contain either, both or one of the two",
        "the order in which predicates are inlined and explored",
        _clone,
        _has_rules,
    ),
    transformation_row(
        "predicates.share-rules",
        "the rules of a predicate are distributed over two, and bodies contain their disjunction",
        "undoes the merging of predicates",
        _share,
        _has_rules,
    ),
    transformation_row(
        "predicates.rules-through",
        "facts or rules of a predicate become those of a new one that implies it",
        "undoes linear inlining: Z3's dl_mk_rule_inliner.cpp",
        _through,
        _has_rules,
    ),
    transformation_row(
        "predicates.split-boolean",
        "a predicate with a Boolean argument becomes two",
        "the control locations of a program as predicates",
        _split_boolean,
        lambda system: bool(arguments(system, _is_bool)),
    ),
    transformation_row(
        "predicates.split-sign",
        "a predicate with a numeric argument becomes two, by a comparison with zero",
        "case splitting",
        _split_sign,
        lambda system: bool(arguments(system, _is_number)),
    ),
    transformation_row(
        "predicates.join",
        "two predicates become one with an additional Boolean argument",
        "the control locations of a program as data; undoes split-boolean",
        _join,
        lambda system: len(occurring(system)) > 1,
    ),
)
