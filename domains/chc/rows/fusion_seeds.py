"""Fusion of two seeds: the current system, and another one whose text is part of the step.

Except for two rows, nothing needs to be known about the other system. Let p be a predicate of the current system, and q
one of the other:

- one after the other: clauses that derived false derive `reached`, and the clauses that start derivations of the other
  system require it. In a model, `reached` and all predicates of the other system are false;
- one guards the other: bodies require q, over their own variables where the sorts fit. The queries of the other system
  are left out, so all its predicates may be true;
- both at once: one predicate pq(x, y) replaces p(x) and q(y), and each rule of p is combined with a rule of q. A model
  interprets pq(x, y) as p(x);
- side by side: the union of two systems without common symbols. All derivations of the current system remain.

If both have the same answer, that is also the answer of two systems side by side if it is sat, and of one after the
other if it is unsat. These two rows take another system whose text declares its status.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.witness import Meaning, Meanings
from chcfuzz.grammar.sorts import Sort
from chcfuzz.grammar.substitution import substitute
from chcfuzz.grammar.system import Clause, System, as_system
from chcfuzz.grammar.terms import FALSE, TRUE, Atom, Predicate, Term, Variable, conjunction, negation
from chcfuzz.mutators.mutation import ModelConverter, Move, Mutation, Needs, Promise
from chcfuzz.mutators.rewriting.clause_making import (
    can_be_bound,
    closed,
    one_way,
    outer_variables,
    rule,
    with_body_member,
)
from chcfuzz.mutators.rewriting.model_converter import itself, no_facts, no_meanings
from chcfuzz.mutators.rewriting.predicate_transformation import Names, with_atoms, with_rules
from chcfuzz.mutators.rewriting.symbols import apart, own_names
from chcfuzz.mutators.roots import active
from chcfuzz.mutators.seeds import read_seed

_MOST_GUARDED = 3  # bodies

# The fused system, and the meanings of its new predicates over the predicates of the current system.
Fused = tuple[System, Meanings]
Fuse = Callable[[System, System, Choices], Fused | None]


def _other(system: System, choices: Choices) -> System | None:
    """Return the system whose text the choices begin with, or else a built-in seed, with unused names.

    None if the data types of the two systems would clash.
    """
    other = as_system(read_seed(choices.text()) or read_seed(choices.pick(active().built_in)))
    are_shared = other.datatypes == system.datatypes[: len(other.datatypes)]
    return apart(other, system)[0] if are_shared or other.datatype_names.isdisjoint(own_names(system)) else None


def _together(system: System, other: System, clauses: Sequence[Clause]) -> System:
    """Return a system with the declarations of both and these clauses."""
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
        replace(clause, formula=with_body_member(clause, Atom(reached)))
        if choices.boolean() or not any(isinstance(member, Atom) for member in clause.body)
        else clause
        for clause in other.clauses
    ]
    fused = _together(system, replace(other, predicates=(reached, *other.predicates)), (*first, *then))
    return fused, _always((reached, *other.predicates), FALSE)


def _reaching(query: Clause, head: Atom) -> Clause:
    """Return the rule that derives this head where the query derived false."""
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
        clauses[at] = replace(clauses[at], formula=with_body_member(clauses[at], Atom(guard, arguments)))
    return _together(system, other, (*clauses, *rules)), _always(other.predicates, TRUE)


def _variable(clause: Clause, sort: Sort, names: Names, choices: Choices) -> Variable:
    """Return a variable that the clause binds universally, or a new one."""
    fitting = [variable for variable in outer_variables(clause) if variable.sort == sort]
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
    """A predicate of the current system, one of the other, and the predicate that has the arguments of both."""

    def __init__(self, p: Predicate, q: Predicate, names: Names) -> None:
        self.p, self.q = p, q
        self.pq = names.predicate(p.name, (*p.parameters, *q.parameters))
        self._names = names

    def of_both(self, clause: Clause, other: System, choices: Choices) -> Clause:
        """Return a clause of the current system, combined with a fitting one of the other system if there is one."""
        required = list(dict.fromkeys(atom for atom in clause.atoms if atom.predicate is self.p))
        if not required and not _is_of(clause.head, self.p):
            return clause
        partners = [each for each in other.clauses if self._fits(each, clause, len(required))]
        body, head = self._instance(choices.pick(partners)) if partners and choices.index(8) else ((), FALSE)
        steps = [member.children for member in body if _is_of(member, self.q)]
        mates = dict(zip(required, steps, strict=False))

        def with_mate(atom: Atom) -> Term:
            return self._atom(atom.children, mates.get(atom)) if atom.predicate is self.p else atom

        def with_head(atom: Atom) -> Term:
            y = head.children if isinstance(head, Atom) else None
            return self._atom(atom.children, y) if atom.predicate is self.p else atom

        made = replace(clause, formula=_with_atoms(clause, with_mate, with_head))
        guards = [member for member in body if not _is_of(member, self.q)]
        if not isinstance(head, Atom) and head is not FALSE:
            guards.append(negation(head))
        return replace(made, formula=with_body_member(made, conjunction(*guards))) if guards else made

    def of_other(self, clause: Clause) -> Clause:
        """Return a rule of the other system for a predicate other than q."""

        def with_mate(atom: Atom) -> Term:
            return self._atom(None, atom.children) if atom.predicate is self.q else atom

        return Clause(_with_atoms(clause, with_mate, lambda atom: atom))

    def _atom(self, x: Sequence[Term] | None, y: Sequence[Term] | None) -> Atom:
        """Return an atom of the combined predicate, with new variables for the arguments that are not given."""
        if x is None:
            x = [self._names.variable(sort) for sort in self.p.parameters]
        if y is None:
            y = [self._names.variable(sort) for sort in self.q.parameters]
        return Atom(self.pq, (*x, *y))

    def _fits(self, theirs: Clause, mine: Clause, most: int) -> bool:
        """Return whether a clause of the other system can be combined: a rule of q with one of p, a query with a query.

        Its body contains q at most `most` times, and only as a direct member.
        """
        fits = (_is_of(theirs.head, self.q) and _is_of(mine.head, self.p)) or (theirs.is_query and mine.is_query)
        plain = sum(_is_of(member, self.q) for member in theirs.body)
        return fits and plain <= most and plain == sum(atom.predicate is self.q for atom in theirs.atoms)

    def _instance(self, clause: Clause) -> tuple[Sequence[Term], Term]:
        """Return a clause's body and head over new variables."""
        fresh = {variable: self._names.variable(variable.sort) for variable in clause.variables}
        return [substitute(member, fresh) for member in clause.body], substitute(clause.head, fresh)


def _with_atoms(clause: Clause, body: Callable[[Atom], Term], head: Callable[[Atom], Term]) -> Term:
    """Return the clause with other atoms, and with the new variables of these bound universally."""
    formula = with_atoms(clause.formula, body, head)
    assert formula is not None
    return closed(formula)


def _is_of(term: Term, predicate: Predicate) -> bool:
    return isinstance(term, Atom) and term.predicate is predicate


_SOURCE = "YinYang's fusion of two seeds (PLDI 2020), of Horn clauses"


def _row(  # noqa: PLR0913 - the fields of a row
    name: str, promise: Promise, summary: str, fuse: Fuse, needs: Callable[[System], bool], status: str | None = None
) -> Mutation:
    """Return the row of a fusion; with a `status`, the other system must declare it, and its witness is unknown."""

    def fused(system: System, choices: Choices) -> Fused | None:
        other = _other(system, choices) if needs(system) and can_be_bound(system) else None
        if other is None or not can_be_bound(other) or status not in (None, other.status):
            return None
        return fuse(system, other, choices)

    def rewrite(system: System, choices: Choices) -> System | None:
        found = fused(system, choices)
        return None if found is None or found[0] == system else found[0]

    def meanings(move: Move) -> Meanings | None:
        found = fused(move.before, move.choices)
        if found is None:
            return None
        return {predicate: found[1].get(predicate) or itself(predicate) for predicate in found[0].predicates}

    keeps_sat = promise is Promise.SAT_PRESERVING
    converter = (
        ModelConverter(meanings, no_facts) if keeps_sat else ModelConverter(no_meanings, lambda _move, facts: facts)
    )
    if status is not None:
        converter = ModelConverter(no_meanings, no_facts)
    row = Mutation(
        f"fusion.{name}",
        promise,
        summary,
        _SOURCE,
        rewrite,
        needs,
        converter=converter,
        takes_system=True,
        needs=Needs.CLAUSES,
    )
    return one_way(row)


MUTATIONS = (
    _row(
        "side-by-side",
        Promise.UNSAT_PRESERVING,
        "another seed's clauses are added",
        _side_by_side,
        lambda system: bool(system.clauses),
    ),
    _row(
        "one-after-the-other",
        Promise.SAT_PRESERVING,
        "another seed's derivations begin where false was derived",
        _one_after_the_other,
        lambda system: any(clause.is_query for clause in system.clauses),
    ),
    _row(
        "guarding",
        Promise.SAT_PRESERVING,
        "bodies require atoms that another seed derives",
        _guarding,
        lambda system: bool(system.clauses),
    ),
    _row(
        "both-at-once",
        Promise.SAT_PRESERVING,
        "a predicate is joined with one of another seed, and their rules are combined",
        _both_at_once,
        lambda system: bool(with_rules(system)),
    ),
    _row(
        "both-sat",
        Promise.SAT_PRESERVING,
        "the clauses of another seed that is sat are added",
        _side_by_side,
        lambda system: bool(system.clauses),
        "sat",
    ),
    _row(
        "both-unsat",
        Promise.UNSAT_PRESERVING,
        "derivations of another seed that is unsat begin where false was derived",
        _one_after_the_other,
        lambda system: any(clause.is_query for clause in system.clauses),
        "unsat",
    ),
)
