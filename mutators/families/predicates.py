"""Predicates that become several, and several that become one.

Inlining and the order in which predicates are explored look at just that. p is the predicate before; S' has a model
where S has one because the new ones mean what is said of them, and the reverse because p may then mean what is said:

- cloned, every rule for both: p and p' mean p; p is (p and p'), whichever of them a body asks for;
- cloned, each rule for one of them, bodies ask for (p or p'): both mean p; p is (p or p');
- rules through another, p'(x) => p(x): p' means p; p stays;
- split by a condition c of its arguments: p1(x) is p(x) and c(x), p2(x) is p(x) and not c(x); p(x) is p1(x) where
  c(x), and p2(x) where not;
- joined under a tag: q(tag, x, y) is p1(x) where the tag is true, and p2(y) where not; p1(x) is q(true, x, y) for
  all y or for the constants that heads have there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.draw import literal
from chcfuzz.grammar.evaluate import evaluate
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
from chcfuzz.grammar.witness import Fact, Meaning
from chcfuzz.mutators.rewriting.clause_making import inserted, rule
from chcfuzz.mutators.rewriting.model_converter import itself
from chcfuzz.mutators.rewriting.predicate_transformation import (
    Head,
    Names,
    Recast,
    arguments,
    each_fact,
    occurring,
    recasting,
    replaced,
    terms_of,
    values_of,
    with_atoms,
    with_rules,
)


def _twinned(system: System, choices: Choices) -> tuple[Predicate, Predicate, Names] | None:
    """A predicate that heads some clause, a new one like it, and names that are free beside it; None without any."""
    found = with_rules(system)
    if not found:
        return None
    old, names = choices.pick(found), Names(system)
    return old, names.predicate(old.name, old.parameters), names


def _both(old: Predicate, other: Predicate) -> Callable[[Fact], Sequence[Fact]]:
    """Every fact of the one is one of the other before."""
    return lambda fact: [Fact(other, fact.values), fact] if fact.predicate is old else [fact]


def _to(predicate: Predicate) -> Callable[[Atom], Atom]:
    return lambda atom: Atom(predicate, atom.children)


# Cloned --------------------------------------------------------------------------------------------


def _clone(system: System, choices: Choices) -> Recast | None:
    found = _twinned(system, choices)
    if found is None:
        return None
    old, new, _ = found

    def asked(atom: Atom, _clause: Clause) -> Term:
        other = Atom(new, atom.children)
        return choices.pick((other, atom, conjunction(atom, other), disjunction(other, atom)))

    after = replaced(system, old, (old, new), asked, [_to(old), _to(new)])
    return Recast(after, {new: Meaning(itself(new).parameters, itself(old).body)}, each_fact(_both(old, new)))


def _share(system: System, choices: Choices) -> Recast | None:
    """Each rule becomes one of either predicate; both may stay or become empty."""
    found = _twinned(system, choices)
    if found is None:
        return None
    old, new, _ = found

    def asked(atom: Atom, _clause: Clause) -> Term:
        return disjunction(atom, Atom(new, atom.children))

    after = replaced(system, old, (old, new), asked, [lambda atom: Atom(choices.pick((new, old)), atom.children)])
    return Recast(after, {new: Meaning(itself(new).parameters, itself(old).body)}, each_fact(_both(old, new)))


def _through(system: System, choices: Choices) -> Recast | None:
    """The facts of a predicate become those of another, from which it follows; or some of its rules do."""
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
    return Recast(after, {new: Meaning(itself(new).parameters, itself(old).body)}, each_fact(_both(old, new)))


def _with_head(clause: Clause, new: Predicate) -> Clause:
    """The rule as one of another predicate."""
    formula = with_atoms(clause.formula, lambda atom: atom, _to(new))
    assert formula is not None
    return Clause(formula, clause.name)


# Split ---------------------------------------------------------------------------------------------


def _split(
    system: System, old: Predicate, at: int, condition: Callable[[Term], Term], keeps: bool, choices: Choices
) -> Recast:
    """Two predicates, for where the condition holds of an argument and where it does not; it goes unless `keeps`."""
    names = Names(system)
    sorts = old.parameters if keeps else (*old.parameters[:at], *old.parameters[at + 1 :])
    yes, no = names.predicate(old.name, sorts), names.predicate(old.name, sorts)

    def of(new: Predicate, terms: Sequence[Term]) -> Atom:
        return Atom(new, terms if keeps else (*terms[:at], *terms[at + 1 :]))

    def told(terms: Sequence[Term]) -> bool | None:
        value = evaluate(condition(terms[at]), {})
        return value if isinstance(value, bool) else None

    def head(new: Predicate) -> Head:
        def becomes(atom: Atom) -> Term | None:
            known = told(atom.children)
            if known is not None:
                return of(new, atom.children) if known is (new is yes) else None
            holds = condition(atom.children[at])
            return implication(holds if new is yes else negation(holds), of(new, atom.children))

        return becomes

    def asked(atom: Atom, _clause: Clause) -> Term:
        first, second = of(yes, atom.children), of(no, atom.children)
        known = told(atom.children)
        if known is not None:
            return first if known else second
        holds = condition(atom.children[at])
        if keeps and choices.boolean():
            return disjunction(first, second)
        return disjunction(conjunction(holds, first), conjunction(second, negation(holds)))  # Z3 refuses ite there

    def fact(fact: Fact) -> list[Fact]:
        if fact.predicate is not old:
            return [fact]
        terms = terms_of(fact)
        return [Fact(yes if told(terms) else no, values_of(of(yes, terms).children))]

    meanings = {}
    for new in (yes, no):
        parameters = itself(new).parameters
        if keeps:
            holds = condition(parameters[at])
            said = conjunction(Atom(old, parameters), holds if new is yes else negation(holds))
        else:
            said = Atom(old, (*parameters[:at], TRUE if new is yes else FALSE, *parameters[at:]))
        meanings[new] = Meaning(parameters, said)
    return Recast(replaced(system, old, (yes, no), asked, [head(yes), head(no)]), meanings, each_fact(fact))


def _is_bool(sort: Sort) -> bool:
    return sort is BOOL


def _is_number(sort: Sort) -> bool:
    return sort.is_numeric


def _split_boolean(system: System, choices: Choices) -> Recast | None:
    found = arguments(system, _is_bool)
    if not found:
        return None
    old, at = choices.pick(found)
    return _split(system, old, at, lambda term: term, False, choices)


def _split_sign(system: System, choices: Choices) -> Recast | None:
    found = arguments(system, _is_number)
    if not found:
        return None
    old, at = choices.pick(found)
    zero = integer(0) if old.parameters[at] is INT else real(0)
    operator = choices.pick((">=", ">", "<", "=", "<="))
    return _split(system, old, at, lambda term: apply(operator, term, zero), True, choices)


# Joined --------------------------------------------------------------------------------------------


def _join(system: System, choices: Choices) -> Recast | None:
    """Arguments of the one are the other's too, if they are of the same sorts; else heads have anything there.

    Or they have a constant, and bodies ask for that or for anything.
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

    def asked(atom: Atom, _clause: Clause) -> Term:
        return of(atom.predicate, atom.children, choices.pick((constants, fixed_too)))

    def head(atom: Atom) -> Term:
        return of(atom.predicate, atom.children, fixed if anything_in_heads else constants)

    def fact(fact: Fact) -> list[Fact]:
        if fact.predicate not in (first, second):
            return [fact]
        return [Fact(new, values_of(of(fact.predicate, terms_of(fact), constants).children))]

    parameters = itself(new).parameters
    tag, own = parameters[0], parameters[1 : 1 + len(first.parameters)]
    said = Apply("ite", (tag, Atom(first, own), Atom(second, own if shared else parameters[1 + len(own) :])))
    after = replaced(replaced(system, first, (new,), asked, [head]), second, (), asked, [head])
    return Recast(after, {new: Meaning(parameters, said)}, each_fact(fact))


def _has_rules(system: System) -> bool:
    return bool(with_rules(system))


MUTATIONS = (
    recasting(
        "predicates.clone",
        "a predicate is there twice, with all rules, and bodies ask for either, both or one of them",
        "the order in which predicates are inlined and explored",
        _clone,
        _has_rules,
    ),
    recasting(
        "predicates.share-rules",
        "the rules of a predicate are shared out to two, and bodies ask for one of them",
        "undoes the merging of predicates",
        _share,
        _has_rules,
    ),
    recasting(
        "predicates.rules-through",
        "facts or rules of a predicate become those of another, from which it follows",
        "undoes linear inlining: Z3's dl_mk_rule_inliner.cpp",
        _through,
        _has_rules,
    ),
    recasting(
        "predicates.split-boolean",
        "a predicate of a Boolean becomes two",
        "the control locations of a program as predicates",
        _split_boolean,
        lambda system: bool(arguments(system, _is_bool)),
    ),
    recasting(
        "predicates.split-sign",
        "a predicate of a number becomes two, by how it compares to zero",
        "case splitting",
        _split_sign,
        lambda system: bool(arguments(system, _is_number)),
    ),
    recasting(
        "predicates.join",
        "two predicates become one with a Boolean more",
        "the control locations of a program as data; undoes split-boolean",
        _join,
        lambda system: len(occurring(system)) > 1,
    ),
)
