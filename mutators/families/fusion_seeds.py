"""Two seeds in one system: the one at hand, and another whose text the step carries.

Nothing needs to be known of the other one. p is a predicate at hand, q one of the other system:

- one after the other: what derived false derives `reached`, and whatever begins a derivation of the other system asks
  for it. In a model, nothing is reached, and nothing of the other system is true;
- one guards the other: bodies ask for q, of their own variables where the sorts fit. The other's queries are left out,
  so everything of it may be true;
- both at once: p(x) and q(y) are one predicate pq(x, y), and a rule of p takes a rule of q along. What p(x) says in a
  model, pq(x, y) says there;
- side by side: two systems that share nothing. What is derived at hand still is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.sorts import Sort
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import (
    FALSE,
    TRUE,
    Atom,
    Predicate,
    Quantifier,
    Term,
    Variable,
    conjunction,
    negation,
    substitute,
)
from chcfuzz.grammar.witness import Meaning, Meanings
from chcfuzz.mutators.mutation import Mutation, Promise
from chcfuzz.mutators.rewriting.clause_making import asking, can_be_bound, closed, one_way, rule
from chcfuzz.mutators.rewriting.model_converter import Carry, Move, itself, no_facts, no_meanings
from chcfuzz.mutators.rewriting.predicate_transformation import Names, with_atoms, with_rules
from chcfuzz.mutators.rewriting.symbols import apart, taken_names
from chcfuzz.mutators.seeds import BUILT_IN, read_seed

_MOST_GUARDED = 3  # bodies
_EMPTY = System((), (), ())

# Both systems in one, and the meanings of what is new in it, over the predicates at hand.
Fused = tuple[System, Meanings]
Fuse = Callable[[System, System, Choices], Fused | None]


def _other(system: System, choices: Choices) -> System | None:
    """The system whose text the choices begin with, or else a built-in one, under names that are free at hand.

    None where the data types of the two would clash.
    """
    other = read_seed(choices.text()) or read_seed(choices.pick(BUILT_IN))
    assert other is not None
    if other.datatypes != system.datatypes[: len(other.datatypes)]:
        declared = taken_names(replace(other, predicates=(), clauses=())) - taken_names(_EMPTY)
        if not declared.isdisjoint(taken_names(system)):
            return None
    return apart(other, system)[0]


def _together(system: System, other: System, clauses: Sequence[Clause]) -> System:
    """The declarations of both, with these clauses."""
    datatypes = dict.fromkeys((*system.datatypes, *other.datatypes))
    return replace(
        system,
        datatypes=tuple(datatypes),
        predicates=(*system.predicates, *other.predicates),
        clauses=tuple(clauses),
    )


def _always(predicates: Sequence[Predicate], value: Term) -> Meanings:
    return {predicate: Meaning(itself(predicate).parameters, value) for predicate in predicates}


def _side_by_side(system: System, other: System, choices: Choices) -> Fused:
    pair = (system.clauses, other.clauses) if choices.boolean() else (other.clauses, system.clauses)
    return _together(system, other, (*pair[0], *pair[1])), {}


def _one_after_the_other(system: System, other: System, choices: Choices) -> Fused:
    both = _together(system, other, (*system.clauses, *other.clauses))
    reached = Predicate(Names(both).fresh("reached"))
    first = [_reaching(clause, Atom(reached)) if clause.is_query else clause for clause in system.clauses]
    then = [
        replace(clause, formula=asking(clause, Atom(reached)))
        if choices.boolean() or not any(isinstance(member, Atom) for member in clause.body)
        else clause
        for clause in other.clauses
    ]
    fused = _together(system, replace(other, predicates=(reached, *other.predicates)), (*first, *then))
    return fused, _always((reached, *other.predicates), FALSE)


def _reaching(query: Clause, head: Atom) -> Clause:
    """What the query forbids derives this head."""
    unless = () if query.head is FALSE else (negation(query.head),)
    return replace(rule(query.variables, conjunction(*query.body, *unless), head), name=query.name)


def _guarding(system: System, other: System, choices: Choices) -> Fused | None:
    rules = [clause for clause in other.clauses if not clause.is_query]
    if not other.predicates:
        return None
    clauses = list(system.clauses)
    for _ in range(choices.integer(1, min(_MOST_GUARDED, len(clauses)))):
        at = choices.index(len(clauses))
        names = Names(_together(system, other, (*clauses, *rules)))
        guard = choices.pick(other.predicates)
        arguments = [_variable(clauses[at], sort, names, choices) for sort in guard.parameters]
        clauses[at] = replace(clauses[at], formula=asking(clauses[at], Atom(guard, arguments)))
    return _together(system, other, (*clauses, *rules)), _always(other.predicates, TRUE)


def _variable(clause: Clause, sort: Sort, names: Names, choices: Choices) -> Variable:
    """One that the clause is for all values of, or a new one."""
    formula = clause.formula
    bound = formula.variables if isinstance(formula, Quantifier) and formula.kind == "forall" else ()
    fitting = [variable for variable in bound if variable.sort == sort]
    return choices.pick(fitting) if fitting and choices.index(4) else names.variable(sort)


def _both_at_once(system: System, other: System, choices: Choices) -> Fused | None:
    mine, theirs = with_rules(system), with_rules(other)
    if not theirs:
        return None
    names = Names(_together(system, other, (*system.clauses, *other.clauses)))
    pair = _Pair(choices.pick(mine), choices.pick(theirs), names)
    clauses = [pair.of_both(clause, other, choices) for clause in system.clauses]
    clauses += [
        pair.of_other(clause) for clause in other.clauses if not (clause.is_query or _is_of(clause.head, pair.q))
    ]
    rest = tuple(predicate for predicate in other.predicates if predicate is not pair.q)
    kept = tuple(predicate for predicate in system.predicates if predicate is not pair.p)
    beside = replace(other, predicates=(pair.pq, *rest))
    parameters = itself(pair.pq).parameters
    meaning = Meaning(parameters, Atom(pair.p, parameters[: len(pair.p.parameters)]))
    return _together(replace(system, predicates=kept), beside, clauses), {pair.pq: meaning, **_always(rest, TRUE)}


class _Pair:
    """A predicate at hand, one of the other system, and the one that takes the arguments of both."""

    def __init__(self, p: Predicate, q: Predicate, names: Names) -> None:
        self.p, self.q = p, q
        self.pq = names.predicate(p.name, (*p.parameters, *q.parameters))
        self._names = names

    def of_both(self, clause: Clause, other: System, choices: Choices) -> Clause:
        """A clause at hand, which takes one of the other system along where one fits."""
        asked = list(dict.fromkeys(atom for atom in clause.atoms if atom.predicate is self.p))
        if not asked and not _is_of(clause.head, self.p):
            return clause
        along = [each for each in other.clauses if self._goes_along(each, clause, len(asked))]
        body, head = self._instance(choices.pick(along)) if along and choices.index(8) else ((), FALSE)
        steps = [member.children for member in body if _is_of(member, self.q)]
        mates = dict(zip(asked, steps, strict=False))

        def with_mate(atom: Atom) -> Term:
            return self._atom(atom.children, mates.get(atom)) if atom.predicate is self.p else atom

        def with_head(atom: Atom) -> Term:
            y = head.children if isinstance(head, Atom) else None
            return self._atom(atom.children, y) if atom.predicate is self.p else atom

        made = replace(clause, formula=_recast(clause, with_mate, with_head))
        guards = [member for member in body if not _is_of(member, self.q)]
        if not isinstance(head, Atom) and head is not FALSE:
            guards.append(negation(head))
        return replace(made, formula=asking(made, conjunction(*guards))) if guards else made

    def of_other(self, clause: Clause) -> Clause:
        """A rule of the other system, for another predicate of it."""

        def with_mate(atom: Atom) -> Term:
            return self._atom(None, atom.children) if atom.predicate is self.q else atom

        return Clause(_recast(clause, with_mate, lambda atom: atom))

    def _atom(self, x: Sequence[Term] | None, y: Sequence[Term] | None) -> Atom:
        """Of both, with new variables for the arguments that are not given."""
        if x is None:
            x = [self._names.variable(sort) for sort in self.p.parameters]
        if y is None:
            y = [self._names.variable(sort) for sort in self.q.parameters]
        return Atom(self.pq, (*x, *y))

    def _goes_along(self, theirs: Clause, mine: Clause, most: int) -> bool:
        """Whether a clause of the other system can be taken along: a rule for q with one for p, a query with a query.

        Its body asks for q at most so often, and nowhere below other operators.
        """
        fits = (_is_of(theirs.head, self.q) and _is_of(mine.head, self.p)) or (theirs.is_query and mine.is_query)
        plain = sum(_is_of(member, self.q) for member in theirs.body)
        return fits and plain <= most and plain == sum(atom.predicate is self.q for atom in theirs.atoms)

    def _instance(self, clause: Clause) -> tuple[Sequence[Term], Term]:
        """A clause's body and head, of variables that no other clause has."""
        fresh = {variable: self._names.variable(variable.sort) for variable in clause.variables}
        return [substitute(member, fresh) for member in clause.body], substitute(clause.head, fresh)


def _recast(clause: Clause, body: Callable[[Atom], Term], head: Callable[[Atom], Term]) -> Term:
    """The clause with other atoms, for all values of variables that come with them."""
    formula = with_atoms(clause.formula, body, head)
    assert formula is not None
    return closed(formula)


def _is_of(term: Term, predicate: Predicate) -> bool:
    return isinstance(term, Atom) and term.predicate is predicate


_SOURCE = "YinYang's fusion of two seeds (PLDI 2020), of Horn clauses"


def _row(name: str, promise: Promise, summary: str, fuse: Fuse, needs: Callable[[System], bool]) -> Mutation:
    def fused(system: System, choices: Choices) -> Fused | None:
        other = _other(system, choices) if needs(system) and can_be_bound(system) else None
        return None if other is None or not can_be_bound(other) else fuse(system, other, choices)

    def rewrite(system: System, choices: Choices) -> System | None:
        found = fused(system, choices)
        return None if found is None or found[0] == system else found[0]

    def meanings(move: Move) -> Meanings | None:
        found = fused(move.before, move.choices)
        if found is None:
            return None
        return {predicate: found[1].get(predicate) or itself(predicate) for predicate in found[0].predicates}

    keeps_sat = promise is Promise.SAT_PRESERVING
    carry = Carry(meanings, no_facts) if keeps_sat else Carry(no_meanings, lambda _move, facts: facts)
    return one_way(f"fusion.{name}", promise, summary, _SOURCE, rewrite, needs, carry, takes_system=True)


MUTATIONS = (
    _row(
        "side-by-side",
        Promise.UNSAT_PRESERVING,
        "another seed's clauses stand beside",
        _side_by_side,
        lambda system: bool(system.clauses),
    ),
    _row(
        "one-after-the-other",
        Promise.SAT_PRESERVING,
        "another seed begins where false was derived",
        _one_after_the_other,
        lambda system: any(clause.is_query for clause in system.clauses),
    ),
    _row(
        "guarding",
        Promise.SAT_PRESERVING,
        "bodies ask for what another seed derives",
        _guarding,
        lambda system: bool(system.clauses),
    ),
    _row(
        "both-at-once",
        Promise.SAT_PRESERVING,
        "a predicate and one of another seed become one, and their rules steps of both",
        _both_at_once,
        lambda system: bool(with_rules(system)),
    ),
)
